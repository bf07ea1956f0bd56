// Package liveness checks properties of whole behaviours: "eventually Q" and "P leads to Q" under
// weak fairness, on the graph of all reachable nodes.
//
// A violation is a lasso: a path from an initial node to one where P is true, and from there to a
// loop that repeats for ever. Q is false from the node with P on. The loop is fair: each fair
// instance (an action with one value of its parameters) is taken in it, or is somewhere in it not
// enabled. A loop may be one node in which the behaviour stays: a deadlock, or a node where only
// unfair instances are enabled. An instance counts as enabled only where it changes the node, as in
// TLA+'s WF_v.
//
// Whether there is one is decided on strongly connected components of the part of the graph without
// Q. If a loop is fair, so is the component around it, which has all its edges and nodes and more.
//
// No state may stand for another one, so symmetry, partial-order reduction and left-out variables
// are refused. State constraints are refused since they truncate behaviours. A step that raises an
// assertion ends its behaviour, which then neither keeps nor breaks a property.
package liveness

import (
	"context"
	"errors"

	"github.com/multigrain/multigrain/checker"
)

// Options of a check. The zero value has no limits.
type Options struct {
	Mem     int64           // bytes that the graph may take; 0: no limit
	Context context.Context // ends the check when it is done; nil: nothing does
}

// Result is the outcome of a check.
type Result[T any] struct {
	// Reason says why the check is undecided; "" if it is not.
	Reason string
	// Nodes and Edges are the size of the graph. Edges are steps that change the node.
	Nodes, Edges int64
	Memory       int64 // of the graph, in bytes, about
	// Premises are by the number of the property; nil if the graph is not complete.
	Premises   []Premise
	Violations []Violation[T]
}

// Premise counts the nodes in which the premise of a property is true, and the Open ones among
// them, in which its conclusion is false.
type Premise struct{ True, Open int64 }

// Violation is a broken property with its lasso.
type Violation[T any] struct {
	Property int // the number of the property in the specification, from 0
	// Trace goes to the loop and once round it.
	Trace checker.Trace[T]
	// Loop is the position of the state that the last one equals and the behaviour continues from:
	// 0 is the initial state. It is the last position where the behaviour stays in the last state.
	Loop int
	// From is the position of the state from which To should have followed.
	From int
}

// ErrReduced refuses a specification in which states stand for others, or are left out.
var ErrReduced = errors.New("liveness is not checked with symmetry, partial-order reduction, left-out variables or state constraints")

// MaxProperties is the number of properties that are checked at once.
const MaxProperties = 32

// Run checks all properties of a specification. A limit or an interrupt gives a Reason and is no
// error. The error is ErrReduced for a specification that is reduced. Others say that there are
// more than MaxProperties properties, or what of the specification is not a function of the state.
func Run[T any](spec *checker.Spec[T], opt Options) (res Result[T], err error) {
	if spec.Represent != nil || spec.Within != nil {
		return res, ErrReduced
	}
	if len(spec.Liveness) > MaxProperties {
		return res, errors.New("at most 32 liveness properties are checked at once")
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	g, err := build(spec, opt)
	res.Nodes, res.Edges, res.Memory = int64(g.nodes()), int64(len(g.List)), g.bytes()
	var limit *limitError
	if errors.As(err, &limit) {
		res.Reason = limit.reason
		return res, nil
	}
	if err != nil {
		return res, err
	}
	res.Premises = premises(spec, g)
	for k := range spec.Liveness {
		if opt.Context.Err() != nil {
			res.Reason = "interrupted while liveness was checked"
			return res, nil
		}
		s := newSearch(g, k, spec.Liveness[k].Fair, spec.Liveness[k].From == nil)
		l := s.lasso()
		if l == nil {
			continue
		}
		v, err := replay(spec, k, l)
		if err != nil {
			return res, err
		}
		res.Violations = append(res.Violations, v)
	}
	return res, nil
}

// premises counts, for each property, the nodes of a whole graph in which its premise is true. A
// property without From has the initial nodes as its premise.
func premises[T any](spec *checker.Spec[T], g *stateGraph) []Premise {
	out := make([]Premise, len(spec.Liveness))
	for x := range uint32(g.nodes()) {
		for k := range out {
			if from := spec.Liveness[k].From; from != nil && !g.is(x, k, 0) || from == nil && int(x) >= len(g.position) {
				continue
			}
			out[k].True++
			if !g.is(x, k, 1) {
				out[k].Open++
			}
		}
	}
	return out
}
