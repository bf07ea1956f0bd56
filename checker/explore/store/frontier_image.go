package store

import (
	"encoding/binary"
	"math"

	"github.com/multigrain/multigrain/checker/explore/memory"
)

// Place says where a chunk of an image belongs: to the level that is being expanded or, if next is
// set, to the one that is being found, with the records of its nodes in a stream of the trace log.
type Place struct {
	Next   bool
	Stream int
	At     int64 // see TraceLog.OpenAt
}

// Write writes a chunk into an image. buf is a block's room.
func (c *Chunk) Write(w *ImageWriter, buf []byte, p Place) error {
	mem := c.mem
	if mem == nil {
		mem = buf
		if err := c.file.Read(mem[:c.used], c.at); err != nil {
			return err
		}
	}
	next := int64(0)
	if p.Next {
		next = 1
	}
	var head []byte
	for _, x := range []int64{next, int64(p.Stream), p.At, c.First, int64(c.Nodes)} {
		head = binary.AppendUvarint(head, uint64(x))
	}
	w.Frame(FrameChunk, head, mem[:c.used])
	return nil
}

// ReadChunk makes the chunk of a frame, whose trace log has so many streams.
func ReadChunk(a *memory.Arena, b []byte, streams int) (c *Chunk, p Place, err error) {
	f := fields{rest: b}
	p.Next, p.Stream, p.At = f.next() == 1, int(f.next()), f.next()
	c = &Chunk{First: f.next(), Nodes: int(f.next()), used: len(f.rest)}
	if f.bad || p.Stream >= streams || c.Nodes <= 0 || c.Nodes > math.MaxInt32 || c.used+excess > a.Size {
		return nil, p, ErrDamaged
	}
	file := a.Disk.ThisLevel()
	if p.Next {
		file = a.Disk.NextLevel()
	}
	c.mem, c.at, err = a.Hold(f.rest, file)
	if c.mem == nil {
		c.file = file
	}
	return c, p, err
}
