package rounds_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/internal/simulate"
)

func bigInt(k int64) *big.Int { return big.NewInt(k) }

// allSchedules goes through all sets of isolated servers of all rounds, and keeps those that are
// k-periodic: in a phase a server that is isolated stays so. It counts isolations as servers that
// begin to be isolated, or still are where a phase begins.
func allSchedules(n, r, k, d int) map[string]bool {
	out := map[string]bool{}
	for bits := range uint64(1) << (n * r) {
		s := make(rounds.Schedule, r)
		isolations, periodic := 0, true
		for t := range r {
			s[t] = bits >> (n * t) & (1<<n - 1)
			for i := range n {
				before := t%k != 0 && s[t-1]>>i&1 == 1
				now := s[t]>>i&1 == 1
				periodic = periodic && (now || !before)
				if now && !before {
					isolations++
				}
			}
		}
		if periodic && (d < 0 || isolations <= d) {
			out[fmt.Sprint(s)] = true
		}
	}
	return out
}

// TestSpace compares the schedules by number with all that there are.
func TestSpace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, r, k, d int }{
		{2, 4, 2, 2}, {2, 5, 2, 3}, {3, 4, 4, 2}, {3, 4, 1, 3}, {2, 6, 3, 1}, {2, 3, 5, 4}, {2, 4, 2, -1}, {3, 3, 2, -1}, {1, 4, 2, 0},
	} {
		space := rounds.NewSpace(c.n, c.r, c.k, c.d)
		want, got := allSchedules(c.n, c.r, c.k, c.d), map[string]bool{}
		for k := range space.Size().Int64() {
			got[fmt.Sprint(space.At(bigInt(k)))] = true
		}
		if int64(len(got)) != space.Size().Int64() || len(got) != len(want) {
			t.Errorf("%+v: %v schedules, %d of them different, %d wanted", c, space.Size(), len(got), len(want))
		}
		for s := range got {
			if !want[s] {
				t.Errorf("%+v: schedule %s", c, s)
			}
		}
		// The paper's bound, for which one isolation is at least possible and more than one is
		// allowed.
		if c.d > 1 && c.n > 1 && space.Size().Cmp(space.Bound()) > 0 {
			t.Errorf("%+v: %v schedules, more than (nr)^d = %v", c, space.Size(), space.Bound())
		}
	}
}

// TestDrawUniformly draws from 11 schedules: each 1000 times, up to six standard deviations.
func TestDrawUniformly(t *testing.T) {
	t.Parallel()
	space := rounds.NewSpace(2, 5, 5, 1) // 1 + 2*5
	counts := map[string]int{}
	rng := simulate.Source(7, 1)
	for range 11_000 {
		counts[fmt.Sprint(space.Draw(rng))]++
	}
	if len(counts) != 11 {
		t.Errorf("%d schedules were drawn", len(counts))
	}
	for s, n := range counts {
		if n < 1000-185 || n > 1000+185 { // standard deviation 30
			t.Errorf("schedule %s was drawn %d times", s, n)
		}
	}
}
