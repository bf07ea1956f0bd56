package confirmed

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// confirmed, departed and refused are results of multigrain confirm.
var (
	confirmed = document{Confirm: &confirmation{Verdict: "confirmed", Runs: attempts{Shown: 1}, Controls: attempts{Absent: 1}}}
	departed  = document{Confirm: &confirmation{Verdict: "departs", Reason: "at step 4 of 29", Runs: attempts{Departed: 1},
		Attempts: []attempted{{Outcome: "departed", Step: 4}}}}
	refused = document{Diagnostics: []diagnostic{{Severity: "error", Detail: "no variant"}}}
)

// keptOf returns the result of one portion.
func keptOf(bug, version string, portions ...document) *result {
	r := &result{bug: bug, version: version}
	for _, d := range portions {
		r.add(d)
	}
	return r
}

// TestLacks: the first portion of each result has one run. Further ones are those of the first
// version that confirms the bug.
func TestLacks(t *testing.T) {
	a := asked{runs: 20, portion: 5}
	all := []*result{
		keptOf("x", "3.8.0", departed), keptOf("x", "3.9.1", confirmed), keptOf("x", "3.9.5", confirmed), keptOf("y", "3.8.0"), keptOf("y", "3.9.1", refused),
	}
	for k, want := range []int{0, 5, 0, 1, 0} {
		if have := a.lacks(all[k], all); have != want {
			t.Errorf("%s on %s lacks %d, want %d", all[k].bug, all[k].version, have, want)
		}
	}
	all[1].runs.Shown = 18
	if have := a.lacks(all[1], all); have != 2 {
		t.Errorf("after 18 runs %d are missing, want 2", have)
	}
	all[1].controls.Shown = 1 // then 3.9.5 is the first version that confirms it
	if have := a.lacks(all[2], all); have != 5 {
		t.Errorf("%d runs are missing, want 5", have)
	}
}

// TestTable: each result has its cell, and versions that confirm a bug have a row of runs.
func TestTable(t *testing.T) {
	all := []*result{keptOf("x", "3.8.0", departed), keptOf("x", "3.9.1", confirmed), keptOf("y", "3.8.0", refused), keptOf("y", "3.9.1")}
	text := table([]string{"x", "y"}, []string{"3.8.0", "3.9.1"}, all)
	for _, want := range []string{
		"| [x](../../configs/zab/versions/x.hcl) | departs at step 4 | confirmed 1 of 1 |\n",
		"| [y](../../configs/zab/versions/y.hcl) | refused | not run |\n",
		"| x | 3.9.1 | 1 of 1 | none | 0 | 0 of 1 | 1 without it |\n",
		"| x | 3.8.0 | at step 4 of 29 |\n",
		"| y | 3.8.0 | no variant |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

// TestHolds: a version without a violation is not run. The counterexample of another version is
// replayed there.
func TestHolds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "versions.md")
	text := "| bug | v3.8.0 | v3.9.3 |\n|---|---|---|\n| [x](x.hcl) | 14 steps | holds, 1 234 states<br>within 1 transaction, 2 crashes, 0 partitions<br>jar: no violation |\n\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	holds, err := holding(file)
	const bounds = "1 transaction, 2 crashes, 0 partitions"
	if err != nil || len(holds) != 1 || holds[[2]string{"x", "3.9.3"}] != bounds {
		t.Fatalf("%v, %v", holds, err)
	}
	r := &result{bug: "x", version: "3.9.3", holds: true, within: bounds}
	a := asked{runs: 20, portion: 5}
	if n := a.lacks(r, []*result{r}); n != 0 {
		t.Errorf("%d runs are missing, want 0", n)
	}
	if r.cell() != "no violation within "+bounds {
		t.Errorf("the cell is %q", r.cell())
	}
	r.replayed = &document{Conform: &conformance{Verdict: "violated", Found: []difference{{Step: 4}}}}
	if r.cell() != "no violation within "+bounds+"; departs at step 4" {
		t.Errorf("the cell is %q", r.cell())
	}
	before := "| bug | 3.8.0 | 3.9.3 |\n|---|---|---|\n| [x](x.hcl) | not run | no violation; not driven |\n"
	after := withBounds(before, []*result{r})
	if want := strings.Replace(before, "violation", "violation within "+bounds, 1); after != want || withBounds(after, []*result{r}) != want {
		t.Errorf("%s", after)
	}
}

// TestWithRows: rows of bugs that were not run stay, and the new rows stand in their order.
func TestWithRows(t *testing.T) {
	versions := []string{"3.8.0", "3.9.1"}
	old := []*result{keptOf("a", "3.8.0", confirmed), keptOf("a", "3.9.1", refused), keptOf("c", "3.8.0", departed), keptOf("c", "3.9.1", confirmed)}
	before := table([]string{"a", "c"}, versions, old)
	before = strings.Replace(before, "on 0001-01-01", "from 0001-01-01 to 0001-01-02", 1)
	fresh := []*result{keptOf("a", "3.8.0"), keptOf("a", "3.9.1"), keptOf("b", "3.8.0", confirmed), keptOf("b", "3.9.1", departed), keptOf("c", "3.8.0"), keptOf("c", "3.9.1")}
	now := strings.Replace(table([]string{"a", "b", "c"}, versions, fresh), "on 0001-01-01", "on 0001-01-03", 1)
	text, err := withRows(now, before, func(bug string) bool { return bug != "b" })
	if err != nil {
		t.Fatal(err)
	}
	both := append(old[:2:2], append(fresh[2:4:4], old[2:]...)...)
	want := strings.Replace(table([]string{"a", "b", "c"}, versions, both), "on 0001-01-01", "from 0001-01-01 to 0001-01-03", 1)
	lines := func(text string) []string {
		out := slices.Collect(strings.Lines(text))
		slices.Sort(out) // reasons follow those of new runs
		return out
	}
	if !slices.Equal(lines(text), lines(want)) {
		t.Errorf("the document is\n%s\nwant\n%s", text, want)
	}
	if at := strings.Index(text, "| [b]"); at < strings.Index(text, "| [a]") || at > strings.Index(text, "| [c]") {
		t.Errorf("the rows are not in their order:\n%s", text)
	}
	measured := strings.Replace(before, "from 0001-01-01 to 0001-01-02", "from 0001-02-01 to 0001-02-02", 1)
	nothing := []*result{keptOf("a", "3.8.0"), keptOf("a", "3.9.1"), keptOf("c", "3.8.0"), keptOf("c", "3.9.1")}
	text, err = withRows(table([]string{"a", "c"}, versions, nothing), measured, func(string) bool { return true })
	if err != nil || text != measured {
		t.Errorf("a folder without results leaves\n%s\nof\n%s\n%v", text, measured, err)
	}
	if _, err := withRows(table([]string{"b"}, versions[:1], fresh[2:3]), before, func(bug string) bool { return bug != "b" }); err == nil {
		t.Error("rows of other versions are kept")
	}
}
