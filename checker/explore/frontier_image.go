package explore

import (
	"encoding/binary"
	"math"
)

// levelPlace says where a chunk of an image belongs: to the level that is being expanded or, if next
// is set, to the one that is being found, with the records of its nodes in a stream of the trace log.
type levelPlace struct {
	next   bool
	stream int
	at     int64 // see traceLog.openAt
}

// write writes a chunk into an image. buf is a block's room.
func (c *chunk) write(w *imageWriter, buf []byte, p levelPlace) error {
	mem := c.mem
	if mem == nil {
		mem = buf
		if err := c.file.read(mem[:c.used], c.at); err != nil {
			return err
		}
	}
	next := int64(0)
	if p.next {
		next = 1
	}
	var head []byte
	for _, x := range []int64{next, int64(p.stream), p.at, c.first, int64(c.nodes)} {
		head = binary.AppendUvarint(head, uint64(x))
	}
	w.frame(frameChunk, head, mem[:c.used])
	return nil
}

// readChunk makes the chunk of a frame, whose trace log has so many streams.
func readChunk(a *arena, b []byte, streams int) (c *chunk, p levelPlace, err error) {
	f := fields{rest: b}
	p.next, p.stream, p.at = f.next() == 1, int(f.next()), f.next()
	c = &chunk{first: f.next(), nodes: int(f.next()), used: len(f.rest)}
	if f.bad || p.stream >= streams || c.nodes <= 0 || c.nodes > math.MaxInt32 || c.used+excess > a.size {
		return nil, p, errDamaged
	}
	file := a.disk.thisLevel()
	if p.next {
		file = a.disk.nextLevel()
	}
	c.mem, c.at, err = a.hold(f.rest, file)
	if c.mem == nil {
		c.file = file
	}
	return c, p, err
}
