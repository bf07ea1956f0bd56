package simulate

import (
	"math/bits"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// example is a behaviour that breaks a property.
type example[T any] struct {
	init  T
	steps []int32 // instances
	walk  int64   // 0: an initial node
	notes any
}

// groupKey identifies a group of violations. The action is that of the last step. It is -1 if there
// is no step, or if a deadlock follows it. The invariant is -1 for a deadlock.
type groupKey struct{ invariant, action int }

// group holds the violations of one invariant with one last action, and their shortest example, the
// first of several.
type group[T any] struct {
	groupKey
	example[T]
	count, at int64
}

// violation takes a violation of the invariants in a mask or, if there are none, a deadlock.
func (r *run[T]) violation(mask uint64, action int, e example[T]) {
	if mask == 0 {
		r.group(groupKey{-1, -1}, e)
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		r.group(groupKey{bits.TrailingZeros64(mask), action}, e)
	}
}

func (r *run[T]) group(k groupKey, e example[T]) {
	r.found++
	at := slices.IndexFunc(r.groups, func(g *group[T]) bool { return g.groupKey == k })
	if at < 0 {
		at = len(r.groups)
		r.groups = append(r.groups, &group[T]{groupKey: k, at: r.res.Distinct})
	}
	g := r.groups[at]
	if g.count++; g.count == 1 || len(e.steps) < len(g.steps) {
		g.example = e
		g.steps = slices.Clone(e.steps) // they belong to a record
	}
}

// violations returns the groups with shrunk counterexamples, only the first of them if one was
// asked for. Two groups whose counterexamples end in the same action after shrinking become one.
func (r *run[T]) violations() (out []checker.Violation[T], from []Origin, err error) {
	all := r.groups
	if r.opt.Stop == 1 && len(all) > 1 {
		all = all[:1]
	}
	at := map[groupKey]int{}
	for _, g := range all {
		v := checker.Violation[T]{Invariant: g.invariant, Kind: checker.KindDeadlock, At: g.at, Count: g.count}
		if g.invariant >= 0 {
			v.Kind = r.spec.Invariants[g.invariant].Kind
		}
		o := Origin{Walk: g.walk, Length: len(g.steps), Notes: g.notes}
		if v.Trace, err = r.replay(g); err != nil {
			return out, from, err
		}
		o.From, o.Minimal = r.shrink(&v.Trace, g.invariant)
		v.Depth = len(v.Trace.Steps)
		k := groupKey{g.invariant, -1}
		if g.invariant >= 0 && v.Depth > 0 {
			k.action = r.spec.Instances[v.Trace.Steps[v.Depth-1].Instance].Action
		}
		have, ok := at[k]
		if !ok {
			at[k] = len(out)
			out, from = append(out, v), append(from, o)
			continue
		}
		v.Count, v.At = v.Count+out[have].Count, out[have].At
		if v.Depth >= out[have].Depth {
			out[have].Count = v.Count
			continue
		}
		out[have], from[have] = v, o
	}
	return out, from, nil
}

// trace does steps again, without judging them, as far as they can be done.
func (r *run[T]) trace(init T, steps []int32) checker.Trace[T] {
	t := checker.Trace[T]{Init: init}
	n := init
	for _, k := range steps {
		s := n
		if !r.spec.Enabled(&s, int(k)) {
			break
		}
		r.spec.Apply(&s, &n, int(k))
		t.Steps = append(t.Steps, checker.Step[T]{Instance: int(k), Node: n})
	}
	return t
}

// replay returns the trace of a group's example, and fails if it does not show what it is stated to
// show.
func (r *run[T]) replay(g *group[T]) (checker.Trace[T], error) {
	t := r.trace(g.init, g.steps)
	e := &checker.ReplayError{Step: len(t.Steps), Cause: checker.CauseFunction}
	switch {
	case len(t.Steps) < len(g.steps):
		e.Action = r.spec.Actions[r.spec.Instances[g.steps[len(t.Steps)]].Action].Name
		e.Step, e.Found = len(t.Steps)+1, "the action is not enabled"
		return t, e
	case r.shows(&t, g.invariant):
		return t, nil
	case len(g.steps) > 0:
		e.Action = r.spec.Actions[r.spec.Instances[g.steps[len(g.steps)-1]].Action].Name
	}
	e.Found = "the property is not broken at its end"
	return t, e
}

// shows reports whether a trace ends in a breach of the invariant, or in a deadlock if that is -1.
func (r *run[T]) shows(t *checker.Trace[T], invariant int) bool {
	k := len(t.Steps) - 1
	end, before := &t.Init, &t.Init
	if k >= 0 {
		end = &t.Steps[k].Node
	}
	if k > 0 {
		before = &t.Steps[k-1].Node
	}
	if invariant < 0 {
		return !slices.ContainsFunc(r.aside.of, func(instances []int32) bool {
			return slices.ContainsFunc(instances, func(k int32) bool { return r.spec.Enabled(end, int(k)) })
		})
	}
	switch mask := uint64(1) << invariant; r.spec.Invariants[invariant].Kind {
	case modules.KindAssert:
		_, broken := r.spec.Raised(end)
		return broken&mask != 0
	case modules.KindStep:
		return k >= 0 && r.spec.Steps(before, end, t.Steps[k].Instance)&mask != 0
	default:
		return r.spec.State(end)&mask != 0
	}
}
