package gocmd

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction"
)

// recording is the environment variable that makes the test binary a go command: it records its
// arguments in that folder and answers with the files there.
const recording = "GOCMD_TEST_RECORDING"

func TestMain(m *testing.M) {
	if dir := os.Getenv(recording); dir != "" && filepath.Base(os.Args[0]) == "go" {
		os.Exit(record(dir, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// record appends the arguments to a file, each call as a line of JSON, and prints the answer to the
// verb.
func record(dir string, args []string) int {
	f, err := os.OpenFile(filepath.Join(dir, "calls"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return 1
	}
	defer f.Close()
	line, err := json.Marshal(append(args, "GOFLAGS="+os.Getenv("GOFLAGS")))
	if err != nil {
		return 1
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return 1
	}
	answer := args[0]
	if answer == "list" && slices.Contains(args, "-m") {
		answer = "list-m"
	}
	if answer == "build" {
		return 0
	}
	text, err := os.ReadFile(filepath.Join(dir, answer))
	if err != nil {
		return 1
	}
	os.Stdout.Write(text)
	return 0
}

// fakeGo puts the test binary on the PATH as the go command.
func fakeGo(f *testing.F) {
	f.Helper()
	self, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "go")); err != nil {
		f.Skip(err)
	}
	f.Setenv("PATH", dir)
}

// calls returns the recorded arguments, and GOFLAGS, of each call.
func calls(t *testing.T, dir string) (out [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "calls"))
	if os.IsNotExist(err) {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		var call []string
		if err == nil {
			err = json.Unmarshal([]byte(line), &call)
		}
		out = append(out, call)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ours reports whether an argument is a flag that this package writes. At most a checked path in it
// is not constant.
func ours(arg, overlay string) bool {
	path, patterned := strings.CutPrefix(arg, "-gcflags=")
	path, constant := strings.CutSuffix(path, "=-dwarf=false")
	if patterned && constant {
		path = strings.TrimSuffix(path, "/multigrain-...")
		return interaction.CheckImportPath(path) == nil
	}
	return slices.Contains([]string{"-e", "-deps", listed, "-m", "-json", "-buildvcs=false", "-o", "-ldflags=-w", "-overlay=" + overlay, "--"}, arg)
}

// FuzzArguments gives names of all origins to a go command that records its arguments. They are
// names of a manifest or the command line, and names that the go command prints of packages. None
// may arrive as a flag, and all others must be checked paths.
func FuzzArguments(f *testing.F) {
	fakeGo(f)
	for _, seed := range [][4]string{
		{"example.com/spec", "example.com/spec", "example.com/main", "cache"},
		{"-debug-trace=FILE", "example.com/spec", "example.com/main", "cache"},
		{"./spec", "example.com/x=-o=/tmp/y", "example.com/main", "cache"},
		{"./spec", "example.com/spec", "-toolexec=/tmp/evil", "cache"},
		{"./-o=x", "example.com/-o=x", "m", "cache"},
		{"example.com/locked", "example.com/locked", "example.com/main", "a -toolexec=evil"},
		{"example.com/locked", "example.com/locked", "example.com/main", "a' -toolexec=evil '"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, from, imported, module, cache string) {
		dir := t.TempDir()
		t.Setenv(recording, dir)
		t.Setenv("GOFLAGS", "")
		work := filepath.Join(dir, "work")
		cacheDir := filepath.Join(dir, strings.Map(fileRune, cache))
		writeAnswers(t, dir, imported, module, strings.HasSuffix(from, "locked"))
		s, diags := Open(work, from, hcl.Range{}, Env{CacheDir: cacheDir})
		if !diags.HasErrors() {
			if got, more := s.Build(context.Background(), work, map[string][]byte{"": []byte("package main")}); !more.HasErrors() && got == "" {
				t.Errorf("no program: %v", more)
			}
		}
		if from == imported && interaction.CheckImportPath(from) == nil && interaction.CheckImportPath(module) == nil && diags.HasErrors() && cacheDir == filepath.Join(dir, "cache") {
			t.Errorf("%s of module %s: %v", from, module, diags)
		}
		for _, d := range diags {
			if !strings.HasPrefix(string(configs.CodeOf(d)), "MG3") {
				t.Errorf("%v has no code of this package", d)
			}
		}
		for _, call := range calls(t, dir) {
			checkCall(t, call, filepath.Join(work, "overlay.json"), cacheDir)
		}
	})
}

// checkCall checks the arguments of one call, and GOFLAGS.
func checkCall(t *testing.T, call []string, overlay, cacheDir string) {
	t.Helper()
	args, goflags := call[1:len(call)-1], call[len(call)-1]
	for k, arg := range args {
		switch {
		case strings.HasPrefix(arg, "-"):
			if !ours(arg, overlay) {
				t.Errorf("go %s gets the flag %q: %q", call[0], arg, args)
			}
		case arg == ".", arg == "GOVERSION", arg == "./multigrain-assembled", k > 0 && args[k-1] == "-o" && filepath.IsAbs(arg):
		case interaction.CheckImportPath(arg) != nil:
			t.Errorf("go %s gets %q, which is no import path: %q", call[0], arg, args)
		}
	}
	flag, _ := quoted("-modfile=" + cacheDir)
	modfile := strings.TrimRight(strings.TrimPrefix(goflags, "GOFLAGS=-mod=mod "), `'"`)
	if goflags != "GOFLAGS=" && (flag == "" || !strings.HasPrefix(modfile, strings.TrimRight(flag, `'"`)) || strings.ContainsAny(modfile[len(flag)-1:], ` '"`)) {
		t.Errorf("%s", goflags)
	}
}

// fileRune makes a text the name of a file.
func fileRune(r rune) rune {
	if r == '/' || r == 0 {
		return '_'
	}
	return r
}

// writeAnswers writes what the go command answers: the package is in the main module, or locked, in
// the module cache.
func writeAnswers(t *testing.T, dir, imported, module string, locked bool) {
	t.Helper()
	work, other := filepath.Join(dir, "work"), filepath.Join(dir, "other")
	write := func(name string, text []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main := map[string]any{"Path": module, "Dir": work, "GoMod": filepath.Join(work, "go.mod"), "Main": true}
	of, folder := main, filepath.Join(work, "spec")
	if locked {
		of, folder = map[string]any{"Path": "example.com/locked", "Version": "v1.0.0", "Dir": other}, other
	}
	answer := func(values ...any) (out []byte) {
		t.Helper()
		for _, v := range values {
			b, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, b...)
		}
		return out
	}
	write("work/go.mod", []byte("module example.com/main\n"))
	write("work/spec/spec.go", []byte("package spec\n"))
	write("work/-o=x/spec.go", []byte("package spec\n"))
	write("other/spec.go", []byte("package spec\n"))
	write("env", []byte("go1.26\n"))
	write("list-m", answer(main))
	write("list", answer(map[string]any{"ImportPath": programPackage, "Standard": true},
		map[string]any{"ImportPath": imported, "Dir": folder, "Name": "spec", "GoFiles": []string{"spec.go"}, "Module": of}))
}
