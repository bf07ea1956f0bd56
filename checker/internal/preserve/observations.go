package preserve

import "github.com/multigrain/multigrain/checker/internal/inclusion"

// compareObservations decides level L2 as far as the limits allow.
func (r *run[T]) compareObservations() {
	var systems, reduced [2]*lts
	var class [2][]uint32
	for side := range 2 {
		systems[side] = r.graphs[side].observed()
		reduced[side], class[side] = systems[side].reduce(func() bool { return r.over("states reduced", int64(systems[side].states())) || r.late() })
		if reduced[side] == nil {
			return
		}
		r.res.Sides[side].Classes = reduced[side].states()
	}
	r.reduced = reduced
	for _, side := range []int{Coarse, Fine} {
		x := &inclusion.Search{A: reduced[side], Sets: inclusion.NewSets(reduced[1-side])}
		ok := true
		complete := x.Included(func(int32, edge) bool { ok = false; return false }, r.tooMany)
		r.res.L2.Pairs[side], r.res.L2.Largest[side] = len(x.Pairs), x.Largest
		answer := r.answer(side, ok, complete || !ok)
		if side == Coarse {
			r.res.L2.NoFalse = answer
		} else {
			r.res.L2.NoMissed = answer
		}
		if answer == No {
			r.witnesses(side, systems[side], reduced[1-side], class[1-side])
		}
	}
}

func (r *run[T]) tooMany(pairs int) bool {
	return r.over("pairs", int64(pairs)) || r.opt.MaxStates > 0 && int64(pairs) > 4*r.opt.MaxStates
}

// answer says what the inclusion of a side in the other means where one of the graphs may be a part
// only. A part of the included graph shows what is not included, if the other one is whole; and
// what is included in a part is included.
func (r *run[T]) answer(side int, included, decided bool) Answer {
	whole, other := r.res.Sides[side].Complete, r.res.Sides[1-side].Complete
	switch {
	case !decided:
		return Open
	case !included && other:
		return No
	case included && whole:
		return Yes
	}
	return Open
}

// membersOf returns the states of each class, of one side.
func membersOf(class []uint32, classes int) [][]uint32 {
	out := make([][]uint32, classes)
	for k, c := range class {
		out[c] = append(out[c], uint32(k))
	}
	return out
}

// diagnosed bounds how many failures of one step are explained, and candidates how many states of
// the other side are looked at for each.
const (
	diagnosed  = 200
	candidates = 500
)

// witnesses finds shortest observations of a side that the other lacks: the search is repeated on
// the unreduced system.
func (r *run[T]) witnesses(side int, a, b *lts, class []uint32) {
	x := &inclusion.Search{A: a, Sets: inclusion.NewSets(b)}
	members := membersOf(class, b.states())
	explained := map[uint32]int{} // by label
	byStep := map[int32]int{}
	type place struct{ set, label uint32 }
	seen := map[place]bool{}
	x.Included(func(at int32, e edge) bool {
		p := x.Pairs[at]
		step := r.labels.step[e.Label]
		if seen[place{p.Set, e.Label}] {
			return true
		}
		seen[place{p.Set, e.Label}] = true
		if explained[e.Label]++; explained[e.Label] > 3 {
			return true
		}
		if byStep[step]++; byStep[step] > diagnosed {
			return true
		}
		var there []uint32
		for _, c := range x.Sets.States(p.Set) {
			for _, k := range members[c] {
				if k < r.graphs[1-side].Nodes() && len(there) < candidates {
					there = append(there, k)
				}
			}
		}
		d := r.explain(side, "L2", int(step), p.State, there)
		d.Missed = r.missed(side, p.State, e.Label)
		fresh := r.note(&d)
		states, labels := x.Way(at)
		if !fresh && !r.nearer(&d, len(labels)+1) {
			return true
		}
		d.Trace = r.traceTo(side, states, labels, e)
		r.lastWriter(&d, int(step))
		if fresh {
			r.keep(d)
		} else {
			r.replace(d)
		}
		return true
	}, r.tooMany)
}
