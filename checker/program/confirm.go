package program

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
)

// confirm does a trace several times and looks for its symptoms.
func (x *conformer[S, U]) confirm(asked *wire.Conform, opt conform.Options) wire.Event {
	what := conform.Confirming{Runs: asked.Confirm.Runs, Controls: asked.Confirm.Controls}
	for _, s := range asked.Confirm.Symptoms {
		what.Symptoms = append(what.Symptoms, conform.Symptom(s))
	}
	start := host.Now()
	var err error
	if what.Trace, err = x.instances(asked.Replay, asked.States); err == nil {
		what.Control, err = x.control(what.Trace, asked.Confirm.Control)
	}
	var all []conform.Attempt
	var version string
	if err == nil {
		all, version, err = conform.Confirm(x.c, x.impl, what, opt)
	}
	if err != nil {
		return wire.Event{Error: x.failure(err)}
	}
	c := &wire.Conformance{Version: version, Instances: []wire.Fired{}, Coverage: []wire.Conformed{}, Found: []wire.Discrepancy{}, Observed: []string{}}
	for _, a := range all {
		one := wire.Attempt{Control: a.Control, Outcome: string(a.Outcome), Steps: a.Steps, Step: a.Step, Action: a.Action, Message: a.Message,
			Log: a.Log, Seconds: a.Duration.Seconds()}
		for _, s := range a.Sightings {
			one.Sightings = append(one.Sightings, wire.Sighting(s))
		}
		c.Attempts = append(c.Attempts, one)
	}
	return wire.Event{Report: &wire.Report{Seconds: host.Since(start).Seconds(), Workers: 1, Levels: []int64{}, Actions: []wire.Action{},
		Violations: []wire.Violation{}, Invariants: []string{}, Conformance: c}}
}

// control makes the behaviour without the fault. A step after the first change that is not
// possible is left out.
func (x *conformer[S, U]) control(trace []int, c *wire.Control) (steps []int, err error) {
	if c == nil {
		return nil, nil
	}
	steps = slices.Clone(trace)
	place := func(text string) (int, error) {
		for k := len(steps) - 1; k >= 0; k-- {
			if x.text(steps[k]) == text {
				return k, nil
			}
		}
		return 0, noTrace("the control names %s, which is no step of the counterexample: write a step as multigrain check prints it", text)
	}
	for _, text := range c.Without {
		at, err := place(text)
		if err != nil {
			return nil, err
		}
		steps = slices.Delete(steps, at, at+1)
	}
	if len(c.Insert) == 0 {
		return steps, nil
	}
	at, err := place(c.Before)
	if err != nil {
		return nil, err
	}
	for k, text := range c.Insert {
		n := 0
		for n < len(x.c.Bound.Instances) && x.text(n) != text {
			n++
		}
		if n == len(x.c.Bound.Instances) {
			return nil, noTrace("the control puts in %s, which is no step of the composition: write a step as multigrain check prints it", text)
		}
		steps = slices.Insert(steps, at+k, n)
	}
	return steps, nil
}

// text is an instance as check prints it.
func (x *conformer[S, U]) text(instance int) string {
	in := x.c.Bound.Instances[instance]
	return fmt.Sprint(x.c.Bound.Actions[in.Action].Name, conform.ParamsText(in.Params))
}
