package mutants

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/zab"
)

var (
	walks  = flag.Int64("walks", 100, "random walks that a mutant is looked for in")
	search = flag.Bool("search", false, "look for mutants with multigrain conform, not in the walk that the table names")
	update = flag.Bool("update", false, "write docs/results/zookeeper-mutants.md")
)

// finder looks for mutants. A mutant is found in a walk if servers with the compiled originals
// follow the walk beyond the step at which servers with the mutant depart, twice. A step that is
// not driven to its end counts only if no walk shows a difference.
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
	try := func(number int64) (found bool) {
		tried++
		first, steps := f.common(t, number)
		this := follow(a, first, steps)
		if this == nil || !this.driven && d != nil {
			return false
		}
		if again := follow(a, first, steps); !this.equals(again) {
			t.Logf("walk %d departs at %v, and then at %v: that does not count", number, this, again)
			return false
		}
		walk, d = number, this
		return d.driven
	}
	if m.Walk > 0 && try(m.Walk) {
		return walk, d, tried
	}
	for number := int64(1); number <= *walks; number++ {
		if number != m.Walk && try(number) {
			break
		}
	}
	return walk, d, tried
}

// result says whether a mutant was found, and where.
type result struct {
	Mutant
	walk      int64 // 0: not found
	departure *departure
	tried     int64 // walks
}

// TestMutants looks for each mutant in random walks. It finds all but those for which the table
// names what is missing. With -walks 0 it takes only the walks that the table names. With -search
// multigrain conform looks for it in its own walks.
func TestMutants(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it runs real servers for minutes; set MULTIGRAIN_SLOW=1")
	}
	mutants := all(t)
	var find func(testing.TB, Mutant) (int64, *departure, int64)
	if *search {
		find = newSearcher(t, builder(t), mutants).find
	} else {
		find = newFinder(t, mutants).find
	}
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			if m.Walk == 0 && *walks == 0 {
				t.Skip("the table names no walk: " + m.Missing)
			}
			r := result{Mutant: m}
			r.walk, r.departure, r.tried = find(t, m)
			t.Logf("found in walk %d, after %d: %v", r.walk, r.tried, r.departure)
			switch {
			case r.walk == 0 && m.Missing == "":
				t.Errorf("none of %d walks finds it, and the table names nothing that is missing", r.tried)
			case r.walk > 0 && m.Missing != "":
				t.Errorf("walk %d finds it at %v: remove what the table names as missing, %s", r.walk, r.departure, m.Missing)
			case r.walk != m.Walk && m.Walk > 0 && !*search:
				t.Errorf("walk %d of the table no longer finds it: write %d", m.Walk, r.walk)
			}
			if *update {
				write(t, mutants, r)
			}
		})
	}
}

// write puts a result into the document. The rows of other mutants stay.
func write(t *testing.T, mutants []Mutant, r result) {
	t.Helper()
	rows := rowsOf(t)
	rows[r.Name] = r.row()
	if err := os.WriteFile(document, []byte(markdown(mutants, rows)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// document has the results.
var document = filepath.Join("..", "..", "..", "docs", "results", "zookeeper-mutants.md")

// rowsOf returns the rows of the document by the names of their mutants.
func rowsOf(t *testing.T) map[string]string {
	t.Helper()
	old, err := os.ReadFile(document)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(old)) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | "); ok && strings.HasPrefix(line, "| ") && strings.HasPrefix(rest, "20") {
			rows[name] = strings.TrimSpace(line)
		}
	}
	return rows
}

// TestDocument compares the document with the table. A row whose mutant has changed is out of date.
// With -update such rows are left out.
func TestDocument(t *testing.T) {
	mutants, rows := all(t), rowsOf(t)
	for _, m := range mutants {
		row, says := rows[m.Name], fmt.Sprintf(" | %s.%s | %s | ", m.Class, m.Method, m.Mistake)
		if row == "" || strings.Contains(row, says) {
			continue
		}
		if delete(rows, m.Name); !*update {
			t.Errorf("the row of %s is that of another mutant: run TestMutants/%[1]s with -update", m.Name)
		}
	}
	want := markdown(mutants, rows)
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(document); err != nil || string(have) != want {
		t.Errorf("%s is out of date (%v): run go test ./zab/zookeeper/mutants -run TestDocument -update", document, err)
	}
}

// row is the row of a result in the document.
func (r *result) row() string {
	where := fmt.Sprintf("no walk of %d | | | missing: %s", r.tried, r.Missing)
	if r.walk > 0 {
		what := strings.ReplaceAll(r.departure.what, "|", "/")
		if !r.departure.driven {
			what = "undecided: the step is not driven to its end"
		}
		how := ""
		if *search {
			how = " of conform"
		}
		where = fmt.Sprintf("walk %d%s | %d | %s | %s", r.walk, how, r.departure.step, r.departure.action, what)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.Name, time.Now().UTC().Format(time.DateOnly), r.Class+"."+r.Method, r.Mistake, where)
}

// markdown is the document of the results.
func markdown(mutants []Mutant, rows map[string]string) string {
	var b strings.Builder
	have, found, undecided := 0, 0, 0
	for _, m := range mutants {
		switch row := rows[m.Name]; {
		case row == "":
			continue
		case strings.Contains(row, "| undecided: "):
			undecided++
		case strings.Contains(row, "| walk "):
			found++
		}
		have++
	}
	fmt.Fprintf(&b, `# Mutants of ZooKeeper %s

On two cores that other work used, too. The first command takes the walks that the table names. The
second one looks for the mutants with multigrain conform. Each replaces the rows of the mutants that
it takes.

    MULTIGRAIN_SLOW=1 go test -timeout 6h ./zab/zookeeper/mutants -run TestMutants -update -walks 0
    MULTIGRAIN_SLOW=1 go test -timeout 6h ./zab/zookeeper/mutants -run TestMutants -update -search

A mutant replaces one line of one method of ZooKeeper (zab/zookeeper/mutants/mutants.hcl). Random
walks are done on real servers with the mutant, and the states are compared after each step. Servers
with the unchanged sources, compiled in the same way, have to follow the walk up to and including
the step at which the servers with the mutant depart. The mutant has to depart twice in the same
way.

Where a row says "of conform", the walks are those of multigrain conform configs/zab/mspec-3.hcl:
its seed, depth, weights and known differences. So the number is how many walks conform takes to
find the mutant. The other rows have walks of the same grains with smaller bounds, at most %d steps
and seed %d. The table names such a walk, so that a check takes seconds. "Of a search" means that the
walks of this seed were taken in order.

The table has %d mutants, and %d of them have a result. %d are found by a difference. %d keep the
servers from the end of a step that the unchanged ones do: multigrain conform ends such a walk
undecided.

| mutant | date | method | mistake | found in | step | action | what differs |
|---|---|---|---|---|---|---|---|
`, Version, walkDepth, seed, len(mutants), have, found, undecided)
	for _, m := range mutants {
		if row := rows[m.Name]; row != "" {
			fmt.Fprintln(&b, row)
		}
	}
	fmt.Fprint(&b, "\n## Without a result\n\n| mutant | method | mistake | missing |\n|---|---|---|---|\n")
	for _, m := range mutants {
		if rows[m.Name] == "" {
			fmt.Fprintf(&b, "| %s | %s.%s | %s | %s |\n", m.Name, m.Class, m.Method, m.Mistake, cmp.Or(m.Missing, "a run"))
		}
	}
	return b.String()
}
