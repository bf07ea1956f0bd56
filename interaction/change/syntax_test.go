package change

import (
	"slices"
	"strings"
	"testing"
)

// TestCompareGo changes one file in one way each.
func TestCompareGo(t *testing.T) {
	t.Parallel()
	const before = `// Package p is for tests.
package p

import "fmt"

// T is a type.
type T struct {
	A int // of T
	B string
}

const (
	Zero = iota
	One
	Two
)

var x, y = 1, 2

// F does things.
func F(a int) int {
	// a comment
	var b, c = a, a
	var d int = c
	return a + 1
}

func (t *T) M(s ...int) { fmt.Println(s) }
`
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"comment", "a comment", "another comment", ""},
		{"doc", "F does things", "F does other things", ""},
		{"package comment", "is for tests", "is not", ""},
		{"field comment", "// of T", "", ""},
		{"layout", "return a + 1", "return a +\n\n\t\t1", ""},
		{"trailing comma", "F(a int)", "F(\n\ta int,\n)", ""},
		{"line directive", "// F does things.", "//go:noinline", "changed function F"},
		{"directive within", "// a comment", "//go:debug x", "changed function F"},
		{"statement", "a + 1", "a - 1", "changed function F"},
		{"short declaration", "var b, c = a, a", "b, c := a, a", ""},
		{"short assignment", "var b, c = a, a", "b, c = a, a", "changed function F"},
		{"short declaration without a type", "var d int = c", "d := c", "changed function F"},
		{"group of one", "var b, c = a, a", "var (\n\t\tb, c = a, a\n\t)", ""},
		{"names in another order", "var b, c = a, a", "c, b := a, a", "changed function F"},
		{"parentheses", "a + 1", "((a) + 1)", ""},
		{"parentheses around a type", "(t *T)", "(t *(T))", ""},
		{"parentheses that bind otherwise", "return a + 1", "return -(a + 1)", "changed function F"},
		{"literal", "a + 1", "a + 2", "changed function F"},
		{"the same number", "a + 1", "a + 0b0_1", ""},
		{"another kind of literal", "a + 1", "a + 1.0", "changed function F"},
		{"receiver", "(t *T)", "(t T)", "changed method T.M"},
		{"variadic", "s ...int", "s []int", "changed method T.M"},
		{"spread", "Println(s)", "Println(s...)", "changed method T.M"},
		{"field", "B string", "B []byte", "changed type T"},
		{"tag", "B string", "B string `json:\"b\"`", "changed type T"},
		{"alias", "type T struct", "type T = struct", "changed type T"},
		{"value", "x, y = 1, 2", "x, y = 1, 3", "changed variable x, y"},
		{"iota", "\tOne\n", "\tHalf\n\tOne\n", "added constant Half, changed constant One, changed constant Two"},
		{"repeated expression", "Zero = iota", "Zero = iota * 2", "changed constant Zero, changed constant One, changed constant Two"},
		{"renamed", "func F(", "func G(", "added function G, removed function F"},
		{"import", `"fmt"`, `fmt "example.com/fmt"`, `added import "example.com/fmt", removed import "fmt"`},
		{"import name", `import "fmt"`, `import fmt "fmt"`, `changed import "fmt"`},
		{"constraint in two forms", "// Package p", "//go:build !zero\n// +build !zero\n\n// Package p", "changed package p"},
		{"constraint", "// Package p", "//go:build linux\n\n// Package p", "changed package p"},
		{"moved", "func (t *T) M(s ...int) { fmt.Println(s) }\n", "", "removed method T.M"},
	} {
		diffs, err := compareGo("p.go", texts{before, strings.Replace(before, c.old, c.new, 1)})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, d := range diffs {
			got = append(got, string(d.how)+" "+d.decl.key())
		}
		slices.Sort(got)
		want := strings.Split(c.want, ", ")
		if c.want == "" {
			want = nil
		} else if strings.Contains(c.want, "x, y") {
			want = []string{c.want}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
	if _, err := compareGo("p.go", texts{before, "package"}); err == nil {
		t.Error("a file that does not parse is compared")
	}
}

// TestMovedDeclaration: the order of declarations carries no meaning except for variables'
// initialisation, which users of them show.
func TestMovedDeclaration(t *testing.T) {
	t.Parallel()
	a, b := "func F() {}\n", "func G() { F() }\n"
	diffs, err := compareGo("p.go", texts{"package p\n" + a + b, "package p\n" + b + a})
	if err != nil || len(diffs) != 0 {
		t.Errorf("%d differences, %v", len(diffs), err)
	}
	for _, c := range []struct {
		values [2]string
		differ bool
	}{
		{[2]string{"next()", "next()"}, true},
		{[2]string{"<-c", "T{next()}"}, true},
		{[2]string{"next()", "1"}, false},
		{[2]string{"errors.New(\"a\")", "errors.New(\"b\")"}, false},
		{[2]string{"dep.New()", "next()"}, true},
		{[2]string{"func() int { return next() }", "next()"}, false},
		{[2]string{"func() int { return 1 }()", "next()"}, true},
	} {
		const head = "package p\n\nimport (\n\t\"errors\"\n\n\t\"example.com/dep\"\n)\n\n"
		x, y := "var x = "+c.values[0]+"\n", "var y = "+c.values[1]+"\n"
		diffs, err := compareGo("p.go", texts{head + x + a + y, head + y + a + x})
		if err != nil || (len(diffs) > 0) != c.differ {
			t.Errorf("%q: %d differences, %v", c.values, len(diffs), err)
		}
	}
}

// TestConstraintForms: a build constraint in its newer form, or in both, is the one of the older.
func TestConstraintForms(t *testing.T) {
	t.Parallel()
	const rest = "\n\npackage p\n"
	for _, c := range []struct {
		old, new string
		differ   bool
	}{
		{"// +build linux", "//go:build linux\n// +build linux", false},
		{"// +build linux,amd64 darwin\n// +build !cgo", "//go:build ((linux && amd64) || darwin) && !cgo", false},
		{"// +build linux", "//go:build !linux", true},
		{"//go:build linux\n// +build darwin", "//go:build linux", false},
		{"// +build linux", "", true},
	} {
		diffs, err := compareGo("p.go", texts{c.old + rest, c.new + rest})
		if err != nil || (len(diffs) > 0) != c.differ {
			t.Errorf("%q and %q: %d differences, %v", c.old, c.new, len(diffs), err)
		}
	}
}
