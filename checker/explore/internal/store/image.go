package store

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
)

// The file of a checkpoint is imageMagic, then frames. A frame is its kind (one byte), the number
// of bytes that follow and their CRC-32C with that of the kind (four bytes each, little endian),
// and the bytes. The first frame is the head. The last, FrameEnd, holds the number of frames before
// it, so that a truncated file is detected. The seal follows: the HMAC-SHA256 of all frames.
const (
	imageMagic = "multigrain checkpoint\n"
	MaxFrame   = 4 << 20
)

// Kinds of frames.
const (
	FrameHead    = 'H' // meta, as JSON
	FrameVisited = 'V' // fingerprints
	FrameLog     = 'L' // a block of a stream of the trace log
	FrameRuns    = 'R' // runs of the trace log
	FrameChunk   = 'C' // a chunk of the frontier
	FrameTotals  = 'T' // meta again, as JSON: what the run holds when the large parts are written
	FrameEnd     = 'E'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged says that a file is no checkpoint, or not all of one.
var ErrDamaged = errors.New("it is damaged or truncated")

// ErrSeal says that a file is whole, and that its last writer did not have the key.
var ErrSeal = errors.New("its seal does not fit")

// ImageWriter writes frames. After an error it writes nothing more; end returns it.
type ImageWriter struct {
	to     *bufio.Writer
	seal   hash.Hash
	frames uint64
	err    error
}

// NewImageWriter returns a writer that seals the file with a key.
func NewImageWriter(w io.Writer, key []byte) *ImageWriter {
	out := &ImageWriter{to: bufio.NewWriterSize(w, 1<<20), seal: hmac.New(sha256.New, key)}
	_, out.err = out.to.WriteString(imageMagic)
	return out
}

// Frame writes a frame of several parts, at most maxFrame bytes together.
func (w *ImageWriter) Frame(kind byte, parts ...[]byte) {
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
	w.seal.Write(head[:])
	if _, w.err = w.to.Write(head[:]); w.err != nil {
		return
	}
	for _, p := range parts {
		w.seal.Write(p)
		if _, w.err = w.to.Write(p); w.err != nil {
			return
		}
	}
	w.frames++
}

// End writes the last frame and the seal.
func (w *ImageWriter) End() error {
	w.Frame(FrameEnd, binary.LittleEndian.AppendUint64(nil, w.frames))
	if w.err != nil {
		return w.err
	}
	if _, err := w.to.Write(w.seal.Sum(nil)); err != nil {
		return err
	}
	return w.to.Flush()
}

// ImageReader reads what an imageWriter wrote.
type ImageReader struct {
	from   *bufio.Reader
	seal   hash.Hash
	frames uint64
	buf    []byte
}

// NewImageReader returns a reader that compares the file's seal with a key.
func NewImageReader(r io.Reader, key []byte) (*ImageReader, error) {
	in := &ImageReader{from: bufio.NewReaderSize(r, 1<<20), seal: hmac.New(sha256.New, key)}
	magic := make([]byte, len(imageMagic))
	if _, err := io.ReadFull(in.from, magic); err != nil {
		return nil, unexpected(err)
	}
	if string(magic) != imageMagic {
		return nil, ErrDamaged
	}
	return in, nil
}

// Next returns the next frame, whose bytes are valid until the one after it is read. The last frame
// comes only if the seal fits all frames.
func (r *ImageReader) Next() (kind byte, payload []byte, err error) {
	var head [9]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return 0, nil, unexpected(err)
	}
	size := binary.LittleEndian.Uint32(head[1:])
	if size > MaxFrame {
		return 0, nil, ErrDamaged
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
		return 0, nil, ErrDamaged
	}
	r.seal.Write(head[:])
	r.seal.Write(payload)
	if head[0] == FrameEnd {
		if size != 8 || binary.LittleEndian.Uint64(payload) != r.frames {
			return 0, nil, ErrDamaged
		}
		if err := r.sealed(); err != nil {
			return 0, nil, err
		}
	}
	r.frames++
	return head[0], payload, nil
}

// sealed reads the seal and compares it. The file ends after it.
func (r *ImageReader) sealed() error {
	var seal [sha256.Size]byte
	if _, err := io.ReadFull(r.from, seal[:]); err != nil {
		return unexpected(err)
	}
	if _, err := r.from.ReadByte(); err == nil {
		return ErrDamaged
	} else if err != io.EOF {
		return err
	}
	if !hmac.Equal(seal[:], r.seal.Sum(nil)) {
		return ErrSeal
	}
	return nil
}

// unexpected is errDamaged for the end of a file.
func unexpected(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrDamaged
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
