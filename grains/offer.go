package grains

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// offer holds the properties that a composition checks.
type offer[S any] struct {
	invariants, masked, constraints, goals []*modules.Invariant[S]
}

// offer collects what the system and the chosen grains offer and selects from it.
func (sys *System[S]) offer(chosen []*Grain[S], c Choice) (o offer[S], err error) {
	invs := pointers(sys.Invariants)
	cons := pointers(sys.Constraints)
	o.goals = pointers(sys.Goals)
	for _, g := range chosen {
		invs = append(invs, pointers(g.Invariants)...)
		cons = append(cons, pointers(g.Constraints)...)
		o.goals = append(o.goals, pointers(g.Goals)...)
	}
	for _, r := range c.Replaced {
		g := sys.grain(r)
		if g == nil {
			return o, fmt.Errorf("system %s has no grain %q of module %q", sys.Name, r.Grain, r.Module)
		}
		own := pointers(g.Constraints)
		cons = append(cons, slices.DeleteFunc(own, func(v *modules.Invariant[S]) bool {
			return slices.ContainsFunc(cons, func(o *modules.Invariant[S]) bool { return o.ID == v.ID && o.Instance == v.Instance })
		})...)
	}
	in, err := matcher(invs, c.Invariants, sys.Name, "invariant")
	if err != nil {
		return o, err
	}
	out, err := matcher(invs, c.Except, sys.Name, "invariant")
	if err != nil {
		return o, err
	}
	for _, v := range invs {
		switch {
		case in(v) && !out(v):
			o.invariants = append(o.invariants, v)
		case v.Raises != 0:
			o.masked = append(o.masked, v)
		}
	}
	with, err := matcher(cons, c.Constraints, sys.Name, "constraint")
	for _, v := range cons {
		if err == nil && with(v) {
			o.constraints = append(o.constraints, v)
		}
	}
	return o, err
}

func pointers[T any](xs []T) (out []*T) {
	for k := range xs {
		out = append(out, &xs[k])
	}
	return out
}

// Selects reports whether a pattern of a manifest selects the invariant of that ID and instance:
// "*", the ID, or ID and instance with a dot between.
func Selects(pattern, id, instance string) bool {
	return pattern == "*" || pattern == id || instance != "" && pattern == id+"."+instance
}

// matcher returns the predicate of a list of patterns; each must select something, but "*".
func matcher[S any](offered []*modules.Invariant[S], patterns []string, system, what string) (func(*modules.Invariant[S]) bool, error) {
	for _, p := range patterns {
		if p != "*" && !slices.ContainsFunc(offered, func(v *modules.Invariant[S]) bool { return Selects(p, v.ID, v.Instance) }) {
			return nil, fmt.Errorf("no chosen grain of %s offers %s %q", system, what, p)
		}
	}
	return func(v *modules.Invariant[S]) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return Selects(p, v.ID, v.Instance) })
	}, nil
}

// liveness returns the liveness properties that a choice names.
func (sys *System[S]) liveness(c Choice) (out []*modules.Liveness[S], err error) {
	for _, p := range c.Properties {
		if p != "*" && !slices.ContainsFunc(sys.Liveness, func(v modules.Liveness[S]) bool { return v.ID == p }) {
			return nil, fmt.Errorf("%s has no liveness property %q", sys.Name, p)
		}
	}
	for k := range sys.Liveness {
		if v := &sys.Liveness[k]; slices.Contains(c.Properties, "*") || slices.Contains(c.Properties, v.ID) {
			out = append(out, v)
		}
	}
	return out, nil
}
