package experiment

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/raft/etcdraft/mutants"
)

// TestMissing: cells of seeds in a row are one job, and a kept cell parts two jobs.
func TestMissing(t *testing.T) {
	t.Parallel()
	s := &store{known: map[string]bool{}}
	x := subject{Kind: inLibrary, Name: "a", Mutant: &mutants.Mutant{Name: "a", Manifest: "etcd"}}
	s.take(cell{Kind: inLibrary, Subject: "a", Strategy: "guided", Seed: 12})
	s.take(cell{Kind: inLibrary, Subject: "a", Strategy: "guided", Seed: 29})
	a := asked{seeds: 30, strategies: "guided,cover"}
	var got [][2]int
	for first := 0; first < a.seeds; first += batch {
		for _, j := range a.missing(s, []subject{x}, first, first+batch) {
			got = append(got, [2]int{j.first, j.many})
		}
	}
	if want := [][2]int{{0, 10}, {0, 1}, {10, 2}, {13, 7}, {20, 9}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestJob: a strategy becomes flags of its verb.
func TestJob(t *testing.T) {
	t.Chdir("../../..")
	library := subject{Kind: inLibrary, Name: "vote-twice", Mutant: &mutants.Mutant{Name: "vote-twice", Manifest: "etcd"}}
	specification := subject{Kind: inSpecification, Name: "m", Manifest: "configs/raft/mistakes/vote-not-persisted.hcl"}
	for _, c := range []struct {
		of             subject
		strategy       string
		manifest, want string
	}{
		{specification, "weighted", specification.Manifest, "-processor-time=10s -number=0 -strategy=weighted -seeds=10"},
		{specification, "learned", specification.Manifest, "-processor-time=10s -number=0 -strategy=learned -seeds=10"},
		{specification, "learned-roles", specification.Manifest, "-processor-time=10s -number=0 -strategy=learned:roles -seeds=10"},
		{specification, "rounds:heuristic=1", specification.Manifest, "-processor-time=10s -number=0 -strategy=rounds:heuristic=1 -seeds=10"},
		{library, "guided", "raft/etcdraft/mutants/etcd.hcl", "-processor-time=10s -branches=false -walks=0 -strategy=guided -seeds=10"},
		{library, covering, "raft/etcdraft/mutants/etcd-one-election.hcl", "-processor-time=10s -branches=false -cover=edges -max-states=20000"},
	} {
		j, err := asking{c.of, c.strategy, 20, batch}.job("10s")
		if got := strings.Join(j.Flags, " "); err != nil || got != c.want || j.Manifest != c.manifest || (j.Seed == nil) != (c.strategy == covering) {
			t.Errorf("%s: %v, %+v", c.strategy, err, j)
		}
	}
	j, err := asking{specification, manual, 0, batch}.job("10s")
	if got := strings.Join(j.Flags, " "); err != nil || !strings.Contains(got, " -weight=Restart=0.1 ") || !strings.Contains(got, " -weight=Timeout=0.1 ") || strings.Contains(got, "HandleVote") {
		t.Errorf("weights by hand: %v, %+v", err, j)
	}
	table, err := mutants.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range table {
		for _, name := range []string{m.Manifest, m.Manifest + "-one-election"} {
			if _, err := os.Stat(mutants.Manifest(".", name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCells: each seed of a document is a cell. A refused strategy has a cell for each seed, and
// another error has none.
func TestCells(t *testing.T) {
	t.Parallel()
	codes, err := os.ReadFile("../../../docs/reference/diagnostics/mg5xx.md")
	if err != nil || !strings.Contains(string(codes), strategyCode+": Strategy does not fit") {
		t.Errorf("%s is another code: %v", strategyCode, err)
	}
	x := asking{subject{Kind: inSpecification, Name: "a"}, "pct", 20, 2}
	for _, c := range []struct {
		strategy, text string
		want           []cell
	}{
		{"pct", `{"seeds": [{"seed": 20, "verdict": "violated", "found": "I-8", "walks": 3, "steps": 70, "processor_seconds": 0.5},
			{"seed": 21, "verdict": "nothing-found", "walks": 900, "steps": 9000, "processor_seconds": 2}]}`, []cell{
			{Seed: 20, Found: true, What: "I-8", Walks: 3, Steps: 70, Seconds: 0.5}, {Seed: 21, Walks: 900, Steps: 9000, Seconds: 2}}},
		{"pct", `{"diagnostics": [{"code": "MG540", "severity": "error", "detail": "no channels"}]}`, []cell{{Seed: 20, Refused: "no channels"}, {Seed: 21, Refused: "no channels"}}},
		{"pct", `{"diagnostics": [{"code": "MG501", "severity": "error", "detail": "wrong"}]}`, nil},
		{"pct", `{"diagnostics": []}`, nil},
		{"pct", `not JSON`, nil},
		{covering, `{"conform": {"traces": 1, "steps": 4, "differences": 1, "processor_seconds": 0.25, "found": [{"kind": "variable", "variable": "Commit[0]"}]}}`,
			[]cell{{Seed: 20, Found: true, What: "Commit[0]", Walks: 1, Steps: 4, Seconds: 0.25}}},
	} {
		x.strategy = c.strategy
		got, err := x.cells([]byte(c.text))
		for k := range c.want {
			c.want[k].Kind, c.want[k].Subject, c.want[k].Strategy = inSpecification, "a", c.strategy
		}
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s: %+v, %v", c.text, got, err)
		}
	}
}
