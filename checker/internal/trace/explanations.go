package trace

import "slices"

// Explanations are the ways in which the last events of the longest prefix can have happened: a
// graph of states. A way begins in state 0 and ends in one of Ends. States on no way are left out.
// There may be other ways, from other states before these events. A log in which only the events of
// each node have an order has none.
type Explanations struct {
	From   int   // events before state 0
	States int   // how many states there are
	Ends   []int // the states after the last matched event
	Ways   int   // paths from state 0 to an end, at most mostWays
	Steps  []Explained
}

// Explained is an edge: an event, or an unlogged step before it.
type Explained struct {
	From, To int    // numbers of states
	Event    int    // from 0
	Steps    []Step // none where the event stands for no action
}

const (
	maxExplained = 40      // states of a graph; a larger one would not be read
	mostWays     = 1 << 20 // more are not counted
)

// begins are how many frames before the end of a longest prefix graphs begin. The first graph that
// is small enough is taken.
var begins = [...]int{maxTail, maxTail / 2, maxTail / 4, 1}

// begin copies the states with which a graph of explanations can begin, when a longer prefix is
// found.
func (v *validator[S]) begin() {
	for k, n := range begins {
		at := max(0, len(v.path)-1-n)
		v.rebuild(at)
		f, to := &v.path[at], &v.starts[k]
		if to.state == nil {
			to.state = new(S)
		}
		*to.state = *f.state
		to.position = position{f.pos, append(to.cut[:0], f.cut...), f.due, append(to.used[:0], f.used...)}
	}
}

// explanations returns the graph of a log that was not matched, and nil where the last events have
// one explanation or where even the last one has too many states.
func (v *validator[S]) explanations() *Explanations {
	for _, f := range v.starts {
		if f.state == nil {
			return nil
		}
		if g := v.graph(f); g != nil {
			if g.Ways < 2 {
				return nil
			}
			return g
		}
	}
	return nil
}

// graph explores the paths from a state to the end of the longest prefix. It returns nil if there
// are too many states.
func (v *validator[S]) graph(from frame[S]) *Explanations {
	states, number := []frame[S]{from}, map[uint64]int{v.key(from.state, &from.position): 0}
	var steps []Explained
	for k := 0; k < len(states); k++ {
		f := states[k]
		if f.pos == v.best {
			continue
		}
		for _, a := range slices.Concat(v.logged(&f), v.unlogged(&f)) {
			key := v.key(a.state, &a.position)
			to, known := number[key]
			if !known {
				if to = len(states); to == maxExplained {
					return nil
				}
				number[key] = to
				states = append(states, frame[S]{state: a.state, position: a.position})
			}
			steps = append(steps, Explained{From: k, To: to, Event: f.pos, Steps: a.steps})
		}
	}
	return pruned(from.pos, v.best, states, steps)
}

// pruned leaves out the states on no way, and counts the ways. There are no cycles: a step ends
// after a later event, or after one more unlogged action before the same event.
func pruned[S any](from, best int, states []frame[S], steps []Explained) *Explanations {
	g := &Explanations{From: from}
	ways := make([]int, len(states))
	var count func(k int) int
	count = func(k int) int {
		switch {
		case ways[k] != 0:
			return max(ways[k], 0)
		case states[k].pos == best:
			ways[k] = 1
			return 1
		}
		ways[k] = -1 // none
		for _, s := range steps {
			if s.From == k {
				if n := count(s.To); n > 0 {
					ways[k] = min(max(ways[k], 0)+n, mostWays)
				}
			}
		}
		return max(ways[k], 0)
	}
	g.Ways = count(0)
	number := make([]int, len(states))
	for k := range states {
		if count(k) == 0 {
			continue
		}
		number[k] = g.States
		if states[k].pos == best {
			g.Ends = append(g.Ends, g.States)
		}
		g.States++
	}
	for _, s := range steps {
		if count(s.From) > 0 && count(s.To) > 0 {
			s.From, s.To = number[s.From], number[s.To]
			g.Steps = append(g.Steps, s)
		}
	}
	return g
}
