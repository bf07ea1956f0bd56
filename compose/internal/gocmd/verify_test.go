package gocmd

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// damages lists damages of a file of the cache, by name.
var damages = map[string]func(path string) error{
	"a flipped bit": func(path string) error {
		b, err := os.ReadFile(path)
		if err == nil {
			b[len(b)/2] ^= 1
			err = os.WriteFile(path, b, 0o755)
		}
		return err
	},
	"a missing end":   func(path string) error { return os.Truncate(path, 3) },
	"nothing in it":   func(path string) error { return os.Truncate(path, 0) },
	"another content": func(path string) error { return os.WriteFile(path, []byte("#!/bin/sh\necho planted\n"), 0o755) },
	"a link": func(path string) error {
		return errors.Join(os.Rename(path, path+".far"), os.Symlink(path+".far", path))
	},
	"a folder": func(path string) error {
		return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "in"), 0o755))
	},
	"write permission for others": func(path string) error { return os.Chmod(path, 0o757) },
	"no file":                     os.Remove,
}

// TestDamagedProgram damages a program of the cache, and its hash: it is built again.
func TestDamagedProgram(t *testing.T) {
	t.Parallel()
	for what, damage := range damages {
		for _, part := range []string{"the program", "its hash"} {
			e := Env{CacheDir: t.TempDir()}
			built := 0
			program := func() string {
				t.Helper()
				path, diags := e.Program("key", func(work string) (string, hcl.Diagnostics) {
					built++
					path := filepath.Join(work, "program")
					if err := os.WriteFile(path, []byte("the program of the key"), 0o755); err != nil {
						t.Fatal(err)
					}
					return path, nil
				})
				if diags.HasErrors() {
					t.Fatalf("%s has %s: %v", part, what, diags)
				}
				return path
			}
			path := program()
			if program(); built != 1 {
				t.Fatalf("an intact program is built again")
			}
			at := path
			if part == "its hash" {
				at = sumOf(path)
			}
			if err := damage(at); err != nil {
				t.Fatal(err)
			}
			program()
			if text, err := os.ReadFile(path); err != nil || string(text) != "the program of the key" || built != 2 {
				t.Errorf("%s has %s: built %d times, %q, %v", part, what, built, text, err)
			}
			if program(); built != 2 {
				t.Errorf("%s has %s: the program that was made again is not used", part, what)
			}
		}
	}
}

// TestOtherProgram gives a program the place of another one, with its hash.
func TestOtherProgram(t *testing.T) {
	t.Parallel()
	e := Env{CacheDir: t.TempDir()}
	builds := map[string]int{}
	program := func(key string) string {
		t.Helper()
		path, diags := e.Program(key, func(work string) (string, hcl.Diagnostics) {
			builds[key]++
			path := filepath.Join(work, "program")
			return path, diagnosed(os.WriteFile(path, []byte(key), 0o755))
		})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return path
	}
	a, b := program("a"), program("b")
	for from, to := range map[string]string{a: b, sumOf(a): sumOf(b)} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	program("b")
	if text, err := os.ReadFile(b); err != nil || string(text) != "b" || builds["b"] != 2 {
		t.Errorf("built %d times, %q, %v", builds["b"], text, err)
	}
}

func diagnosed(err error) hcl.Diagnostics {
	if err == nil {
		return nil
	}
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: err.Error()}}
}

