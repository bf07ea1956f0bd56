package program

import (
	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/wire"
)

// follows asks the adapter which compositions it can follow, by opening one for each.
func (x *conformer[S, U]) follows(asked *wire.Conform, setup conform.Setup) wire.Event {
	c := &wire.Conformance{Instances: []wire.Fired{}, Coverage: []wire.Conformed{}, Observed: []string{}, Found: []wire.Discrepancy{}, NotFollowed: []string{}}
	for _, actions := range asked.Follows {
		setup.Actions = actions
		why := ""
		if adapter, err := x.impl.Open(setup); err != nil {
			why = err.Error()
		} else if err := adapter.Stop(); err != nil {
			why = err.Error()
		}
		c.NotFollowed = append(c.NotFollowed, why)
	}
	return wire.Event{Report: &wire.Report{
		Verdict: string(checker.Undecided), Levels: []int64{}, Actions: []wire.Action{}, Violations: []wire.Violation{}, Invariants: []string{}, Conformance: c,
	}}
}
