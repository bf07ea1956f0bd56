package store

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// Place says where a chunk of an image belongs: to the level that is being expanded or, if next is
// set, to the one that is being found. In the latter case the records of its nodes are in a stream
// of the trace log.
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

// ReadChunk makes the chunk of a frame, whose trace log has so many streams. It shows each node
// with its labels, which is valid until the next one, and ends at the first error of show.
func ReadChunk[T any](a *memory.Arena, b []byte, streams int, show func(*T, sleepset.Labels) error) (c *Chunk, p Place, err error) {
	f := fields{rest: b}
	next, stream, at := f.next(), f.next(), f.next()
	first, nodes := f.next(), f.next()
	if f.bad || next > 1 || stream >= max(int64(streams), 1) || nodes <= 0 || nodes > math.MaxInt32 || len(f.rest)+excess > a.Size {
		return nil, p, ErrDamaged
	}
	p = Place{Next: next == 1, Stream: int(stream), At: at}
	c = &Chunk{First: first, Nodes: int(nodes), used: len(f.rest)}
	if p.Next && p.Stream >= streams {
		return nil, p, ErrDamaged
	}
	if err := showNodes(f.rest, c.Nodes, a.Size, show); err != nil {
		return nil, p, err
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

// showNodes decodes exactly so many nodes of a chunk. The decoder of chunks trusts its input, so
// each difference is measured before.
func showNodes[T any](b []byte, nodes, size int, show func(*T, sleepset.Labels) error) error {
	mem := make([]byte, size)
	r := Reader[T]{Chunk: &Chunk{mem: mem[:copy(mem, b)+excess]}}
	for range nodes {
		n, ok := measure(b[r.at:], wordsOf[T]())
		if !ok {
			return ErrDamaged
		}
		end := r.at + n
		r.Next()
		if r.at != end {
			return ErrDamaged
		}
		if err := show(r.Node(), r.Labels()); err != nil {
			return err
		}
	}
	if r.at != len(b) {
		return ErrDamaged
	}
	return nil
}

// measure returns how many bytes the difference of so many words takes at the start of b; ok is
// false where b ends before.
func measure(b []byte, words int) (n int, ok bool) {
	for ; words > 0; words -= 64 {
		masks := n + min(64, words)/8
		if masks > len(b) {
			return 0, false
		}
		end := masks
		for _, x := range b[n:masks] {
			end += bits.OnesCount8(x)
		}
		if end > len(b) {
			return 0, false
		}
		n = end
		for _, x := range b[masks:end] {
			n += bits.OnesCount8(x)
		}
	}
	return n, n <= len(b)
}
