package change

import "testing"

// TestBuildFiles: a file of a linter is one of the build, and a script is not known to be one.
func TestBuildFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{".golangci.yml": "a file of the build", ".golangci-lint.yml": "a file of the build", "sub/.golangci.yaml": "a file of the build", "tag.sh": "", "golangci.go": ""} {
		if got := (Options{Packages: []string{"."}}).kindOf(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}
