package spectest

import (
	"math/rand/v2"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/liveness"
	"github.com/multigrain/multigrain/checker/internal/reduce"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// Symmetry permutes the servers of nodes.
type Symmetry[S any, U checker.Counters] = reduce.Symmetry[S, U]

// BySymmetry reduces a specification to one representative of each orbit of its servers. Fields in
// without stay where they are. An error says why the servers cannot be permuted. Nothing here tests
// that the specification tells no servers apart: call Equivariant.
func BySymmetry[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], ids modules.Identities, without []string) (*Symmetry[S, U], error) {
	return reduce.BySymmetry(spec, ids, without)
}

// Lassos is the outcome of Liveness.
type Lassos[T any] = liveness.Result[T]

// Liveness explores a specification and looks for behaviours that violate its liveness properties.
// A Reason in the result says which limit ended it. An error says that the specification is reduced
// or has a property that Liveness cannot judge.
func Liveness[T any](spec *checker.Spec[T]) (Lassos[T], error) {
	return liveness.Run(spec, liveness.Options{})
}

// Stepper takes random walks one step at a time, for those who do something between the steps.
type Stepper[T any] = simulate.Stepper[T]

// NewStepper makes a stepper. Weights are those of actions by name; 1 for those without. It fails
// if they are wrong, or if no walk can start.
func NewStepper[T any](spec *checker.Spec[T], weights map[string]float64) (*Stepper[T], error) {
	return simulate.NewStepper(spec, weights)
}

// Source returns the random numbers of a walk, which are numbered from 1.
func Source(seed uint64, walk int64) *rand.Rand { return simulate.Source(seed, walk) }
