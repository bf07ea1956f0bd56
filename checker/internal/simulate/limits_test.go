package simulate_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	"github.com/multigrain/multigrain/modules"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	spec := lockSpec(t, 250)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name    string
		opt     simulate.Options
		verdict checker.Verdict
		reason  string
	}{
		{"all walks", simulate.Options{Depth: 20, Number: 300}, checker.Holds, ""},
		{"as many as there is time for", simulate.Options{Depth: 20, Timeout: 30 * time.Millisecond}, checker.Holds, ""},
		{"too little time", simulate.Options{Depth: 20, Number: 1 << 40, Timeout: 30 * time.Millisecond}, checker.Undecided, "the time limit of 30ms is reached after "},
		{"a walk without an end", simulate.Options{Depth: 1 << 40, Number: 1, Timeout: 30 * time.Millisecond, Weights: map[string]float64{"Dial": 0}},
			checker.Undecided, "the time limit of 30ms is reached after 0 of 1 walks"},
		{"states", simulate.Options{Depth: 20, Number: 1000, MaxStates: 100}, checker.Undecided, "the limit of 100 distinct states is reached after "},
		{"an interrupt", simulate.Options{Depth: 20, Number: 1000, Context: gone}, checker.Undecided, "interrupted"},
		{"an interrupt before time is up", simulate.Options{Depth: 20, Timeout: time.Hour, Context: gone}, checker.Undecided, "interrupted"},
		{"memory for nodes", simulate.Options{Depth: 20, Number: 1000, Remember: 100}, checker.Holds, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.opt.Workers = 2
			res := run(t, spec, c.opt)
			if res.Verdict != c.verdict || !strings.HasPrefix(res.Reason, c.reason) || (res.Reason == "") != (c.reason == "") {
				t.Errorf("it %s: %q", res.Verdict, res.Reason)
			}
			if res.Steps == 0 != (c.opt.Context != nil) {
				t.Errorf("%d steps", res.Steps)
			}
			if c.opt.MaxStates > 0 && (res.Distinct <= 100 || res.Distinct > 121) {
				t.Errorf("%d distinct", res.Distinct)
			}
			if res.Full != (c.opt.Remember > 0) || res.Full && (res.Distinct != 100 || res.Walks != 1000) {
				t.Errorf("full: %v with %d distinct after %d walks", res.Full, res.Distinct, res.Walks)
			}
		})
	}
}

func TestInterruptWhileWalking(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	var progress atomic.Int64
	res := run(t, lockSpec(t, 250), simulate.Options{Depth: 50, Context: ctx, Workers: 2, Progress: func(p simulate.Progress) {
		if p.Walks > 0 && p.Steps > 0 && p.Distinct > 0 && p.Elapsed > 0 {
			progress.Add(1)
			cancel()
		}
	}})
	cancel()
	if res.Verdict != checker.Undecided || res.Reason != "interrupted" || res.Walks == 0 || progress.Load() == 0 {
		t.Errorf("it %s, %q, after %d walks and %d reports", res.Verdict, res.Reason, res.Walks, progress.Load())
	}
}

// TestInitialStates: those that break an invariant are found without a walk, and walks start from
// the others.
func TestInitialStates(t *testing.T) {
	t.Parallel()
	spec := lockSpec(t, 9)
	plain := spec.Init
	for _, c := range []struct {
		name    string
		init    []locks
		within  func(n *lockNode) bool
		verdict checker.Verdict
		reason  string
		walks   int64
		found   int
	}{
		{"one of two is broken", []locks{{Stage: 9}, {}}, nil, checker.Violated, "", 10, 1},
		{"all are broken", []locks{{Stage: 9}, {Stage: 10}}, nil, checker.Violated, "there is no initial state to start a walk from", 0, 1},
		{"all are outside", []locks{{}}, func(*lockNode) bool { return false }, checker.Undecided, "there is no initial state to start a walk from", 0, 0},
		{"there is none", nil, nil, checker.Undecided, "there is no initial state to start a walk from", 0, 0},
	} {
		s := *spec
		s.Within = c.within
		s.Init = func(yield func(*lockNode) bool) {
			plain(func(n *lockNode) bool {
				for _, l := range c.init {
					if n.State = l; !yield(n) {
						return false
					}
				}
				return true
			})
		}
		res := run(t, &s, simulate.Options{Depth: 5, Number: 10})
		if res.Verdict != c.verdict || res.Reason != c.reason || res.Walks != c.walks || len(res.Violations) != c.found {
			t.Errorf("%s: it %s, %q, %d walks, %d violations", c.name, res.Verdict, res.Reason, res.Walks, len(res.Violations))
		}
		for k, v := range res.Violations {
			if v.Depth != 0 || v.Trace.Init.State != c.init[0] || res.Origins[k].Walk != 0 || v.Count != int64(len(c.init))-min(c.walks, 1) {
				t.Errorf("%s: %+v, %+v", c.name, v, res.Origins[k])
			}
		}
		if _, err := simulate.NewWalker(&s, nil); (err != nil) != (c.walks == 0) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A specification that is not a function is found when its violation is done again.
func TestReplayThatDisagrees(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(s *checker.Spec[lockNode]){
		"an invariant that changes its mind": func(s *checker.Spec[lockNode]) {
			asked := 0
			s.State = func(n *lockNode) uint64 {
				if asked++; asked == 20 {
					return 1
				}
				return 0
			}
		},
		"a guard that changes its mind": func(s *checker.Spec[lockNode]) {
			asked, enabled := 0, s.Enabled
			s.Enabled = func(n *lockNode, k int) bool { asked++; return asked%9 < 8 && enabled(n, k) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := lockSpec(t, 12)
			spoil(spec)
			_, err := simulate.Run(spec, simulate.Options{Depth: 300, Number: 100, Stop: 1, Workers: 1})
			var e *explore.ReplayError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), "not a function of") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	spec := lockSpec(t, 3)
	spec.Invariants = append(spec.Invariants, checker.Property{ID: "Quiet", Kind: modules.KindStep})
	spec.Steps = func(s, n *lockNode, _ int) (broken uint64) {
		if n.State.Noise == 49 {
			broken = 2
		}
		return broken
	}
	res := run(t, spec, simulate.Options{Depth: 100, Number: 500, Weights: map[string]float64{"Dial": 0.05}})
	count := int64(0)
	for k, v := range res.Violations {
		minimal(t, spec, &v, res.Origins[k])
		count += v.Count
	}
	if len(res.Violations) != 2 || count != res.Ends.Violated || res.Violations[0].Invariant == res.Violations[1].Invariant {
		t.Errorf("%d violations in %d walks, ends %+v", len(res.Violations), count, res.Ends)
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	s, want := simulate.NewSet(5000), map[uint64]bool{}
	rng := simulate.Source(1, 1)
	for range 20_000 {
		h := uint64(rng.IntN(6000)) << 40 // the low bits are all equal
		h |= h >> 35
		if h == 0 {
			continue
		}
		if got := s.Add(h); got != (!want[h] && len(want) < 5000) {
			t.Fatalf("%x is new: %v", h, got)
		}
		if len(want) < 5000 {
			want[h] = true
		}
		if s.Has(h) != want[h] {
			t.Fatalf("it has %x: %v", h, s.Has(h))
		}
	}
	if len(want) != 5000 {
		t.Errorf("only %d were added", len(want))
	}
}
