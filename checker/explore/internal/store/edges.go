package store

import (
	"encoding/binary"
	"sort"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

// Edges records the nodes that steps lead to, each by a part of its fingerprint. So the possible
// predecessors of a given node are found. The first step to a node is left to the trace log, unless
// run.notesAll is set. Edges are kept as long as they are few.
//
// A worker appends to a stream of its own, one run of edges for each chunk of nodes that it
// expands. An edge is three bytes: the part of the fingerprint, and by how much the place of its
// node in the chunk exceeds that of the edge before. Where that is too much, the places continue by
// what stands in the fingerprint's stead.
type Edges struct {
	arena   *memory.Arena
	streams []edgeStream
	over    atomic.Bool    // there were too many, and none are kept
	of      *memory.Budget // they take a share of it
	dropped bool
}

type edgeStream struct {
	blocks [][]byte
	rest   []byte // of the last block
	place  uint32 // of the node of the last edge
	runs   []edgeRun
}

// edgeRun is where the edges of a chunk begin.
type edgeRun struct {
	first int64 // number of the chunk's first node
	at    int   // bytes of the stream's blocks before it
}

// end returns where the next edge begins, unless it needs another block.
func (s *edgeStream) end() int { return len(s.blocks)*edgeBlock - len(s.rest) }

const (
	edgeBlock = 64 << 10
	edgeBytes = 3
	// edgeRoom is the room for an edge in bytes: an edge is written with one byte too many.
	edgeRoom = 4

	placeBits = 4
	farPlace  = 1<<placeBits - 1
	partBits  = 20

	// MaxEdgeBytes is how much memory they may take at most, and edgesEach how much for each node,
	// above fewEdges.
	MaxEdgeBytes = 32 << 20
	edgesEach    = 6
	fewEdges     = 2 << 20
	// EdgeShare bounds the memory of edges: they may take 1/EdgeShare of Options.Mem.
	EdgeShare = 32
)

// partOf returns the part of a fingerprint that is kept.
func partOf(hash uint64) uint32 { return uint32(hash >> (64 - partBits)) }

// NewEdges returns edges for a number of workers, kept in memory up to a limit in bytes, which it
// takes off the limit of s. It returns nil, which keeps no edges, if the limit is below a slab or
// above a quarter of that of s.
func NewEdges(s *memory.Budget, limit int64, workers int) *Edges {
	if limit < memory.SlabBytes || s.Limit > 0 && limit > s.Limit/4 {
		return nil
	}
	e := &Edges{arena: &memory.Arena{Budget: s.Unlimited(), Size: edgeBlock}, streams: make([]edgeStream, workers), of: s}
	e.arena.Budget.Limit = limit
	if s.Limit > 0 {
		s.Limit -= limit
	}
	return e
}

// Kept reports whether all edges are there.
func (e *Edges) Kept() bool { return e != nil && !e.over.Load() }

// Start begins a run of stream k. It reports whether edges are kept.
func (e *Edges) Start(k int, first int64) bool {
	if !e.Kept() {
		return false
	}
	s := &e.streams[k]
	s.place = 0
	s.runs = append(s.runs, edgeRun{first, s.end()})
	return true
}

// Put appends to stream k an edge from the node at a place of the chunk.
func (e *Edges) Put(k int, place uint32, hash uint64) {
	s := &e.streams[k]
	far := place - s.place
	s.place = place
	for far >= farPlace {
		part := min(far, 1<<partBits-1)
		e.write(s, part<<placeBits|farPlace)
		far -= part
	}
	e.write(s, partOf(hash)<<placeBits|far)
}

func (e *Edges) write(s *edgeStream, x uint32) {
	if len(s.rest) < edgeRoom {
		if e.over.Load() {
			return
		}
		b, err := e.arena.Get()
		if err != nil {
			e.over.Store(true)
			return
		}
		s.blocks, s.rest = append(s.blocks, b), b
	}
	binary.LittleEndian.PutUint32(s.rest, x)
	s.rest = s.rest[edgeBytes:]
}

// Trim gives back the memory of edges that are not kept, as they are too many for so many nodes or
// at all. No worker is at work.
func (e *Edges) Trim(nodes int64) {
	if e == nil {
		return
	}
	bytes := int64(0)
	for k := range e.streams {
		bytes += int64(e.streams[k].end())
	}
	if !e.Kept() || bytes > fewEdges+nodes*edgesEach {
		e.Drop()
	}
}

// Drop gives back the memory of all edges.
func (e *Edges) Drop() {
	if e == nil || e.dropped {
		return
	}
	e.over.Store(true)
	e.dropped = true
	if e.of.Limit > 0 {
		e.of.Limit += e.arena.Budget.Limit
	}
	for k := range e.streams {
		for _, b := range e.streams[k].blocks {
			e.arena.Put(b)
		}
		e.streams[k] = edgeStream{}
	}
	e.arena.Trim()
}

// From shows the numbers of nodes, from one on and before another, that have an edge to a node of a
// set of parts of fingerprints. One may be shown more than once.
func (e *Edges) From(first, behind int64, to *Parts, show func(number int64)) {
	for k := range e.streams {
		s := &e.streams[k]
		x := sort.Search(len(s.runs), func(x int) bool { return s.runs[x].first >= first })
		for ; x < len(s.runs) && s.runs[x].first < behind; x++ {
			end := s.end()
			if x+1 < len(s.runs) {
				end = s.runs[x+1].at
			}
			s.scan(s.runs[x], end, to, show)
		}
	}
}

// scan goes through a run.
func (s *edgeStream) scan(run edgeRun, end int, to *Parts, show func(number int64)) {
	number := run.first
	for at := run.at; at < end; {
		b, in := s.blocks[at/edgeBlock], at%edgeBlock
		for ; in <= edgeBlock-edgeRoom && at < end; in, at = in+edgeBytes, at+edgeBytes {
			x := binary.LittleEndian.Uint32(b[in:])
			far, part := x&farPlace, x>>placeBits&(1<<partBits-1)
			if far == farPlace {
				number += int64(part)
				continue
			}
			number += int64(far)
			if to.has(part) {
				show(number)
			}
		}
		at += edgeBlock - in
	}
}

// Parts is a set of parts of fingerprints.
type Parts [1 << partBits / 64]uint64

// Add adds the part of a fingerprint.
func (p *Parts) Add(hash uint64) { x := partOf(hash); p[x/64] |= 1 << (x % 64) }

func (p *Parts) has(part uint32) bool { return p[part/64%uint32(len(p))]>>(part%64)&1 != 0 }
