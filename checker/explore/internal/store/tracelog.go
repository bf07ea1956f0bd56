package store

import (
	"encoding/binary"
	"slices"
	"sort"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

// TraceLog says for every node from which node and by which instance it was reached first. Nodes
// are numbered as they are found, level after level; an initial node's record has the number 0 and
// its position in the order of Spec.Init.
//
// A worker appends its records to a stream of its own, one run of records for each chunk of nodes.
// When a level ends and its chunks are numbered, so are the runs. A record is two varints: mostly
// two bytes. The first is the difference of the parent's number from that of the record before in
// the run. A worker goes through a level in order, so it is not negative. The second is the
// instance.
type TraceLog struct {
	arena   *memory.Arena
	Streams []logStream
	Runs    []LogRun // by number

	// The block that was read last from disk.
	read   []byte
	readAt int64
}

// logStream is the part of the log that one worker writes.
type logStream struct {
	blocks  []logBlock
	length  int64  // of a stream that was read: bytes that are used of its blocks
	spilled int    // blocks that are on disk, the first ones
	rest    []byte // of the last block
	parent  int64  // of the last record of this run
	open    []LogRun
}

// logBlock is a piece of a stream, in memory or, if mem is nil, on disk.
type logBlock struct {
	mem []byte
	at  int64
}

// LogRun is where the records of a chunk lie.
type LogRun struct {
	First  int64 // number of the first node
	stream int
	at     int64 // bytes of the stream's blocks before the first record
}

// maxRecord is the largest record. A block with less room at its end is left, by the writer and by
// the reader.
const maxRecord = 2 * binary.MaxVarintLen64

// NewTraceLog returns an empty log with a stream for each worker. Its blocks are those of an arena.
func NewTraceLog(a *memory.Arena, workers int) *TraceLog {
	return &TraceLog{arena: a, Streams: make([]logStream, workers)}
}

// Room makes sure that one more record can be put into stream k.
func (l *TraceLog) Room(k int) error {
	s := &l.Streams[k]
	if len(s.rest) >= maxRecord {
		return nil
	}
	b, err := l.arena.GetLasting()
	if err == memory.ErrSpill {
		b, err = l.spill(s)
	}
	if err != nil {
		return err
	}
	s.blocks = append(s.blocks, logBlock{mem: b})
	s.rest = b
	return nil
}

// spill writes the blocks of a stream, all complete, to disk. It returns the memory of one of them.
func (l *TraceLog) spill(s *logStream) (mem []byte, err error) {
	for ; s.spilled < len(s.blocks); s.spilled++ {
		b := &s.blocks[s.spilled]
		at, err := l.arena.Disk.Log().Write(b.mem)
		if err != nil {
			return nil, err
		}
		if mem != nil {
			l.arena.Put(mem)
		}
		mem = b.mem
		b.mem, b.at = nil, at
	}
	if mem == nil {
		return l.arena.Must()
	}
	return mem, nil
}

// Start begins a run of stream k: the records of the nodes of one chunk. The caller has made room
// with Room.
func (l *TraceLog) Start(k int) {
	s := &l.Streams[k]
	s.open = append(s.open, LogRun{stream: k, at: int64(len(s.blocks)*l.arena.Size - len(s.rest))})
	s.parent = 0
}

// Put appends a record, for which there is room, to the last run of stream k.
func (l *TraceLog) Put(k int, parent int64, instance uint32) {
	s := &l.Streams[k]
	n := putUvarint(s.rest, uint64(parent-s.parent))
	n += putUvarint(s.rest[n:], uint64(instance))
	s.parent = parent
	s.rest = s.rest[n:]
}

func putUvarint(b []byte, x uint64) int {
	if x < 0x80 {
		b[0] = byte(x)
		return 1
	}
	return binary.PutUvarint(b, x)
}

// Number numbers the runs of stream k, whose chunks they are, when a level ends.
func (l *TraceLog) Number(k int, chunks []*Chunk) {
	s := &l.Streams[k]
	for x := range chunks {
		s.open[x].First = chunks[x].First
	}
	l.Runs = append(l.Runs, s.open...)
	s.open = nil
}

// Cursor goes through the records of a run.
type Cursor struct {
	log    *TraceLog
	stream *logStream
	at     int64 // bytes of the stream's blocks before the next record
	parent int64 // of the last record

	// The block that was read last from disk.
	read   []byte
	readAt int64
}

// From returns a cursor that stands before the first record of a run.
func (l *TraceLog) From(run LogRun) (c Cursor) {
	c.enter(l, run)
	return c
}

// enter goes to the first record of a run.
func (c *Cursor) enter(l *TraceLog, run LogRun) {
	c.log, c.stream, c.at, c.parent = l, &l.Streams[run.stream], run.at, 0
}

// Next returns the next record. There must be one. It fails where the disk does.
func (c *Cursor) Next() (parent int64, instance uint32, err error) {
	size := int64(c.log.arena.Size)
	if c.at%size+maxRecord > size {
		c.at += size - c.at%size
	}
	b, err := c.block(&c.stream.blocks[c.at/size])
	if err != nil {
		return 0, 0, err
	}
	b = b[c.at%size:]
	d, n := binary.Uvarint(b)
	i, m := binary.Uvarint(b[n:])
	c.parent += int64(d)
	c.at += int64(n + m)
	return c.parent, uint32(i), nil
}

// block returns the contents of a block, valid until the next call.
func (c *Cursor) block(b *logBlock) ([]byte, error) {
	if b.mem != nil {
		return b.mem, nil
	}
	if c.read == nil || c.readAt != b.at {
		if c.read == nil {
			c.read = make([]byte, c.log.arena.Size)
		}
		c.readAt = -1
		if err := c.log.arena.Disk.Log().Read(c.read, b.at); err != nil {
			return nil, err
		}
		c.readAt = b.at
	}
	return c.read, nil
}

// Find returns the record of a numbered node. It fails where the disk does.
func (l *TraceLog) Find(node int64) (parent int64, instance uint32, err error) {
	k := sort.Search(len(l.Runs), func(k int) bool { return l.Runs[k].First > node }) - 1
	c := l.From(l.Runs[k])
	c.read, c.readAt = l.read, l.readAt
	for x := l.Runs[k].First; x <= node && err == nil; x++ {
		parent, instance, err = c.Next()
	}
	l.read, l.readAt = c.read, c.readAt
	return parent, instance, err
}

// Each shows the records of numbered nodes, in their order. It fails where the disk does.
func (l *TraceLog) Each(nodes []int64, show func(parent int64, instance uint32)) error {
	var c Cursor
	for len(nodes) > 0 {
		k := sort.Search(len(l.Runs), func(k int) bool { return l.Runs[k].First > nodes[0] }) - 1
		c.enter(l, l.Runs[k])
		for x := l.Runs[k].First; len(nodes) > 0 && (k+1 == len(l.Runs) || nodes[0] < l.Runs[k+1].First); x++ {
			parent, instance, err := c.Next()
			if err != nil {
				return err
			}
			if x == nodes[0] {
				show(parent, instance)
				nodes = nodes[1:]
			}
		}
	}
	return nil
}

// Path returns how a node was reached: the position of an initial node in the order of Spec.Init,
// and instances from there. depth is the node's distance from it, in steps. The error is one of
// reading the log from disk.
func (l *TraceLog) Path(node int64, depth int) (initial int64, instances []int, err error) {
	for ; depth > 0; depth-- {
		parent, instance, err := l.Find(node)
		if err != nil {
			return 0, nil, err
		}
		instances = append(instances, int(instance))
		node = parent
	}
	slices.Reverse(instances)
	_, x, err := l.Find(node)
	return int64(x), instances, err
}
