package explore_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/modules"
)

// queues is a state with value types that have a capacity.
type queues struct {
	Sent, Taken [2]modules.Seq[uint8, [3]uint8]
	Turn        uint8
}

type queueNode = checker.Node[queues, [0]uint8]

type who = modules.One[int8]

// queueSpec sends without an end to queue 1, and does something else once that is as long as given.
func queueSpec(t *testing.T, when int, effect func(s, n *queues, p who), invs ...*modules.Invariant[queues]) *checker.Spec[queueNode] {
	t.Helper()
	send := &modules.Action[queues, who]{Name: "Send", Params: modules.Each[int8](2),
		Guard:  func(s *queues, p who) bool { return p.I == 1 && s.Sent[1].Len() < 3 },
		Effect: func(s, n *queues, p who) { n.Sent[p.I].Append(s.Turn); n.Turn++ }}
	odd := &modules.Action[queues, who]{Name: "Odd", Params: modules.Each[int8](2),
		Guard:  func(s *queues, p who) bool { return p.I == 1 && s.Sent[1].Len() == when },
		Effect: effect}
	spec := &modules.Spec[queues]{System: "queues", Invariants: invs, Init: func(yield func(queues) bool) { yield(queues{}) }}
	for _, b := range modules.Bind([]modules.AnyAction[queues]{send, odd}, nil, invs) {
		spec.Actions = append(spec.Actions, modules.SpecAction[queues]{Bound: b})
	}
	out, err := checker.Of[queues, [0]uint8](spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lineOf returns the line of this file with a mark.
func lineOf(t *testing.T, mark string) int {
	t.Helper()
	text, err := os.ReadFile("faults_test.go")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(bytes.Split(text, []byte("\n")), func(l []byte) bool { return bytes.HasSuffix(l, []byte("// "+mark)) })
	if at < 0 {
		t.Fatalf("no line is marked %q", mark)
	}
	return at + 1
}

func TestSpecErrors(t *testing.T) {
	t.Parallel()
	none := func(_, _ *queues, _ who) {}
	var table []int
	for _, c := range []struct {
		name, mark       string
		spec             *checker.Spec[queueNode]
		during, field    string
		capacity, length int // of the trace
		action           bool
		message          string
	}{
		{
			name: "a full value", mark: "full",
			spec: queueSpec(t, 3, func(_, n *queues, p who) {
				n.Sent[p.I].Append(1) // full
			}),
			during: "guard or effect", field: "State.Sent[1]", capacity: 3, length: 3, action: true, message: "it holds 3",
		},
		{
			name: "an index in the state before", mark: "outside",
			spec: queueSpec(t, 2, func(s, n *queues, p who) {
				n.Taken[0].Append(s.Sent[p.I].At(3)) // outside
			}),
			during: "guard or effect", field: "State.Sent[1]", length: 2, action: true, message: "element 3 was asked for",
		},
		{
			name: "a value that is not in the state", mark: "copy",
			spec: queueSpec(t, 3, func(s, _ *queues, p who) {
				q := s.Sent[p.I]
				q.Append(1) // copy
			}),
			during: "guard or effect", capacity: 3, length: 3, action: true, message: "it holds 3",
		},
		{
			name: "a run-time error", mark: "index",
			spec: queueSpec(t, 1, func(s, n *queues, _ who) {
				n.Turn = uint8(table[s.Turn]) // index
			}),
			during: "guard or effect", length: 1, action: true, message: "index out of range",
		},
		{
			name: "an invariant", mark: "invariant",
			spec: queueSpec(t, 9, none, &modules.Invariant[queues]{State: func(s *queues) bool {
				return s.Turn < 2 || s.Taken[0].At(2) == 0 // invariant
			}}),
			during: "invariant", field: "State.Taken[0]", length: 2, action: true, message: "element 2 was asked for",
		},
		{
			name: "a step property", mark: "step",
			spec: queueSpec(t, 9, none, &modules.Invariant[queues]{Step: func(s, _ *queues) bool {
				return s.Turn < 1 || s.Taken[1].At(1) == 0 // step
			}}),
			during: "step property", field: "State.Taken[1]", length: 1, action: true, message: "element 1 was asked for",
		},
		{
			name: "an invariant of the initial state", mark: "initial",
			spec: queueSpec(t, 9, none, &modules.Invariant[queues]{State: func(s *queues) bool {
				return s.Taken[1].At(1) == 0 // initial
			}}),
			during: "initial state", message: "element 1 was asked for",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			res, err := explore.Run(c.spec, explore.Options{Workers: 2})
			var e *explore.SpecError[queueNode]
			if !errors.As(err, &e) {
				t.Fatalf("the error is %v", err)
			}
			if res.Verdict == checker.Holds {
				t.Error("it holds")
			}
			if e.During != c.during || e.Field != c.field || e.Capacity != c.capacity || len(e.Trace.Steps) != c.length {
				t.Errorf("during %q, field %q, capacity %d, %d steps", e.During, e.Field, e.Capacity, len(e.Trace.Steps))
			}
			if c.action != (e.Action != "") || c.action && len(e.Params.Elems) != 1 {
				t.Errorf("action %q, instance %d, %v", e.Action, e.Instance, e.Params)
			}
			if filepath.Base(e.File) != "faults_test.go" || e.Line != lineOf(t, c.mark) {
				t.Errorf("at %s:%d, want line %d", e.File, e.Line, lineOf(t, c.mark))
			}
			if !strings.Contains(err.Error(), c.message) {
				t.Errorf("it says %q", err)
			}
		})
	}
}

func TestEffectThatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := explore.Run(queueSpec(t, 2, nil), explore.Options{})
	var e *explore.SpecError[queueNode]
	if !errors.As(err, &e) || e.Action != "Odd" || e.File != "" {
		t.Errorf("%v", err)
	}
}

