package mutants

import (
	"testing"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestJudge has the outcomes of all pairs of explorations, and of faults.
func TestJudge(t *testing.T) {
	t.Parallel()
	holds, open := result.Searched{Verdict: verdicts.Holds}, result.Searched{Verdict: verdicts.Undecided, Reason: "a limit"}
	bad := func(name string) result.Searched { return result.Searched{Verdict: verdicts.Violated, Property: name} }
	full, _ := failure(&wire.Error{Kind: wire.ErrorSpec, Message: "Net is full: it holds 4", Capacity: 4})
	panics, _ := failure(&wire.Error{Kind: wire.ErrorSpec, Message: "index out of range"})
	gone, _ := failure(&wire.Error{Kind: wire.ErrorSystem, Message: "no memory"})
	for _, c := range []struct {
		fine, mixed result.Searched
		want        string
		note        bool
	}{
		{bad("A"), bad("A"), result.MutantKept, false},
		{bad("A"), bad("B"), result.MutantKept, true},
		{bad("A"), holds, result.MutantLost, false},
		{holds, bad("A"), result.MutantFalse, false},
		{holds, holds, result.MutantEqual, true}, // of the same states as the specification
		{open, holds, result.MutantUndecided, true},
		{bad("A"), open, result.MutantUndecided, true},
		{open, bad("A"), result.MutantUndecided, true},
		{full, full, result.MutantKept, true},
		{full, holds, result.MutantUndecided, true},
		{holds, full, result.MutantUndecided, true},
		{panics, bad("A"), result.MutantKept, true},
		{panics, holds, result.MutantLost, false},
		{gone, holds, result.MutantUndecided, true},
	} {
		x := &runner{d: &result.Mutants{}}
		o := &result.Mutant{Fine: c.fine, Mixed: c.mixed}
		if x.judge(o); o.Outcome != c.want || (o.Note != "") != c.note {
			t.Errorf("%+v and %+v: %s %q, want %s", c.fine, c.mixed, o.Outcome, o.Note, c.want)
		}
	}
}

// TestCount: a verdict needs a mutant that is found and none that is undecided.
func TestCount(t *testing.T) {
	t.Parallel()
	of := func(outcomes ...string) *result.Mutants {
		m := &result.Mutants{Drawn: len(outcomes)}
		for _, o := range outcomes {
			m.List = append(m.List, result.Mutant{Outcome: o})
		}
		return m
	}
	for _, c := range []struct {
		m         *result.Mutants
		why, want string
	}{
		{of("kept", "equal"), "", verdicts.Preserved},
		{of("equal", "equal"), "", verdicts.Undecided},
		{of(), "", verdicts.Undecided},
		{of("kept", "undecided"), "", verdicts.Undecided},
		{of("kept", "undecided", "lost"), "", verdicts.Broken},
		{of("false"), "", verdicts.Broken},
		{of("kept"), "an interrupt came", verdicts.Undecided},
	} {
		if c.m.Count(c.why); c.m.Verdict != c.want || (c.m.Reason != "") != (c.want == verdicts.Undecided) {
			t.Errorf("%+v is %s: %s", c.m.List, c.m.Verdict, c.m.Reason)
		}
	}
	m := of("kept")
	m.Drawn = 3
	if m.Count("an interrupt came"); m.Undecided != 2 {
		t.Errorf("%d of the mutants that were not explored are undecided, want 2", m.Undecided)
	}
}
