package noting

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoting: a line's note stands where the line runs, an operand's around it.
func TestNoting(t *testing.T) {
	const before = `package p

func f(a, b int, xs []int) (n int) {
	if a > 0 && !(b > 1) { // changed
		n++
	} else if b > 2 {
		n--
	}
	switch {
	case a == b:
		return n
	default:
		for _, x := range xs {
			n += x
		}
	}
	switch a {
	case 1:
		n = 5
	}
	go func() {
		println(a,
			b)
	}()
	return n * 2
}

var global = 3
`
	for _, c := range []struct {
		name  string
		lines []Line
		want  []string // each in the result
		none  []string
	}{
		{"condition", []Line{{Number: 4}}, []string{"multigrainran.Line(2); if (multigrainran.See(0, a > 0) == true) && !((multigrainran.See(1, b > 1) == true)) {"}, nil},
		{"statement", []Line{{Number: 5}}, []string{"multigrainran.Line(0); n++"}, nil},
		{"else if has operands and no line", []Line{{Number: 6}}, []string{"} else if (multigrainran.See(0, b > 2) == true) {"}, []string{"Line("}},
		{"case", []Line{{Number: 10}}, []string{"case (multigrainran.See(0, a == b) == true):"}, nil},
		{"in a loop", []Line{{Number: 14}}, []string{"multigrainran.Line(0); n += x"}, nil},
		{"case of a tag", []Line{{Number: 19}}, []string{"multigrainran.Line(0); n = 5"}, []string{"See("}},
		{"second line of a statement", []Line{{Number: 23}}, []string{"multigrainran.Line(0); println(a,"}, nil},
		{"removed before return", []Line{{Number: 25, Removed: true}}, []string{"multigrainran.Line(0); return n * 2"}, nil},
		{"removed at the end of a block", []Line{{Number: 15, Removed: true}}, []string{"n += x\n\t\tmultigrainran.Line(0); }"}, nil},
		{"no statement", []Line{{Number: 8}, {Number: 28}}, nil, []string{"multigrainran"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, points, err := File("p.go", []byte(before), c.lines, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			text := string(out)
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("no %q in\n%s", w, text)
				}
			}
			for _, w := range c.none {
				if strings.Contains(text, w) {
					t.Errorf("%q in\n%s", w, text)
				}
			}
			if out == nil {
				return
			}
			if a, b := strings.Count(text, "\n"), strings.Count(before, "\n"); a != b {
				t.Errorf("%d lines of %d", a, b)
			}
			for k, p := range points {
				if p.Line == 0 || p.Func != "f" || p.File != "p.go" || p.Kind != LineRan && p.Kind != Operand {
					t.Errorf("place %d is %+v", k, p)
				}
			}
			typeChecks(t, map[string][]byte{"p.go": out})
		})
	}
}

// TestNotingWholeLibrary: a library with every line changed still has its types.
func TestNotingWholeLibrary(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "go.etcd.io/raft/v3").Output()
	if err != nil {
		t.Skip("go.etcd.io/raft/v3 is not there: ", err)
	}
	dir := strings.TrimSpace(string(out))
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	places := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var lines []Line
		for k := range bytes.Count(text, []byte("\n")) + 1 {
			lines = append(lines, Line{Number: k + 1}, Line{Number: k + 1, Removed: true})
		}
		noted, points, err := File(name, text, lines, places, map[string]Decided{})
		if err != nil {
			t.Fatal(err)
		}
		places += len(points)
		if noted != nil {
			syntaxOf(t, name, noted)
		}
	}
	if places < 3000 {
		t.Errorf("only %d places", places)
	}
}

func syntaxOf(t *testing.T, name string, text []byte) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

// typeChecks checks the types of a package without the notes' package.
func typeChecks(t *testing.T, files map[string][]byte) {
	t.Helper()
	fset := token.NewFileSet()
	var trees []*ast.File
	for name, text := range files {
		f, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(err error) {
		t.Errorf("%v", err)
	}}
	_, _ = conf.Check("p", fset, trees, nil)
}