func TestSpecErrorIsThePanic(t *testing.T) {
	t.Parallel()
	spec := queueSpec(t, 3, func(_, n *queues, p who) { n.Sent[p.I].Append(1) })
	_, err := explore.Run(spec, explore.Options{})
	var full *modules.CapacityError
	if !errors.As(err, &full) || full.Type != "Seq" {
		t.Errorf("%v", err)
	}
}

// A specification whose two faces differ, or that is not a function, is found when a trace is
// replayed, and the cause is named.
func TestReplayThatDisagrees(t *testing.T) {
	t.Parallel()
	type pairs struct{ A, B uint8 }
	small := func(s *pairs) bool { return s.A < 9 }
	below := func(s *pairs) bool { return s.A < 6 }
	up := func(_, n *pairs) { n.A++ }
	var drawn atomic.Int64
	for _, c := range []struct {
		name, cause string
		spec        func() *checker.Spec[pairs]
	}{
		{"a guard that writes", "guard must not write", func() *checker.Spec[pairs] {
			return toy([]pairs{{}}, []rule[pairs]{{"up", func(s *pairs) bool { s.B = 1; return small(s) }, up}}, below)
		}},
		{"an effect that writes the state before", "write the state after only", func() *checker.Spec[pairs] {
			return toy([]pairs{{}}, []rule[pairs]{{"up", small, func(s, n *pairs) { n.A++; s.B = 7 }}}, below)
		}},
		{"an effect that draws lots", "not a function of state and parameter", func() *checker.Spec[pairs] {
			return toy([]pairs{{}}, []rule[pairs]{{"up", small, func(s, n *pairs) { n.A++; n.B = uint8(drawn.Add(1)) }}}, below)
		}},
		{"a guard that differs from Next", "another catalog than its code shows", func() *checker.Spec[pairs] {
			spec := toy([]pairs{{}}, []rule[pairs]{{"up", small, up}}, below)
			spec.Enabled = func(s *pairs, _ int) bool { return s.A < 2 }
			return spec
		}},
		{"an effect that differs from Next", "another catalog than its code shows", func() *checker.Spec[pairs] {
			spec := toy([]pairs{{}}, []rule[pairs]{{"up", small, up}}, below)
			spec.Apply = func(s, n *pairs, _ int) { n.A, n.B = s.A+1, 3 }
			return spec
		}},
		{"an invariant that changes its mind", "not a function of the state", func() *checker.Spec[pairs] {
			asked := false
			return toy([]pairs{{}}, []rule[pairs]{{"up", small, up}}, func(s *pairs) bool {
				first := s.A == 6 && !asked
				asked = asked || first
				return !first
			})
		}},
		{"initial states that change", "the same states each time", func() *checker.Spec[pairs] {
			spec := toy([]pairs{{}}, []rule[pairs]{{"up", small, up}}, below)
			times := 0
			spec.Init = func(yield func(*pairs) bool) {
				if times++; times == 1 {
					yield(&pairs{})
				}
			}
			return spec
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := explore.Run(c.spec(), explore.Options{Workers: 1, Stop: 1, MaxStates: 500})
			var e *explore.ReplayError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.cause) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestNoInitialState: nothing holds of nothing.
func TestNoInitialState(t *testing.T) {
	t.Parallel()
	res, err := explore.Run(toy[struct{ N uint8 }](nil, nil), explore.Options{})
	if !errors.Is(err, checker.ErrNoInit) || res.Verdict == checker.Holds {
		t.Errorf("%s, error %v", res.Verdict, err)
	}
}
