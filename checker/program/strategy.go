package program

import (
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/simulate"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// strategy is what takes the place of weights in walks.
type strategy[T any] struct {
	simulate.Strategy[T]
	// about describes the strategy for the report. It is called after the walks.
	about func() *wire.Strategy
	// sections divides a shrunk counterexample by what the strategy noted of its walk. Nil: it has no parts.
	sections func(origin *simulate.Origin) []wire.Section
}

// strategyOf makes the strategy that is asked for; nil where weights draw the steps. The error is a *wire.Error where the strategy
// does not fit the composition.
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
	case "rounds":
		return inRounds(composed, spec, o, known.Values(asked.Parameters), values)
	case "pct", "delays":
		return byAgents(composed, spec, o, known, values)
	case "loss":
		return withLoss(composed, spec, o, known, values)
	}
	return nil, fmt.Errorf("strategy %q is not built in", asked.Name)
}
