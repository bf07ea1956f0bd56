package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// specs are specifications with known findings, which the tests of package vettest use too.
const specs = "../../interaction/vettest/testdata/"

// run runs a command and returns its output, both streams, and its exit code.
func run(t *testing.T, name string, args ...string) (string, int) {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out), 0
}

// TestCommand builds the command and runs it in both of its ways.
func TestCommand(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "speclint")
	if out, code := run(t, "go", "build", "-o", tool, "."); code != 0 {
		t.Fatalf("the command does not build:\n%s", out)
	}
	alone := []string{tool}
	vet := []string{"go", "vet", "-vettool=" + tool}
	for _, c := range []struct {
		name    string
		command []string
		arg     string
		code    int
		want    []string // parts of the output
	}{
		{"alone/good", alone, specs + "good", 0, nil},
		{"alone/bad", alone, specs + "bad", 3, []string{"bad.go:11:2: MG401:", "bad.go:17:55: MG421:"}},
		{"alone/broken", alone, specs + "broken", 1, []string{"undefined: Missing"}},
		{"vet/good", vet, specs + "good", 0, nil},
		{"vet/bad", vet, specs + "bad", 1, []string{"bad.go:11:2: MG401:", "bad.go:17:55: MG421:"}},
		{"alone/helped", alone, specs + "helped", 3, []string{"helped.go:18:10: MG438:"}},
		{"vet/helped", vet, specs + "helped", 1, []string{"helped.go:18:10: MG438:"}},
		{"vet/plain", vet, specs + "plain", 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := run(t, c.command[0], append(c.command[1:], c.arg)...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if c.want == nil && out != "" {
				t.Errorf("output %q, want none", out)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("output %q lacks %q", out, want)
				}
			}
		})
	}
	t.Run("help", func(t *testing.T) {
		out, code := run(t, tool, "help", "speclint")
		if code != 0 || !strings.Contains(out, "MG439") || !strings.HasPrefix(out, "speclint: report what") {
			t.Errorf("exit code %d, help %q", code, out)
		}
	})
}
