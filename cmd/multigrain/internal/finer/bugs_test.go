package finer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

var (
	bugs   = flag.Bool("bugs", false, "follow the counterexamples of configs/zab/bugs, and write testdata/bugs.tsv")
	update = flag.Bool("update", false, "write the table of docs/results/finer.md")
	// mostTime bounds the search and each composition in which a counterexample is followed.
	mostTime = flag.Duration("most", 2*time.Minute, "the time of each search")
	with     = flag.String("with", "", "the command that follows them; one is built if it is not given")
	only     = flag.String("only", "", "follow those alone that have a part of this name, such as zk-4643")
)

// mostRun bounds one manifest with its builds.
const mostRun = 15 * time.Minute

const head = "manifest\texit\tverdict\tproperty\tbetween\tbaseline\n"

// TestBugs follows the counterexample of each manifest of configs/zab/bugs, and writes
// testdata/bugs.tsv. A manifest that has a line keeps it, so that a run that was ended continues.
func TestBugs(t *testing.T) {
	if !*bugs {
		t.Skip("checks all of configs/zab/bugs, which takes an hour and more: give -bugs")
	}
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	command := *with
	if command == "" {
		command = filepath.Join(t.TempDir(), "multigrain")
		build := exec.Command("go", "build", "-o", command, "./cmd/multigrain")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, manifest := range manifests(t) {
		rows := readRows(t)
		if !strings.Contains(manifest, *only) {
			continue
		}
		if slices.ContainsFunc(rows, func(r []string) bool { return r[0] == manifest }) {
			continue
		}
		if row := followed(t, root, command, manifest); row != nil {
			rows = append(rows, row)
		}
		slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
		var b strings.Builder
		b.WriteString(head)
		for _, r := range rows {
			b.WriteString(strings.Join(r, "\t") + "\n")
		}
		if err := os.WriteFile("testdata/bugs.tsv", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// followed returns the row of a manifest; nil if its time ended, or that of its search.
func followed(t *testing.T, root, command, manifest string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), mostRun)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, "check", manifest, "-finer", "-json", "-quiet", "-timeout", mostTime.String())
	cmd.Dir = root
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Errorf("%s: %v", manifest, err)
		return nil
	}
	var d struct {
		Verdict, Reason string
		Finer           *result.FinerAnswer
	}
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Errorf("%s: %v: %s", manifest, err, stderr.String())
		return nil
	}
	row := []string{manifest, fmt.Sprint(cmd.ProcessState.ExitCode()), "", "", "", ""}
	f := d.Finer
	if f == nil && d.Verdict == "undecided" { // a longer time may show the violation
		t.Logf("%s: %s", manifest, d.Reason)
		return nil
	}
	if f == nil {
		row[2] = d.Verdict + ", with no coarse grain"
		return row
	}
	row[2], row[3], row[5] = f.Verdict, f.Property, strings.Join(f.Grains, ", ")+": "+f.Reason
	for _, tried := range f.Tried {
		row[4] += fmt.Sprintf("%s: %s (%d states) ", strings.Join(tried.Grains, ", "), tried.Verdict, tried.States)
	}
	for k := range row {
		row[k] = strings.Join(strings.Fields(row[k]), " ")
	}
	return row
}

// manifests returns those of configs/zab/bugs.
func manifests(t *testing.T) (out []string) {
	t.Helper()
	all, err := filepath.Glob("../../../../configs/zab/bugs/*.hcl")
	if err != nil || len(all) == 0 {
		t.Fatalf("no bugs: %v", err)
	}
	for _, path := range all {
		out = append(out, "configs/zab/bugs/"+filepath.Base(path))
	}
	return out
}

func readRows(t *testing.T) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/bugs.tsv")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for k, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		r := strings.Split(line, "\t")
		if len(r) != strings.Count(head, "\t")+1 {
			t.Fatalf("testdata/bugs.tsv, line %d has %d columns", k+1, len(r))
		}
		if k > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// TestTable compares docs/results/finer.md with what was measured, or writes it with -update.
// A manifest without a line was not followed.
func TestTable(t *testing.T) {
	rows := readRows(t)
	var b strings.Builder
	b.WriteString("\n| manifest | exit | answer | property | grains between | the finest grains |\n|---|---|---|---|---|---|\n")
	var open []string
	for _, manifest := range manifests(t) {
		name := strings.TrimSuffix(filepath.Base(manifest), ".hcl")
		k := slices.IndexFunc(rows, func(r []string) bool { return r[0] == manifest })
		if k < 0 {
			open = append(open, name)
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, strings.Join(rows[k][1:], " | "))
	}
	if len(open) > 0 {
		b.WriteString("\nNot followed so far:\n")
		for _, name := range open {
			b.WriteString("- " + name + "\n")
		}
	}
	b.WriteString("\n")
	page, begin, end := "../../../../docs/results/finer.md", "<!-- bugs -->\n", "<!-- end of bugs -->\n"
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
		if err := os.WriteFile(page, []byte(before+begin+b.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != b.String() {
		t.Errorf("%s has another table: run go test ./cmd/multigrain/internal/finer -run TestTable -update", page)
	}
}
