package fleet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/jobs"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/fleet/queue"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
)

// TestJudged judges ends of commands, each with what its manifest expects.
func TestJudged(t *testing.T) {
	t.Parallel()
	const begin = `{"format_version": "1", "diagnostics": [], `
	violated := begin + `"verb": "simulate", "verdict": "violated", "violations": [{"invariant": "Order", "kind": "state"}]}`
	nothing := begin + `"verb": "simulate", "verdict": "nothing-found", "looked": {"walks": 3, "judged": 3}}`
	gap := begin + `"verb": "interaction", "interaction": {"verdict": "gap", "level": "L1", "findings": []}}`
	broken := begin + `"verb": "interaction", "interaction": {"verdict": "broken", "level": "L1", "findings": []}}`
	invalid := `{"format_version": "1", "verb": "check", "diagnostics": [{"severity": "error", "code": "MG003", "summary": "Attribute unknown", "detail": "x"}]}`
	seed := uint64(1)
	simulate := jobs.Job{Name: "x", Verb: "simulate", Manifest: "a.hcl", Seed: &seed}
	expecting := simulate
	expecting.Expects = jobs.Expects{Verdict: "violated", Invariant: "Order"}
	other := simulate
	other.Expects = jobs.Expects{Verdict: "violated", Invariant: "Other"}
	sliced := jobs.Job{Name: "x", Verb: "check", Manifest: "a.hcl", Flags: []string{"-slice"}, Expects: jobs.Expects{Verdict: "violated", Invariant: "Order", Block: true}}
	holding := sliced
	holding.Expects = jobs.Expects{Verdict: "holds", Block: true}
	holds := begin + `"verb": "check", "verdict": "holds", "looked": {"initial": 1, "judged": 3}}`
	interaction := jobs.Job{Name: "x", Verb: "interaction", Manifest: "a.hcl", Expects: jobs.Expects{Interaction: "gap", Level: "L1"}}
	for _, c := range []struct {
		name string
		job  jobs.Job
		exit int
		out  string
		want verdicts.Word
	}{
		{"walks find nothing", simulate, 0, nothing, verdicts.AsExpected},
		{"walks find something that is not expected", simulate, 12, violated, verdicts.Differs},
		{"walks find what is expected", expecting, 12, violated, verdicts.AsExpected},
		{"walks find another violation", other, 12, violated, verdicts.Differs},
		{"walks do not find what is expected", expecting, 0, nothing, verdicts.Undecided},
		{"a sliced search finds what is expected", sliced, 12, strings.Replace(violated, "simulate", "check", 1), verdicts.AsExpected},
		{"a sliced search does not find what is expected", sliced, 0, holds, verdicts.Differs},
		{"a sliced search holds", holding, 0, holds, verdicts.AsExpected},
		{"a sliced search finds a violation that is not expected", holding, 12, strings.Replace(violated, "simulate", "check", 1), verdicts.Differs},
		{"an undecided command", simulate, 20, begin + `"verb": "simulate", "verdict": "undecided", "reason": "time"}`, verdicts.Undecided},
		{"an expected gap", interaction, 10, gap, verdicts.AsExpected},
		{"a break instead of a gap", interaction, 10, broken, verdicts.Differs},
		{"an invalid manifest", jobs.Job{Name: "x", Verb: "check", Manifest: "a.hcl"}, 150, invalid, verdicts.Differs},
		{"an invalid manifest of a hunt", expecting, 150, strings.Replace(invalid, "check", "simulate", 1), verdicts.Differs},
		{"a command without a document", simulate, 0, "", verdicts.Undecided},
	} {
		got, _ := judged(c.job, c.exit, []byte(c.out))
		if got.Outcome != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.name, got.Outcome, c.want, got)
		}
	}
}

// TestJoin: one seed that finds the expected violation decides for the others of its job, and for
// no other job.
func TestJoin(t *testing.T) {
	t.Parallel()
	var list []jobs.Job
	results := map[int][]byte{}
	add := func(manifest string, seed uint64, outcome verdicts.Word, exit int) {
		j := jobs.Job{Name: "x", Verb: "simulate", Manifest: manifest, Seed: &seed, Expects: jobs.Expects{Verdict: "violated", Invariant: "Order"}}
		results[len(list)] = encode(result.FleetJob{Title: j.Title(), Outcome: outcome, Exit: exit})
		list = append(list, j)
	}
	add("a.hcl", 1, verdicts.Undecided, 0)
	add("a.hcl", 2, verdicts.AsExpected, 12)
	add("a.hcl", 3, verdicts.Undecided, 20) // it ended before its walks were taken
	add("b.hcl", 1, verdicts.Undecided, 0)
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	ended, err := join(text, results)
	if err != nil {
		t.Fatal(err)
	}
	var got []verdicts.Word
	for _, x := range ended {
		got = append(got, x.Outcome)
	}
	if want := []verdicts.Word{verdicts.AsExpected, verdicts.AsExpected, verdicts.Undecided, verdicts.Undecided}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	results[0], results[1] = results[1], results[0]
	if _, err := join(text, results); err == nil {
		t.Error("a result of another job is taken")
	}
}

