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
	"strings"
	"testing"
)

var updateDecisions = flag.Bool("decisions", false, "write "+decisionsIndex)

const decisionsIndex = "docs/decisions/README.md"

// mostWords is the number of words of an area's page that is read in half an hour.
const mostWords = 6000

var (
	citedDecision = regexp.MustCompile(`\[(\d{4})\]`)
	linksOfPage   = regexp.MustCompile(`(?m)\n(\[\d{4}\]: .+\n)+\z`)
)

// areaPage checks the page that states what holds today in one area. Each sentence ends with the
// numbers of its decisions, each decision of the area is named, and the links at the end, which
// -decisions writes, lead to them.
func areaPage(t *testing.T, page, own string, paths map[string]string) {
	t.Helper()
	have, err := os.ReadFile(page)
	if err != nil {
		t.Errorf("an area of decisions has a page: %v", err)
		return
	}
	text := string(linksOfPage.ReplaceAll(have, nil))
	cited := map[string]bool{}
	for _, paragraph := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(paragraph, "#") {
			continue
		}
		for _, sentence := range strings.SplitAfter(strings.Join(strings.Fields(paragraph), " ")+" ", ". ") {
			numbers := citedDecision.FindAllStringSubmatch(sentence, -1)
			if strings.TrimSpace(sentence) != "" && len(numbers) == 0 {
				t.Errorf("%s: name the decision of %q", page, sentence)
			}
			for _, n := range numbers {
				cited[n[1]] = true
			}
		}
	}
	for _, row := range strings.Split(strings.TrimSpace(own), "\n") {
		if n := citedDecision.FindStringSubmatch(row)[1]; !cited[n] {
			t.Errorf("%s says nothing of decision %s", page, n)
		}
	}
	if n := len(strings.Fields(text)); n > mostWords {
		t.Errorf("%s has %d words, at most %d are read in half an hour", page, n, mostWords)
	}
	want := strings.TrimRight(text, "\n") + "\n\n"
	for _, n := range slices.Sorted(maps.Keys(cited)) {
		if paths[n] == "" {
			t.Errorf("%s names decision %s, which is no file", page, n)
			continue
		}
		want += fmt.Sprintf("[%s]: %s\n", n, filepath.Base(paths[n]))
	}
	if *updateDecisions {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(have) {
		t.Errorf("the links of %s are not those of its sentences: run go test . -run TestDecisions -decisions", page)
	}
}

// decisionHead matches how a decision begins: number, title and area.
var decisionHead = regexp.MustCompile(`^# (\d{4}): (.+)\n\nArea: (.+)\n`)

// TestDecisions compares the index of the decisions with their files. Each file begins with its
// number, which its name repeats, its title and its area. Each area has a page: see areaPage.
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
		page := strings.ReplaceAll(strings.ToLower(area), " ", "-") + ".md"
		fmt.Fprintf(&want, "\n## %s\n\n[What holds today](%s)\n\n%s", area, page, rows[area])
		areaPage(t, "docs/decisions/"+page, rows[area], paths)
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
