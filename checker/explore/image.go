package explore

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// The file of a checkpoint is imageMagic, then frames: the kind (one byte), the number of bytes that follow and their CRC-32C
// with that of the kind (four bytes each, little endian), the bytes. The first frame is the head; the last, frameEnd, holds
// the number of those before it, so that a file that was cut off is found out.
const (
	imageMagic = "multigrain checkpoint\n"
	maxFrame   = 4 << 20
)

// Kinds of frames.
const (
	frameHead    = 'H' // meta, as JSON
	frameVisited = 'V' // fingerprints
	frameLog     = 'L' // a block of a stream of the trace log
	frameRuns    = 'R' // runs of the trace log
	frameChunk   = 'C' // a chunk of the frontier
	frameEnd     = 'E'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errDamaged says that a file is no checkpoint, or not all of one.
var errDamaged = errors.New("it is damaged or cut off")

// imageWriter writes frames. After an error it writes nothing more; end returns it.
type imageWriter struct {
	to     *bufio.Writer
	frames uint64
	err    error
}

func newImageWriter(w io.Writer) *imageWriter {
	out := &imageWriter{to: bufio.NewWriterSize(w, 1<<20)}
	_, out.err = out.to.WriteString(imageMagic)
	return out
}

// frame writes a frame of several parts, at most maxFrame bytes together.
func (w *imageWriter) frame(kind byte, parts ...[]byte) {
	if w.err != nil {
		return
	}
	var head [9]byte
	head[0] = kind
	sum, size := crc32.Update(0, castagnoli, head[:1]), 0
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
		size += len(p)
	}
	binary.LittleEndian.PutUint32(head[1:], uint32(size))
	binary.LittleEndian.PutUint32(head[5:], sum)
	if _, w.err = w.to.Write(head[:]); w.err != nil {
		return
	}
	for _, p := range parts {
		if _, w.err = w.to.Write(p); w.err != nil {
			return
		}
	}
	w.frames++
}

// end writes the last frame.
func (w *imageWriter) end() error {
	w.frame(frameEnd, binary.LittleEndian.AppendUint64(nil, w.frames))
	if w.err != nil {
		return w.err
	}
	return w.to.Flush()
}

// imageReader reads what an imageWriter wrote.
type imageReader struct {
	from   *bufio.Reader
	frames uint64
	buf    []byte
}

func newImageReader(r io.Reader) (*imageReader, error) {
	in := &imageReader{from: bufio.NewReaderSize(r, 1<<20)}
	magic := make([]byte, len(imageMagic))
	if _, err := io.ReadFull(in.from, magic); err != nil {
		return nil, unexpected(err)
	}
	if string(magic) != imageMagic {
		return nil, errDamaged
	}
	return in, nil
}

// next is the next frame, whose bytes are valid until the one after it is read.
func (r *imageReader) next() (kind byte, payload []byte, err error) {
	var head [9]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return 0, nil, unexpected(err)
	}
	size := binary.LittleEndian.Uint32(head[1:])
	if size > maxFrame {
		return 0, nil, errDamaged
	}
	if int(size) > cap(r.buf) {
		r.buf = make([]byte, size)
	}
	payload = r.buf[:size]
	if _, err := io.ReadFull(r.from, payload); err != nil {
		return 0, nil, unexpected(err)
	}
	sum := crc32.Update(crc32.Update(0, castagnoli, head[:1]), castagnoli, payload)
	if sum != binary.LittleEndian.Uint32(head[5:]) {
		return 0, nil, errDamaged
	}
	if head[0] == frameEnd && (size != 8 || binary.LittleEndian.Uint64(payload) != r.frames) {
		return 0, nil, errDamaged
	}
	r.frames++
	return head[0], payload, nil
}

// unexpected is errDamaged for the end of a file.
func unexpected(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errDamaged
	}
	return err
}

// fields reads unsigned varints from the start of a frame.
type fields struct {
	rest []byte
	bad  bool
}

func (f *fields) next() int64 {
	x, n := binary.Uvarint(f.rest)
	if n <= 0 || x > 1<<62 {
		f.bad, f.rest = true, nil
		return 0
	}
	f.rest = f.rest[n:]
	return int64(x)
}
