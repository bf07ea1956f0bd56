package multigrain_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// snapshotFile holds one row for each shipped manifest: what `multigrain check` finds. A change of
// the code that changes a row is either a mistake or deliberate. A deliberate one states its reason
// in the row's last column.
const snapshotFile = "configs/testdata/snapshot.tsv"

var (
	updateSnapshot = flag.Bool("snapshot.update", false, "rewrite the rows that differ; needs -snapshot.reason")
	snapshotReason = flag.String("snapshot.reason", "", "why rows change, for -snapshot.update")
)

// A snapshotRow is the result of one manifest. Of an undecided run only the complete levels count,
// since the number of states in the last level depends on the workers. Distinct is then the sum of
// these levels, Depth the last of them, Generated 0 and Digest "-".
type snapshotRow struct {
	Manifest  string // path with slashes, from the repository's root
	Limit     int    // -max-states; 0: none
	Verdict   string // as check -json prints it, or "refused" with the codes of the errors
	Distinct  int
	Generated int
	Depth     int
	Digest    string
	Steps     int    // length of the first violation's counterexample; 0: none
	Reason    string // of the last deliberate change; "-": unchanged since the first snapshot
}

func (r snapshotRow) String() string {
	return fmt.Sprintf("%s\t%d\t%s\t%d\t%d\t%d\t%s\t%d\t%s", r.Manifest, r.Limit, r.Verdict, r.Distinct, r.Generated, r.Depth,
		r.Digest, r.Steps, r.Reason)
}

const snapshotHeader = "manifest\tlimit\tverdict\tdistinct\tgenerated\tdepth\tdigest\tsteps\treason\n"

func readSnapshot(t *testing.T) []snapshotRow {
	t.Helper()
	data, err := os.ReadFile(snapshotFile)
	if err != nil {
		t.Fatal(err)
	}
	body, ok := strings.CutPrefix(string(data), snapshotHeader)
	if !ok {
		t.Fatalf("%s: the first line is not %q", snapshotFile, snapshotHeader)
	}
	var rows []snapshotRow
	for line := range strings.Lines(body) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 9 {
			t.Fatalf("%s: %q has %d columns, want 9", snapshotFile, line, len(f))
		}
		number := func(s string) int {
			n, err := strconv.Atoi(s)
			if err != nil {
				t.Fatalf("%s: %q: %v", snapshotFile, line, err)
			}
			return n
		}
		rows = append(rows, snapshotRow{Manifest: f[0], Limit: number(f[1]), Verdict: f[2], Distinct: number(f[3]),
			Generated: number(f[4]), Depth: number(f[5]), Digest: f[6], Steps: number(f[7]), Reason: f[8]})
	}
	return rows
}

