package preserve

import (
	"bytes"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// mostPlaced bounds the states of a composition in which counterparts are looked for. mostParts
// bounds the differences of one cause that get a coarse action of their own.
const (
	mostPlaced = 400_000
	mostParts  = 12
)

// place finds the step of each witness that is to blame. A state has a counterpart if the other
// composition can be, after the same observations, in a state with the same values of the kept
// variables.
//
//   - Of a false behaviour it is the first step to a state without a counterpart.
//   - Of a missed behaviour it is the step after the last state with one: the finer grains take
//     several steps where the coarse one takes one, so states between have no counterparts anyway.
//
// A step that is observed cannot be to blame: then it is the last one before it that is not.
func (r *run[T]) place() {
	for k := range r.res.Differences {
		d := &r.res.Differences[k]
		r.blame(d)
		for p := range d.parts {
			x := &d.parts[p]
			if d.Side == Fine && p < mostParts {
				r.blame(x)
			}
			d.Also = append(d.Also, Sight{x.Observer, x.Variable, x.Cause, x.Lacking, x.Refused, x.Missed})
		}
	}
}

// blame finds the step and the coarse action that are to blame for a difference.
func (r *run[T]) blame(d *Difference[T]) {
	if d.Walked || len(r.c.Kept) == 0 || r.graphs[1-d.Side].Nodes() > mostPlaced || r.late() {
		d.Guilty = d.CauseStep
		return
	}
	if r.placed[1-d.Side] == nil {
		r.placed[1-d.Side] = inclusion.NewSets(r.graphs[1-d.Side].observed())
	}
	d.Guilty = r.guilty(d, r.placed[1-d.Side])
	if d.Side == Fine && len(d.Trace.Steps) > 0 {
		d.Lacking, d.Refused = r.lacking(d, r.placed[Coarse])
	}
}

// guilty returns the number of the guilty step from 1; 0 if no step before the last is unobserved.
func (r *run[T]) guilty(d *Difference[T], x *inclusion.Sets) int {
	set, ok := x.Begin(), true
	state := &d.Trace.Init
	blamed := 0
	for k := range d.Trace.Steps {
		if !ok {
			break
		}
		s := &d.Trace.Steps[k]
		if step := r.c.Sides[d.Side].Step[s.Instance]; step >= 0 {
			var label uint32
			if label, ok = r.labelOf(d.Side, state, &s.Node, s.Instance); ok && label != silent {
				set, ok = x.After(set, label)
			}
		}
		if state = &s.Node; ok && r.counterpart(1-d.Side, state, x.States(set)) {
			blamed = 0
		} else if blamed == 0 {
			if blamed = k + 1; d.Side == Coarse {
				break
			}
		}
	}
	return r.unobserved(d, blamed)
}

// unobserved returns the step itself if nobody observes it, else the nearest such step before it,
// or after it.
func (r *run[T]) unobserved(d *Difference[T], blamed int) int {
	if blamed == 0 {
		return d.CauseStep
	}
	silentAt := func(k int) bool { return r.c.Sides[d.Side].Step[d.Trace.Steps[k-1].Instance] < 0 }
	for k := blamed; k >= 1; k-- {
		if silentAt(k) {
			return k
		}
	}
	for k := blamed; k <= len(d.Trace.Steps); k++ {
		if silentAt(k) {
			return k
		}
	}
	return 0
}

// counterpart reports whether one of some states of a side has the same values of the kept
// variables.
func (r *run[T]) counterpart(side int, node *T, states []uint32) bool {
	here := r.values(node, r.c.Kept)
	g := r.graphs[side]
	return slices.ContainsFunc(states, func(k uint32) bool {
		if k >= g.Nodes() {
			return false
		}
		p := r.c.State(g.node(k))
		var buf []byte
		for c := range r.c.Kept {
			if buf = r.c.Kept[c].Append(buf[:0], p); !bytes.Equal(buf, here[c]) {
				return false
			}
		}
		return true
	})
}
