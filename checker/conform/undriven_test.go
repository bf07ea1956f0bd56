package conform_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
)

// jammed is a cabin whose door does not open at a floor in time, and which says where it stands.
type jammed struct {
	*cabin
	floor int // -1: none
}

func (c *jammed) Perform(s conform.Step[lift]) error {
	if s.Action == "Open" && c.at == c.floor {
		return fmt.Errorf("the door: %w", &conform.UndrivenError{Message: "it does not open within a second"})
	}
	return c.cabin.Perform(s)
}

func (c *jammed) Explain(w io.Writer) { fmt.Fprintf(w, "cabin at %d", c.at) }

func (c *jammed) Version() string { return "1895" }

func jammedCabins(floor int, mistake string) conform.Implementation[lift] {
	return conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return &jammed{&cabin{mistake: mistake}, floor}, nil
	}}
}

// TestUndriven holds that a step that cannot be driven is no difference, whatever follows it, and
// that the result says which step it is and where the implementation stands.
func TestUndriven(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	var steps []int
	for _, name := range []string{"Call", "Open", "Close"} {
		steps = append(steps, slices.IndexFunc(c.Bound.Instances, func(in checker.Instance) bool { return c.Bound.Actions[in.Action].Name == name }))
	}
	res, err := conform.Replay(c, jammedCabins(0, ""), steps, conform.Options{})
	if err != nil || res.Verdict != checker.Undecided || len(res.Found) != 0 || res.Differences != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	for _, want := range []string{"step 2, Open(), cannot be driven", "does not open within a second", "cabin at 0"} {
		if !strings.Contains(res.Reason, want) {
			t.Errorf("the reason does not have %q: %s", want, res.Reason)
		}
	}
	if res.Steps != 1 || res.Version != "1895" {
		t.Errorf("%d steps were compared, version %q", res.Steps, res.Version)
	}
	res, err = conform.Run(c, jammedCabins(2, ""), conform.Options{Depth: 60, Number: 400, Seed: 1, Stop: 1})
	if err != nil || res.Verdict != checker.Undecided || len(res.Found) != 0 || !strings.Contains(res.Reason, "Open(), cannot be driven") {
		t.Errorf("walks: %+v, %v", res, err)
	}
}

// TestUndrivenWalks holds that walks continue after one that cannot be driven, and that the result
// is undecided then.
func TestUndrivenWalks(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	res, err := conform.Run(c, jammedCabins(2, ""), conform.Options{Depth: 20, Number: 50, Seed: 1, Workers: 2, Stop: 1})
	if err != nil || res.Verdict != checker.Undecided || res.Undriven == 0 || res.Traces == 0 || res.Undriven+res.Traces != 50 {
		t.Errorf("%d walks undriven, %d done: %v %s, %v", res.Undriven, res.Traces, res.Verdict, res.Reason, err)
	}
	if len(res.UndrivenNext) != min(int(res.Undriven)-1, 20) || res.Repeated != res.Undriven {
		t.Errorf("%d walks undriven, %d repeated: %q", res.Undriven, res.Repeated, res.UndrivenNext)
	}
}

// late is a cabin whose door does not open in time when it is first asked to open at a floor.
type late struct {
	*jammed
	opened bool
}

func (c *late) Perform(s conform.Step[lift]) error {
	if s.Action == "Open" && c.at == c.floor {
		if c.opened {
			return c.cabin.Perform(s)
		}
		c.opened = true
	}
	return c.jammed.Perform(s)
}

// TestRepeatedWalks holds that a walk that could not be driven is done once more, with the same
// steps, and that the result counts it.
func TestRepeatedWalks(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	opt := conform.Options{Depth: 20, Number: 50, Seed: 1, Workers: 1, Stop: 1}
	want, err := conform.Run(c, jammedCabins(-1, ""), opt)
	if err != nil {
		t.Fatal(err)
	}
	res, err := conform.Run(c, conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return &late{jammed: &jammed{&cabin{}, 2}}, nil
	}}, opt)
	if err != nil || res.Verdict != checker.Holds || res.Repeated != 1 || res.Undriven != 0 {
		t.Errorf("%d walks repeated, %d undriven: %v %s, %v", res.Repeated, res.Undriven, res.Verdict, res.Reason, err)
	}
	if res.Traces != want.Traces || res.Steps != want.Steps || !slices.Equal(res.Instances, want.Instances) {
		t.Errorf("%d walks and %d steps, want %d and %d", res.Traces, res.Steps, want.Traces, want.Steps)
	}
}

// resting is a cabin whose door does not open at a floor so many times. A machine under load may be
// the reason.
type resting struct {
	*cabin
	floor int
	times *int
}

func (c *resting) Perform(s conform.Step[lift]) error {
	if s.Action == "Open" && c.at == c.floor && *c.times != 0 {
		*c.times--
		return fmt.Errorf("the door: %w", &conform.AgainError{Err: errors.New("it rests")})
	}
	return c.cabin.Perform(s)
}

// Explain says where the cabin stands, so that a difference is not done again.
func (c *resting) Explain(w io.Writer) { fmt.Fprintf(w, "cabin at %d", c.at) }

