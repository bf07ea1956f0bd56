package selftest

import (
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker/internal/refine"
)

// What it computes. The orders in which a tap may see the events of one node: all of them, or
// random ones if there are too many.
//
// Why it is right. The possible orders are the linear extensions of a partial order:
//
//   - events of one connection keep their order, and so do inputs;
//   - a message is sent after what the node took up to the step that sends it;
//   - a message arrives after those messages that its sender knew of, directly or through others;
//   - a restart comes after all events before it and before all events after it.
//
// Where the stream has the total order, what the node receives and its inputs keep the order in
// which it takes them. A depth-first search appends each event whose predecessors are there, so it
// yields each linear extension once.
//
// What it costs. For each order as many steps as there are events, each over all events. Their
// number can be exponential, so the search ends after a bound. Random orders are then drawn event
// by event, and not each with the same probability.
//
// Example. The node takes m from peer 1, and answers it with n:
//
//	in(1, m) < out(1, n)        in(2, k) is unrelated to both
//	orders: k m n, m k n, m n k

// poset is a partial order of events.
type poset[S any] struct {
	events []event[S]
	before [][]int // by event: those that come before it
	after  [][]int
}

// posetOf orders what a node sees.
func (m *model[S]) posetOf(segments []segment[S]) *poset[S] {
	p := &poset[S]{}
	first := 0 // of this segment
	sent := make([]int, m.servers)
	for n, s := range segments {
		if n > 0 {
			barrier := event[S]{kind: refine.Restart, peer: -1, line: []byte(`{"event":"restart"}`)}
			for k := max(first-1, 0); k < len(p.events); k++ { // with the restart before
				p.edge(k, len(p.events))
			}
			p.events = append(p.events, barrier)
			p.grow()
			first = len(p.events)
			for k := range s {
				p.events = append(p.events, s[k])
				p.grow()
				p.edge(first-1, first+k)
			}
		} else {
			for k := range s {
				p.events = append(p.events, s[k])
				p.grow()
			}
		}
		m.within(p, first, sent)
		for _, e := range s {
			if e.kind == refine.Out {
				sent[e.peer]++
			}
		}
	}
	return p
}

func (p *poset[S]) grow() {
	for len(p.before) < len(p.events)+1 {
		p.before, p.after = append(p.before, nil), append(p.after, nil)
	}
}

// edge makes event a come before event b.
func (p *poset[S]) edge(a, b int) {
	for len(p.before) <= b {
		p.before, p.after = append(p.before, nil), append(p.after, nil)
	}
	p.before[b], p.after[a] = append(p.before[b], a), append(p.after[a], b)
}

// within orders the events of a segment. sent counts, by peer, the messages of those before it.
func (m *model[S]) within(p *poset[S], first int, sent []int) {
	type line struct {
		kind      refine.EventKind
		peer, net int
	}
	of := func(e *event[S]) line {
		if e.kind == refine.Input {
			return line{e.kind, -1, -1}
		}
		return line{e.kind, e.peer, m.netOf(e.msg)}
	}
	for b := first; b < len(p.events); b++ {
		y := &p.events[b]
		number := append([]int(nil), sent...)
		for a := first; a < len(p.events); a++ {
			x := &p.events[a]
			switch {
			case a == b:
			case a < b && of(x) == of(y):
				p.edge(a, b)
			case x.kind != refine.Out && y.kind == refine.Out && x.step <= y.step:
				p.edge(a, b)
			case x.kind == refine.Out && y.kind == refine.In && number[x.peer] < int(y.known[x.peer]):
				p.edge(a, b)
			case m.opt.Total && x.kind != refine.Out && y.kind != refine.Out && (x.step < y.step || x.step == y.step && a < b):
				p.edge(a, b)
			}
			if x.kind == refine.Out {
				number[x.peer]++
			}
		}
	}
}

// all calls f with each linear extension, until f returns false.
func (p *poset[S]) all(f func(order []int) bool) {
	n := len(p.events)
	missing := make([]int, n)
	for k := range n {
		missing[k] = len(p.before[k])
	}
	order := make([]int, 0, n)
	var next func() bool
	next = func() bool {
		if len(order) == n {
			return f(order)
		}
		for k := range n {
			if missing[k] != 0 {
				continue
			}
			missing[k] = -1
			for _, x := range p.after[k] {
				missing[x]--
			}
			order = append(order, k)
			more := next()
			order = order[:len(order)-1]
			for _, x := range p.after[k] {
				missing[x]++
			}
			missing[k] = 0
			if !more {
				return false
			}
		}
		return true
	}
	next()
}

// some returns a random linear extension.
func (p *poset[S]) some(random *rand.Rand) []int {
	n := len(p.events)
	missing := make([]int, n)
	for k := range n {
		missing[k] = len(p.before[k])
	}
	order := make([]int, 0, n)
	var free []int
	for range n {
		free = free[:0]
		for k := range n {
			if missing[k] == 0 {
				free = append(free, k)
			}
		}
		k := free[random.IntN(len(free))]
		missing[k] = -1
		for _, x := range p.after[k] {
			missing[x]--
		}
		order = append(order, k)
	}
	return order
}

// orders returns all orders of the events if there are at most most of them, and else so many
// random ones, without repetitions.
func (p *poset[S]) orders(most int, random *rand.Rand) (out [][]event[S], all bool) {
	all = true
	var found [][]int
	p.all(func(order []int) bool {
		if len(found) == most {
			all = false
			return false
		}
		found = append(found, append([]int(nil), order...))
		return true
	})
	if !all {
		found = found[:0]
		for range most {
			found = append(found, p.some(random))
		}
	}
	met := map[string]bool{}
	for _, order := range found {
		var events []event[S]
		var text []byte
		for _, k := range order {
			events = append(events, p.events[k])
			text = append(append(text, p.events[k].line...), '\n')
		}
		if !met[string(text)] {
			met[string(text)] = true
			out = append(out, append(events, end[S]()))
		}
	}
	return out, all
}

// end returns the event that says that a stream is complete.
func end[S any]() event[S] {
	return event[S]{kind: refine.End, peer: -1, line: []byte(`{"event":"end"}`)}
}
