package mutants

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
)

var (
	walks  = flag.Int64("walks", 100, "random walks that a mutant is looked for in")
	update = flag.Bool("update", false, "write docs/results/zookeeper-mutants.md")
)

// finder looks for mutants. A mutant is found in a walk if servers with the compiled originals
// follow the walk beyond the step at which servers with the mutant depart, twice. A step that is
// not driven to its end does not count.
type finder struct {
	*walker
	builder   *Builder
	originals conform.Adapter[zab.State]
	departs   map[int64]*departure // of the originals, by walk
}

func newFinder(t testing.TB, of []Mutant) *finder {
	t.Helper()
	f := &finder{walker: newWalker(t), builder: builder(t), departs: map[int64]*departure{}}
	dir := t.TempDir()
	if err := f.builder.BuildOriginals(of, dir); err != nil {
		t.Fatal(err)
	}
	f.originals = f.open(t, dir)
	f.leaveOut(f.originals)
	return f
}

// common returns the steps of a walk that the originals follow.
func (f *finder) common(t testing.TB, number int64) (first node, steps []step) {
	first, steps = f.steps(t, number)
	d, done := f.departs[number]
	if !done {
		d = follow(f.originals, first, steps)
		f.departs[number] = d
		t.Logf("walk %d: the originals depart: %v", number, d)
	}
	if d != nil {
		steps = steps[:max(d.step-1, 0)]
	}
	return first, steps
}

// find returns the first walk in which a mutant is found, 0 if none, and how many walks it took.
func (f *finder) find(t testing.TB, m Mutant) (walk int64, d *departure, tried int64) {
	dir := t.TempDir()
	if err := f.builder.Build(m, dir); err != nil {
		t.Fatal(err)
	}
	a := f.open(t, dir)
	try := func(number int64) bool {
		tried++
		first, steps := f.common(t, number)
		if d = follow(a, first, steps); d == nil {
			return false
		}
		again := follow(a, first, steps)
		if again.String() != d.String() || !d.driven {
			t.Logf("walk %d departs at %v, and then at %v: that does not count", number, d, again)
			return false
		}
		return true
	}
	if m.Walk > 0 && try(m.Walk) {
		return m.Walk, d, tried
	}
	for number := int64(1); number <= *walks; number++ {
		if number != m.Walk && try(number) {
			return number, d, tried
		}
	}
	return 0, nil, tried
}

// result says whether a mutant was found, and where.
type result struct {
	Mutant
	walk      int64 // 0: not found
	departure *departure
	tried     int64 // walks
}

// TestMutants looks for each mutant in random walks. It finds all but those for which the table
// names what is missing. With -walks 0 it takes only the walks that the table names.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	mutants := all(t)
	f := newFinder(t, mutants)
	var results []result
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			r := result{Mutant: m}
			r.walk, r.departure, r.tried = f.find(t, m)
			results = append(results, r)
			t.Logf("found in walk %d of %d: %v", r.walk, r.tried, r.departure)
			switch {
			case r.walk == 0 && m.Missing == "":
				t.Errorf("none of %d walks finds it, and the table names nothing that is missing", r.tried)
			case r.walk > 0 && m.Missing != "":
				t.Errorf("walk %d finds it at %v: remove what the table names as missing, %s", r.walk, r.departure, m.Missing)
			case r.walk != m.Walk && m.Walk > 0:
				t.Errorf("walk %d of the table no longer finds it: write %d", m.Walk, r.walk)
			}
		})
	}
	if !*update {
		return
	}
	if t.Failed() || len(results) < len(mutants) {
		t.Fatal("the results are written only if all mutants were looked for, and the test has not failed")
	}
	if err := os.WriteFile(filepath.Join("..", "..", "..", "docs", "results", "zookeeper-mutants.md"), []byte(markdown(results)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// markdown is the document of the results.
func markdown(results []result) string {
	var b strings.Builder
	found, steps := 0, 0
	for _, r := range results {
		if r.walk > 0 {
			found++
			steps += r.departure.step
		}
	}
	fmt.Fprintf(&b, "# Mutants of ZooKeeper %s\n\n%s, %d cores, other work at the same time. Command:\n\n"+
		"    MULTIGRAIN_SLOW=1 go test -timeout 6h ./zab/zookeeper/mutants -run TestMutants -walks %d -update\n\n",
		Version, time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), *walks)
	fmt.Fprintf(&b, `A mutant replaces one line of one method of ZooKeeper (zab/zookeeper/mutants/mutants.hcl). Random
walks of the grains of configs/zab/mspec-3.hcl are done on real servers with the mutant, and the
states are compared after each step. A walk has at most %d steps, and the walks have the numbers 1
to 100 of seed %d. That seed was chosen because its walks have DIFF, TRUNC and SNAP.

A mutant is found in a walk if two conditions hold. Servers with the unchanged sources, compiled in
the same way, follow the walk up to and including the step. Servers with the mutant depart at the
step, twice in the same way. The walk that the table names is tried first, so the number of a walk
is not how many walks a search needs.

%d of %d mutants are found, after %.0f steps on average.

| mutant | method | mistake | walk | step | action | what differs |
|---|---|---|---|---|---|---|
`, walkDepth, seed, found, len(results), float64(steps)/float64(max(found, 1)))
	for _, r := range results {
		if r.walk > 0 {
			fmt.Fprintf(&b, "| %s | %s.%s | %s | %d | %d | %s | %s |\n", r.Name, r.Class, r.Method, r.Mistake, r.walk, r.departure.step, r.departure.action, r.departure.what)
		}
	}
	fmt.Fprint(&b, "\n## Not found\n\n| mutant | method | mistake | walks tried | missing |\n|---|---|---|---|---|\n")
	for _, r := range results {
		if r.walk == 0 {
			fmt.Fprintf(&b, "| %s | %s.%s | %s | %d | %s |\n", r.Name, r.Class, r.Method, r.Mistake, r.tried, r.Missing)
		}
	}
	return b.String()
}
