package conform

import (
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/ahead"
)

// retrace does a behaviour once more with the implementation as the model, as follow does. The
// record gets the first difference, the invariants that the last step breaks, and the deviation
// that ended the behaviour, if one did.
func (t *tester[S, U]) retrace(opt *Follow, init *checker.Node[S, U], rec *record, done *[]checker.Step[checker.Node[S, U]]) {
	t.departure = nil
	rec.departed, _, rec.deviation = t.follow(opt, noInvariant, init, rec.steps, done)
	n := len(*done)
	if rec.departure = t.departure; rec.departure == nil && !opt.Always || n == 0 {
		return
	}
	rec.steps = rec.steps[:0]
	for _, s := range *done {
		rec.steps = append(rec.steps, int32(s.Instance))
	}
	if opt.Always {
		t.breaksOf(opt, init, *done, rec)
		return
	}
	switch d := rec.deviation; {
	case d == nil:
		before := init
		if n > 1 {
			before = &(*done)[n-2].Node
		}
		mask := t.judge(opt.mask, before, &(*done)[n-1].Node, (*done)[n-1].Instance)
		for k := range noInvariant {
			if mask>>k&1 != 0 {
				rec.breaks(k)
			}
		}
	case d.kind == Panic:
		rec.breaks(panics)
	}
}

// breaksOf notes the invariants that the steps of a behaviour break, each where it is broken first.
func (t *tester[S, U]) breaksOf(opt *Follow, init *checker.Node[S, U], done []checker.Step[checker.Node[S, U]], rec *record) {
	before := init
	for k := range done {
		for mask := ahead.Broken(t.spec, before, &done[k].Node, done[k].Instance) & opt.mask &^ rec.brokenMask; mask != 0; mask &= mask - 1 {
			x := bits.TrailingZeros64(mask)
			rec.brokenMask |= 1 << x
			rec.broken = append(rec.broken, brokenAt{invariant: x, steps: k + 1})
		}
		before = &done[k].Node
	}
}

// retraced adds to the result the first difference of a behaviour that was done with the
// implementation as the model, and what its last step breaks.
func (r *run[S, U]) retraced(t *tester[S, U], init *checker.Node[S, U], done []checker.Step[checker.Node[S, U]], rec *record) {
	for _, b := range rec.broken {
		v := Violation[checker.Node[S, U]]{Invariant: b.invariant, Departed: rec.departed, Length: b.steps, Count: 1,
			Trace: checker.Trace[checker.Node[S, U]]{Init: *init, Steps: slices.Clone(done[:b.steps])}}
		if rec.departure != nil {
			v.departedAs(rec.departure)
		}
		if b.invariant == panics {
			v.Invariant, v.Message, v.Frames = -1, rec.deviation.message, rec.deviation.frames
		}
		r.res.Violations = append(r.res.Violations, v)
	}
	if rec.departure == nil {
		return
	}
	upTo := slices.Clone(done[:rec.departed])
	before, last := init, &upTo[rec.departed-1]
	if rec.departed > 1 {
		before = &upTo[rec.departed-2].Node
	}
	last.Node = *before
	t.spec.Apply(before, &last.Node, last.Instance) // a difference has the specification's state
	d := t.difference(init, upTo, rec.departure)
	d.Length, d.Count = rec.departed, 1
	r.res.Found, r.res.Departed = append(r.res.Found[:0], d), 1
}
