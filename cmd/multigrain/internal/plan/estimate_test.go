package plan

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the table of docs/results/plan.md")

// measured is a composition that was explored whole.
type measured struct {
	manifest string
	longest  int // of 300 random walks; 0: they do not end
	levels   []int64
}

func (m *measured) states() (n int64) {
	for _, l := range m.levels {
		n += l
	}
	return n
}

// readMeasured reads testdata/levels.tsv.
func readMeasured(t *testing.T) (all []measured) {
	t.Helper()
	text, err := os.ReadFile("testdata/levels.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for k, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if k == 0 {
			continue
		}
		m := measured{manifest: f[0]}
		if m.longest, err = strconv.Atoi(f[1]); err != nil {
			t.Fatal(err)
		}
		for _, n := range strings.Fields(f[2]) {
			l, err := strconv.ParseInt(n, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			m.levels = append(m.levels, l)
		}
		all = append(all, m)
	}
	return all
}

// part returns the levels that an exploration of a fraction of the states has seen, the last one in
// part.
func (m *measured) part(fraction float64) []int64 {
	sum, most := int64(0), fraction*float64(m.states())
	for k, n := range m.levels {
		if sum += n; float64(sum) >= most {
			return m.levels[:k+1]
		}
	}
	return m.levels
}

// fractions are the parts of the states that are explored.
var fractions = []float64{0.001, 0.01, 0.1}

// TestOf: predictions from a part of the levels of compositions that were explored whole. Half of
// them are within a factor of four, and nine of ten within the range.
func TestOf(t *testing.T) {
	all := readMeasured(t)
	if len(all) < 15 {
		t.Fatalf("%d compositions", len(all))
	}
	for _, fraction := range fractions {
		var factors []float64
		within, known := 0, 0
		for _, m := range all {
			e := Of(m.part(fraction), false, m.longest)
			if e.Unknown {
				continue
			}
			actual := m.states()
			known++
			if e.Low <= actual && actual <= e.High {
				within++
			}
			r := float64(e.States) / float64(actual)
			factors = append(factors, max(r, 1/r))
		}
		if known == 0 {
			t.Fatalf("nothing is predicted from %g of the states", fraction)
		}
		slices.Sort(factors)
		t.Logf("from %g of the states: %d of %d within the range, median factor %.1f, nine of ten below %.1f", fraction, within, known, factors[known/2], factors[known*9/10])
		if factors[known/2] > 4 && fraction >= 0.01 {
			t.Errorf("from %g of the states the median prediction is off by a factor of %.1f", fraction, factors[known/2])
		}
		if within*10 < known*9 {
			t.Errorf("from %g of the states %d of %d are within the range", fraction, within, known)
		}
	}
}

// shares are the parts of the states from which predictions are compared with their accuracy.
var shares = []float64{0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3}

// byAccuracy returns by which factors predictions are off, sorted, for each of accuracies: those in
// which the explored part of the predicted states is in its range.
func byAccuracy(all []measured) [][]float64 {
	out := make([][]float64, len(accuracies))
	for _, share := range shares {
		for _, m := range all {
			e := Of(m.part(share), false, m.longest)
			if e.Unknown {
				continue
			}
			k := slices.Index(accuracies, accuracyOf(e.Share))
			r := float64(e.States) / float64(m.states())
			out[k] = append(out[k], max(r, 1/r))
		}
	}
	for k := range out {
		slices.Sort(out[k])
	}
	return out
}

// TestAccuracies: half and nine of ten predictions are within the factors that are printed with
// them, and these factors are not much wider than that.
func TestAccuracies(t *testing.T) {
	for k, f := range byAccuracy(readMeasured(t)) {
		a := accuracies[k]
		if len(f) < 20 {
			t.Errorf("%d predictions from %g of the states and more", len(f), a.least)
			continue
		}
		if got := f[len(f)/2]; got > a.median || got < a.median/2 {
			t.Errorf("from %g of the states and more: median factor %.2f, printed %g", a.least, got, a.median)
		}
		if got := f[len(f)*9/10]; got > a.most || got < a.most/4 {
			t.Errorf("from %g of the states and more: nine of ten within %.2f, printed %g", a.least, got, a.most)
		}
	}
}

