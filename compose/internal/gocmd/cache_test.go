package gocmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKey: a key follows the content of what a program is built from, that of an adapter with it,
// also where another key was made before.
func TestKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) *goPackage {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return &goPackage{Dir: dir, ImportPath: "example.com/" + name, GoFiles: []string{name}}
	}
	spec, adapter := write("spec.go", "package spec"), write("adapter.go", "package adapter")
	seen := map[string]string{}
	key := func(what string, s *Source, extra ...any) {
		t.Helper()
		k, err := s.Key(extra...)
		if err != nil {
			t.Fatal(err)
		}
		if seen[k] != "" {
			t.Errorf("the key of %s is that of %s", what, seen[k])
		}
		seen[k] = what
	}
	source := func(packages ...*goPackage) *Source { return &Source{Path: "example.com/spec.go", deps: packages} }
	s := source(spec)
	key("the specification", s)
	key("the specification and more", s, "more")
	key("the specification with the adapter", s.With(source(adapter)))
	write("adapter.go", "package adapter // changed")
	key("the specification with a changed adapter", s.With(source(adapter)))
	write("spec.go", "package spec // changed")
	key("a changed specification", source(spec))
}

// TestNoExecutable: a command that cannot be read has no identity. It does not get that of another
// command with its version.
func TestNoExecutable(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "multigrain")
	if sum, err := contentOf(missing); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("%q, %v", sum, err)
	}
	if sum, err := tool(); err != nil || len(sum) != 64 {
		t.Errorf("the test's own: %q, %v", sum, err)
	}
}

// TestKeyOfOtherFiles: a key follows files that are no Go files, too.
func TestKeyOfOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := []string{"a"}
	for what, p := range map[string]goPackage{
		"cgo": {CgoFiles: files}, "C": {CFiles: files}, "C++": {CXXFiles: files}, "Objective-C": {MFiles: files}, "header": {HFiles: files},
		"Fortran": {FFiles: files}, "assembly": {SFiles: files}, "object": {SysoFiles: files}, "embedded": {EmbedFiles: files},
	} {
		keys := map[string]bool{}
		for _, text := range []string{"one", "two"} {
			if err := os.WriteFile(filepath.Join(dir, "a"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			p.Dir = dir
			key, err := (&Source{deps: []*goPackage{&p}}).Key()
			if err != nil {
				t.Fatal(err)
			}
			keys[key] = true
		}
		if len(keys) != 2 {
			t.Errorf("a changed %s file does not change the key", what)
		}
	}
}

// TestWithBuildsInTheOthersModule: an adapter in a module of its own has its own versions. Another
// copy of the specification's package would not have the overlay, so nothing changes then.
func TestWithBuildsInTheOthersModule(t *testing.T) {
	spec := &goPackage{Dir: "/home/spec", ImportPath: "a.example/spec"}
	s := &Source{Path: spec.ImportPath, Folder: spec.Dir, module: &goModule{Path: "a.example", Main: true}, deps: []*goPackage{spec, {ImportPath: "lib", Dir: "lib@v2"}}}
	for dir, nested := range map[string]bool{"/home/spec": true, "/cache/spec@v1": false} {
		a := &Source{Path: "b.example", module: &goModule{Path: "b.example", Main: true},
			deps: []*goPackage{{ImportPath: spec.ImportPath, Dir: dir}, {ImportPath: "lib", Dir: "lib@v1"}}}
		both := s.With(a)
		want := "lib@v2"
		if nested {
			want = "lib@v1"
		}
		for _, p := range both.deps {
			if p.ImportPath == "lib" && p.Dir != want {
				t.Errorf("with the specification in %s the library is %s", dir, p.Dir)
			}
		}
		if (both.main == a.module) != nested {
			t.Errorf("with the specification in %s the program is built in %v", dir, both.main)
		}
		// A workspace has changed code in the place of the library.
		a.Environ = []string{"GOWORK=/cache/go.work"}
		if got := valueOf(s.With(a).Environ, "GOWORK="); got != "/cache/go.work" {
			t.Errorf("with the specification in %s the workspace is %q", dir, got)
		}
	}
}
