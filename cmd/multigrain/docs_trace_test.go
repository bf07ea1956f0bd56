package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTraceDocs runs the commands of docs/how-to/trace-validation.md.
func TestTraceDocs(t *testing.T) { inRepository(t, "how-to/trace-validation.md", 6) }

// TestConformanceDocs runs the commands of docs/how-to/conformance.md.
func TestConformanceDocs(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds programs with a library and walks them; set MULTIGRAIN_SLOW=1")
	}
	inRepository(t, "how-to/conformance.md", 4)
}

// inRepository runs the commands of a document, at least so many, in this
// repository. $WORK is a folder of the test's own.
func inRepository(t *testing.T, name string, least int) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	vars := strings.NewReplacer("$WORK", work, "$GOMODCACHE", strings.TrimSpace(string(modules)))
	r := &reader{t: t, root: root, dir: root}
	r.env = os.Environ()
	f, err := os.Open(filepath.Join(root, "docs", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "```console") {
			var commands []string
			for _, l := range block(lines) {
				commands = append(commands, vars.Replace(l))
			}
			r.console(commands)
		}
	}
	if r.commands < least {
		t.Fatalf("the document has %d commands", r.commands)
	}
}
