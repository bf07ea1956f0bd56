package multigrain_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/configs"
)

// Parts of a sentence: a shipped manifest, the verdict, a value of a variable.
var (
	holdsManifest = regexp.MustCompile(`configs/(?:zab/[a-z0-9/-]+)\.hcl`)
	holdsVerdict  = regexp.MustCompile(`\bholds?\b`)
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
			if !held[manifest] || !holdsVerdict.MatchString(s) {
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
	var with configs.Options
	for _, m := range holdsVariable.FindAllStringSubmatch(sentence, -1) {
		with.Assignments = append(with.Assignments, configs.Assignment{Var: m[1] + "=" + m[2]})
	}
	m, diags := configs.Load(manifest, with)
	if diags.HasErrors() {
		return ""
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
