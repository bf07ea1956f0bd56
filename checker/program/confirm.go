package program

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker"
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
	if what.Trace, err = instances(x.c.Bound, asked.Replay, asked.States); err == nil {
		what.Trace, err = x.edited(what.Trace, asked.Confirm.Schedule, "schedule", false)
	}
	if c := asked.Confirm.Control; err == nil && c != nil {
		what.Control, err = x.edited(what.Trace, c, "control", true)
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

// edited changes a behaviour as a block of the kind says. A step that is put in has to be possible.
// Others that are not possible after the change are left out, if that is allowed.
func (x *conformer[S, U]) edited(trace []int, c *wire.Control, kind string, leaves bool) ([]int, error) {
	if c == nil {
		return trace, nil
	}
	steps := slices.Clone(trace)
	place := func(text string) (int, error) {
		for k := len(steps) - 1; k >= 0; k-- {
			if x.text(steps[k]) == text {
				return k, nil
			}
		}
		return 0, noTrace("the %s names %s, which is no step of the counterexample: write a step as multigrain check prints it", kind, text)
	}
	for _, text := range c.Without {
		at, err := place(text)
		if err != nil {
			return nil, err
		}
		steps = slices.Delete(steps, at, at+1)
	}
	first := len(steps)
	if len(c.Insert) > 0 {
		var err error
		if first, err = place(c.Before); err != nil {
			return nil, err
		}
	}
	for k, text := range c.Insert {
		n := 0
		for n < len(x.c.Bound.Instances) && x.text(n) != text {
			n++
		}
		if n == len(x.c.Bound.Instances) {
			return nil, noTrace("the %s puts in %s, which is no step of the composition: write a step as multigrain check prints it", kind, text)
		}
		steps = slices.Insert(steps, first+k, n)
	}
	return x.possible(steps, func(k int) error {
		switch {
		case first <= k && k < first+len(c.Insert):
			return noTrace("the %s puts in %s before step %d, where it is not possible", kind, x.text(steps[k]), first+1)
		case !leaves:
			return noTrace("with the steps that the %s puts in, step %d, %s, is no longer possible", kind, k+1, x.text(steps[k]))
		}
		return nil
	})
}

// possible leaves out the steps that are not possible, unless missing returns an error for one.
func (x *conformer[S, U]) possible(steps []int, missing func(int) error) (out []int, err error) {
	var n checker.Node[S, U]
	x.c.Bound.Init(func(init *checker.Node[S, U]) bool {
		n = *init
		return false
	})
	for k, s := range steps {
		if !x.c.Bound.Enabled(&n, s) {
			if err := missing(k); err != nil {
				return nil, err
			}
			continue
		}
		before := n
		x.c.Bound.Apply(&before, &n, s)
		out = append(out, s)
	}
	return out, nil
}

// text returns an instance as check prints it.
func (x *conformer[S, U]) text(instance int) string {
	in := x.c.Bound.Instances[instance]
	return fmt.Sprint(x.c.Bound.Actions[in.Action].Name, conform.ParamsText(in.Params))
}
