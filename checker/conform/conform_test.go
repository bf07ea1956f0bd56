package conform_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/modules"
)

// lift is a specification of a lift with a queue of calls.
type lift struct {
	Floor uint8
	Open  bool
	Calls modules.Seq[uint8, [3]uint8]
	Trips uint8 // not observed
}

type call = modules.One[uint8]

const floors = 4

type composition = conform.Composition[lift, [0]uint8]

func liftSpec(t testing.TB) composition {
	t.Helper()
	spec := &modules.Spec[lift]{System: "lift", Init: func(yield func(lift) bool) { yield(lift{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[lift]{
		&modules.Action[lift, call]{Name: "Call", Params: modules.Each[uint8](floors),
			Guard:  func(s *lift, p call) bool { return s.Calls.Find(p.I) == 0 },
			Effect: func(s, n *lift, p call) { n.Calls.Append(p.I) }},
		&modules.Action[lift, modules.None]{Name: "Move", Params: modules.Once,
			Guard: func(s *lift, _ modules.None) bool { return !s.Open && !s.Calls.Empty() && s.Calls.At(1) != s.Floor },
			Effect: func(s, n *lift, _ modules.None) {
				if s.Calls.At(1) > s.Floor {
					n.Floor++
				} else {
					n.Floor--
				}
			}},
		&modules.Action[lift, modules.None]{Name: "Open", Params: modules.Once,
			Guard:  func(s *lift, _ modules.None) bool { return !s.Open && !s.Calls.Empty() && s.Calls.At(1) == s.Floor },
			Effect: func(s, n *lift, _ modules.None) { n.Open = true; n.Calls.PopFront(); n.Trips = (s.Trips + 1) % 8 }},
		&modules.Action[lift, modules.None]{Name: "Close", Params: modules.Once,
			Guard:  func(s *lift, _ modules.None) bool { return s.Open },
			Effect: func(s, n *lift, _ modules.None) { n.Open = false }},
	}, nil, nil) {
		spec.Actions = append(spec.Actions, modules.SpecAction[lift]{Bound: b, Module: "lift"})
	}
	bound, err := checker.Of[lift, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return composition{Spec: spec, Bound: bound}
}

// cabin is an implementation of the lift, written differently, and its adapter. Its mistake is one
// of those of TestMistakes.
type cabin struct {
	mistake string
	at      int
	open    bool
	drifted bool
	worn    bool
	queue   []uint8
	out     io.Writer
	stopped *int
}

func cabins(mistake string, stopped *int) conform.Implementation[lift] {
	return conform.Implementation[lift]{Name: "cabin", Open: func(s conform.Setup) (conform.Adapter[lift], error) {
		if s.Settings["size"] != "" {
			return nil, errors.New("one size only")
		}
		return &cabin{mistake: mistake, stopped: stopped}, nil
	}}
}

func (c *cabin) Variables() []string {
	if c.mistake == "unknown" {
		return []string{"Floor", "Height"}
	}
	return []string{"Floor", "Open", "Calls"}
}

func (c *cabin) Start(*lift) error {
	c.at, c.open, c.queue, c.drifted, c.worn = 0, false, nil, false, false
	return nil
}

func (c *cabin) Log(w io.Writer) { c.out = w }

func (c *cabin) Stop() error {
	if c.stopped != nil {
		*c.stopped++
	}
	return nil
}

func (c *cabin) Perform(s conform.Step[lift]) error {
	if c.out != nil {
		fmt.Fprintf(c.out, "  cabin: %s at %d\n", s.Action, c.at)
	}
	if c.mistake == "blocks" && s.Action == "Open" {
		select {}
	}
	switch s.Action {
	case "Call":
		c.queue = append(c.queue, s.Params.(call).I)
		if c.mistake == "sorted" {
			slices.Sort(c.queue)
		}
	case "Move":
		step := 1
		if int(c.queue[0]) < c.at {
			step = -1
		}
		if c.at += step; c.mistake == "express" && c.at == 2 && step == 1 {
			c.at = 3
		}
		if c.mistake == "crash" && c.at == 3 {
			panic("the rope breaks")
		}
	case "Open":
		c.open, c.queue = true, c.queue[1:]
	case "Close":
		if c.open = false; c.mistake == "stuck" && c.at == 1 {
			return errors.New("the door is stuck")
		}
		if strings.HasPrefix(c.mistake, "drifts") {
			if c.at++; c.at == floors && c.drifted && c.mistake != "drifts" {
				panic("too high")
			}
			c.drifted = true
		}
	}
	return nil
}

func (c *cabin) Observe(s *lift) error {
	s.Floor, s.Open = uint8(c.at), c.open
	s.Calls.Clear()
	for _, f := range c.queue {
		s.Calls.Append(f)
	}
	if c.mistake == "blind" {
		s.Open = false
	}
	if c.open && strings.HasSuffix(c.mistake, "and wears") {
		c.worn = true
	}
	if c.worn {
		return &conform.BesideError{Message: "the rope is worn"}
	}
	return nil
}

func TestConforms(t *testing.T) {
	t.Parallel()
	c, stopped := liftSpec(t), 0
	res, err := conform.Run(c, cabins("", &stopped), conform.Options{Depth: 50, Number: 300, Seed: 3, Workers: 2, Stop: 1})
	if err != nil || res.Verdict != checker.Holds || res.Traces != 300 || res.Steps != 300*50 || res.Half != 300 || res.Differences != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	if stopped != 2 || res.Exceeded == 0 || !slices.Equal(res.Unobserved, []string{"Trips"}) {
		t.Errorf("%d adapters stopped, %d steps exceeded a capacity, %q not observed", stopped, res.Exceeded, res.Unobserved)
	}
	last := res.Coverage[len(res.Coverage)-1]
	if last.Actions != 4 || last.Instances != floors+3 || last.Traces != 300 {
		t.Errorf("%+v", last)
	}
}

// TestMistakes holds what is found of each mistake. Where actions are given, one behaviour alone is
// minimal.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		mistake  string
		kind     conform.Kind
		variable string
		actions  string
		message  string
	}{
		{"sorted", conform.Variable, "Calls[1]", "Call Call", ""},
		{"express", conform.Variable, "Floor", "", ""},
		{"crash", conform.Panic, "panic", "", "the rope breaks"},
		{"stuck", conform.Fault, "error", "Call Move Open Close", "the door is stuck"},
		{"blind", conform.Variable, "Open", "Call Open", ""},
	} {
		t.Run(x.mistake, func(t *testing.T) {
			t.Parallel()
			c := liftSpec(t)
			res, err := conform.Run(c, cabins(x.mistake, nil), conform.Options{Depth: 60, Number: 400, Seed: 1, Stop: 1})
			if err != nil || res.Verdict != checker.Violated || len(res.Found) != 1 {
				t.Fatalf("%+v, %v", res, err)
			}
			d := res.Found[0]
			var names []string
			for _, s := range d.Trace.Steps {
				names = append(names, c.Bound.Actions[c.Bound.Instances[s.Instance].Action].Name)
			}
			if d.Kind != x.kind || d.Name() != x.variable || x.actions != "" && strings.Join(names, " ") != x.actions || d.Message != x.message || !d.Minimal {
				t.Errorf("%s %s after %q: %q, minimal %t", d.Kind, d.Name(), names, d.Message, d.Minimal)
			}
			if log := strings.Join(d.Log, "\n"); !strings.Contains(log, "cabin: Call at 0") || !strings.Contains(log, fmt.Sprintf("step %d: ", len(names))) {
				t.Errorf("log:\n%s", log)
			}
			if x.kind == conform.Panic && (len(d.Frames) == 0 || !strings.Contains(d.Frames[0], "cabin")) {
				t.Errorf("frames %q", d.Frames)
			}
			var steps []int
			for _, s := range d.Trace.Steps {
				steps = append(steps, s.Instance)
			}
			for k := range steps {
				less, err := conform.Replay(c, cabins(x.mistake, nil), slices.Delete(slices.Clone(steps), k, k+1), conform.Options{})
				if err == nil && len(less.Found) > 0 && less.Found[0].Name() == x.variable {
					t.Errorf("step %d of %q can be left out", k+1, names)
				}
			}
			again, err := conform.Replay(c, cabins(x.mistake, nil), steps, conform.Options{})
			if err != nil || len(again.Found) != 1 || again.Found[0].Name() != x.variable || len(again.Found[0].Trace.Steps) != len(steps) {
				t.Errorf("again: %+v, %v", again, err)
			}
			right, err := conform.Replay(c, cabins("", nil), steps, conform.Options{})
			if err != nil || right.Verdict != checker.Holds || right.Steps != int64(len(steps)) {
				t.Errorf("without the mistake: %+v, %v", right, err)
			}
		})
	}
}

// TestWorkers holds that what is found does not depend on the number of workers.
func TestWorkers(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	for _, mistake := range []string{"", "express", "stuck"} {
		var want string
		for _, workers := range []int{1, 3} {
			for _, stop := range []int{0, 1} {
				res, err := conform.Run(c, cabins(mistake, nil), conform.Options{Depth: 30, Number: 700, Seed: 9, Workers: workers, Stop: stop})
				if err != nil {
					t.Fatal(err)
				}
				got := fmt.Sprint(res.Traces, res.Steps, res.Differences, res.Refused, res.Fired, res.Instances)
				for _, d := range res.Found {
					got += fmt.Sprint(d.Name(), d.Walk, d.Length, len(d.Trace.Steps), d.Count)
				}
				if stop == 0 && workers == 1 {
					want = got
				} else if stop == 0 && got != want {
					t.Errorf("%q with %d workers: %s, with one: %s", mistake, workers, got, want)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	c := liftSpec(t)
	if _, err := conform.Run(c, cabins("unknown", nil), conform.Options{Number: 1}); err == nil || !strings.Contains(err.Error(), "Height") {
		t.Error(err)
	}
	opt := conform.Options{Number: 1, Setup: conform.Setup{Settings: map[string]string{"size": "9"}}}
	if _, err := conform.Run(c, cabins("", nil), opt); err == nil || err.Error() != "one size only" {
		t.Error(err)
	}
	impl := cabins("", nil)
	impl.Module = "example.com/not/built/in"
	opt = conform.Options{Number: 1, Setup: conform.Setup{Version: "v1.0.0"}}
	if _, err := conform.Run(c, impl, opt); err == nil || !strings.Contains(err.Error(), impl.Module) {
		t.Error(err)
	}
	if _, err := conform.Replay(c, cabins("", nil), []int{floors}, conform.Options{}); err == nil {
		t.Error("a step that is not enabled is replayed")
	}
}

// TestStuck: a step that does not return does not hold up the end of a run.
func TestStuck(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	for name, opt := range map[string]conform.Options{
		"time":      {Timeout: 50 * time.Millisecond},
		"interrupt": {Context: ctx, Progress: func(conform.Progress) { cancel() }},
	} {
		opt.Workers = 2
		res, err := conform.Run(liftSpec(t), cabins("blocks", nil), conform.Impatient(opt))
		var stuck *conform.StuckError
		if !errors.As(err, &stuck) || stuck.Step != "Open()" || res.Verdict != checker.Undecided {
			t.Errorf("%s: %v: %v", name, res.Verdict, err)
		}
	}
}

// TestWatchdog: a step that does not return ends a run without any limit, and so does a step that
// takes much memory.
func TestWatchdog(t *testing.T) {
	t.Parallel()
	var stuck *conform.StuckError
	_, err := conform.Run(liftSpec(t), cabins("blocks", nil), conform.Impatient(conform.Options{Workers: 2}))
	if !errors.As(err, &stuck) || stuck.Step != "Open()" || stuck.Ending || stuck.Memory > 0 {
		t.Errorf("blocks: %v", err)
	}
	impl := conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return slow{&cabin{}}, nil
	}}
	_, err = conform.Run(liftSpec(t), impl, conform.Frugal(conform.Options{Workers: 1}, 1))
	if !errors.As(err, &stuck) || stuck.Step != "Open()" || stuck.Memory == 0 || !strings.Contains(err.Error(), "MiB at Open()") {
		t.Errorf("memory: %v", err)
	}
}

// slow is a cabin whose door takes its time, and which says so.
type slow struct{ *cabin }

func (c slow) Perform(s conform.Step[lift]) error {
	if s.Action == "Open" {
		time.Sleep(700 * time.Millisecond)
	}
	return c.cabin.Perform(s)
}

func (slow) Patience() time.Duration { return time.Minute }

// TestPatient holds that a run waits for a step as long as the adapter says, and keeps its result.
func TestPatient(t *testing.T) {
	t.Parallel()
	impl := conform.Implementation[lift]{Name: "cabin", Open: func(conform.Setup) (conform.Adapter[lift], error) {
		return slow{&cabin{}}, nil
	}}
	res, err := conform.Run(liftSpec(t), impl, conform.Impatient(conform.Options{Timeout: 50 * time.Millisecond, Number: 1000, Depth: 40}))
	if err != nil || res.Verdict != checker.Undecided || res.Steps == 0 {
		t.Errorf("%v after %d steps: %v", res.Verdict, res.Steps, err)
	}
}
