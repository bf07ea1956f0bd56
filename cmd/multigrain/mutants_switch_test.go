package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// One program has all mutants of a file. A mutated function becomes
//
//	func(s, n *State, p Pair) {
//		switch mutantOfTest {
//		case 7:
//			...the body of mutant 7
//		default:
//			...the body itself
//		}
//	}
//
// The command under test does not know that. It sees the source of one mutant, and runs a go
// command that is this test binary. That builds the program with the switch once. For each mutant
// it returns a script which sets the number and runs the program.

// Variables of the environment of the go command.
const (
	switchFile   = "MULTIGRAIN_TEST_MUTATED"     // the mutated file
	switchSource = "MULTIGRAIN_TEST_SWITCH"      // the file with the switch
	switchNumber = "MULTIGRAIN_TEST_MUTANT"      // the number of the mutant; 0: the file itself
	switchGo     = "MULTIGRAIN_TEST_GO"          // the real go command
	switchCalled = "MULTIGRAIN_TEST_GO_IS_ASKED" // set where this binary stands for the go command
)

// switched makes the file with the switch from all mutants that compile, and returns which do.
func switched(t *testing.T, dir, name string, original []byte, mutants []mutant) (source []byte, compiles []bool) {
	t.Helper()
	compiles = make([]bool, len(mutants))
	check := typeChecker(t, dir, name)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, original, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	type span struct{ from, to int } // of a body, with its braces
	cases := map[span][]int{}
	for k, m := range mutants {
		if compiles[k] = m.number == alone || check(m.source); !compiles[k] || m.number == alone || bytes.Equal(m.source, original) {
			continue
		}
		from := commonPrefix(original, m.source)
		to := len(original) - commonSuffix(original[from:], m.source[from:])
		body := outermost(file, fset, from, max(from, to))
		if body == nil {
			t.Fatalf("%s:%d: %s is in no function", name, m.line, m.text)
		}
		at := span{fset.Position(body.Pos()).Offset, fset.Position(body.End()).Offset}
		cases[at] = append(cases[at], k)
	}
	var out strings.Builder
	end := 0
	for _, at := range slices.SortedFunc(maps.Keys(cases), func(a, b span) int { return a.from - b.from }) {
		position := fset.Position(file.FileStart + token.Pos(at.from) + 1)
		here := fmt.Sprintf("/*line %s:%d:%d*/", filepath.Join(dir, name), position.Line, position.Column)
		out.Write(original[end:at.from])
		out.WriteString("{ switch mutantOfTest {")
		for _, k := range cases[at] {
			grown := len(mutants[k].source) - len(original)
			fmt.Fprintf(&out, "\ncase %d: {%s%s", k+1, here, mutants[k].source[at.from+1:at.to+grown])
		}
		fmt.Fprintf(&out, "\ndefault: {%s%s } }", here, original[at.from+1:at.to])
		after := fset.Position(file.FileStart + token.Pos(at.to))
		fmt.Fprintf(&out, "/*line %s:%d:%d*/", filepath.Join(dir, name), after.Line, after.Column)
		end = at.to
	}
	out.Write(original[end:])
	return []byte(out.String()), compiles
}

func commonPrefix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// outermost is the body of the outermost function that has the bytes from one to another.
func outermost(file *ast.File, fset *token.FileSet, from, to int) (body *ast.BlockStmt) {
	ast.Inspect(file, func(n ast.Node) bool {
		var b *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			b = n.Body
		case *ast.FuncLit:
			b = n.Body
		}
		if body == nil && b != nil && fset.Position(b.Lbrace).Offset < from && to <= fset.Position(b.Rbrace).Offset {
			body = b
		}
		return body == nil
	})
	return body
}