// TestSources: a digest changes with each source file and the version, and with nothing else. What
// is packed and unpacked has the same digest, and other sources are refused.
func TestSources(t *testing.T) {
	t.Parallel()
	folder, cache := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(version string) string {
		d, err := tree{folder: folder, cache: filepath.Join(folder, "own")}.digest(version)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	write("go.mod", "module m\n")
	write("sub/a.go", "package a\n")
	first := sum("1")
	write("results.json", "{}")
	write(".git/x.go", "package x\n")
	write("cache/.made-by-multigrain", "")
	write("cache/y.go", "package y\n")
	write("own/z.go", "package z\n")
	if sum("1") != first {
		t.Error("results, hidden folders or the cache change the digest")
	}
	if sum("2") == first {
		t.Error("another version has the same digest")
	}
	here := tree{folder: folder, cache: filepath.Join(folder, "own")}
	archive, err := here.pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := trusted(archive, cache, "1", first)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(got, "sub/a.go")); err != nil || string(text) != "package a\n" {
		t.Errorf("%q, %v", text, err)
	}
	stamp := here.stamp()
	write("sub/a.go", "package bb\n")
	if here.stamp() == stamp {
		t.Error("a worker does not notice an edit")
	}
	if sum("1") == first {
		t.Error("an edit does not change the digest")
	}
	if archive, err = here.pack(); err != nil {
		t.Fatal(err)
	}
	if _, err := trusted(archive, t.TempDir(), "1", first); err == nil {
		t.Error("a worker takes sources with another digest than it trusts")
	}
	if err := os.WriteFile(filepath.Join(got, "sub/a.go"), []byte("package evil\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := trusted(archive, cache, "1", first); err == nil {
		t.Error("a worker takes unpacked sources that somebody changed")
	}
}

// TestStatus: rates, imbalance and deaths follow from the counts of workers.
func TestStatus(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := queue.Status{Record: queue.Record{ID: "r", Jobs: 10}, Begun: begun, Now: begun.Add(8 * time.Second), Finished: 4, Running: 2, Coordinator: "c"}
	s.Workers = []queue.WorkerStatus{
		{Name: "a", Tally: queue.Tally{Done: 3, Seconds: 6}, Alive: true},
		{Name: "b", Tally: queue.Tally{Done: 1, Seconds: 1}},
		{Name: "c", Tally: queue.Tally{Seconds: 2, Left: true}},
	}
	f := statusOf(s)
	if f.PerSecond != 0.5 || f.Left != 12 || f.Imbalance != 2 || f.Deaths != 1 || f.Waiting != 4 {
		t.Errorf("%+v", f)
	}
	text := statusText([]result.FleetStatus{f})
	for _, want := range []string{"4 of 10 have ended, 2 are running, 4 are waiting", "0.5 jobs a second", "imbalance 2.00", "1 dead worker", "worker b: dead"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, want := range []string{`multigrain_run_jobs_finished{run="r"} 4`, `multigrain_run_worker_deaths{run="r"} 1`, "# TYPE multigrain_run_workers gauge"} {
		if !strings.Contains(metrics([]result.FleetStatus{f}), want) {
			t.Errorf("%q is not in\n%s", want, metrics([]result.FleetStatus{f}))
		}
	}
}

// TestShown: addresses are shown without passwords.
func TestShown(t *testing.T) {
	for address, want := range map[string]string{
		"nats://10.0.0.5:4222":                             "nats://10.0.0.5:4222",
		"nats://me:secret@a:4222, tls://you:secret@b:4222": "nats://me:xxxxx@a:4222,tls://you:xxxxx@b:4222",
		"embedded": "embedded",
	} {
		if got := shown(address); got != want {
			t.Errorf("%s is shown as %s", address, got)
		}
	}
}
