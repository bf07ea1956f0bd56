package gocmd

import (
	"os"
	"os/exec"
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

// TestBuiltWith: a program is of the changed code only if it was built with the folder that has it.
func TestBuiltWith(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"app/go.mod":     "module a.example/app\n\ngo 1.26\n\nrequire a.example/lib v1.0.0\n\nreplace a.example/lib => ../lib\n",
		"app/main.go":    "package main\n\nimport \"a.example/lib\"\n\nfunc main() { lib.F() }\n",
		"lib/go.mod":     "module a.example/lib\n",
		"lib/lib.go":     "package lib\n\nfunc F() {}\n",
		"changed/go.mod": "module a.example/lib\n",
		"changed/lib.go": "package lib\n\nfunc F() {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changed := filepath.Join(dir, "changed")
	work := filepath.Join(dir, "go.work")
	if err := os.WriteFile(work, []byte("go 1.26\n\nuse ./app\n\nreplace a.example/lib => "+changed+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	for workspace, want := range map[string]string{"off": "it has the module a.example/lib from ../lib (devel)", work: ""} {
		cmd := exec.Command("go", "build", "-o", program, ".")
		cmd.Dir, cmd.Env = filepath.Join(dir, "app"), append(os.Environ(), "GOWORK="+workspace)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got := ""
		if err := BuiltWith(program, "a.example/lib", changed); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("with GOWORK=%s: %q, want %q", workspace, got, want)
		}
	}
	if err := BuiltWith(program, "a.example/other", changed); err == nil {
		t.Error("a module that the program lacks is in it")
	}
}
