package simulate_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

// queue is a state with values that have a capacity.
type queue struct {
	Sent  [2]modules.Seq[uint8, [3]uint8]
	Count uint8
}

type queueNode = checker.Node[queue, [0]uint8]

type who = modules.One[int8]

// queueSpec sends to queue 1 until it is full. What a test changes fails there.
func queueSpec(t *testing.T, change func(spec *modules.Spec[queue], send *modules.Action[queue, who])) *checker.Spec[queueNode] {
	t.Helper()
	send := &modules.Action[queue, who]{Name: "Send", Params: modules.Each[int8](2),
		Guard:  func(s *queue, p who) bool { return p.I == 1 && s.Sent[1].Len() < 3 },
		Effect: func(s, n *queue, p who) { n.Sent[p.I].Append(s.Count); n.Count++ }}
	spec := &modules.Spec[queue]{System: "queue", Init: func(yield func(queue) bool) { yield(queue{}) }}
	change(spec, send)
	for _, b := range modules.Bind([]modules.AnyAction[queue]{send}, nil, spec.Invariants) {
		spec.Actions = append(spec.Actions, modules.SpecAction[queue]{Bound: b})
	}
	out, err := checker.Of[queue, [0]uint8](spec, nil)
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

// enabledOf is Spec.EnabledOf of a specification that has none.
func enabledOf(spec *checker.Spec[queueNode]) func(s *queueNode, action int, out []int32) []int32 {
	return func(s *queueNode, action int, out []int32) []int32 {
		for k, in := range spec.Instances {
			if in.Action == action && spec.Enabled(s, k) {
				out = append(out, int32(k))
			}
		}
		return out
	}
}

func TestSpecErrors(t *testing.T) {
	t.Parallel()
	type spec = modules.Spec[queue]
	type action = modules.Action[queue, who]
	for _, c := range []struct {
		mark, during, field string
		capacity, length    int // of the value, of the trace
		initial             bool
		change              func(s *spec, send *action)
	}{
		{mark: "effect", during: "guard or effect", field: "State.Sent[1]", capacity: 3, length: 3, change: func(_ *spec, send *action) {
			send.Guard = func(s *queue, p who) bool { return p.I == 1 }
			send.Effect = func(_, n *queue, p who) {
				n.Sent[p.I].Append(1) // effect
			}
		}},
		{mark: "guard", during: "guard or effect", field: "State.Sent[0]", length: 1, change: func(_ *spec, send *action) {
			send.Guard = func(s *queue, p who) bool {
				return s.Count == 0 || s.Sent[0].At(2) > 0 // guard
			}
		}},
		{mark: "step", during: "step property", field: "State.Sent[0]", length: 2, change: func(s *spec, _ *action) {
			s.Invariants = append(s.Invariants, &modules.Invariant[queue]{Step: func(_, n *queue) bool {
				return n.Count < 2 || n.Sent[0].At(2) > 0 // step
			}})
		}},
		{mark: "constraint", during: "state constraint", field: "State.Sent[1]", length: 1, change: func(s *spec, _ *action) {
			s.Constraints = append(s.Constraints, &modules.Invariant[queue]{State: func(s *queue) bool {
				return s.Count < 1 || s.Sent[1].At(2) > 0 // constraint
			}})
		}},
		{mark: "invariant", during: "invariant", length: 2, change: func(s *spec, _ *action) {
			var none []int
			s.Invariants = append(s.Invariants, &modules.Invariant[queue]{State: func(s *queue) bool {
				return s.Count < 2 || none[s.Count] > 0 // invariant
			}})
		}},
		{mark: "goal", during: "goal", field: "State.Sent[1]", length: 1, change: func(s *spec, _ *action) {
			s.Goals = append(s.Goals, &modules.Invariant[queue]{State: func(s *queue) bool {
				return s.Count > 0 && s.Sent[1].At(2) > 0 // goal
			}})
		}},
		{mark: "initial", during: "initial state", initial: true, change: func(s *spec, _ *action) {
			s.Init = func(yield func(queue) bool) {
				var q queue
				q.Count = q.Sent[0].At(1) // initial
				yield(q)
			}
		}},
		{mark: "first", during: "initial state", field: "State.Sent[1]", initial: true, change: func(s *spec, _ *action) {
			s.Invariants = append(s.Invariants, &modules.Invariant[queue]{State: func(s *queue) bool {
				return s.Sent[1].At(1) > 0 // first
			}})
		}},
	} {
		for _, atOnce := range []bool{false, true} { // how guards are asked
			t.Run(fmt.Sprint(c.mark, " ", atOnce), func(t *testing.T) {
				t.Parallel()
				bad := queueSpec(t, c.change)
				if atOnce {
					bad.EnabledOf = enabledOf(bad)
				}
				res, err := simulate.Run(bad, simulate.Options{Workers: 2, Number: 50})
				check := func(err error) {
					var e *explore.SpecError[queueNode]
					if !errors.As(err, &e) {
						t.Fatalf("the error is %v", err)
					}
					if e.During != c.during || e.Field != c.field || e.Capacity != c.capacity || len(e.Trace.Steps) != c.length {
						t.Errorf("during %q, field %q, capacity %d, %d steps", e.During, e.Field, e.Capacity, len(e.Trace.Steps))
					}
					if c.initial != (e.Action == "") || !c.initial && len(e.Params.Elems) != 1 {
						t.Errorf("action %q, instance %d, %v", e.Action, e.Instance, e.Params)
					}
					if filepath.Base(e.File) != "faults_test.go" || e.Line != lineOf(t, c.mark) {
						t.Errorf("at %s:%d, want line %d", e.File, e.Line, lineOf(t, c.mark))
					}
				}
				if res.Verdict != checker.Undecided {
					t.Errorf("it %s", res.Verdict)
				}
				check(err)
				if c.mark == "goal" { // which no Walk asks for
					return
				}
				if _, err = simulate.Walk(bad, simulate.Source(0, 1), 10, nil); c.mark != "first" || err != nil {
					check(err)
				}
			})
		}
	}
}

// TestFailureBehindTheViolation: a walk that fails is no error where one before it ended the run.
func TestFailureBehindTheViolation(t *testing.T) {
	t.Parallel()
	rolls := func(bad uint8) *checker.Spec[queueNode] {
		return queueSpec(t, func(s *modules.Spec[queue], send *modules.Action[queue, who]) {
			send.Guard = func(s *queue, p who) bool { return s.Count < 3 }
			send.Effect = func(s, n *queue, p who) {
				if n.Count++; s.Count == 2 && p.I == int8(bad) {
					n.Sent[0].At(1)
				}
			}
			s.Invariants = append(s.Invariants, &modules.Invariant[queue]{ID: "Short", State: func(s *queue) bool { return s.Count < 3 }})
		})
	}
	outcomes := map[string]int{}
	for seed := range uint64(40) {
		spec := rolls(uint8(seed % 2))
		var first string
		for _, workers := range []int{1, 3} {
			res, err := simulate.Run(spec, simulate.Options{Number: 30, Seed: seed, Stop: 1, Workers: workers})
			what := string(res.Verdict)
			if err != nil {
				what = strings.SplitN(err.Error(), ":", 2)[0]
			}
			if first == "" {
				first = what
				outcomes[what]++
			}
			if what != first || (err == nil) != (res.Verdict == checker.Violated) {
				t.Errorf("seed %d, %d workers: %s, %v; with one: %s", seed, workers, what, err, first)
			}
		}
	}
	if len(outcomes) != 2 {
		t.Errorf("outcomes are %v", outcomes)
	}
}
