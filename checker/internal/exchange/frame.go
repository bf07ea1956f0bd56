package exchange

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A frame begins with a header, in little-endian order:
//
//	0   bytes of the frame
//	4   checksum of all that follows, CRC-32C
//	8   number of the receiver, 2 bytes
//	10  number of the sender, 2 bytes
//	12  number of the frame among those of its sender to its receiver, from 1
//	16  level
//	20  kind, 1 byte
const (
	HeaderBytes = 24

	atChecksum = 4
	atReceiver = 8
	atSender   = 10
	atNumber   = 12
	atLevel    = 16
	atKind     = 20
)

// MostFrame bounds a frame in bytes. A server of NATS takes messages of 1 MiB.
const MostFrame = 1 << 20

// MostParts bounds the number of parts of a search.
const MostParts = 1 << 10

// room is the room after a frame that was read, for a reader that reads past its end in blocks.
const room = 8 << 10

// Kind says what a frame holds. This package knows three kinds, the others are those of the search.
type Kind byte

// Kinds of this package.
const (
	Batch  Kind = 1 + iota // nodes; needs a credit
	credit                 // so many batches were taken
	Beat                   // at intervals
	Others                 // the first kind of the search
)

// Frame is a frame that was received.
type Frame struct {
	From  int
	Kind  Kind
	Level int
	Body  []byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal fills in the header of a frame.
func seal(frame []byte, to, from int, number uint32, kind Kind, level int) {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)))
	binary.LittleEndian.PutUint16(frame[atReceiver:], uint16(to))
	binary.LittleEndian.PutUint16(frame[atSender:], uint16(from))
	binary.LittleEndian.PutUint32(frame[atNumber:], number)
	binary.LittleEndian.PutUint32(frame[atLevel:], uint32(level))
	clear(frame[atKind:HeaderBytes])
	frame[atKind] = byte(kind)
	binary.LittleEndian.PutUint32(frame[atChecksum:], checksum(frame))
}

func checksum(frame []byte) uint32 { return crc32.Checksum(frame[atChecksum+4:], castagnoli) }

// unseal reads a frame. It fails if the frame is damaged.
func unseal(frame []byte) (f Frame, to int, number uint32, err error) {
	if len(frame) < HeaderBytes || int(binary.LittleEndian.Uint32(frame)) != len(frame) || checksum(frame) != binary.LittleEndian.Uint32(frame[atChecksum:]) {
		return f, 0, 0, errors.New("a frame is damaged")
	}
	f = Frame{
		From: int(binary.LittleEndian.Uint16(frame[atSender:])), Kind: Kind(frame[atKind]),
		Level: int(binary.LittleEndian.Uint32(frame[atLevel:])), Body: frame[HeaderBytes:],
	}
	return f, int(binary.LittleEndian.Uint16(frame[atReceiver:])), binary.LittleEndian.Uint32(frame[atNumber:]), nil
}

// Receiver returns the number of the part that a frame is for. It returns -1 for what is no frame.
func Receiver(frame []byte) int {
	if len(frame) < HeaderBytes {
		return -1
	}
	return int(binary.LittleEndian.Uint16(frame[atReceiver:]))
}

// IsBatch reports whether a frame holds nodes.
func IsBatch(frame []byte) bool { return len(frame) >= HeaderBytes && Kind(frame[atKind]) == Batch }

// Write writes a frame to a stream, at once.
func Write(w io.Writer, frame []byte) error {
	_, err := w.Write(frame)
	return err
}

// Read reads a frame that Write wrote, into buffer if that has room for it. The error is io.EOF at
// the end of the stream.
func Read(r io.Reader, buffer []byte) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(length[:]))
	if n < HeaderBytes || n > MostFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	if cap(buffer) < n {
		buffer = make([]byte, n, n+room)
	}
	frame := buffer[:n]
	copy(frame, length[:])
	_, err := io.ReadFull(r, frame[len(length):])
	return frame, err
}
