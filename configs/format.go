package configs

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/pmezard/go-difflib/difflib"
)

// Format returns a manifest, or a file of values, in the canonical layout. A
// file with syntax errors is returned as it is, with the errors.
func Format(filename string, src []byte) ([]byte, hcl.Diagnostics) {
	l := &loader{
		m:        &Manifest{Sources: make(map[string]*hcl.File)},
		readFile: func(string) ([]byte, error) { return src, nil },
	}
	if _, ok := l.read(filename, hcl.Range{}); !ok {
		return src, l.diags
	}
	if _, diags := hclsyntax.ParseConfig(src, filename, hcl.InitialPos); diags.HasErrors() {
		return src, WithCode(CodeSyntax, diags)
	}
	return hclwrite.Format(src), nil
}

// Diff returns the unified difference between two texts with three lines of
// context, or "" if they are equal.
func Diff(oldName, newName string, oldText, newText []byte) string {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: lines(oldText), FromFile: oldName,
		B: lines(newText), ToFile: newName,
		Context: 3,
	})
	if err != nil {
		panic(err) // it writes to memory only
	}
	return text
}

// lines splits a text behind its line ends and marks a last line without one
// as the format of unified differences has it.
func lines(text []byte) []string {
	all := strings.SplitAfter(string(text), "\n")
	last := len(all) - 1
	if all[last] == "" {
		return all[:last]
	}
	all[last] += "\n\\ No newline at end of file\n"
	return all
}
