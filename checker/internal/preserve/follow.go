package preserve

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// What it computes. How far one composition can follow a behaviour of the other: the first observed
// step that it cannot have after the same observations, and its own behaviour up to there.
//
// Why it is right. The set of its states with the same observations is computed step by step. If it
// becomes empty, no behaviour has these observations.
//
// What it costs. An exploration of the composition that follows, which stays in memory, and one set
// for each observed step. The behaviour that is shown costs a search in that graph for each
// observation.
//
// Example. Only Work is observed, with its view. The coarse composition has Begin and Hear in one
// step, Prepare:
//
//	fine      Begin      Work(1)
//	coarse    {s0, s1}   {}         where s0 -Prepare-> s1: it has only Work(2) in s1
//
// So step 2 is the first that the coarse composition cannot do. A shortest behaviour to the state
// of {s0, s1} that is most like the fine one is shown.

// Followed is how far one composition follows a behaviour of the other.
type Followed[T any] struct {
	// Side is the composition that follows, with its explored part. If that is not complete,
	// nothing else is known.
	Side SideResult
	// Step is the number of the first step of the behaviour, from 1, whose observation it cannot
	// have after those before; 0: it has all of them.
	Step int
	// Difference is about that step, or about the last one. Its trace is the behaviour up to there.
	Difference Difference[T]
	// Trace is a shortest behaviour of the composition that follows, with the observations before
	// Step. Its last state is nearest to that of the behaviour before Step.
	Trace checker.Trace[T]
}

// Follow follows a behaviour of a side in the other composition. The error is a *Fault of the
// specification or the cause of Options.Context.
func Follow[T any](c *Comparison[T], side int, t *checker.Trace[T], opt Options) (*Followed[T], error) {
	r := &run[T]{c: c, opt: opt, start: host.Now(), labels: newLabels(), looks: newLooks(len(c.Looks))}
	r.expanding.Store(-1)
	g, err := r.explore(1 - side)
	if err != nil {
		return nil, err
	}
	r.graphs[1-side] = g
	out := &Followed[T]{Side: r.res.Sides[1-side]}
	if !out.Side.Complete {
		return out, nil
	}
	d := Difference[T]{Side: side, Level: "L2"}
	l := g.observed()
	x := inclusion.NewSets(l)
	set, labels, s := x.Begin(), []uint32{}, &t.Init
	for k := range t.Steps {
		step, n := t.Steps[k].Instance, &t.Steps[k].Node
		label, ok := r.labelOf(side, s, n, step)
		next := set
		if ok && label != silent {
			next, ok = x.After(set, label)
		}
		if !ok {
			out.Step = k + 1
			d = r.explainNode(side, "L2", c.Sides[side].Step[step], s, g.real(x.States(set)))
			break
		}
		if label != silent {
			labels = append(labels, label)
		}
		set, s = next, n
	}
	d.Trace = checker.Trace[T]{Init: t.Init, Steps: t.Steps}
	if out.Step > 0 {
		d.Trace.Steps = t.Steps[:out.Step]
		r.lastWriter(&d, c.Sides[side].Step[t.Steps[out.Step-1].Instance])
	}
	out.Trace = r.nearestTo(1-side, l, labels, s)
	d.Cause, d.CauseStep = r.lastSilent(&d)
	r.blame(&d)
	out.Difference = d
	return out, nil
}

// real returns the states of the graph among some of its observed system, at most as many as are
// looked at.
func (g *stateGraph[T]) real(states []uint32) (out []uint32) {
	for _, k := range states {
		if k < g.Nodes() && len(out) < candidates {
			out = append(out, k)
		}
	}
	return out
}

// nearestTo returns a shortest behaviour of a side with some observations to the state that has the
// fewest kept variables with other values than a node. Its graph is explored, and it has such a
// behaviour.
func (r *run[T]) nearestTo(side int, l *lts, observed []uint32, node *T) checker.Trace[T] {
	g := r.graphs[side]
	type place struct {
		state uint32
		seen  int // observations before
	}
	type reached struct {
		place
		parent int
		label  uint32
	}
	var all []reached
	known := map[place]bool{}
	push := func(p place, parent int, label uint32) {
		if !known[p] {
			known[p] = true
			all = append(all, reached{p, parent, label})
		}
	}
	for _, k := range l.inits {
		push(place{k, 0}, -1, silent)
	}
	here, best, least := r.values(node, r.c.Kept), -1, 0
	for at := 0; at < len(all); at++ {
		p := all[at].place
		if p.seen == len(observed) && (best < 0 || least > 0) {
			far := len(here) + 1 // of the end, which is no state
			if p.state < g.Nodes() {
				far = distance(here, r.values(g.node(p.state), r.c.Kept))
			}
			if best < 0 || far < least {
				best, least = at, far
			}
		}
		for _, e := range l.Of(p.state) {
			switch {
			case e.Label == silent:
				push(place{e.To, p.seen}, at, silent)
			case p.seen < len(observed) && e.Label == observed[p.seen]:
				push(place{e.To, p.seen + 1}, at, e.Label)
			}
		}
	}
	var states, labels []uint32
	for k := best; k >= 0; k = all[k].parent {
		states, labels = append(states, all[k].state), append(labels, all[k].label)
	}
	slices.Reverse(states)
	slices.Reverse(labels)
	if n := len(states) - 1; states[n] >= g.Nodes() {
		return r.traceTo(side, states[:n], labels[1:n], edge{Label: labels[n], To: states[n]})
	}
	return r.trace(side, g, states, labels[1:])
}