func writeSnapshot(t *testing.T, rows []snapshotRow) {
	t.Helper()
	slices.SortFunc(rows, func(a, b snapshotRow) int { return cmp.Compare(a.Manifest, b.Manifest) })
	var b strings.Builder
	b.WriteString(snapshotHeader)
	for _, r := range rows {
		if r.Verdict != "" { // else it is new, and -run has not picked it
			fmt.Fprintln(&b, r)
		}
	}
	if err := os.WriteFile(snapshotFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shippedManifests returns the manifests under configs, except fixtures.
func shippedManifests(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir("configs", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "parts") {
			return fs.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".hcl" {
			paths = append(paths, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// withShipped returns the rows with an empty one for each shipped manifest that has none.
func withShipped(t *testing.T, rows []snapshotRow) []snapshotRow {
	t.Helper()
	for _, m := range shippedManifests(t) {
		if !slices.ContainsFunc(rows, func(r snapshotRow) bool { return r.Manifest == m }) {
			rows = append(rows, snapshotRow{Manifest: m})
		}
	}
	return rows
}

// TestSnapshotRows checks that every shipped manifest has one row and every row a manifest.
func TestSnapshotRows(t *testing.T) {
	if *updateSnapshot {
		t.Skip("rows are being added")
	}
	var have []string
	for _, r := range readSnapshot(t) {
		have = append(have, r.Manifest)
		if r.Verdict == "" {
			t.Errorf("%s has a row without a result in %s", r.Manifest, snapshotFile)
		}
	}
	shipped := shippedManifests(t)
	for _, m := range shipped {
		if !slices.Contains(have, m) {
			t.Errorf("%s has no row in %s: run\n  MULTIGRAIN_SLOW=1 go test . -run 'TestSnapshot/%s' -snapshot.update -snapshot.reason new",
				m, snapshotFile, m)
		}
	}
	for k, m := range have {
		if !slices.Contains(shipped, m) {
			t.Errorf("%s: row %s has no manifest: remove the row", snapshotFile, m)
		}
		if slices.Index(have, m) != k {
			t.Errorf("%s: two rows for %s", snapshotFile, m)
		}
	}
}

// TestSnapshot checks every shipped manifest and compares the result with its row: the same states,
// by count and digest, the same depth, and a counterexample of the same length. It needs
// MULTIGRAIN_SLOW=1. The flag -run TestSnapshot/configs/zab/bugs picks a folder.
func TestSnapshot(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("explores every shipped manifest, which takes half an hour: set MULTIGRAIN_SLOW=1")
	}
	if *updateSnapshot && *snapshotReason == "" {
		t.Fatal("-snapshot.update needs -snapshot.reason")
	}
	rows := readSnapshot(t)
	if *updateSnapshot {
		rows = withShipped(t, rows)
	}
	command := sync.OnceValue(func() string { return buildCommand(t) })
	for k, want := range rows {
		t.Run(want.Manifest, func(t *testing.T) {
			got := checkForSnapshot(t, command(), want)
			if got == want {
				return
			}
			if *updateSnapshot {
				got.Reason = *snapshotReason
				rows[k] = got
				return
			}
			t.Errorf("the result differs from %s\n%s   was %v\n   now %v", snapshotFile, snapshotHeader, want, got)
		})
	}
	if *updateSnapshot {
		writeSnapshot(t, rows)
	}
}

// buildCommand builds multigrain into a folder that lasts as long as t.
func buildCommand(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "multigrain")
	out, err := exec.Command("go", "build", "-o", path, "./cmd/multigrain").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// checkForSnapshot runs check on the row's manifest and returns what it finds as a row.
func checkForSnapshot(t *testing.T, command string, row snapshotRow) snapshotRow {
	t.Helper()
	args := []string{"check", row.Manifest, "-json", "-quiet", "-mem", "8GiB", "-traces", t.TempDir()}
	if row.Limit > 0 {
		args = append(args, "-max-states", strconv.Itoa(row.Limit))
	}
	var complaints strings.Builder
	cmd := exec.Command(command, args...)
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var doc struct {
		Verdict             string
		Distinct, Generated int
		Depth               int
		Digest              string
		Levels              []int
		Violations          []struct{ Trace string }
		Diagnostics         []struct{ Severity, Code string }
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out, complaints.String())
	}
	got := snapshotRow{Manifest: row.Manifest, Limit: row.Limit, Verdict: doc.Verdict, Distinct: doc.Distinct,
		Generated: doc.Generated, Depth: doc.Depth, Digest: cmp.Or(doc.Digest, "-"), Reason: row.Reason}
	switch {
	case doc.Digest == "":
		got.Verdict = "refused"
		for _, d := range doc.Diagnostics {
			if d.Severity == "error" {
				got.Verdict += " " + d.Code
			}
		}
	case doc.Verdict == "undecided":
		got.Distinct, got.Generated, got.Depth, got.Digest = 0, 0, len(doc.Levels)-2, "-"
		for _, n := range doc.Levels[:len(doc.Levels)-1] {
			got.Distinct += n
		}
	}
	if len(doc.Violations) > 0 {
		got.Steps = stepsOf(t, doc.Violations[0].Trace)
	}
	return got
}

// stepsOf returns the number of steps of a trace in ITF JSON: one less than its states.
func stepsOf(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var trace struct{ States []json.RawMessage }
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return len(trace.States) - 1
}
