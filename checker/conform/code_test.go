package conform_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
)

// process is a cabin in a process of its own: it says where it stands, so a walk is not done again,
// and which of two lines ran. The second one moves up.
type process struct {
	*cabin
	ran [4]bool
}

func (p *process) Explain(w io.Writer) { io.WriteString(w, "a stack\n") }

func (p *process) Start(s *lift) error {
	p.ran = [4]bool{}
	return p.cabin.Start(s)
}

func (p *process) Perform(s conform.Step[lift]) error {
	p.ran[1] = true
	if s.Action == "Close" {
		p.ran[3] = true
	}
	return p.cabin.Perform(s)
}

func (p *process) Places() []checker.Point {
	return []checker.Point{{File: "Cabin.java", Line: 1, Kind: checker.PointLine}, {File: "Cabin.java", Line: 2, Kind: checker.PointLine}}
}

func (p *process) Ran() []bool { return p.ran[:] }

// processes are cabins whose code is asked for: that of the path drifts.
func processes() conform.Implementation[lift] {
	return conform.Implementation[lift]{Name: "cabin", Open: func(s conform.Setup) (conform.Adapter[lift], error) {
		mistake := ""
		if s.Code != nil && s.Code.Path != "" {
			mistake = s.Code.Path
		}
		return &process{cabin: &cabin{mistake: mistake}}, nil
	}}
}

func judgesAll(_, _ []string) uint64 { return 1<<0 | 1<<2 }

// TestCodeRefused: an adapter that runs no other code does not pass for one that does.
func TestCodeRefused(t *testing.T) {
	t.Parallel()
	_, err := conform.Run(withInvariants(t), cabins("", nil), conform.Options{Number: 1, Workers: 1, Setup: conform.Setup{Code: &conform.Code{Path: "x"}}, Follow: &conform.Follow{}})
	if err == nil || !strings.Contains(err.Error(), "no other code") {
		t.Errorf("the error is %v", err)
	}
}

// TestCode: the run ends with the first walk that departs. Its trace has the specification's state
// at the difference. What ran from there on is not counted as equal.
func TestCode(t *testing.T) {
	t.Parallel()
	follow := &conform.Follow{Least: 5, First: true, Judges: judgesAll}
	res, err := conform.Run(withInvariants(t), processes(), conform.Options{Depth: 40, Workers: 1, Seed: 7, Setup: conform.Setup{Code: &conform.Code{Path: "drifts"}}, Follow: follow})
	if err != nil {
		t.Fatal(err)
	}
	if res.Traces != 1 || res.Departed != 1 || len(res.Found) != 1 {
		t.Fatalf("%d walks, %d departed, %d differences", res.Traces, res.Departed, len(res.Found))
	}
	d := res.Found[0]
	last := d.Trace.Steps[len(d.Trace.Steps)-1]
	if d.Name() != "Floor" || last.Node.State.Open || !d.Explained || d.Values[0].Specification.Text == d.Values[0].Implementation.Text {
		t.Errorf("%s, explained %v, %+v", d.Name(), d.Explained, last.Node.State)
	}
	if !slices.Equal(follow.Changed.Taken, []uint32{0, 1, 0, 1}) || !slices.Equal(follow.Equal, []uint32{0, 1, 0, 0}) {
		t.Errorf("taken %v, equal %v", follow.Changed.Taken, follow.Equal)
	}

	// The walk is done again. On the code without the change it shows no difference.
	var steps []int
	for _, s := range d.Trace.Steps {
		steps = append(steps, s.Instance)
	}
	for path, found := range map[string]int{"drifts": 1, "": 0} {
		again, err := conform.Replay(withInvariants(t), processes(), steps, conform.Options{Setup: conform.Setup{Code: &conform.Code{Path: path}}, Follow: &conform.Follow{}})
		if err != nil {
			t.Fatal(err)
		}
		if len(again.Found) != found || again.Steps != int64(len(steps)) {
			t.Errorf("code %q: %d differences in %d steps: %s", path, len(again.Found), again.Steps, again.Reason)
		}
	}

	// Walks that begin like it break an invariant, with the states of the implementation.
	begin := &conform.Follow{Least: 20, Judges: judgesAll}
	for _, k := range steps {
		begin.Begin = append(begin.Begin, int32(k))
	}
	res, err = conform.Run(withInvariants(t), processes(), conform.Options{Depth: 60, Number: 300, Workers: 1, Seed: 7, Setup: conform.Setup{Code: &conform.Code{Path: "drifts"}}, Follow: begin})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Violations) != 1 {
		t.Fatalf("%d violations", len(res.Violations))
	}
	v := res.Violations[0]
	if state := v.Trace.Steps[len(v.Trace.Steps)-1].Node.State; v.Invariant != 0 || state.Floor != floors || v.Departed == 0 || v.Departed > len(v.Trace.Steps) || v.Minimal {
		t.Errorf("invariant %d in %+v, departed in step %d", v.Invariant, state, v.Departed)
	}
}

// TestCodeEqual: code without a mistake shows no difference, and all places count as equal.
func TestCodeEqual(t *testing.T) {
	t.Parallel()
	follow := &conform.Follow{Least: 5, First: true, Judges: judgesAll}
	res, err := conform.Run(withInvariants(t), processes(), conform.Options{Depth: 40, Number: 100, Workers: 2, Seed: 7, Setup: conform.Setup{Code: &conform.Code{}}, Follow: follow})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != checker.Holds || !slices.Equal(follow.Equal, []uint32{0, 1, 0, 1}) || follow.Changed.Of() != 2 {
		t.Errorf("%s, equal %v, %d places", res.Verdict, follow.Equal, follow.Changed.Of())
	}
}

// TestRetraceKnown: with Follow.First a behaviour passes shared differences, and a step that is not
// enabled in the implementation's state decides nothing.
func TestRetraceKnown(t *testing.T) {
	t.Parallel()
	c := withInvariants(t)
	var steps []int
	for _, name := range []string{"Call", "Open", "Close", "Call"} {
		steps = append(steps, slices.IndexFunc(c.Bound.Instances, func(in checker.Instance) bool { return c.Bound.Actions[in.Action].Name == name }))
	}
	setup := conform.Setup{Code: &conform.Code{Path: "drifts"}}
	shared := []conform.Departure{{Action: "Close", Variable: "Floor"}}
	res, err := conform.Replay(c, processes(), steps, conform.Options{Setup: setup, Follow: &conform.Follow{Shared: shared, First: true}})
	if err != nil || len(res.Found) != 0 || res.Steps != 4 {
		t.Errorf("%v: %d differences in %d steps", err, len(res.Found), res.Steps)
	}
	open := slices.IndexFunc(c.Bound.Instances, func(in checker.Instance) bool { return c.Bound.Actions[in.Action].Name == "Open" })
	res, err = conform.Replay(c, processes(), append(steps, open), conform.Options{Setup: setup, Follow: &conform.Follow{Shared: shared, First: true}})
	if err != nil || res.Verdict != checker.Undecided || !strings.Contains(res.Reason, "not enabled") {
		t.Errorf("%v: %s, %s", err, res.Verdict, res.Reason)
	}
}
