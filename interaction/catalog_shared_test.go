package interaction

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSharedSlices expects the code and the lines of speclint's test data, and nothing else but
// MG415: a function that appends to a list of declarations may change it.
func TestSharedSlices(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("speclint", "testdata", "shared")
	text, err := os.ReadFile(filepath.Join(dir, "shared.go"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []int
	for k, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "// want `MG417") {
			want = append(want, k+1)
		}
	}
	p, findings, err := Load(Config{Dir: dir, Package: "."})
	if err != nil || HasErrors(findings) {
		t.Fatal(err, findings)
	}
	_, findings = p.Catalog()
	for _, f := range findings {
		if f.Code == "MG415" {
			continue
		}
		if f.Code != "MG417" || f.Kind != SharedSlice || f.Severity != Error || f.Remedy == "" || filepath.Base(f.File) != "shared.go" {
			t.Errorf("%+v", f)
		}
		got = append(got, f.Line)
	}
	if len(want) < 5 || !slices.Equal(got, want) {
		t.Errorf("reported are lines %v, want %v", got, want)
	}
}
