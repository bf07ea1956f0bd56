package preserve_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/preserve"
	"github.com/multigrain/multigrain/modules"
)

// counter is a state: it is counted up to 5.
type counter struct{ N uint8 }

// counting returns a specification whose second action fails or hangs where do says so. Next does
// not use the table of actions, as in a program.
func counting(do func(n *counter), state func(n *counter) uint64) *checker.Spec[counter] {
	spec := &checker.Spec[counter]{
		System:    "counter",
		Init:      func(yield func(*counter) bool) { yield(&counter{}) },
		State:     state,
		Actions:   []checker.Action{{Name: "Up"}, {Name: "Odd"}},
		Instances: []checker.Instance{{Action: 0}, {Action: 1}},
		Enabled:   func(s *counter, i int) bool { return s.N < 5 && (i == 0 || s.N == 3) },
		Apply: func(s, n *counter, i int) {
			if n.N++; i == 1 {
				do(n)
			}
		},
	}
	spec.Next = func(s *counter, out *checker.Successors[counter]) {
		for i := range spec.Instances {
			if spec.Enabled(s, i) {
				spec.Apply(s, out.Slot(s), i)
				out.Emit(s, i)
			}
		}
	}
	return spec
}

func compareCounters(fine, coarse *checker.Spec[counter], o preserve.Options) *preserve.Fault[counter] {
	side := func(s *checker.Spec[counter]) preserve.Side[counter] {
		return preserve.Side[counter]{Spec: s, Step: []int{-1, -1}}
	}
	_, err := preserve.Run(&preserve.Comparison[counter]{
		State: func(n *counter) unsafe.Pointer { return unsafe.Pointer(n) },
		Sides: [2]preserve.Side[counter]{side(fine), side(coarse)},
	}, o)
	var fault *preserve.Fault[counter]
	if !errors.As(err, &fault) {
		return nil
	}
	return fault
}

func quiet(*counter) {}

func fulfilled(*counter) uint64 { return 0 }

// TestPanic: the error names the side, the step and the line that panicked, and has the steps that
// lead there.
func TestPanic(t *testing.T) {
	t.Parallel()
	var table []int
	right := counting(quiet, fulfilled)
	failing := counting(func(n *counter) {
		n.N = uint8(table[n.N]) // out of range
	}, fulfilled)
	judged := counting(quiet, func(n *counter) uint64 {
		if n.N == 4 {
			return uint64(table[n.N]) // judged
		}
		return 0
	})
	for _, c := range []struct {
		name, during, action, mark string
		fine, coarse               *checker.Spec[counter]
		side, steps                int
	}{
		{"coarse", checker.DuringStep, "Odd", "out of range", right, failing, preserve.Coarse, 3},
		{"fine", checker.DuringStep, "Odd", "out of range", failing, right, preserve.Fine, 3},
		{"invariant", checker.DuringInvariant, "Up", "judged", right, judged, preserve.Coarse, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := compareCounters(c.fine, c.coarse, preserve.Options{Level: "L2"})
			if f == nil {
				t.Fatal("the panic is no fault")
			}
			if f.Side != c.side || f.During != c.during || f.Action != c.action || len(f.Trace.Steps) != c.steps {
				t.Errorf("side %d, %v after %d steps", f.Side, f, len(f.Trace.Steps))
			}
			if filepath.Base(f.File) != "fault_test.go" || f.Line != lineOf(t, c.mark) {
				t.Errorf("the place is %s:%d, and line %d panics", f.File, f.Line, lineOf(t, c.mark))
			}
		})
	}
}

// TestPanicOfAWalk: a fine composition that is not exhausted is walked through, beyond what was
// explored. A step that panics there is a fault as well, at both levels. Without it the walks end.
func TestPanicOfAWalk(t *testing.T) {
	t.Parallel()
	var full modules.Seq[uint8, [3]uint8]
	failing := counting(func(n *counter) {
		for range n.N {
			full.Append(1) // too much
		}
	}, fulfilled)
	few := counting(quiet, fulfilled)
	few.Enabled = func(s *counter, i int) bool { return s.N < 1 && i == 0 }
	for _, level := range []string{"L1", "L2"} {
		o := preserve.Options{Level: level, MaxStates: 2, Seed: 1, Walks: 50}
		f := compareCounters(failing, few, o)
		if f == nil {
			t.Fatalf("%s: the panic is no fault", level)
		}
		if f.Side != preserve.Fine || f.During != checker.DuringStep || f.Action != "Odd" || len(f.Trace.Steps) != 3 || f.Capacity != 3 {
			t.Errorf("%s: side %d, %v after %d steps, capacity %d", level, f.Side, f, len(f.Trace.Steps), f.Capacity)
		}
		if filepath.Base(f.File) != "fault_test.go" || f.Line != lineOf(t, "too much") {
			t.Errorf("%s: the place is %s:%d, and line %d panics", level, f.File, f.Line, lineOf(t, "too much"))
		}
		if f := compareCounters(counting(quiet, fulfilled), few, o); f != nil {
			t.Errorf("%s: no step fails, and there is the fault %v", level, f)
		}
	}
}

// lineOf returns the line of this file that ends with a mark.
func lineOf(t *testing.T, mark string) int {
	t.Helper()
	text, err := os.ReadFile("fault_test.go")
	if err != nil {
		t.Fatal(err)
	}
	return 1 + slices.IndexFunc(strings.Split(string(text), "\n"), func(l string) bool { return strings.HasSuffix(l, "// "+mark) })
}

// TestStepThatDoesNotReturn: a time limit or an interrupt ends the comparison in any case, and the
// error names the step.
func TestStepThatDoesNotReturn(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	hang := func(*counter) { <-release }
	for _, interrupted := range []bool{false, true} {
		for side, name := range []string{"fine", "coarse"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				specs := [2]*checker.Spec[counter]{counting(quiet, fulfilled), counting(quiet, fulfilled)}
				specs[side] = counting(hang, fulfilled)
				o := preserve.Options{Level: "L2", Timeout: 200 * time.Millisecond}
				if interrupted {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					o = preserve.Options{Level: "L2", Context: ctx}
					time.AfterFunc(200*time.Millisecond, cancel)
				}
				f := compareCounters(specs[preserve.Fine], specs[preserve.Coarse], preserve.Impatient(o))
				if f == nil {
					t.Fatal("the step that hangs is no fault")
				}
				if f.Side != side || f.Action != "Odd" || len(f.Trace.Steps) != 3 || !strings.Contains(f.Error(), "has not returned for 100ms") {
					t.Errorf("side %d, %v after %d steps", f.Side, f, len(f.Trace.Steps))
				}
			})
		}
	}
}
