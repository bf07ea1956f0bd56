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
		f.key, f.visible = append(f.key[:0], key...), c.visible
		f.copy(f.state, &c.base)
		for l, lane := range c.outs {
			sent := *c.Sent(f.now, l)
			for k := sent; int(k) < lane.len() && k < sent+maxAhead && lane.pos[k] <= c.visible; k++ {
				f.of(f.state, c.peers[l/c.lanes], unsafe.Pointer(&lane.at(k)[0]))
			}
		}
	}
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
