package explore

import (
	"fmt"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
	"github.com/multigrain/multigrain/modules"
)

// tally is a model of eight counters that count by themselves: of their sum is stated what breaks
// the invariant and what lies within the constraint.
type tally struct{ C [8]uint8 }

func (s *tally) sum() (n int) {
	for _, c := range s.C {
		n += int(c)
	}
	return n
}

func tallySpec(counters int, broken func(s *tally) bool, within func(s *tally) bool) *checker.Spec[tally] {
	spec := &checker.Spec[tally]{
		System: "tally", Init: func(yield func(*tally) bool) { yield(&tally{}) },
		Enabled: func(s *tally, k int) bool { return s.C[k] < 60 }, Apply: func(_, n *tally, k int) { n.C[k]++ },
		Invariants: []checker.Property{{ID: "I", Kind: modules.KindState}}, Within: within,
		State: func(s *tally) uint64 { return uint64(b2i(broken(s))) },
	}
	for k := range counters {
		spec.Actions = append(spec.Actions, checker.Action{Name: fmt.Sprint("Count", k)})
		spec.Instances = append(spec.Instances, checker.Instance{Action: k, Server: k})
	}
	spec.Next = func(s *tally, out *checker.Successors[tally]) {
		for k := range counters {
			spec.Apply(s, out.Slot(s), k)
			out.Emit(s, k)
		}
	}
	return spec
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestLostParents: what leads to more violations than are kept, found by one worker or by several
// together, is not stated to be known.
func TestLostParents(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("77 520 violations, three times")
	}
	spec := tallySpec(8, func(s *tally) bool { return s.sum() == 14 }, func(s *tally) bool { return s.sum() < 14 })
	for _, workers := range []int{1, 2, 4} {
		r, err := newRun(spec, Options{Workers: workers, Stop: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.explore()
		for key, g := range r.broken {
			if g.Count <= counterexample.MaxParents || !g.Lost {
				t.Errorf("%d workers, %v: %d violations, lost: %v", workers, key, g.Count, g.Lost)
			}
		}
		if r.record().Backward(r.broken.Sorted(), true) != nil {
			t.Errorf("%d workers: leads are looked for", workers)
		}
		r.free()
	}
}

// TestLostAtCheckpoint: nor is it where a run continues from a checkpoint within the level of the
// violations.
func TestLostAtCheckpoint(t *testing.T) {
	t.Parallel()
	spec := tallySpec(4, func(s *tally) bool { return s.sum() == 9 && (s.C[0] >= 5 || s.C[1]+s.C[2] == 5) },
		func(s *tally) bool { return s.C[1]+s.C[2] < 5 })
	tried := 0
	for most := int64(300); most < 700; most += 7 {
		opt := Options{Workers: 1, Stop: 1, Checkpoint: t.TempDir(), MaxStates: most, block: 512}
		r, err := newRun(spec, opt)
		if err != nil {
			t.Fatal(err)
		}
		r.explore()
		before := len(r.broken)
		r.free()
		opt.Resume, opt.MaxStates = opt.Checkpoint, 0
		if r, err = newRun(spec, opt); err != nil {
			break // it found all there is up to the violations
		}
		r.explore()
		if before > 0 {
			tried++
			if r.record().Backward(r.broken.Sorted(), true) != nil {
				t.Errorf("checkpoint at %d states: leads are looked for", most)
			}
		}
		r.free()
	}
	if tried == 0 {
		t.Error("no checkpoint has violations")
	}
}
