package explore_test

import (
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
)

// wide is a node of the size of a real specification's state. A step changes a few bytes of it.
type wide struct{ D [203]uint8 }

// grid returns a model of six counters: the last counts to last, the others to 9.
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

// chains returns a model of two counters, to length and to 4999. Two steps count the first one, so
// two of three steps lead to known nodes.
func chains(length int) *checker.Spec[wide] {
	var rules []rule[wide]
	for k := range 3 {
		at, top := 40*(k/2), [...]int{length, 4999}[k/2]
		value := func(s *wide) int { return int(s.D[at]) | int(s.D[at+1])<<8 }
		rules = append(rules, rule[wide]{"count", func(s *wide) bool { return value(s) < top }, func(s, n *wide) {
			x := value(s) + 1
			n.D[at], n.D[at+1], n.D[at+7] = uint8(x), uint8(x>>8), uint8(x*17)
		}})
	}
	return toy([]wide{{}}, rules)
}

// TestMemoryPerState holds for every phase of the table's growth. A run holds at most 16 bytes for
// each distinct node at its end, and at most 24 at the peak.
func TestMemoryPerState(t *testing.T) {
	t.Parallel()
	if testing.Short() || underRace {
		t.Skip("3.5 million states")
	}
	for _, last := range []uint8{9, 10, 13} {
		for _, kept := range []bool{false, true} {
			spec, want := grid(last), int64(last+1)*100_000 // with too many edges
			if kept {
				spec, want = chains(20*int(last+1)), int64(20*int(last+1)+1)*5000
			}
			res := run(t, spec, explore.Options{Workers: 1})
			if res.Distinct != want || res.Verdict != checker.Holds {
				t.Errorf("%s, %d distinct, want %d", res.Verdict, res.Distinct, want)
			}
			end, peak := float64(res.MemoryEnd)/float64(want), float64(res.Memory)/float64(want)
			t.Logf("%d distinct: %.1f bytes each at the end, %.1f at the peak", want, end, peak)
			if end > 16 || peak > 24 || kept && peak < end+5 {
				t.Errorf("%.1f bytes for each of %d nodes at the end, %.1f at the peak", end, want, peak)
			}
		}
	}
}
