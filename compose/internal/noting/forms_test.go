package noting

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestForms: whichever line of a file changed, the file with notes has its types and its lines.
func TestForms(t *testing.T) {
	text, err := os.ReadFile("testdata/odd.go")
	if err != nil {
		t.Fatal(err)
	}
	check := newChecker(t)
	var all []Line
	for k := range bytes.Count(text, []byte("\n")) {
		for _, l := range []Line{{Number: k + 1}, {Number: k + 1, Removed: true}} {
			check.file(t, fmt.Sprint(l), text, []Line{l})
			all = append(all, l)
		}
	}
	check.file(t, "all lines", text, all)
}

// TestWhere: a note stands where the changed line runs.
func TestWhere(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		want       string // in the line with the note
		none       bool   // no place
	}{
		{name: "a jump leads to a label", text: "func f(n int) {\n\tif n > 0 {\n\t\tgoto done\n\t}\n\tn = 5\ndone:\n\tn++\n\tprintln(n)\n}\n", line: 7, want: "\tmultigrainran.Line(0); n++"},
		{name: "break names a label", text: "func f(n int) {\nloop:\n\tfor n > 0 {\n\t\tbreak loop\n\t}\n}\n", line: 2, want: "multigrainran.Line(0); loop:"},
		{name: "the head of a case", text: "func f(n int) {\n\tswitch n {\n\tcase 1:\n\t\tprintln()\n\tcase 2:\n\t}\n}\n", line: 3, want: "\t\tmultigrainran.Line(0); println()"},
		{name: "the head of an empty case", text: "func f(n int) {\n\tswitch n {\n\tcase 1:\n\tcase 2:\n\t}\n}\n", line: 3, want: "case 1:multigrainran.Line(0); "},
		{name: "the head of a case of a select", text: "func f(c chan int) {\n\tselect {\n\tcase <-c:\n\t\tprintln()\n\tdefault:\n\t}\n}\n", line: 3, want: "\t\tmultigrainran.Line(0); println()"},
		{name: "default", text: "func f(n int) {\n\tswitch n {\n\tdefault:\n\t\tprintln()\n\t}\n}\n", line: 3, want: "\t\tmultigrainran.Line(0); println()"},
		{name: "a function in a variable", text: "var v = func(n int) bool {\n\treturn n > 1\n}\n", line: 2, want: "multigrainran.Line(1); return (multigrainran.See(0, n > 1) == true)"},
		{name: "a function in a table", text: "var v = map[string]func(){\n\t\"a\": func() { println() },\n}\n", line: 2, want: "func() { multigrainran.Line(0); println() }"},
		{name: "a signature of several lines", text: "func f(a,\n\tb int) {\n\tprintln(a, b)\n}\n", line: 1, want: "multigrainran.Line(0); println(a, b)"},
		{name: "a constant of a function", text: "func f() bool {\n\tconst c = 1 > 0 && 2 > 1\n\treturn c\n}\n", line: 2, want: "multigrainran.Line(0); const c = 1 > 0 && 2 > 1"},
		{name: "after a line directive", text: "//line other.y:900\n\nfunc f() {\n\tprintln()\n}\n", line: 4, want: "multigrainran.Line(0); println()"},
		{name: "a value without a function", text: "var v = 1\n", line: 1, none: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "package p; " + c.text
			out, places, err := File("p.go", []byte(text), []Line{{Number: c.line}}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if c.none {
				if places != nil {
					t.Errorf("%v", places)
				}
				return
			}
			if !strings.Contains(string(out), c.want) || !slices.ContainsFunc(places, func(p Place) bool { return p.Line == c.line }) {
				t.Errorf("no %q in\n%s\n%v", c.want, out, places)
			}
			newChecker(t).types(t, c.name, out)
		})
	}
}

// checker checks the types of files with notes.
type checker struct {
	fset *token.FileSet
	from types.Importer
	ran  *types.Package
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	c := &checker{fset: token.NewFileSet()}
	c.from = importer.ForCompiler(c.fset, "source", nil)
	tree, err := parser.ParseFile(c.fset, "ran.go", "package ran\n\ntype Place int\n\nfunc Line(Place) {}\n\nfunc See[B ~bool](_ Place, v B) B { return v }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.ran, err = new(types.Config).Check(Package, c.fset, []*ast.File{tree}, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *checker) Import(path string) (*types.Package, error) {
	if path == Package {
		return c.ran, nil
	}
	return c.from.Import(path)
}

func (c *checker) file(t *testing.T, name string, text []byte, lines []Line) {
	t.Helper()
	out, _, err := File("p.go", text, lines, 0)
	switch {
	case err != nil:
		t.Errorf("%s: %v", name, err)
	case out == nil:
		return
	case bytes.Count(out, []byte("\n")) != bytes.Count(text, []byte("\n")):
		t.Errorf("%s: the lines have other numbers", name)
	}
	c.types(t, name, out)
}

func (c *checker) types(t *testing.T, name string, text []byte) {
	t.Helper()
	tree, err := parser.ParseFile(c.fset, "p.go", text, 0)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if _, err := (&types.Config{Importer: c}).Check("p", c.fset, []*ast.File{tree}, nil); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}
