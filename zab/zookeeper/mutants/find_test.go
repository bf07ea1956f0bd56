package mutants

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
)

var (
	walks  = flag.Int64("walks", 100, "random walks that a mutant is looked for in")
	update = flag.Bool("update", false, "write docs/results/zookeeper-mutants.md")
)

// finder looks for mutants. A mutant is found in a walk if servers with the compiled originals
// follow the walk up to the step at which servers with the mutant depart, twice.
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

// find returns the first walk of those that are tried in which a mutant is found, 0 if none.
func (f *finder) find(t testing.TB, m Mutant) (walk int64, d *departure) {
	dir := t.TempDir()
	if err := f.builder.Build(m, dir); err != nil {
		t.Fatal(err)
	}
	a := f.open(t, dir)
	try := func(number int64) bool {
		first, steps := f.common(t, number)
		if d = follow(a, first, steps); d == nil {
			return false
		}
		again := follow(a, first, steps)
		if again.String() != d.String() {
			t.Logf("walk %d departs at %v, and then at %v", number, d, again)
			return false
		}
		return true
	}
	if m.Walk > 0 && try(m.Walk) {
		return m.Walk, d
	}
	for number := int64(1); number <= *walks; number++ {
		if number != m.Walk && try(number) {
			return number, d
		}
	}
	return 0, nil
}

// TestMutants looks for each mutant in random walks. It finds all but those for which the table
// names what is missing.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	mutants := all(t)
	f := newFinder(t, mutants)
	var rows strings.Builder
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			walk, d := f.find(t, m)
			t.Logf("found in walk %d: %v", walk, d)
			switch {
			case walk == 0 && m.Missing == "":
				t.Errorf("%s: no walk of %d finds it, and the table names nothing that is missing", m.Name, *walks)
			case walk > 0 && m.Missing != "":
				t.Errorf("%s: walk %d finds it at %v: remove what the table names as missing, %s", m.Name, walk, d, m.Missing)
			case walk > 0 && walk != m.Walk && m.Walk > 0:
				t.Logf("%s: walk %d of the table no longer finds it: write %d", m.Name, m.Walk, walk)
			}
			fmt.Fprintln(&rows, m.Name, walk, d)
		})
	}
	if *update {
		t.Log(rows.String())
	}
}
