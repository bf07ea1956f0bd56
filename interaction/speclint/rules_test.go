package speclint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/speclint"
)

// TestRules requires for every rule a line of the documentation and a finding that a test expects,
// and codes that ascend.
func TestRules(t *testing.T) {
	var wants strings.Builder
	files, err := filepath.Glob("testdata/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		wants.Write(text)
	}
	last := "MG400"
	for _, r := range speclint.Rules() {
		if r.Code <= last || len(r.Code) != len(last) {
			t.Errorf("%s follows %s", r.Code, last)
		}
		last = r.Code
		if !strings.Contains(speclint.Analyzer.Doc, "\t"+r.Code+"  ") {
			t.Errorf("%s is not documented", r.Code)
		}
		if !strings.Contains(wants.String(), "`"+r.Code) {
			t.Errorf("no test expects %s", r.Code)
		}
		if r.Title == "" || len(strings.Fields(r.Title)) > 6 || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: title %q", r.Code, r.Title)
		}
	}
}