// accuracyTable compares the printed factors with what the compositions show.
func accuracyTable(all []measured) string {
	var b strings.Builder
	b.WriteString("\n| share that was explored | predictions | median factor | nine of ten below | printed |\n|---|---|---|---|---|\n")
	for k, f := range byAccuracy(all) {
		name := fmt.Sprintf("%g %% and more", 100*accuracies[k].least)
		if accuracies[k].least == 0 {
			name = "less"
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.1f | %g, %g |\n", name, len(f), f[len(f)/2], f[len(f)*9/10], accuracies[k].median, accuracies[k].most)
	}
	return b.String() + "\n"
}

// TestOfEnds: an exploration that ended is no prediction, and one without walks predicts nothing.
func TestOfEnds(t *testing.T) {
	levels := []int64{1, 9, 45, 156, 381, 795, 1617}
	if e := Of(levels, true, 0); !e.Exact || e.States != 3004 || e.Low != e.High {
		t.Errorf("%+v", e)
	}
	for name, e := range map[string]Estimate{
		"no walk ended": Of(levels, false, 0), "few levels": Of(levels[:5], false, 25), "endless walks": Of(levels, false, mostLevels+1), "no level": Of(nil, false, 25),
	} {
		if !e.Unknown || e.High != math.MaxInt64 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := Of(levels, false, 3); e.Unknown || e.States < 3004 {
		t.Errorf("walks that are shorter than the levels: %+v", e)
	}
}

// estimator predicts the number of states from the first levels and the longest walk.
type estimator struct {
	name string
	of   func(levels []int64, longest int) (float64, bool)
}

// estimators are those that are compared. The default is the one of Of.
var estimators = []estimator{
	{"a line through the logarithms of the last ratios of levels, followed until a level is empty", lineOfRatios},
	{"a parabola that ends at the longest walk", parabolaTo(1)},
	{"a parabola that ends at 1.2 lengths of the longest walk", parabolaTo(1.2)},
	{"a parabola that ends at 1.35 lengths of the longest walk, which is the default", parabolaTo(reach)},
	{"a parabola that ends at 1.5 lengths of the longest walk", parabolaTo(1.5)},
}

func parabolaTo(lengths float64) func([]int64, int) (float64, bool) {
	return func(levels []int64, longest int) (float64, bool) {
		return extrapolatedTo(levels, longest, lengths)
	}
}

// lineOfRatios assumes that the logarithm of the ratio of successive levels falls by the same
// amount from level to level, as in the last third of the levels.
func lineOfRatios(levels []int64, _ int) (total float64, ok bool) {
	if len(levels) < leastLevels+1 {
		return 0, false
	}
	from := len(levels) - max(len(levels)/3, leastLevels-1)
	var n, sx, sy, sxx, sxy float64
	for k := max(from, 1); k < len(levels); k++ {
		x, y := float64(k), math.Log(float64(levels[k])/float64(levels[k-1]))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	start := (sy - slope*sx) / n
	if slope >= 0 {
		return 0, false
	}
	for _, l := range levels {
		total += float64(l)
	}
	last := float64(levels[len(levels)-1])
	for k := len(levels); last >= 1 && k < mostLevels; k++ {
		last *= math.Exp(start + slope*float64(k))
		total += last
	}
	return total, !math.IsInf(total, 0) && !math.IsNaN(total)
}

// factorsOf returns by how much an estimator is off for each composition, sorted, where a fraction
// of the states was explored. It also returns for how many compositions it predicts nothing.
func factorsOf(all []measured, e estimator, fraction float64) (factors []float64, unknown int) {
	for _, m := range all {
		levels := m.part(fraction)
		total, ok := e.of(levels[:len(levels)-1], m.longest)
		if !ok {
			unknown++
			continue
		}
		seen := int64(0)
		for _, l := range levels {
			seen += l
		}
		r := max(total, float64(seen)) / float64(m.states())
		factors = append(factors, max(r, 1/r))
	}
	slices.Sort(factors)
	return factors, unknown
}

// estimatorsTable compares the estimators.
func estimatorsTable(all []measured) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nEach estimator got the same parts of the levels of %d compositions. The factor is the larger of\n"+
		"predicted over actual and actual over predicted states: the median, and what nine of ten are below.\n"+
		"In brackets is for how many compositions an estimator predicts nothing.\n\n"+
		"| estimator | from 0.1 %% | from 1 %% | from 10 %% |\n|---|---|---|---|\n", len(all))
	for _, e := range estimators {
		fmt.Fprintf(&b, "| %s |", e.name)
		for _, fraction := range fractions {
			f, unknown := factorsOf(all, e, fraction)
			fmt.Fprintf(&b, " %.1f, %.3g (%d) |", f[len(f)/2], f[len(f)*9/10], unknown)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nIf each composition without a prediction counts as one that is off by most, the medians of the\ndefault are")
	for k, fraction := range fractions {
		text := "none"
		if m, ok := medianOfAll(all, fraction); ok {
			text = fmt.Sprintf("%.1f", m)
		}
		fmt.Fprintf(&b, "%s %s", []string{"", ",", " and"}[k], text)
	}
	b.WriteString(".\n\n")
	return b.String()
}

// medianOfAll returns the median factor of the default if the compositions without a prediction are
// those that are off by most. It reports false if they are more than half of all.
func medianOfAll(all []measured, fraction float64) (float64, bool) {
	f, _ := factorsOf(all, estimator{of: parabolaTo(reach)}, fraction)
	if len(all)/2 >= len(f) {
		return 0, false
	}
	return f[len(all)/2], true
}

// TestMedian: from a hundredth of the states half of all compositions are predicted within a factor
// of five, also if those without a prediction count as wrong. That is the least part that plan
// explores of a composition that fits into its budget.
func TestMedian(t *testing.T) {
	if 1/float64(probeShare) < fractions[1] {
		t.Errorf("a probe is a part of 1/%d of the budget, and predictions from %g are judged", probeShare, fractions[1])
	}
	for _, fraction := range fractions[1:] {
		if m, ok := medianOfAll(readMeasured(t), fraction); !ok || m > 5 {
			t.Errorf("from %g of the states the median of all is %.1f, %t", fraction, m, ok)
		}
	}
}

// TestProbeOf: the short exploration is a hundredth of the budget, and not too short.
func TestProbeOf(t *testing.T) {
	for budget, want := range map[time.Duration]time.Duration{time.Second: 5 * time.Second, 10 * time.Minute: 6 * time.Second, 2 * time.Hour: 72 * time.Second} {
		if got := ProbeOf(budget); got != want {
			t.Errorf("%v: %v, want %v", budget, got, want)
		}
	}
}

// TestDefault: from a hundredth and from a tenth of the states no other estimator is better both in
// the median and in what nine of ten are below.
func TestDefault(t *testing.T) {
	all := readMeasured(t)
	for _, fraction := range fractions[1:] {
		chosen, _ := factorsOf(all, estimator{of: parabolaTo(reach)}, fraction)
		for _, e := range estimators {
			f, _ := factorsOf(all, e, fraction)
			if f[len(f)/2] < chosen[len(chosen)/2] && f[len(f)*9/10] < chosen[len(chosen)*9/10] {
				t.Errorf("from %g of the states %s is off by %.2f, %.2f, and the default by %.2f, %.2f", fraction, e.name, f[len(f)/2], f[len(f)*9/10], chosen[len(chosen)/2], chosen[len(chosen)*9/10])
			}
		}
	}
}

// TestTable compares docs/results/plan.md with the predictions, or writes them with -update.
func TestTable(t *testing.T) {
	keepTable(t, "estimators", estimatorsTable(readMeasured(t)))
	keepTable(t, "accuracy", accuracyTable(readMeasured(t)))
	var b strings.Builder
	b.WriteString("\n| manifest | states | levels | longest walk | from 0.1 % | from 1 % | from 10 % |\n|---|---|---|---|---|---|---|\n")
	for _, m := range readMeasured(t) {
		longest := "endless"
		if m.longest > 0 {
			longest = strconv.Itoa(m.longest)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s |", m.manifest, m.states(), len(m.levels), longest)
		for _, fraction := range fractions {
			cell := "unknown"
			if e := Of(m.part(fraction), false, m.longest); !e.Unknown {
				cell = fmt.Sprintf("%d (%.2f)", e.States, float64(e.States)/float64(m.states()))
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	keepTable(t, "predictions", b.String())
}

// keepTable compares a part of docs/results/plan.md, or writes it with -update.
func keepTable(t *testing.T, name, want string) {
	t.Helper()
	page, begin, end := "../../../../docs/results/plan.md", "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	have, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatalf("%s has no place for the table", page)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("%s has another table: run go test ./cmd/multigrain/internal/plan -run TestTable -update", page)
	}
}
