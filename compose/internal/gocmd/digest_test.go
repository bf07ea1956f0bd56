package gocmd

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// digestOf returns the digest of a package of one file.
func digestOf(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "spec.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &Source{Path: "example.com/spec", deps: []*goPackage{{Dir: dir, ImportPath: "example.com/spec", GoFiles: []string{"spec.go"}}}}
	d, err := s.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDigest edits a specification. Comments and layout change nothing, and all else does.
func TestDigest(t *testing.T) {
	t.Parallel()
	const spec = "package spec\n\n// Guard is a guard.\nfunc Guard(a, b int) bool {\n\treturn a+1 < b // and no more\n}\n\nvar Name = f(\"x y\", 1)\n"
	same := map[string]string{
		"another comment":  "package spec\n\n// Guard is another.\nfunc Guard(a, b int) bool {\n\treturn a+1 < b\n}\n\nvar Name = f(\"x y\", 1)\n",
		"another layout":   "package spec\nfunc Guard(a, b int) bool { return a + 1 < b }\n\n\n\nvar Name = f(\n\"x y\",\n1,\n)",
		"written with ';'": "package spec; func Guard(a, b int) bool { /* so */ return a+1 < b; }; var Name = f(\"x y\", 1);\n",
	}
	for what, text := range same {
		if digestOf(t, text) != digestOf(t, spec) {
			t.Errorf("%s changes the digest", what)
		}
	}
	other := map[string]string{
		"another operator":     "package spec\nfunc Guard(a, b int) bool { return a+1 <= b }\nvar Name = f(\"x y\", 1)\n",
		"another constant":     "package spec\nfunc Guard(a, b int) bool { return a+2 < b }\nvar Name = f(\"x y\", 1)\n",
		"another name":         "package spec\nfunc Guard(a, c int) bool { return a+1 < c }\nvar Name = f(\"x y\", 1)\n",
		"a blank in a string":  "package spec\nfunc Guard(a, b int) bool { return a+1 < b }\nvar Name = f(\"x  y\", 1)\n",
		"two strings for one":  "package spec\nfunc Guard(a, b int) bool { return a+1 < b }\nvar Name = f(\"x\", \"y\", 1)\n",
		"swapped arguments":    "package spec\nfunc Guard(b, a int) bool { return a+1 < b }\nvar Name = f(\"x y\", 1)\n",
		"an argument is gone":  "package spec\nfunc Guard(a, b int) bool { return a+1 < b }\nvar Name = f(\"x y\")\n",
		"a line break returns": "package spec\nfunc Guard(a, b int) bool { return\na+1 < b }\nvar Name = f(\"x y\", 1)\n",
		"a directive":          "package spec\n//go:noinline\nfunc Guard(a, b int) bool { return a+1 < b }\nvar Name = f(\"x y\", 1)\n",
	}
	seen := map[string]string{digestOf(t, spec): "the specification"}
	for what, text := range other {
		d := digestOf(t, text)
		if seen[d] != "" {
			t.Errorf("%s has the digest of %s", what, seen[d])
		}
		seen[d] = what
	}
}

// TestDigestOfImports follows imports of the specification, except those of the framework, and
// not the other packages that a program is built from.
func TestDigestOfImports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"spec.go": "example.com/spec", "lib.go": "example.com/lib", "engine.go": "example.com/engine", "modules.go": Framework + "/modules",
		"inner.go": Framework + "/modules/internal/sets", "text.txt": ""}
	digest := func() string {
		t.Helper()
		s := &Source{Path: "example.com/spec"}
		for name, path := range files {
			if path != "" {
				s.deps = append(s.deps, &goPackage{Dir: dir, ImportPath: path, GoFiles: []string{name}})
			}
		}
		for _, p := range s.deps {
			switch p.ImportPath {
			case "example.com/spec":
				p.Imports, p.EmbedFiles = []string{"example.com/lib", Framework + "/modules", "fmt"}, []string{"text.txt"}
			case Framework + "/modules":
				p.Imports = []string{Framework + "/modules/internal/sets"}
			}
		}
		d, err := s.Digest("choice")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for name := range files {
		write(name, "package p\n")
	}
	before := digest()
	for name, counts := range map[string]bool{"spec.go": true, "lib.go": true, "text.txt": true, "engine.go": false, "modules.go": false, "inner.go": false} {
		write(name, "package q\n")
		if after := digest(); (after != before) != counts {
			t.Errorf("%s: the digest changes %v", name, after != before)
		}
		write(name, "package p\n")
	}
	if digest() != before {
		t.Error("two digests of the same content")
	}
}

// TestMentions: only a qualified identifier counts.
func TestMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"package p\n\ntype B = modules.Bag[int]\n":           true,
		"package p\n\ntype B = modules. /* of */ Bag[int]\n": true,
		"package p\n\n// B is no modules.Bag.\ntype B int\n": false,
		"package p\n\nvar x = s.Bag + modules.Net\n":         false,
		"package p\n\nvar x = \"modules.Bag\"\n":             false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "spec.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s := &Source{Path: "example.com/spec", deps: []*goPackage{{Dir: dir, ImportPath: "example.com/spec", GoFiles: []string{"spec.go"}}}}
		if got, err := s.Mentions("modules", "Bag"); err != nil || got != want {
			t.Errorf("%q: %t, %v", text, got, err)
		}
	}
}

// TestWhole finds the packages whose declarations do not say all: of another module, with an
// embedded file, with a directive that counts, and what one of these imports.
func TestWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own, foreign := &goModule{Path: "example.com"}, &goModule{Path: "example.org"}
	s := &Source{Path: "example.com/spec", module: own}
	add := func(path, text string, m *goModule, imports ...string) *goPackage {
		name := strings.ReplaceAll(path, "/", "-") + ".go"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p := &goPackage{Dir: dir, ImportPath: path, GoFiles: []string{name}, Imports: imports, Module: m}
		s.deps = append(s.deps, p)
		return p
	}
	add("example.com/spec", "package p\n\n//go:noinline\nfunc f() {}\n", own, "example.com/plain", "example.com/linked", "example.com/embeds", "example.org/other")
	add("example.com/plain", "package p\n", own)
	add("example.com/linked", "package p\n\n//go:linkname f runtime.f\nfunc f()\n", own, "example.com/below")
	add("example.com/below", "package p\n", own)
	add("example.com/embeds", "package p\n", own).EmbedFiles = []string{"example.com-plain.go"}
	add("example.org/other", "package p\n", foreign)
	whole, err := s.Whole()
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(whole))
	want := []string{"example.com/below", "example.com/embeds", "example.com/linked", "example.org/other"}
	if !slices.Equal(got, want) {
		t.Errorf("%q are whole, want %q", got, want)
	}
}
