package program

import (
	"fmt"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/priorities"
	"github.com/multigrain/multigrain/checker/rounds"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// byAgents makes the strategies "pct" and "delays".
func byAgents[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], o wire.Options, known *wire.KnownStrategy, values map[string]float64) (*strategy[checker.Node[S, U]], error) {
	type node = checker.Node[S, U]
	plan, err := planOf(composed, o, true)
	if err != nil {
		return nil, err
	}
	of, names := plan.Agents()
	by := &priorities.Strategy[node]{Of: of, Agents: len(names), Depth: int(values["depth"]), Steps: o.Simulate.Depth}
	for k, in := range spec.Instances {
		if w, ok := o.Simulate.Weights[spec.Actions[in.Action].Name]; ok && w == 0 {
			by.Of[k] = -1
		}
	}
	about := &wire.Strategy{Name: known.Name, Parameters: append(known.Values(o.Simulate.Strategy.Parameters),
		wire.Parameter{Name: "agents", Value: float64(by.Agents), Meaning: "servers, channels, and the environment at each server and link, n"},
		wire.Parameter{Name: "steps", Value: float64(by.Steps), Meaning: "steps of a walk, k"})}
	const rest = "; if an agent has several steps, which one is taken is drawn in addition, and the bound does not count it"
	if known.Name == "delays" {
		by.Kind, by.Depth = priorities.Delays, int(values["delays"])
		about.Guarantee = fmt.Sprintf("a walk delays at given steps with a probability of at least 1/k^d = %.3g", by.Probability())
	} else {
		about.Guarantee = fmt.Sprintf("a walk shows a bug of depth d with a probability of at least 1/(n k^(d-1)) = %.3g", by.Probability())
	}
	about.Guarantee += rest
	about.Probability = by.Probability()
	return &strategy[node]{Strategy: by, about: func() *wire.Strategy { return about }}, nil
}

// withLoss makes the strategy "loss".
func withLoss[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], o wire.Options, known *wire.KnownStrategy, values map[string]float64) (*strategy[checker.Node[S, U]], error) {
	plan, err := planOf(composed, o, true)
	if err != nil {
		return nil, err
	}
	space := rounds.NewSpace(plan.Servers, 1, 1, 0)
	by := rounds.New(spec, stateOf[S, U], plan, space, rounds.Settings{Weights: o.Simulate.Weights})
	about := &wire.Strategy{Name: known.Name, Parameters: known.Values(o.Simulate.Strategy.Parameters)}
	if plan.Ordered() {
		about.Notes = append(about.Notes, "channels keep their order: what follows a lost message is received only after a step of the environment has removed that message")
	}
	return &strategy[checker.Node[S, U]]{Strategy: rounds.NewLoss(by, values["p"]), about: func() *wire.Strategy { return about }}, nil
}
