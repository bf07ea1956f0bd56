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
//	0   checksum of all that follows, CRC-32C
//	4   number of the receiver, 2 bytes
//	6   number of the sender, 2 bytes
//	8   number of the frame among those of its sender to its receiver, from 1
//	12  level
//	16  kind, 1 byte
const (
	HeaderBytes = 20

	atReceiver = 4
	atSender   = 6
	atNumber   = 8
	atLevel    = 12
	atKind     = 16
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
	binary.LittleEndian.PutUint16(frame[atReceiver:], uint16(to))
	binary.LittleEndian.PutUint16(frame[atSender:], uint16(from))
	binary.LittleEndian.PutUint32(frame[atNumber:], number)
	binary.LittleEndian.PutUint32(frame[atLevel:], uint32(level))
	clear(frame[atKind:HeaderBytes])
	frame[atKind] = byte(kind)
	binary.LittleEndian.PutUint32(frame, crc32.Checksum(frame[4:], castagnoli))
}

// unseal reads a frame. It fails if the frame is damaged.
func unseal(frame []byte) (f Frame, to int, number uint32, err error) {
	if len(frame) < HeaderBytes || crc32.Checksum(frame[4:], castagnoli) != binary.LittleEndian.Uint32(frame) {
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

// Write writes a frame to a stream, with its length before it.
func Write(w io.Writer, frame []byte) error {
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(frame)))
	if _, err := w.Write(length[:]); err != nil {
		return err
	}
	_, err := w.Write(frame)
	return err
}

// Read reads a frame that Write wrote. The error is io.EOF at the end of the stream.
func Read(r io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n < HeaderBytes || n > MostFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	frame := make([]byte, n, n+room)
	_, err := io.ReadFull(r, frame)
	return frame, err
}
