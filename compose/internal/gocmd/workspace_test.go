package gocmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestOwnVersions: a module that the changed code requires has its version if the program needs it
// only indirectly, and in a higher one.
func TestOwnVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	main := write("main.mod", "module example.com/adapter\n\nrequire (\n\texample.com/direct v1.9.0\n\texample.com/higher v1.9.0 // indirect\n\texample.com/lower v1.1.0 // indirect\n\texample.com/same v1.0.0 // indirect\n\texample.com/taken v1.9.0 // indirect\n)\n")
	own := write("own.mod", "module example.com/lib\n\nrequire (\n\texample.com/direct v1.2.0\n\texample.com/higher v1.2.0\n\texample.com/lower v1.2.0\n\texample.com/same v1.0.0\n\texample.com/taken v1.2.0\n\texample.com/unknown v1.0.0\n)\n")
	work := &modfile.WorkFile{Syntax: new(modfile.FileSyntax)}
	if err := work.AddReplace("example.com/taken", "", "/taken", ""); err != nil {
		t.Fatal(err)
	}
	if err := ownVersions(work, main, own); err != nil {
		t.Fatal(err)
	}
	text := string(modfile.Format(work.Syntax))
	if !strings.Contains(text, "example.com/higher => example.com/higher v1.2.0") || strings.Count(text, "=>") != 2 {
		t.Errorf("%s", text)
	}
	if got := string(sumsOf(write("a.sum", "a\n\n"), filepath.Join(dir, "none"), "", write("b.sum", "b"))); got != "a\nb\n" {
		t.Errorf("%q", got)
	}
}

// TestInWorkspace: the go command refuses -mod=mod with a workspace. Other flags stay.
func TestInWorkspace(t *testing.T) {
	t.Parallel()
	for have, want := range map[string]string{
		"":                           "",
		"-mod=mod":                   "-mod=readonly",
		"-tags=x -mod=mod -trimpath": "-tags=x -trimpath -mod=readonly",
		"-mod=readonly":              "-mod=readonly",
	} {
		got := inWorkspace([]string{"GOFLAGS=" + have}, "/w/go.work")
		if valueOf(got, "GOFLAGS=") != want || valueOf(got, "GOWORK=") != "/w/go.work" {
			t.Errorf("GOFLAGS=%s becomes %v", have, got)
		}
	}
}
