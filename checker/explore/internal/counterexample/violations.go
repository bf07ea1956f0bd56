package counterexample

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
)

// Violations returns the groups with their counterexamples. If only the first violation was asked
// for, it is that of the first invariant that was broken, with the clearest of all shortest
// counterexamples, whatever their last action. With an error, the groups before the one that failed
// are returned.
func (r *Record[T]) Violations() ([]checker.Violation[T], error) {
	keys := r.Groups.Sorted()
	if r.Stop == 1 && len(keys) > 0 {
		return r.first(keys)
	}
	var out []checker.Violation[T]
	for len(keys) > 0 {
		some := keys[:min(GroupsAtOnce, len(keys))]
		keys = keys[len(some):]
		lead := r.backward(some, false)
		for _, k := range some {
			trace, err := r.counterexample(k, lead)
			if err != nil {
				return out, err
			}
			out = append(out, r.violation(k, trace))
		}
	}
	return out, nil
}

// first returns the first violation.
func (r *Record[T]) first(keys []Key) ([]checker.Violation[T], error) {
	keys = slices.DeleteFunc(keys, func(k Key) bool {
		return k.Invariant != keys[0].Invariant || r.Groups[k].Level != r.Groups[keys[0]].Level
	})
	trace, err := r.counterexample(keys[0], r.backward(keys, true))
	if err != nil {
		return nil, err
	}
	key := keys[0]
	if n := len(trace.Steps); n > 0 { // that of its last action, if it was found by that
		last := Key{key.Invariant, r.Spec.Instances[trace.Steps[n-1].Instance].Action}
		if slices.Contains(keys, last) {
			key = last
		}
	}
	return []checker.Violation[T]{r.violation(key, trace)}, nil
}

// violation is that of a group.
func (r *Record[T]) violation(k Key, trace checker.Trace[T]) checker.Violation[T] {
	g := r.Groups[k]
	v := checker.Violation[T]{
		Invariant: k.Invariant, Kind: checker.KindDeadlock, At: r.Closed[g.Level], Count: g.Count, Trace: trace, Depth: len(trace.Steps),
	}
	if k.Invariant >= 0 {
		v.Kind = r.Spec.Invariants[k.Invariant].Kind
	}
	return v
}
