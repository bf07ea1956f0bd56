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
