package experiment

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWilson compares with figures of Newcombe (1998), table I: 81 of 263 and 0 of 20.
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found, n  int
		low, high float64
	}{{81, 263, 0.2553, 0.3662}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		x := wilson(c.found, c.n)
		if math.Abs(x.low-c.low) > 1e-4 || math.Abs(x.high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %v", c.found, c.n, x)
		}
	}
}

// TestMedian expects the order statistics of tables for the sign test: none for five values, the
// ends for six, the tenth for thirty.
func TestMedian(t *testing.T) {
	t.Parallel()
	values := func(n int) (v []float64) {
		for k := range n {
			v = append(v, float64(n-k))
		}
		return v
	}
	inf := math.Inf(1)
	for n, want := range map[int]interval{5: {3, 0, inf}, 6: {3.5, 1, 6}, 8: {4.5, 1, 8}, 9: {5, 2, 8}, 30: {15.5, 10, 21}} {
		if x := median(values(n)); x != want {
			t.Errorf("%d values: %v, not %v", n, x, want)
		}
	}
	if x := median([]float64{1, inf, inf, 2, inf, inf}); !math.IsInf(x.at, 1) || x.low != 1 {
		t.Errorf("runs that found nothing: %v", x)
	}
}

// TestMean expects an interval around the mean, the same each time.
func TestMean(t *testing.T) {
	t.Parallel()
	values := []float64{0, 0, 1, 1, 1, 0.5}
	x := mean(values)
	if math.Abs(x.at-3.5/6) > 1e-12 || !(x.low < x.at && x.at < x.high) || x != mean(values) {
		t.Error(x)
	}
}

// TestStore continues with a store whose last line was not written whole.
func TestStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cells.ndjson")
	s, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}
	a := cell{Kind: inLibrary, Subject: "a", Strategy: "guided", Seed: 1, Found: true, Seconds: 2}
	if err := s.add(a); err != nil {
		t.Fatal(err)
	}
	s.close()
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(text, text[:len(text)/2]...), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err = openStore(path); err != nil || len(s.cells) != 1 || !s.has(a) || s.spent != 2 {
		t.Fatal(err, s)
	}
	b := a
	b.Seed = 2
	if s.has(b) {
		t.Error("a cell is there that was not run")
	}
	if err := s.add(b); err != nil {
		t.Fatal(err)
	}
	s.close()
	if s, err = openStore(path); err != nil || len(s.cells) != 2 {
		t.Fatal(err, s)
	}
	s.close()
}

// TestLimit: what a kept run found after the limit of today does not count.
func TestLimit(t *testing.T) {
	t.Parallel()
	s := &store{known: map[string]bool{}}
	for seed, seconds := range []float64{0.1, 0.2, 0.3, 0.5} {
		s.take(cell{Kind: inLibrary, Subject: "a", Strategy: "guided", Seed: seed, Found: seconds < 0.5, Walks: 5, Seconds: seconds, Limit: 0.5})
	}
	x := subject{Kind: inLibrary, Name: "a"}
	for limit, found := range map[float64]int{0.5: 3, 0.25: 2, 0.2: 2, 0.05: 0} {
		g := partOf(inLibrary, byConform, s, []subject{x}, limit).of(x, "guided")
		if g.found != found || g.runs != 4 || math.IsInf(median(g.walks).at, 1) != (found < 3) {
			t.Errorf("limit %v: %+v", limit, g)
		}
	}
}

// TestSubjects expects all mistakes, in two halves that do not depend on what was measured.
func TestSubjects(t *testing.T) {
	all, err := subjectsOf("../../..")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	names := map[string]bool{}
	for _, x := range all {
		names[x.Name] = true
		counts[x.Kind]++
		counts[x.half()]++
	}
	if counts[inSpecification] < 40 || counts[inLibrary] < 24 || counts["tuning"] < 25 || counts["held out"] < 25 {
		t.Error(counts)
	}
	// A manifest that extends another one does not take its expectation over.
	for _, folder := range []string{"zab/bugs", "raft/mistakes"} {
		files, err := filepath.Glob("../../../configs/" + folder + "/*.hcl")
		if err != nil || len(files) < 10 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			if name := strings.TrimSuffix(filepath.Base(file), ".hcl"); !names[name] {
				t.Errorf("the mistake of %s is not in the experiment", file)
			}
		}
	}
}

// TestByHand: a strategy is earlier or later than weights by hand only where the intervals of the
// medians are apart.
func TestByHand(t *testing.T) {
	runs := func(from float64) *group {
		g := &group{runs: 7}
		for k := range 7 {
			g.times = append(g.times, from+float64(k)/10)
		}
		return g
	}
	p := &part{strategies: []string{manual, "fast", "slow", "alike", "few"}, subjects: []subject{{Name: "x"}}, groups: map[string]map[string]*group{"x": {
		manual: runs(2), "fast": runs(1), "slow": runs(3), "alike": runs(2.3), "few": {runs: 3, times: []float64{1, 1, 1}}}}}
	var b strings.Builder
	p.byHand(&b)
	for _, want := range []string{"| fast | 1 | 1 | 0 | 0 |", "| slow | 1 | 0 | 1 | 0 |", "| alike | 1 | 0 | 0 | 1 |"} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no row %q in\n%s", want, &b)
		}
	}
	if strings.Contains(b.String(), "few") || strings.Contains(b.String(), "| "+manual) {
		t.Errorf("%s", &b)
	}
}
