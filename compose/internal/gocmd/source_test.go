package gocmd

import (
	"strings"
	"testing"
)

// TestNoModule checks the remedies for messages of the go command about modules.
func TestNoModule(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"go: updates to go.mod needed; to update it:\n\tgo mod tidy":                      "Run that command in /spec:",
		"go: go.mod file not found in current directory or any parent directory; see ...": "run go mod init, then go get",
		"pattern ./x: no such file or directory":                                          "",
	} {
		if got := noModule("/spec", stderr); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%q has the remedy %q", stderr, got)
		}
	}
}
