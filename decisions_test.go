package multigrain_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var updateDecisions = flag.Bool("decisions", false, "write "+decisionsIndex)

const decisionsIndex = "docs/decisions/README.md"

// decisionHead matches how a decision begins: number, title and area.
var decisionHead = regexp.MustCompile(`^# (\d{4}): (.+)\n\nArea: (.+)\n`)

// TestDecisions compares the index of the decisions with their files. Each file begins with its
// number, which its name repeats, its title and its area.
//
//	go test . -run TestDecisions -decisions    writes the index
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("docs/decisions/[0-9]*.md")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	rows := map[string]string{} // by area
	paths := map[string]string{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		number := name[:4]
		m := decisionHead.FindSubmatch(text)
		if m == nil || string(m[1]) != number {
			t.Errorf("%s: begin the file with %q and a line %q", path, "# "+number+": TITLE", "Area: AREA")
			continue
		}
		if other := paths[number]; other != "" {
			t.Errorf("%s and %s have the same number", other, path)
		}
		paths[number] = path
		rows[string(m[3])] += fmt.Sprintf("- [%s](%s): %s\n", number, name, m[2])
	}
	var want bytes.Buffer
	want.WriteString("# Decisions\n\n" +
		"`go test . -run TestDecisions -decisions` writes this index. A decision that turns out wrong is\n" +
		"changed together with its reason. Figures are in [docs/results](../results).\n")
	for _, area := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&want, "\n## %s\n\n%s", area, rows[area])
	}
	if *updateDecisions {
		if err := os.WriteFile(decisionsIndex, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(decisionsIndex)
	if err != nil || !bytes.Equal(have, want.Bytes()) {
		t.Errorf("%s is not the index of the files: run go test . -run TestDecisions -decisions (%v)", decisionsIndex, err)
	}
}
