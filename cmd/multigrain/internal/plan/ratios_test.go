package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// graded are pairs of shipped manifests with equal bounds that differ in grains alone: the first
// one is explored whole, and the second one in part.
var graded = [][2]string{
	{"configs/examples/chain-coarse-client.hcl", "configs/examples/chain.hcl"},
	{"configs/examples/chain-coarse-master.hcl", "configs/examples/chain.hcl"},
	{"configs/examples/chain-coarse-replication.hcl", "configs/examples/chain.hcl"},
	{"configs/zab/phases/broadcast.hcl", "configs/zab/phases/discovery.hcl"},
	{"configs/zab/phases/broadcast.hcl", "configs/zab/phases/synchronization.hcl"},
	{"configs/zab/phases/synchronization.hcl", "configs/zab/phases/discovery.hcl"},
	{"configs/zab/phases/election.hcl", "configs/zab/phases/baseline.hcl"},
}

// byRatio predicts the states of a composition from another one with other grains that was explored
// whole. Both are compared up to the same part of their longest walks. It reports false if the
// other one has no whole level there.
func byRatio(known *measured, levels []int64, longest int) (float64, bool) {
	depth := int(float64(len(levels)) * float64(known.longest) / float64(longest))
	if len(levels) < leastLevels || depth < 1 {
		return 0, false
	}
	var here, there float64
	for _, n := range levels {
		here += float64(n)
	}
	for _, n := range known.levels[:min(depth, len(known.levels))] {
		there += float64(n)
	}
	return float64(known.states()) * here / there, true
}

// ratiosTable compares ratios between grains with the default on the same pairs.
func ratiosTable(t *testing.T, all []measured) string {
	of := func(name string) *measured {
		k := slices.IndexFunc(all, func(m measured) bool { return m.manifest == name })
		if k < 0 {
			t.Fatalf("%s was not measured", name)
		}
		return &all[k]
	}
	var b strings.Builder
	b.WriteString("\n| explored whole | predicted | states | from 1 %: ratio, default | from 10 %: ratio, default |\n|---|---|---|---|---|\n")
	short := func(name string) string { return strings.TrimSuffix(strings.TrimPrefix(name, "configs/"), ".hcl") }
	for _, pair := range graded {
		known, m := of(pair[0]), of(pair[1])
		fmt.Fprintf(&b, "| %s | %s | %d |", short(known.manifest), short(m.manifest), m.states())
		for _, fraction := range fractions[1:] {
			levels := m.part(fraction)
			levels = levels[:len(levels)-1]
			ratio, ok := byRatio(known, levels, m.longest)
			growth, also := extrapolated(levels, m.longest)
			fmt.Fprintf(&b, " %s, %s |", factorText(ratio, ok, m), factorText(growth, also, m))
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}

// factorText returns predicted over actual states.
func factorText(total float64, ok bool, m *measured) string {
	if !ok {
		return "unknown"
	}
	return fmt.Sprintf("%.2f", total/float64(m.states()))
}

// TestByRatio: two compositions of one shape have the ratio of their levels, and too few levels
// predict nothing.
func TestByRatio(t *testing.T) {
	known := &measured{longest: 8, levels: []int64{1, 2, 4, 8, 8, 4, 2, 1}}
	fine := &measured{longest: 8, levels: []int64{3, 6, 12, 24, 24, 12, 6, 3}}
	if got, ok := byRatio(known, fine.levels[:6], 8); !ok || int64(got) != fine.states() {
		t.Errorf("%v, %v; want %d", got, ok, fine.states())
	}
	if _, ok := byRatio(known, fine.levels[:2], 8); ok {
		t.Error("two levels predict something")
	}
}

// TestRatios compares the table of docs/results/plan.md, or writes it with -update.
func TestRatios(t *testing.T) { keepTable(t, "ratios", ratiosTable(t, readMeasured(t))) }
