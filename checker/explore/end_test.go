package explore_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
)

// TestSpecificationThatDoesNotReturn: a limit or an interrupt ends the run nevertheless, and the
// error names what hangs.
func TestSpecificationThatDoesNotReturn(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("what a worker that hangs has in hand is read without its consent")
	}
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	spec := func(change func(*checker.Spec[digits])) *checker.Spec[digits] {
		s := endless()
		change(s)
		return s
	}
	for _, c := range []struct {
		name, during string
		instance     int
		depth        int
		spec         func(hang func()) *checker.Spec[digits]
	}{
		{"effect", "guard or effect", 3, 5, func(hang func()) *checker.Spec[digits] {
			rules := []rule[digits]{}
			for k := range 7 {
				rules = append(rules, rule[digits]{"raise", func(s *digits) bool { return s.D[k] < 63 }, func(s, n *digits) {
					if n.D[k]++; k == 3 && s.D[0] == 4 && s.D[1] == 1 {
						hang()
					}
				}})
			}
			return toy([]digits{{}}, rules)
		}},
		{"invariant", "invariant", 2, 4, func(hang func()) *checker.Spec[digits] {
			return spec(func(s *checker.Spec[digits]) {
				s.State = func(n *digits) uint64 {
					if n.D[2] == 4 {
						hang()
					}
					return 0
				}
			})
		}},
		{"initial", "initial state", -1, 0, func(hang func()) *checker.Spec[digits] {
			return spec(func(s *checker.Spec[digits]) { s.Init = func(func(*digits) bool) { hang() } })
		}},
	} {
		for _, folder := range []string{"", t.TempDir()} {
			t.Run(c.name+folder[:min(1, len(folder))], func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				opt := explore.Options{Workers: 2, Context: ctx, Checkpoint: folder}
				end := cancel
				if c.name == "initial" { // it is made whenever that is
					opt.Timeout, end = 200*time.Millisecond, func() {}
				}
				spec := c.spec(func() {
					end()
					<-release
				})
				res, err := explore.Run(spec, explore.Impatient(opt))
				var fault *explore.SpecError[digits]
				if !errors.As(err, &fault) || res.Verdict != checker.Undecided {
					t.Fatalf("%s, %v", res.Verdict, err)
				}
				if fault.During != c.during || fault.Instance != c.instance || !strings.Contains(err.Error(), "has not returned") ||
					fault.Action != "raise" && c.instance >= 0 {
					t.Errorf("%v, instance %d", err, fault.Instance)
				}
				if n := len(fault.Trace.Steps); c.depth > 0 && n != c.depth && n != c.depth-1 {
					t.Errorf("a trace of %d steps", n)
				}
			})
		}
	}
}
