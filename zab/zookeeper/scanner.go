package zookeeper

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// scanner cuts a stream that comes in pieces of any size into fields. It keeps the field that is
// not complete yet and no more.
type scanner struct {
	at    int64 // offset in the stream of the next byte
	over  int64 // bytes to pass over before the field
	want  int   // length of the field
	field []byte
	// What is passed over or collected while hashing is set goes to the hash.
	hashing bool
	hash    xxh3.Hasher
}

// maxField bounds what is kept of a stream: no field that is looked at is longer.
const maxField = 4 << 10

// take asks for a field of n bytes, n at most maxField.
func (s *scanner) take(n int) { s.want = n }

// skip passes over n bytes before the next field.
func (s *scanner) skip(n int64) { s.over = n }

// feed passes each complete field of p, and of what came before, to next, which asks for the field
// after it.
func (s *scanner) feed(p []byte, next func(field []byte) error) error {
	for {
		if s.over > 0 {
			n := int(min(s.over, int64(len(p))))
			s.pass(p[:n])
			p, s.over = p[n:], s.over-int64(n)
			if s.over > 0 {
				return nil
			}
		}
		n := min(s.want-len(s.field), len(p))
		s.pass(p[:n])
		whole := p[:n]
		if len(s.field) > 0 || n < s.want {
			s.field = append(s.field, whole...)
			whole = s.field
		}
		p = p[n:]
		if len(whole) < s.want {
			return nil
		}
		s.field = s.field[:0]
		if err := next(whole); err != nil {
			return err
		}
	}
}

// pass counts and hashes bytes of the stream.
func (s *scanner) pass(p []byte) {
	s.at += int64(len(p))
	if s.hashing {
		s.hash.Write(p)
	}
}

// startHash and endHash enclose what goes to a digest.
func (s *scanner) startHash() {
	s.hash.Reset()
	s.hashing = true
}

func (s *scanner) endHash() uint64 {
	s.hashing = false
	return s.hash.Sum64()
}

// inside reports whether the stream stands inside of something that has begun at offset start.
func (s *scanner) inside(start int64) bool { return s.at > start }

// FormatError says that a stream is not what the decoder reads. Nothing after its place can be
// decoded, since packets have no frames.
type FormatError struct {
	Offset int64 // bytes of the stream that were read
	Reason string
}

func (e *FormatError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

func (s *scanner) fail(format string, args ...any) error {
	return &FormatError{Offset: s.at, Reason: fmt.Sprintf(format, args...)}
}

func int32At(b []byte, k int) int32 { return int32(binary.BigEndian.Uint32(b[k:])) }
func int64At(b []byte, k int) int64 { return int64(binary.BigEndian.Uint64(b[k:])) }
