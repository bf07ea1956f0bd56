package program

import (
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/wire"
)

// retrace does a trace that departs from the specification, with the implementation as the model.
func (x *conformer[S, U]) retrace(asked *wire.Conform, o wire.Options, opt conform.Options) wire.Event {
	steps, err := named(x.c.Bound, asked.Replay)
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	followed := x.follow(asked.Follow, o.Footprints, &opt)
	res, err := conform.Replay(x.c, x.impl, steps, opt)
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	report := x.report(&res, o.Seed)
	x.followed(followed, &res, &opt)
	report.Conformance.Followed = followed
	return wire.Event{Report: report}
}

// named finds the steps of a trace by their actions and parameters. Which of them are enabled is
// seen when they are done: after a difference that depends on the implementation.
func named[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], t *wire.Trace) (steps []int, err error) {
	for k := range t.Steps {
		step := &t.Steps[k]
		at := slices.IndexFunc(spec.Instances, func(in checker.Instance) bool { return isStep(spec, in, step) })
		if at < 0 {
			return nil, noTrace("step %d, %s%s, is no action of the composition", k+1, step.Action, conform.ParamsText(step.Params))
		}
		steps = append(steps, at)
	}
	return steps, nil
}

// isStep reports whether an instance has the action and the parameters of a step.
func isStep[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], in checker.Instance, step *wire.Step) bool {
	a := spec.Actions[in.Action]
	return a.Name == step.Action && (step.Module == "" || a.Module == step.Module) && sameView(in.Params, step.Params)
}
