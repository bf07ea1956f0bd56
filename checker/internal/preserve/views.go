package preserve

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
	"github.com/multigrain/multigrain/modules"
)

// anyOrder is the transition system that takes the labels of a side in any order: what is left of a
// composition where observers remember nothing. Its one state is 0.
type anyOrder []edge

func (a anyOrder) Inits() []uint32  { return []uint32{0} }
func (a anyOrder) Of(uint32) []edge { return a }

// compareViews decides level L1 for the modules under test. It is the inclusion of level L2, of
// systems that remember nothing.
func (r *run[T]) compareViews() {
	l := r.labels
	var systems [2]anyOrder
	for side := range 2 {
		for k := 1; k < len(l.step); k++ {
			if l.first[side][k] != 0 {
				systems[side] = append(systems[side], edge{Label: uint32(k)})
			}
		}
		r.res.Views[side] = len(systems[side])
	}
	for side := range 2 {
		x := &inclusion.Search{A: systems[side], Sets: inclusion.NewSets(systems[1-side])}
		x.Included(func(int32, edge) bool { r.res.Only[side]++; return true }, func(int) bool { return false })
	}
	r.res.L1.NoFalse = r.answer(Coarse, r.res.Only[Coarse] == 0, true)
	r.res.L1.NoMissed = r.answer(Fine, r.res.Only[Fine] == 0, true)
	for _, side := range []int{Coarse, Fine} {
		if r.res.Only[side] > 0 && r.res.Sides[1-side].Complete {
			r.explainViews(side)
		}
	}
}

// explainViews finds witnesses for the labels that one side has alone: the states that show them
// come in the order of their distance.
func (r *run[T]) explainViews(side int) {
	l := r.labels
	byStep := map[int32][]uint32{} // states of the other side with the same step
	var alone []uint32
	for k := uint32(1); k < uint32(len(l.step)); k++ {
		if at := l.first[1-side][k]; at != 0 {
			byStep[l.step[k]] = append(byStep[l.step[k]], at-1)
		} else if l.first[side][k] != 0 {
			alone = append(alone, k)
		}
	}
	slices.SortStableFunc(alone, func(a, b uint32) int { return int(int64(l.first[side][a]) - int64(l.first[side][b])) })
	other := r.graphs[1-side]
	var sample []uint32
	for k := uint32(0); k < other.Nodes(); k += max(1, other.Nodes()/candidates) {
		sample = append(sample, k)
	}
	for _, label := range alone {
		step, state := int(l.step[label]), l.first[side][label]-1
		there := byStep[int32(step)]
		if len(there) == 0 {
			there = sample
		}
		d := r.explain(side, "L1", step, state, there[:min(len(there), candidates)])
		d.Missed = r.missed(side, state, label)
		if r.note(&d) {
			g := r.graphs[side]
			to := r.target(side, state, label)
			d.Trace = r.trace(side, g, g.Path(state), nil)
			d.Trace.Steps = append(d.Trace.Steps, r.step(side, g, last(&d.Trace), to, int64(label)))
			r.lastWriter(&d, step)
			r.keep(d)
		}
	}
}

// target returns where a label leads from a state.
func (r *run[T]) target(side int, state, label uint32) uint32 {
	for _, e := range r.graphs[side].Of(state) {
		if e.Label == label {
			return e.To
		}
	}
	panic("preserve: a label was not seen at the place that was given")
}

// compareLooks compares what the invariants see. It runs after compareViews and narrows its
// answers.
func (r *run[T]) compareLooks() {
	r.looked = [2]Answer{Yes, Yes}
	for k, values := range r.looks.seen {
		res := LookResult{Name: r.c.Looks[k].Name}
		nearest, alone := [2]*look{}, [2]map[uint64]Observation{{}, {}}
		var extra *look // a state of the coarse side only for which the invariant holds
		for value, v := range values {
			for side := range 2 {
				if !v.at[side].seen {
					continue
				}
				res.Seen[side]++
				if v.at[1-side].seen {
					continue
				}
				res.Only[side]++
				if v.broken {
					res.Broken[side]++
					alone[side][value] = Observation{Observer: res.Name}
				}
				switch {
				case v.broken && v.before(nearest[side], side):
					nearest[side] = v
				case !v.broken && side == Coarse && r.c.Looks[k].Kind == modules.KindState:
					if res.Held++; v.before(extra, side) {
						extra = v
					}
				}
			}
		}
		for side := range 2 {
			switch {
			case nearest[side] == nil:
			case r.res.Sides[1-side].Complete:
				r.looked[side] = No
				r.explainLook(k, side, nearest[side], res, alone[side])
			case r.looked[side] == Yes:
				r.looked[side] = Open
			}
		}
		if extra != nil && r.res.Sides[Fine].Complete {
			res.Extra = r.extra(k, extra.at[Coarse])
		}
		r.res.Looks = append(r.res.Looks, res)
	}
	r.res.L1.NoFalse = both(r.res.L1.NoFalse, r.looked[Coarse])
	r.res.L1.NoMissed = both(r.res.L1.NoMissed, r.looked[Fine])
}

// extra returns the cells of an invariant's footprint in a state of the coarse composition whose
// values differ from those in the nearest fine state.
func (r *run[T]) extra(k int, at sighting) (out []Extra) {
	g := r.graphs[Coarse]
	t := r.trace(Coarse, g, g.Path(at.from), nil)
	node := *last(&t)
	if at.instance >= 0 {
		s := node
		g.spec.Apply(&s, &node, int(at.instance))
	}
	cells := r.c.Looks[k].Named
	here := r.values(&node, cells)
	fine := r.graphs[Fine]
	for f := uint32(0); f < fine.Nodes(); f += max(1, fine.Nodes()/candidates) {
		var differ []Extra
		other := fine.node(f)
		for c, value := range r.values(other, cells) {
			if !bytes.Equal(value, here[c]) {
				differ = append(differ, Extra{cells[c].Name, cells[c].View(r.c.State(&node), r.c.Names), cells[c].View(r.c.State(other), r.c.Names)})
			}
		}
		if len(differ) > 0 && (out == nil || len(differ) < len(out)) {
			out = differ
		}
	}
	return out
}

// both returns the answer to two questions together.
func both(a, b Answer) Answer {
	switch {
	case a == No || b == No:
		return No
	case a == Yes && b == Yes:
		return Yes
	}
	return Open
}

// before reports whether v was seen nearer to the initial states than w.
func (v *look) before(w *look, side int) bool {
	if w == nil {
		return true
	}
	a, b := v.at[side], w.at[side]
	return a.from < b.from || a.from == b.from && a.instance < b.instance
}

// explainLook makes the difference of an invariant's look.
func (r *run[T]) explainLook(k, side int, v *look, res LookResult, broken map[uint64]Observation) {
	g, at := r.graphs[side], v.at[side]
	d := Difference[T]{Side: side, Level: "L1", Observer: r.c.Looks[k].Name, Missed: broken}
	if !r.note(&d) {
		return
	}
	d.Doc = fmt.Sprintf("the invariant is violated there; %d of %d values of its footprint are seen on this side only", res.Only[side], res.Seen[side])
	d.Trace = r.trace(side, g, g.Path(at.from), nil)
	if at.instance >= 0 {
		s := last(&d.Trace)
		n := *s
		g.spec.Apply(s, &n, int(at.instance))
		d.Trace.Steps = append(d.Trace.Steps, checker.Step[T]{Instance: int(at.instance), Node: n})
	}
	r.keep(d)
	r.res.Differences[len(r.res.Differences)-1].Count = res.Only[side]
}