// TestAgain holds that what a machine under load may cause is a difference if it comes again when
// the walk is done once more, and nothing otherwise.
func TestAgain(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	for times, want := range map[int]checker.Verdict{1: checker.Holds, 2: checker.Violated, -1: checker.Violated} {
		left := times
		cabins := conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
			return &resting{&cabin{}, 2, &left}, nil
		}}
		res, err := conform.Run(c, cabins, conform.Options{Depth: 20, Number: 50, Seed: 1, Workers: 1, Stop: 1})
		if err != nil || res.Verdict != want || res.Repeated != 1 || res.Undriven != 0 {
			t.Errorf("%d times: %v, %d walks repeated, %d undriven: %s, %v", times, res.Verdict, res.Repeated, res.Undriven, res.Reason, err)
		}
		if want == checker.Violated && (len(res.Found) != 1 || !strings.Contains(res.Found[0].Message, "the door: it rests")) {
			t.Errorf("%d times: found %+v", times, res.Found)
		}
	}
}

// unready is a cabin that cannot be started.
type unready struct{ *cabin }

func (unready) Start(*lift) error { return &conform.UndrivenError{Message: "no current"} }

// TestUnstarted holds that walks end where one cannot begin.
func TestUnstarted(t *testing.T) {
	t.Parallel()
	impl := conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) { return unready{&cabin{}}, nil }}
	res, err := conform.Run(liftSpec(t), impl, conform.Options{Number: 50, Workers: 1})
	if err != nil || res.Verdict != checker.Undecided || res.Undriven != 1 || !strings.Contains(res.Reason, "no current") {
		t.Errorf("%d walks undriven: %v %s, %v", res.Undriven, res.Verdict, res.Reason, err)
	}
}

// shut is a cabin whose door nobody can open at a floor, and some of whose calls nobody can make.
type shut struct {
	*cabin
	floor uint8
}

func (c *shut) LeavesOut(s conform.Step[lift]) string {
	if s.Action == "Open" && s.Before.Floor == c.floor {
		return "the door is painted over"
	}
	return ""
}

// TestLeavesOut holds that walks do without steps that the adapter cannot drive and count them, and
// that a trace with such a step is refused.
func TestLeavesOut(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	impl := conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return &shut{&cabin{}, 0}, nil
	}}
	var first conform.Result[checker.Node[lift, [0]uint8]]
	for _, workers := range []int{1, 3} {
		res, err := conform.Run(c, impl, conform.Options{Depth: 30, Number: 60, Seed: 3, Workers: workers})
		if err != nil || res.Verdict != checker.Holds || len(res.LeftOut) != 1 {
			t.Fatalf("%+v, %v", res, err)
		}
		if x := res.LeftOut[0]; x.Action != "Open" || x.Reason != "the door is painted over" || x.Count == 0 {
			t.Errorf("left out: %+v", x)
		}
		if workers == 1 {
			first = res
		} else if res.LeftOut[0] != first.LeftOut[0] || res.Steps != first.Steps {
			t.Errorf("%d workers leave out %+v in %d steps, one %+v in %d", workers, res.LeftOut, res.Steps, first.LeftOut, first.Steps)
		}
	}
	var steps []int
	for _, name := range []string{"Call", "Open"} {
		steps = append(steps, slices.IndexFunc(c.Bound.Instances, func(in checker.Instance) bool { return c.Bound.Actions[in.Action].Name == name }))
	}
	if _, err := conform.Replay(c, impl, steps, conform.Options{}); err == nil || !strings.Contains(err.Error(), "step 2, Open(), cannot be driven: the door is painted over") {
		t.Errorf("the trace is not refused: %v", err)
	}
}

// TestNoticed holds that a walk that differs, or that cannot be driven, is reported when it ends.
func TestNoticed(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	for want, impl := range map[string]conform.Implementation[lift]{
		"Open(), cannot be driven": jammedCabins(2, ""),
		"differs: ":                jammedCabins(-1, "express"),
	} {
		walks := map[int64]string{}
		res, err := conform.Run(c, impl, conform.Options{Depth: 60, Number: 50, Seed: 1, Workers: 1,
			Noticed: func(walk int64, what string) { walks[walk] = what }})
		if err != nil || int64(len(walks)) != res.Differences+res.Undriven || len(walks) == 0 {
			t.Errorf("%d walks of %+v are reported, %v", len(walks), res, err)
		}
		for walk, what := range walks {
			if !strings.Contains(what, want) {
				t.Errorf("walk %d: %q; want %q", walk, what, want)
			}
		}
	}
}

// TestExplained holds that the adapter, where it stands, writes the log of a difference.
func TestExplained(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	res, err := conform.Run(c, jammedCabins(-1, "express"), conform.Options{Depth: 60, Number: 400, Seed: 1, Stop: 1})
	if err != nil || len(res.Found) != 1 || !slices.Equal(res.Found[0].Log, []string{"cabin at 3"}) {
		t.Errorf("%+v, %v", res, err)
	}
}