// TestDamagedEntry damages a catalog of the cache, and moves it to another key: it is computed
// again.
func TestDamagedEntry(t *testing.T) {
	t.Parallel()
	e := Env{CacheDir: t.TempDir()}
	computed := 0
	get := func(key string) {
		t.Helper()
		v, diags := Cached(e, "catalogs", key, func() (map[string]string, hcl.Diagnostics) {
			computed++
			return map[string]string{"<name>": "value  of " + key}, nil
		})
		if len(diags) > 0 || v["<name>"] != "value  of "+key {
			t.Errorf("%v, %v", v, diags)
		}
	}
	path := filepath.Join(e.CacheDir, "catalogs", "a.json")
	for what, damage := range damages {
		get("a")
		before := computed
		if get("a"); computed != before {
			t.Fatal("an intact entry is computed again")
		}
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		if get("a"); computed != before+1 {
			t.Errorf("an entry with %s is used", what)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	get("a")
	if err := os.Rename(path, filepath.Join(e.CacheDir, "catalogs", "b.json")); err != nil {
		t.Fatal(err)
	}
	before := computed
	if get("b"); computed != before+1 {
		t.Error("the entry of another key is used")
	}
}

// TestForeignCache refuses a folder that others can write, without reading it.
func TestForeignCache(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	if _, diags := (Env{CacheDir: dir}).Program("key", func(work string) (string, hcl.Diagnostics) {
		path := filepath.Join(work, "program")
		return path, diagnosed(os.WriteFile(path, nil, 0o755))
	}); diags.HasErrors() {
		t.Fatal(diags)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Rename(dir, open); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	e := Env{CacheDir: open}
	_, diags := e.Program("key", func(string) (string, hcl.Diagnostics) {
		t.Error("a program is built there")
		return "", nil
	})
	_, opened := Open(".", ".", hcl.Range{}, e)
	for _, d := range []hcl.Diagnostics{diags, opened} {
		if len(d) != 1 || configs.CodeOf(d[0]) != CodeCache || !strings.Contains(d[0].Detail, "chmod go-w "+open) {
			t.Errorf("%v", d)
		}
	}
	if _, diags := Cached(e, "catalogs", "a", func() (int, hcl.Diagnostics) { return 1, nil }); len(diags) > 0 {
		t.Error(diags)
	}
	if _, err := os.Stat(filepath.Join(open, "catalogs")); err == nil {
		t.Error("an entry is written there")
	}
}

// TestHolds compares the module of the cache with what it must have.
func TestHolds(t *testing.T) {
	t.Parallel()
	files := map[string]string{"go.mod": "module a\n", "go.sum": ""}
	for what, change := range map[string]func(dir string) error{
		"nothing":         func(string) error { return nil },
		"another content": func(dir string) error { return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module b\n"), 0o644) },
		"one more file":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.go"), nil, 0o644) },
		"one file less":   func(dir string) error { return os.Remove(filepath.Join(dir, "go.sum")) },
		"another name":    func(dir string) error { return os.Rename(filepath.Join(dir, "go.sum"), filepath.Join(dir, "x")) },
	} {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		if holds(dir, files) != (what == "nothing") {
			t.Errorf("%s has changed: %v", what, holds(dir, files))
		}
	}
}

// TestCopyTree copies a module, and again what was changed in the copy.
func TestCopyTree(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "a", "copy")
	write := func(path, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(from, "go.mod"), "module a\n")
	write(filepath.Join(from, "b", "b.go"), "package b\n")
	for what, change := range map[string]func(){
		"nothing":         func() {},
		"another content": func() { write(filepath.Join(to, "b", "b.go"), "package c\n") },
		"one more file":   func() { write(filepath.Join(to, "b", "c.go"), "package b\n") },
		"one file less":   func() { os.Remove(filepath.Join(to, "go.mod")) },
	} {
		if err := copyTree(from, to); err != nil || !sameTree(from, to) {
			t.Fatalf("no copy: %v", err)
		}
		change()
		if same := sameTree(from, to); same != (what == "nothing") {
			t.Errorf("%s has changed: %v", what, same)
		}
		if err := copyTree(from, to); err != nil || !sameTree(from, to) {
			t.Errorf("%s has changed: %v", what, err)
		}
	}
}

// BenchmarkIntact hashes a program of 20 MB.
func BenchmarkIntact(b *testing.B) {
	program := filepath.Join(b.TempDir(), "key")
	err := os.WriteFile(program, make([]byte, 20<<20), 0o755)
	sum, sumErr := sumLine(program, "key")
	if err := errors.Join(err, sumErr, os.WriteFile(sumOf(program), []byte(sum), 0o644)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(20 << 20)
	for b.Loop() {
		if !intact(program) {
			b.Fatal("the program is not intact")
		}
	}
}
