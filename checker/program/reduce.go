package program

import (
	"errors"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/reduce"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// seed of what is sampled before an exploration: the same run samples the same nodes.
const seed = 1

// symmetry makes the nodes of each role alike, and tries whether they are.
func symmetry[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], ids modules.Identities, sliced []string) (*wire.Symmetric, error) {
	y, err := reduce.BySymmetry(spec, ids, sliced)
	if err != nil {
		return nil, err
	}
	pairs, err := y.Equivariant(spec, reduce.Samples, seed)
	if err != nil {
		return nil, err
	}
	out := &wire.Symmetric{Pairs: pairs}
	for _, g := range ids.Moving() {
		out.Servers += g.Count
		out.Roles = append(out.Roles, wire.SymmetricRole{Role: g.Name, Nodes: g.Count})
	}
	return out, nil
}

// por makes spec leave out orders of steps that make no difference, and tries whether they do.
func por[S any, U checker.Counters](spec *modules.Spec[S], bound *checker.Spec[checker.Node[S, U]], f *wire.Footprints, sliced bool) (func() *wire.Reduced, error) {
	d, err := reduce.NewIndependence(spec, reduce.Footprints{Actions: f.Actions, Seen: f.Seen})
	if err != nil {
		return nil, err
	}
	r, err := reduce.ByStubbornSets(bound, d, sliced)
	if err != nil {
		return nil, err
	}
	pairs, err := reduce.Validate(bound, d, tried, seed)
	if err != nil {
		return nil, err
	}
	return func() *wire.Reduced {
		expanded, reduced := r.Counts()
		return &wire.Reduced{Pairs: pairs, Expanded: expanded, Reduced: reduced, Independent: d.Share()}
	}, nil
}

// tried is the least number of pairs of instances that are tested in sampled states, if there are
// so many.
const tried = 100_000

// reductionError is one that refuses the reduction, or says that the analysis is wrong.
func reductionError(err error) *wire.Error {
	var refused *reduce.ReductionError
	if errors.As(err, &refused) {
		return &wire.Error{Kind: wire.ErrorReduction, Message: err.Error()}
	}
	return &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}
}
