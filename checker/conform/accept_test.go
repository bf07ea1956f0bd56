package conform_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/checker/internal/trace"
)

// name, field and call make formulas.
func name(n string) *trace.Expr { return &trace.Expr{Op: trace.OpName, Name: n} }

func field(e *trace.Expr, f string) *trace.Expr {
	return &trace.Expr{Op: trace.OpField, Name: f, Args: []*trace.Expr{e}}
}

func number(n int64) *trace.Expr { return &trace.Expr{Op: trace.OpLiteral, Value: n} }

func when(op string, args ...*trace.Expr) *trace.Formula {
	return &trace.Formula{Expr: &trace.Expr{Op: op, Args: args}}
}

// TestAccepted holds that a walk ends in an accepted difference, that each is counted, and that a
// condition which does not hold accepts nothing. The cabin "express" goes two floors down at once.
func TestAccepted(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	run := func(a ...conform.Acceptance) conform.Result[checker.Node[lift, [0]uint8]] {
		t.Helper()
		res, err := conform.Run(c, cabins("express", nil), conform.Options{Depth: 60, Number: 40, Seed: 1, Workers: 2, Setup: conform.Setup{Version: "2"}, Accepted: a})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	plain := run()
	if plain.Verdict != checker.Violated || plain.Differences == 0 {
		t.Fatalf("without acceptance: %+v", plain)
	}
	// The specification has another floor than the implementation, and both are near one another.
	floor := conform.Acceptance{Name: "express", Action: "Move", Variables: []string{"Open", "Floor"},
		When: when("!=", field(name("after"), "Floor"), field(name("have"), "Floor"))}
	res := run(floor)
	if res.Verdict != checker.Holds || res.Ended != plain.Differences || !slices.Equal(res.Accepted, []conform.AcceptedDifference{{Name: "express", Walks: res.Ended}}) {
		t.Errorf("accepted: %v, %d of %d walks ended, %+v", res.Verdict, res.Ended, plain.Differences, res.Accepted)
	}
	if res.Traces != 40 {
		t.Errorf("%d walks came to their end", res.Traces)
	}
	never := floor
	never.When = when("==", field(name("after"), "Floor"), field(name("have"), "Floor"))
	half := floor
	half.When = when("==", name("specification"), number(1))
	for what, a := range map[string]conform.Acceptance{"a condition that never holds": never, "one that holds sometimes": half} {
		if res := run(a); res.Verdict != checker.Violated || res.Differences+res.Ended < plain.Differences {
			t.Errorf("%s: %v, %d differences, %d ended", what, res.Verdict, res.Differences, res.Ended)
		}
	}
	for what, change := range map[string]func(a *conform.Acceptance){
		"another version": func(a *conform.Acceptance) { a.Versions = []string{"1", "3"} },
		"another action":  func(a *conform.Acceptance) { a.Action = "Fly" },
		"not compared":    func(a *conform.Acceptance) { a.Variables = []string{"Trips"} },
	} {
		a := floor
		change(&a)
		if res := run(a); len(res.Accepted) != 0 || res.Differences != plain.Differences {
			t.Errorf("%s: %+v, %d differences", what, res.Accepted, res.Differences)
		}
	}
	for want, change := range map[string]func(a *conform.Acceptance){
		`variable "Height"`: func(a *conform.Acceptance) { a.Variables = []string{"Height"} },
		"has no condition":  func(a *conform.Acceptance) { a.When = nil },
		`"floor" is neither a parameter of the action nor`: func(a *conform.Acceptance) { a.When = when("==", name("floor"), number(1)) },
	} {
		a := floor
		change(&a)
		_, err := conform.Run(c, cabins("", nil), conform.Options{Depth: 6, Number: 4, Accepted: []conform.Acceptance{a}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// telling is a cabin that tells at which floor it stood before the last step.
type telling struct {
	conform.Adapter[lift]
	told told
}

type told struct{ From int }

func (c *telling) Perform(s conform.Step[lift]) error {
	c.told.From = int(s.Before.Floor)
	return c.Adapter.Perform(s)
}

func (c *telling) Evidence() any { return &c.told }

// TestEvidence holds that a condition may name the evidence of an adapter that has some, and of no
// other one, and that it has the values of the step.
func TestEvidence(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	run := func(impl conform.Implementation[lift], x *trace.Formula) (conform.Result[checker.Node[lift, [0]uint8]], error) {
		a := conform.Acceptance{Name: "express", Action: "Move", Variables: []string{"Floor"}, When: x}
		return conform.Run(c, impl, conform.Options{Depth: 60, Number: 40, Seed: 1, Workers: 2, Accepted: []conform.Acceptance{a}})
	}
	plain := cabins("express", nil)
	tells := conform.Implementation[lift]{Name: "telling", Open: func(s conform.Setup) (conform.Adapter[lift], error) {
		a, err := plain.Open(s)
		return &telling{Adapter: a}, err
	}}
	from := field(name("evidence"), "From")
	if _, err := run(plain, when("==", from, name("Floor"))); err == nil || !strings.Contains(err.Error(), `"evidence"`) {
		t.Errorf("without evidence: %v", err)
	}
	res, err := run(tells, when("==", from, name("Floor")))
	if err != nil || res.Verdict != checker.Holds || res.Ended == 0 {
		t.Errorf("%v; %v, %d walks ended", err, res.Verdict, res.Ended)
	}
	res, err = run(tells, when("!=", from, name("Floor")))
	if err != nil || res.Verdict != checker.Violated || res.Ended != 0 {
		t.Errorf("with a condition that never holds: %v; %v, %d walks ended", err, res.Verdict, res.Ended)
	}
}
