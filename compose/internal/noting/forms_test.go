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
			out, places, err := File("p.go", []byte(text), []Line{{Number: c.line}}, 0, nil)
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

// TestChoices: an operation of a changed line that decides without a branch notes what it does. It
// certainly has a variable, and the lines that are gone do not have it.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		name, text, gone string
		want, shown      string // "": nothing is noted
	}{
		{name: "a minimum", text: "q := min(2, len(c))", want: "min(multigrainran.Less(1, 2, len(c)))", shown: "2 < len(c)"},
		{name: "a mask", text: "n = n & 31", want: "multigrainran.And(1, n , 31)", shown: "n & 31 != n"},
		{name: "a mask that is assigned", text: "n &= 31", want: "n = multigrainran.And(1, n, 31)", shown: "n & 31 != n"},
		{name: "a remainder of a field", text: "p.n %= 100", want: "p.n = multigrainran.Rem(1, p.n, 100)", shown: "p.n % 100 != p.n"},
		{name: "a quotient in a condition", text: "if n/2 > 3 {\n}", want: "(multigrainran.See(0, multigrainran.Quo(2, n,2) > 3) == true)", shown: "n / 2 is rounded"},
		{name: "operations in each other", text: "n = n%100 & 31", want: "multigrainran.And(1, multigrainran.Rem(2, n,100) , 31)", shown: "n%100 & 31 != n%100"},
		{name: "operations that end at once", text: "n = n | (n & 31)", want: "multigrainran.Or(1, n , (multigrainran.And(2, n , 31)))", shown: "n | (n & 31) != n"},
		{name: "a shift", text: "n = n << 60", want: "multigrainran.Shl(1, n , 60)", shown: "n << 60 loses bits"},
		{name: "a float", text: "p.f = p.f / 2", want: "multigrainran.Quo(1, p.f , 2)", shown: "p.f / 2 is rounded"},
		{name: "a bound of a slice", text: "s = s[:100]", want: "s[:multigrainran.Below(1, 100, len(s))]", shown: "100 < len(s)"},
		{name: "a conversion", text: "n = int(uint8(n))", want: "multigrainran.Narrow[uint8](1, n)", shown: "uint8(n) != n"},
		{name: "a constant", text: "n = size & 31 / 2"},
		{name: "a constant of the function", text: "const k = 8; n = k & 31"},
		{name: "the length of an array", text: "var a [9 & 3]int; n = a[0]"},
		{name: "an operation that was there", text: "n = p.n & 31", gone: "n = n & 31"},
		{name: "an operation with another constant", text: "n = n & 31", gone: "n = n & 15", want: "multigrainran.And(1, n , 31)", shown: "n & 31 != n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const head = "package p\n\nconst size = 8\n\ntype point struct{ n int; f float64 }\n\nfunc f(n int, s, c []int, p *point) int {\n"
			text := head + c.text + "\nreturn n + len(s)\n}\n"
			if c.name == "a minimum" {
				text = strings.Replace(text, "return n", "return q + n", 1)
			}
			known := Gone([]byte(head+c.gone+"\nreturn 0\n}\n"), []int{8})
			out, places, err := File("p.go", []byte(text), []Line{{Number: 8}}, 0, known)
			if err != nil {
				t.Fatal(err)
			}
			has := slices.ContainsFunc(places, func(p Place) bool { return p.Text == c.shown && p.Kind == Operand })
			if c.want != "" && (!strings.Contains(string(out), c.want) || !has) || c.want == "" && slices.ContainsFunc(places, func(p Place) bool { return p.Kind == Operand }) {
				t.Errorf("%v, want %q with\n%s\nin\n%s", places, c.shown, c.want, out)
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
	tree, err := parser.ParseFile(c.fset, "../../../checker/ran/ran.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.ran, err = (&types.Config{Importer: c.from}).Check(Package, c.fset, []*ast.File{tree}, nil); err != nil {
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
	out, _, err := File("p.go", text, lines, 0, map[string]Decided{})
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
