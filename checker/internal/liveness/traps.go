package liveness

import (
	"context"
	"errors"

	"github.com/multigrain/multigrain/checker"
)

// Traps are the states in which a behaviour can stay for ever that breaks a property, or around
// which it can go for ever.
type Traps struct {
	Nodes int64  // states of the graph
	In    []Trap // by property
	// Reason says why the traps are not known; "" if they are.
	Reason string
}

// Trap has the states of one property. States are numbered in the order of a breadth-first search
// that takes initial states and successors in the order of the specification.
type Trap struct {
	Property checker.Property
	States   []uint32 // in ascending order
}

// FindTraps finds the traps of all properties. A trap lies in a component as Run judges it: a fair
// behaviour can stay in there without To. Some behaviour comes there from a state in which From was
// true, without To since. So a property is broken exactly if it has a trap. Errors are those of
// Run.
func FindTraps[T any](spec *checker.Spec[T], opt Options) (out Traps, err error) {
	if spec.Represent != nil || spec.Within != nil {
		return out, ErrReduced
	}
	if len(spec.Liveness) > MaxProperties {
		return out, errors.New("at most 32 liveness properties are checked at once")
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	g, err := build(spec, opt)
	var limit *limitError
	if errors.As(err, &limit) {
		return Traps{Reason: limit.reason}, nil
	}
	if err != nil {
		return out, err
	}
	out.Nodes = int64(g.nodes())
	for k := range spec.Liveness {
		if opt.Context.Err() != nil {
			return Traps{Reason: "interrupted while liveness was compared"}, nil
		}
		s := newSearch(g, k, spec.Liveness[k].Fair, spec.Liveness[k].From == nil)
		s.reach()
		s.components()
		in := Trap{Property: spec.Liveness[k].Property}
		for x := range uint32(g.nodes()) {
			if s.live[x] && s.good[s.home[x]] {
				in.States = append(in.States, x)
			}
		}
		out.In = append(out.In, in)
	}
	return out, nil
}
