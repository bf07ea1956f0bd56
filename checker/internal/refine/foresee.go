package refine

import (
	"bytes"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
	"github.com/multigrain/multigrain/modules"
)

// foresight is the answer of modules.Runtime.Foresee for the record that is explored.
type foresight[S any] struct {
	of      func(s *S, peer int, msg unsafe.Pointer)
	spans   []modules.Span // of the variables that it sets
	state   *S             // in which they are set, for these bytes of a record and what is visible
	key     []byte
	visible int64
	now     record.Record // that is explored
}

// maxAhead is how many of the messages to a server, in each lane, are foreseen.
const maxAhead = 16

// explore says which record is explored.
func (c *searcher[S]) explore(r record.Record) { c.ahead.now = r }

// foreseen sets the variables of the environment that say what the node is seen to send next.
func (c *searcher[S]) foreseen(p *S) {
	f := &c.ahead
	if f.now == nil {
		return
	}
	if key := c.Produced(f.now); c.visible != f.visible || !bytes.Equal(key, f.key) {
		f.key, f.visible, c.held = append(f.key[:0], key...), c.visible, false
		f.copy(f.state, &c.base)
		for l, lane := range c.outs {
			sent := *c.Sent(f.now, l)
			for k := sent; int(k) < lane.len() && k < sent+maxAhead && lane.pos[k] <= c.visible; k++ {
				f.of(f.state, c.peers[l/c.lanes], unsafe.Pointer(&lane.at(k)[0]))
			}
		}
	}
	if p == c.s && c.held {
		return
	}
	c.held = c.held || p == c.s
	f.copy(p, f.state)
}

func (f *foresight[S]) copy(to, from *S) {
	for _, x := range f.spans {
		copy(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(to), x.Offset)), x.Size),
			unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(from), x.Offset)), x.Size))
	}
}

// guessed notes that a message that was produced before it was seen has more or less in it than the
// one that was seen then. How much could not be foreseen where the stream rested.
func (c *Checker[S]) guessed(produced, observed []byte) {
	if c.foresee == nil || kind(produced) != kind(observed) {
		return
	}
	a, b := bytes.Clone(produced), bytes.Clone(observed)
	for _, at := range c.netOf(a).chains {
		*record.Word(a, at), *record.Word(b, at) = 0, 0
	}
	if c.same(a, b) {
		c.faults.crowded++
		c.faults.why = "how much a message carries was not known when the stream rested before it"
	}
}

// mayWait reports whether a record need not take the k-th message of an incoming lane yet, and the
// message after it can be taken without it: modules.Runtime.Waits.
func (c *searcher[S]) mayWait(r record.Record, l int, k uint32) bool {
	from := c.ins[l]
	if c.waits == nil || c.total || c.doomed || c.lose || k >= c.avail[l] || from.in[k] != nil || c.unread(r, l) {
		return false
	}
	peer := int(from.peer[k])
	ways := len(c.nets) * c.arrivals // by which messages of a peer come
	for x := c.peerOf[peer] * ways; x < (c.peerOf[peer]+1)*ways; x++ {
		if x != l && *c.High(r, x) < c.avail[x] {
			return false
		}
	}
	var next unsafe.Pointer
	if k+1 < c.avail[l] {
		next = pointer(from.at(k + 1))
	}
	c.place(r[:c.rowSize])
	if c.before != nil {
		c.before(c.s)
	}
	return c.waits(c.s, c.me, peer, pointer(from.at(k)), next)
}

// takeUpTo calls emit for the records in which a record has taken as much of one of some lanes as
// one of others, where all that it passes over waits.
func (c *searcher[S]) takeUpTo(r record.Record, others []record.Record, lanes uint64, emit func(record.Record)) {
	defer c.explore(c.ahead.now)
	c.explore(r)
	for l := range c.Ins() {
		for _, o := range others {
			from, to := *c.High(r, l), *c.Low(o, l)
			if lanes&(1<<l) == 0 || to < from+2 {
				continue
			}
			for from < to-1 && c.mayWait(r, l, from) {
				from++
			}
			if from == to-1 {
				c.takeAt(r, l, from, emit)
			}
		}
	}
}

// takeAt calls emit for each record in which the k-th message of a lane is taken and changes
// something. What is before it in the lane is taken, too. It reports whether the message may change
// nothing.
func (c *searcher[S]) takeAt(r record.Record, l int, k uint32, emit func(record.Record)) (idle bool) {
	return c.effect(r[:c.rowSize], l, k, func(in *instance[S], res *result) {
		for _, t := range c.successors(r, in, res) {
			*c.Low(t, l), *c.High(t, l) = k+1, k+1
			c.finish(t, emit)
		}
	})
}
