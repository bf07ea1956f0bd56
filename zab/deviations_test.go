package zab

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/modules"
)

var updateDeviations = flag.Bool("update", false, "write docs/reference/deviations.md")

const deviationsFile = "../docs/reference/deviations.md"

// A deviation is a known difference of the specification from ZooKeeper's code.
type deviation struct{ file, of, text string }

// hides finds what a deviation says that it hides.
var hides = regexp.MustCompile(`(?i)\b(it|that|which) (also )?hides? (nothing)?`)

// readDeviations collects the paragraphs of comments that begin with Deviation. Each belongs to the
// declaration that follows its comment, or to the file.
func readDeviations(t *testing.T) (all []deviation) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`^(?:func (?:\([^)]*\) )?|var |const |type |package )(\w+)`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var open []string // paragraphs of the comment that is being read
		in := false
		for line := range strings.Lines(string(data)) {
			text, comment := strings.CutPrefix(strings.TrimSpace(line), "//")
			text = strings.TrimSpace(text)
			switch {
			case !comment:
				name := ""
				if m := declared.FindStringSubmatch(line); m != nil && m[1] != "zab" {
					name = m[1]
				}
				for _, d := range open {
					all = append(all, deviation{file, name, d})
				}
				open, in = nil, false
			case strings.HasPrefix(text, "Deviation:"):
				open, in = append(open, strings.TrimSpace(strings.TrimPrefix(text, "Deviation:"))), true
			case text == "":
				in = false
			case in:
				open[len(open)-1] += " " + text
			}
		}
	}
	return all
}

// TestDeviations: each deviation says what it hides, and docs/reference/deviations.md lists them
// all.
func TestDeviations(t *testing.T) {
	t.Parallel()
	all := readDeviations(t)
	if len(all) == 0 {
		t.Fatal("no comment begins with Deviation")
	}
	var some, none bytes.Buffer
	for _, d := range all {
		m := hides.FindStringSubmatch(d.text)
		if m == nil {
			t.Errorf("%s: %q does not say whether it can hide a behaviour: add a sentence \"That hides ...\" or \"That hides nothing: ...\"",
				d.file, d.text)
			continue
		}
		to := &some
		if m[3] == "nothing" {
			to = &none
		}
		place := d.file
		if d.of != "" {
			place += ", " + d.of
		}
		fmt.Fprintf(to, "- [%s](../../zab/%s): %s\n", place, d.file, strings.ToUpper(d.text[:1])+d.text[1:])
	}
	want := fmt.Sprintf("# Where package zab deviates from ZooKeeper's code\n\n"+
		"`go test ./zab -run TestDeviations -update` writes this file from the comments of package zab.\n"+
		"The comment of the package, zab/doc.go, says what is not modelled.\n\n"+
		"## What hides a behaviour\n\n%s\n## What hides nothing\n\n%s", some.String(), none.String())
	if *updateDeviations {
		if err := os.WriteFile(deviationsFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(deviationsFile)
	if err != nil || string(have) != want {
		t.Errorf("%s is out of date (%v): run go test ./zab -run TestDeviations -update", deviationsFile, err)
	}
}

const actionsFile = "../docs/reference/actions.md"

// TestPlaces: docs/reference/actions.md names the methods of each action of the catalog, and the
// lines of each method in each version. A test of package zookeeper compares the columns with the
// versions.
func TestPlaces(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(actionsFile)
	if err != nil {
		t.Fatal(err)
	}
	methods, lines := map[string][]string{}, map[string][]string{}
	var columns []string
	for row := range strings.Lines(string(data)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "| "), " | ")
		switch {
		case len(cells) < 2 || cells[0] == "action":
		case cells[0] == "method":
			columns = cells
		case columns == nil:
			methods[cells[0]] = strings.Split(cells[1], ", ")
		default:
			lines[cells[0]] = cells
		}
	}
	for k := range System.Grains {
		for _, a := range System.Grains[k].Actions {
			if name := modules.NameOf(a); len(methods[name]) == 0 {
				t.Errorf("%s: the action %s has no row", actionsFile, name)
			}
		}
	}
	for name, of := range methods {
		for _, m := range of {
			if have := lines[m]; len(have) != len(columns) {
				t.Errorf("%s: %s stands for %s, whose row has %d cells, want %d", actionsFile, name, m, len(have), len(columns))
			}
		}
	}
}
