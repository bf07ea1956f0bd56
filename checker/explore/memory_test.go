package explore_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
)

// wide is a node of the size of a real specification's, of which a step changes a few bytes.
type wide struct{ D [203]uint8 }

// grid is a model of six counters: the last counts to last, the others to 9.
func grid(last uint8) *checker.Spec[wide] {
	var rules []rule[wide]
	for k := range 6 {
		top := uint8(9)
		if k == 5 {
			top = last
		}
		rules = append(rules, rule[wide]{"count", func(s *wide) bool { return s.D[33*k] < top }, func(s, n *wide) {
			n.D[33*k]++
			n.D[33*k+5] = s.D[33*k] * 17
		}})
	}
	return toy([]wide{{}}, rules)
}

// TestMemoryPerState: whatever phase of its growth the table is in, all that a run holds is at most 16 bytes for each distinct
// node. What is counted does not shrink, so this is the peak.
func TestMemoryPerState(t *testing.T) {
	t.Parallel()
	if testing.Short() || underRace {
		t.Skip("3.5 million states")
	}
	for _, last := range []uint8{9, 10, 13} {
		res := run(t, grid(last), explore.Options{Workers: 1})
		if want := int64(last+1) * 100_000; res.Distinct != want || res.Verdict != checker.Holds {
			t.Errorf("%s, %d distinct", res.Verdict, res.Distinct)
		}
		per := float64(res.Memory) / float64(res.Distinct)
		t.Logf("%d distinct: %.1f bytes each", res.Distinct, per)
		if per > 16 {
			t.Errorf("%.1f bytes for each of %d nodes", per, res.Distinct)
		}
	}
}
