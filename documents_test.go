package multigrain_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kindsOfDocuments are the folders of docs. Each holds documents for one need of a reader.
var kindsOfDocuments = map[string]string{
	"tutorial":    "a lesson with a result, for somebody who begins",
	"how-to":      "the steps of one task",
	"reference":   "what is there, complete, to look up",
	"explanation": "why it works and what its limits are",
	"results":     "figures with date, machine and command",
	"decisions":   "one choice each: context, decision, consequences",
}

// TestKindsOfDocuments checks that each document stands in a folder for its kind.
func TestKindsOfDocuments(t *testing.T) {
	entries, err := os.ReadDir("docs")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "testdata" && kindsOfDocuments[e.Name()] == "" {
			t.Errorf("docs/%s: move it into the folder of its kind: %v", e.Name(), kindsOfDocuments)
		}
	}
}

// TestNamedDocuments checks that the documents exist which code, messages, manifests and other
// documents name with their paths.
func TestNamedDocuments(t *testing.T) {
	named := regexp.MustCompile(`\bdocs/[\w./-]+\.(?:md|json|yml)\b`)
	read := []string{".go", ".md", ".hcl", ".txtar", ".txt", ".yml", ".tsv"}
	seen := 0
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if e != nil && strings.HasPrefix(e.Name(), ".") && name != "." && e.Name() != ".ci" {
				return fs.SkipDir
			}
			return err
		}
		if !slices.Contains(read, path.Ext(name)) {
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > 1<<20 {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, target := range named.FindAllString(string(text), -1) {
			seen++
			if _, err := os.Stat(filepath.FromSlash(target)); err != nil {
				t.Errorf("%s names %s, which does not exist", filepath.ToSlash(name), target)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("only %d names of documents were found", seen)
	}
}

// glossary is the document with the terms of the method.
const glossary = "docs/reference/glossary.md"

// terms returns the terms of the glossary in lower case, each with the text of its section.
func terms(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(glossary)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		out[strings.ToLower(name)] = body
	}
	return out
}

// TestNamedFiles checks that the files exist which documents name by their paths from the root of
// the repository, in code spans.
func TestNamedFiles(t *testing.T) {
	named := regexp.MustCompile("`((?:checker|cmd|compose|configs|grains|interaction|modules|raft|zab)/[\\w./-]+\\.[a-z]+)`")
	seen := 0
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), ".") && name != ".":
			return fs.SkipDir
		case path.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			seen++
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("%s: %s does not exist", name, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Errorf("only %d files are named", seen)
	}
}

// TestGlossary checks that each term has one plain sentence, and appears in the files that the
// glossary names.
func TestGlossary(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]+)\)`)
	all := terms(t)
	if len(all) < 50 {
		t.Fatalf("%d terms", len(all))
	}
	for name, body := range all {
		sentence, where, _ := strings.Cut(strings.TrimSpace(body), "\n\n")
		if n := len(sentenceEnd.FindAllString(sentence, -1)); n != 1 {
			t.Errorf("%s: %d sentences, want one", name, n)
		}
		files := link.FindAllStringSubmatch(where, -1)
		if len(files) == 0 {
			t.Errorf("%s: no file is named in which the term appears", name)
		}
		for _, m := range files {
			file := path.Join(path.Dir(glossary), m[1])
			text, err := os.ReadFile(filepath.FromSlash(file))
			plain := strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(string(text)), "//", " ")), " ")
			if err != nil || !strings.Contains(plain, name) {
				t.Errorf("%s: the term does not appear in %s (%v)", name, file, err)
			}
		}
	}
}

// TestTermsOfDocuments checks that the glossary has the terms that tutorials and explanations
// introduce in italics.
func TestTermsOfDocuments(t *testing.T) {
	fenced := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	italic := regexp.MustCompile(`(?:^|[^*\w])\*([A-Za-z][^*|\n]*)\*(?:[^*\w]|$)`)
	emphasis := []string{"not"}
	all := terms(t)
	seen := 0
	for _, pattern := range []string{"docs/tutorial/*.md", "docs/explanation/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range italic.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
				term := strings.ToLower(strings.TrimSuffix(m[1], "s"))
				if seen++; all[term] == "" && !slices.Contains(emphasis, term) {
					t.Errorf("%s introduces *%s*, which %s lacks", file, m[1], glossary)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d terms are introduced in italics", seen)
	}
}

// TestAnchors checks that the headings exist to which links lead.
func TestAnchors(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*\.md)?#([^)]+)\)`)
	fenced := regexp.MustCompile("(?s)```.*?```|`[^`]*`")
	heading := regexp.MustCompile(`(?m)^#+ (.+)$`)
	other := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	files, err := filepath.Glob("docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			target := filepath.ToSlash(file)
			if m[1] != "" {
				target = path.Join(path.Dir(target), m[1])
			}
			linked, err := os.ReadFile(filepath.FromSlash(target))
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			var anchors []string
			for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(string(linked), ""), -1) {
				anchors = append(anchors, strings.ReplaceAll(other.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"))
			}
			if !slices.Contains(anchors, m[2]) {
				t.Errorf("%s links to #%s of %s, which has the headings %q", file, m[2], target, anchors)
			}
		}
	}
}