// typeChecker returns a function that reports whether a package compiles with another text of one
// of its files.
func typeChecker(t *testing.T, dir, name string) func([]byte) bool {
	t.Helper()
	cfg := &packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}
	loaded, err := packages.Load(cfg, ".")
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatalf("%s: %v %v", dir, err, loaded)
	}
	p := loaded[0]
	imports := importing(func(path string) (*types.Package, error) {
		if q := p.Imports[path]; q != nil && q.Types != nil {
			return q.Types, nil
		}
		return nil, errors.New("not imported")
	})
	var others []*ast.File
	for _, f := range p.Syntax {
		if filepath.Base(p.Fset.Position(f.FileStart).Filename) != name {
			others = append(others, f)
		}
	}
	return func(text []byte) bool {
		f, err := parser.ParseFile(p.Fset, name, text, 0)
		if err != nil {
			return false
		}
		c := types.Config{Importer: imports}
		_, err = c.Check(p.PkgPath, p.Fset, append(slices.Clone(others), f), nil)
		return err == nil
	}
}

// importing is a types.Importer.
type importing func(string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }

// alone is the number of a mutant with a program of its own.
const alone = -1

// asGo makes this binary the go command of the command under test, for one mutant.
func (w *workshop) asGo(t *testing.T, number int) []string {
	t.Helper()
	if number == alone {
		return os.Environ()
	}
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	if w.bin == "" {
		w.bin = t.TempDir()
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", switchCalled, self)
		if err := os.WriteFile(filepath.Join(w.bin, "go"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return append(os.Environ(), "PATH="+w.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		switchFile+"="+filepath.Join(w.dir, "spec", w.file), switchSource+"="+filepath.Join(w.dir, "switch.go.txt"),
		switchNumber+"="+strconv.Itoa(number), switchGo+"="+real)
}

// mutantsGo is the go command of the command under test. It reports whether it was asked to be.
func mutantsGo() bool {
	if os.Getenv(switchCalled) == "" {
		return false
	}
	if err := goForMutant(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func goForMutant(args []string) error {
	run := func(args []string) error {
		cmd := exec.Command(os.Getenv(switchGo), args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, switchCalled+"=") })
		return cmd.Run()
	}
	at := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-overlay=") })
	out := slices.Index(args, "-o") + 1
	if at < 0 || out == 0 || args[0] != "build" {
		return run(args)
	}
	var overlay struct{ Replace map[string]string }
	text, err := os.ReadFile(strings.TrimPrefix(args[at], "-overlay="))
	if err == nil {
		err = json.Unmarshal(text, &overlay)
	}
	if err != nil {
		return err
	}
	file, source := os.Getenv(switchFile), os.Getenv(switchSource)
	if overlay.Replace[file] != "" { // the command edits it: then a mutant has a program of its own
		return run(args)
	}
	overlay.Replace[file] = source
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(overlay.Replace)) {
		text, err := os.ReadFile(overlay.Replace[path])
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d ", path, len(text))
		h.Write(text)
	}
	program := source + "-" + hex.EncodeToString(h.Sum(nil)[:12])
	if _, err := os.Stat(program); err != nil {
		pkg, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		number := source + "-number"
		text := fmt.Sprintf("package %s\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar mutantOfTest, _ = strconv.Atoi(os.Getenv(%q))\n", pkg.Name.Name, switchNumber)
		if err := os.WriteFile(number, []byte(text), 0o644); err != nil {
			return err
		}
		overlay.Replace[filepath.Join(filepath.Dir(file), "mutant_number.go")] = number
		changed, err := json.Marshal(overlay)
		if err != nil {
			return err
		}
		if err := os.WriteFile(source+"-overlay", changed, 0o644); err != nil {
			return err
		}
		other := slices.Clone(args)
		other[at], other[out] = "-overlay="+source+"-overlay", program
		if err := run(other); err != nil {
			return err
		}
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=%s exec '%s' \"$@\"\n", switchNumber, os.Getenv(switchNumber), program)
	return os.WriteFile(args[out], []byte(script), 0o755)
}
