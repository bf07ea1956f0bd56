package program

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/rounds"
	"github.com/multigrain/multigrain/checker/simulate"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// strategy replaces the weights in walks.
type strategy[T any] struct {
	simulate.Strategy[T]
	// about describes the strategy for the report. It is called after the walks.
	about func() *wire.Strategy
	// sections divides a shrunk counterexample by what the strategy noted of its walk. Nil: it has
	// no parts.
	sections func(origin *simulate.Origin) []wire.Section
}

// strategyOf makes the strategy that is asked for; nil where weights draw the steps. The error is
// a *wire.Error where the strategy does not fit the composition.
func strategyOf[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], o wire.Options) (*strategy[checker.Node[S, U]], error) {
	if o.Simulate == nil || o.Simulate.Strategy == nil {
		return nil, nil
	}
	asked := o.Simulate.Strategy
	known := wire.StrategyNamed(asked.Name)
	if known == nil {
		return nil, fmt.Errorf("there is no strategy %q", asked.Name)
	}
	values := map[string]float64{}
	for _, v := range known.Values(asked.Parameters) {
		values[v.Name] = v.Value
	}
	switch known.Name {
	case "guided":
		return guided(spec, o, known.Values(asked.Parameters), values["fresh"])
	case "rounds":
		return inRounds(composed, spec, o, known.Values(asked.Parameters), values)
	case "pct", "delays":
		return byAgents(composed, spec, o, known, values)
	case "loss":
		return withLoss(composed, spec, o, known, values)
	}
	return nil, fmt.Errorf("strategy %q is not built in", asked.Name)
}

// guided makes the strategy "guided".
func guided[T any](spec *checker.Spec[T], o wire.Options, all []wire.Parameter, fresh float64) (*strategy[T], error) {
	by, err := simulate.NewGuided(spec, o.Simulate.Weights, fresh)
	if err != nil {
		return nil, err
	}
	return &strategy[T]{Strategy: by, about: func() *wire.Strategy {
		return &wire.Strategy{Name: "guided", Parameters: all, Notes: []string{fmt.Sprintf("%d walks are kept for new coverage: %d sets of enabled instances, steps between sets of enabled actions, and goals", by.Kept(), by.Features())}}
	}}, nil
}

// closed adds the step property CommunicationClosure to a specification, where that is asked for.
// What footprints prove that a search may omit does not count with it, so nothing is omitted.
func closed[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], o wire.Options) *wire.Error {
	if o.Closure == nil {
		return nil
	}
	refuse := func(text string) *wire.Error { return &wire.Error{Kind: wire.ErrorStrategy, Message: text} }
	switch {
	case o.Symmetry != nil || o.POR != nil || len(o.Sliced) > 0:
		return refuse("communication closure is not checked together with symmetry, partial-order reduction or slicing")
	case len(spec.Invariants) == 64:
		return refuse("communication closure is one property more than the 64 that are checked")
	}
	c, err := rounds.NewClosure(reflect.TypeFor[S](), o.Closure.Server, o.Closure.Message)
	if err != nil {
		return refuse(err.Error())
	}
	spec.Pruning = nil
	bit := uint64(1) << len(spec.Invariants)
	spec.Invariants = append(spec.Invariants[:len(spec.Invariants):len(spec.Invariants)],
		checker.Property{ID: "CommunicationClosure", Doc: "No message of an older round is used.", Kind: modules.KindStep})
	others := spec.Steps
	spec.Steps = func(s, n *checker.Node[S, U], instance int) (broken uint64) {
		if others != nil {
			broken = others(s, n, instance)
		}
		a := spec.Instances[instance].Action
		if !spec.Actions[a].Environment && !c.Holds(unsafe.Pointer(&s.State), unsafe.Pointer(&n.State)) {
			broken |= bit
		}
		return broken
	}
	return nil
}
