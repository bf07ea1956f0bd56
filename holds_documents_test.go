package multigrain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/zab/zookeeper"
)

// Parts of a sentence: a shipped manifest, the verdict, a value of a variable.
var (
	holdsManifest = regexp.MustCompile(`configs/(?:zab/[a-z0-9/-]+)\.hcl`)
	holdsVerdict  = regexp.MustCompile(`\bholds?\b|\b(?:do|does|did) not violate\b|\b(?:is|are|was|were) not violated\b|\bno violations?\b|\bwithout (?:a |any )?violations?\b|\bviolates? (?:nothing|none|no)\b|\bfinds? no violations?\b`)
	holdsVariable = regexp.MustCompile("-var ([a-z_]+)=([a-z0-9.-]+)")
	statementEnd  = regexp.MustCompile("[.:] (?:[A-Z\\[`])")
)

// TestHoldsHaveBounds: where the README or a page of results says of a shipped manifest that it
// holds, the same sentence or row says within which bounds.
func TestHoldsHaveBounds(t *testing.T) {
	held := map[string]bool{}
	for _, r := range readSnapshot(t) {
		held[r.Manifest] = r.Verdict == "holds"
	}
	pages := []string{"README.md"}
	for _, pattern := range []string{"docs/results/*.md", "docs/results/findings/*.md"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, more...)
	}
	seen := 0
	for _, page := range pages {
		if page == holdsFile || page == "docs/results/larger-bounds.md" {
			continue // each row has its bounds
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements(string(text)) {
			manifest := manifestOf(s, held)
			if !held[manifest] || !holdsVerdict.MatchString(s) || searchedTo.MatchString(s) {
				continue
			}
			seen++
			if want := withinOf(t, manifest, s); want != "" && !strings.Contains(s, want) {
				t.Errorf("%s says that %s holds: write %q in the same sentence or row:\n  %s", page, manifest, want, s)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d sentences say that a manifest holds, and there are more: the search for them is wrong", seen)
	}
}

// manifestOf returns the manifest that a sentence names. A row of a table can have the name alone,
// after a row that has its path.
func manifestOf(s string, held map[string]bool) string {
	if path := holdsManifest.FindString(s); path != "" || !strings.HasPrefix(s, "| ") {
		return path
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(s, "| "), ",")
	for _, folder := range []string{"hunt/", "fixes/", ""} {
		if path := "configs/zab/" + folder + name + ".hcl"; held[path] {
			return path
		}
	}
	return ""
}

// statements returns the sentences and the rows of a document.
func statements(text string) (out []string) {
	for _, paragraph := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(paragraph, "|") {
			out = append(out, strings.Split(paragraph, "\n")...)
			continue
		}
		s := strings.Join(strings.Fields(paragraph), " ")
		for at := statementEnd.FindStringIndex(s); at != nil; at = statementEnd.FindStringIndex(s) {
			out, s = append(out, s[:at[0]+1]), s[at[0]+2:]
		}
		out = append(out, s)
	}
	return out
}

// withinOf returns the bounds of a manifest with the values of variables that a sentence has. A
// sentence can have values of other manifests: "" if this one does not take them.
func withinOf(t *testing.T, manifest, sentence string) string {
	t.Helper()
	key := fmt.Sprint(manifest, holdsVariable.FindAllString(sentence, -1))
	if bounds, known := withinKnown[key]; known {
		return bounds
	}
	bounds := boundsWith(manifest, sentence)
	withinKnown[key] = bounds
	return bounds
}

// withinKnown has what withinOf has returned, by manifest and settings.
var withinKnown = map[string]string{}

// boundsWith loads the manifest for withinOf.
func boundsWith(manifest, sentence string) string {
	var with configs.Options
	for _, m := range holdsVariable.FindAllStringSubmatch(sentence, -1) {
		with.Assignments = append(with.Assignments, configs.Assignment{Var: m[1] + "=" + m[2]})
	}
	m, diags := configs.Load(manifest, with)
	if diags.HasErrors() {
		return ""
	}
	if _, some := m.Bounds.Get("crashes"); !some {
		// of system zab-protocol
		return m.Bounds.InWords("transactions", "epochs", "timeouts", "restarts")
	}
	return m.Bounds.InWords("transactions", "crashes", "partitions")
}

// TestStatements: a sentence ends with its full stop, and a row of a table is one statement.
func TestStatements(t *testing.T) {
	t.Parallel()
	got := fmt.Sprintf("%q", statements("A `a.hcl` holds\nwithin 1 crash. B is 3.9.5 today.\n\n| a | b |\n| c. D | e |\n"))
	want := "[\"A `a.hcl` holds within 1 crash.\" \"B is 3.9.5 today.\" \"| a | b |\" \"| c. D | e |\" \"\"]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Parts of the pages about bugs of ZooKeeper, where each "holds" has its bounds.
var (
	holdsWithin  = regexp.MustCompile(`within \d+ transactions?, \d+ crash(?:es)?, \d+ partitions?`)
	searchedTo   = regexp.MustCompile(`no violations? in [\d ]+states(?: to depth \d+|, \d+ levels)|[\d ]+walks without a violation`)
	holdsGeneral = regexp.MustCompile(`manifests? that holds?\b|what holds\b|\[holds\.md\]|says that a repair holds`)
	bugPages     = []string{"README.md", "docs/results/confirmed.md", "docs/results/starts.md", "docs/results/final.md", "docs/results/refine.md", "configs/zab/phases/README.md", "docs/results/bugs.md", "docs/results/versions.md", "docs/results/hunt.md", "docs/results/findings/*.md"}
)

// TestHoldsOfBugs: where a page about ZooKeeper's bugs says that something holds, the same sentence
// or cell says within which bounds, also if it is a bug's manifest with other settings. The bounds
// are those of a manifest that the page names, with the settings of the sentence.
func TestHoldsOfBugs(t *testing.T) {
	seen := 0
	for _, pattern := range bugPages {
		pages, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			manifests := holdsManifest.FindAllString(string(text), -1)
			if len(manifests) == 0 {
				continue // about another system
			}
			for _, s := range statements(string(text)) {
				n := holdsWithoutBounds(s)
				if n < 0 {
					continue
				}
				if seen++; n > 0 {
					t.Errorf("%s: write the bounds in the same sentence or cell, as \"within 1 transaction, 2 crashes, 0 partitions\":\n  %s", page, s)
				}
				for _, bounds := range holdsWithin.FindAllString(s, -1) {
					if !boundsOfAny(t, slices.Concat(manifests, []string{"configs/zab/bugs/" + strings.TrimSuffix(filepath.Base(page), ".md") + ".hcl"}), s, bounds) {
						t.Errorf("%s: no manifest that the page names has the bounds %q with the settings of\n  %s", page, bounds, s)
					}
				}
			}
		}
	}
	if seen < 40 {
		t.Errorf("%d sentences say that something holds, and there are more: the search for them is wrong", seen)
	}
}

// holdsWithoutBounds returns how many verdicts of a sentence or row have no bounds, and -1 if it
// has no verdict. A sentence needs its bounds once, and a row for each verdict. A search that did
// not end has states and depth, or walks.
func holdsWithoutBounds(s string) int {
	n := len(holdsVerdict.FindAllString(s, -1))
	if n == 0 || holdsGeneral.MatchString(s) {
		return -1
	}
	if !strings.HasPrefix(s, "|") {
		n = 1
	}
	return max(0, n-len(holdsWithin.FindAllString(s, -1))-len(searchedTo.FindAllString(s, -1)))
}

// boundsOfAny reports whether one of the manifests has the bounds, with the values of variables
// that a sentence has. A row about a manifest of configs/zab/versions has a cell for each version.
func boundsOfAny(t *testing.T, manifests []string, sentence, bounds string) bool {
	t.Helper()
	for _, m := range slices.Compact(slices.Sorted(slices.Values(manifests))) {
		if _, err := os.Stat(m); err == nil && "within "+withinOf(t, m, sentence) == bounds {
			return true
		}
	}
	if row := holdsManifest.FindString(sentence); strings.HasPrefix(sentence, "|") && strings.HasPrefix(row, "configs/zab/versions/") {
		for _, v := range zookeeper.Versions {
			if "within "+withinOf(t, row, "-var version="+v.Name) == bounds {
				return true
			}
		}
	}
	return false
}

// TestHoldsWithoutBounds: a verdict without bounds is seen in a sentence, and in one cell of a row.
func TestHoldsWithoutBounds(t *testing.T) {
	t.Parallel()
	const within = "within 1 transaction, 2 crashes, 0 partitions"
	for s, want := range map[string]int{
		"`a.hcl` holds.":                            1,
		"The bounds hold with a repair.":            1,
		"It holds " + within + ".":                  0,
		"It threshholds nothing.":                   -1,
		"`a.hcl` does not violate I-8.":             1,
		"I-8 is not violated with the repair.":      1,
		"There is no violation in 3.9.5.":           1,
		"It runs without a violation.":              1,
		"The repair violates nothing.":              1,
		"`a.hcl` does not hold " + within + ".":     0,
		"It has no violation in 1 234 states.":      1,
		"no violation in 1 234 states to depth 24":  0,
		"It took 20 walks without a violation.":     0,
		"| a | no violation; not driven | holds |":  2,
		"Each manifest that holds is listed.":       -1,
		"| a | holds<br>" + within + " | holds |":   1,
		"| a | holds " + within + " | 20 steps | |": 0,
	} {
		if got := holdsWithoutBounds(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

// TestHoldsInManifests: where a comment of a manifest says that the manifest holds, or that it does
// with other settings, the same sentence says within which bounds. They are those of the manifest
// with the settings of the sentence.
func TestHoldsInManifests(t *testing.T) {
	seen := 0
	for _, pattern := range []string{"configs/zab/*.hcl", "configs/zab/*/*.hcl"} {
		manifests, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range manifests {
			text, err := os.ReadFile(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range statements(commentsOf(string(text))) {
				if holdsWithoutBounds(s) < 0 {
					continue
				}
				seen++
				if want := withinOf(t, m, s); want != "" && !strings.Contains(s, "within "+want) {
					t.Errorf("%s: write its bounds with these settings in the same sentence, as \"within %s\":\n  %s", m, want, s)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d comments say that a manifest holds, and there are more: the search for them is wrong", seen)
	}
}

// commentsOf returns the comments of a manifest, with an empty line between two that do not touch.
func commentsOf(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		comment, is := strings.CutPrefix(strings.TrimSpace(line), "#")
		if b.WriteByte('\n'); is {
			b.WriteString(strings.TrimSpace(comment))
		}
	}
	return b.String()
}
