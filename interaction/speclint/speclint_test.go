package speclint_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/multigrain/multigrain/interaction/speclint"
)

// TestFindings compares the findings with the want comments of the packages below testdata, which
// is a module of its own.
func TestFindings(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, speclint.Analyzer, "./...")
}
