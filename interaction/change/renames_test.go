package change

import (
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// TestNames: what differs in names only is no change, and what differs in more is one.
func TestNames(t *testing.T) {
	const head = "package p\n\ntype T struct{ count int }\n\nfunc (t *T) Do(n int) int { return t.step(n) }\n\n"
	for _, c := range []struct {
		name, before, after string
		want                []string // changed declarations; none: nothing changed
	}{
		{"local", head + "func (t *T) step(n int) int { k := n + t.count; return k }\n", head + "func (t *T) step(n int) int { size := n + t.count; return size }\n", nil},
		{"parameter and label", head + "func (t *T) step(n int) int {\nloop:\n\tfor n > 0 {\n\t\tn--\n\t\tcontinue loop\n\t}\n\treturn n\n}\n",
			head + "func (t *T) step(m int) int {\nagain:\n\tfor m > 0 {\n\t\tm--\n\t\tcontinue again\n\t}\n\treturn m\n}\n", nil},
		{"receiver", head + "func (t *T) step(n int) int { return t.count }\n", head + "func (x *T) step(n int) int { return x.count }\n", nil},
		{"type switch", head + "func (t *T) step(n int) int {\n\tswitch x := any(t).(type) {\n\tcase *T:\n\t\treturn x.count\n\t}\n\treturn n\n}\n",
			head + "func (t *T) step(n int) int {\n\tswitch y := any(t).(type) {\n\tcase *T:\n\t\treturn y.count\n\t}\n\treturn n\n}\n", nil},
		{"two locals exchanged", head + "func (t *T) step(n int) int { a, b := n, 2*n; return a - b }\n", head + "func (t *T) step(n int) int { a, b := n, 2*n; return b - a }\n", []string{"T.step"}},
		{"two locals exchanged in declaration and use", head + "func (t *T) step(n int) int { a, b := n, 2*n; return a - b }\n", head + "func (t *T) step(n int) int { b, a := n, 2*n; return b - a }\n", nil},
		{"local captured", head + "var k = 1\n\nfunc (t *T) step(n int) int { m := n; return m + k }\n", head + "var k = 1\n\nfunc (t *T) step(n int) int { k := n; return k + k }\n", []string{"T.step"}},
		{"key of a literal", head + "type U struct{ a, b int }\n\nfunc (t *T) step(n int) int { a := n; return U{a: a}.a }\n", head + "type U struct{ a, b int }\n\nfunc (t *T) step(n int) int { b := n; return U{b: b}.a }\n", []string{"T.step"}},
		{"key that is no field", head + "func (t *T) step(n int) int { a, b := n, 2; m := other{a: 1}; return m[b] }\n", head + "func (t *T) step(n int) int { b, a := n, 2; m := other{a: 1}; return m[a] }\n", []string{"T.step"}},
		{"key beside a name", head + "func (t *T) step(n int) int { a, b := n, 2; return other{a: a}.a + b }\n", head + "func (t *T) step(n int) int { a, c := n, 2; return other{a: a}.a + c }\n", nil},
		{"method", head + "func (t *T) step(n int) int { return n }\n", strings.Replace(head, "t.step", "t.next", 1) + "func (t *T) next(n int) int { return n }\n", nil},
		{"method with another body", head + "func (t *T) step(n int) int { return n }\n", strings.Replace(head, "t.step", "t.next", 1) + "func (t *T) next(n int) int { return n + 1 }\n", []string{"T.next"}},
		{"method beside a name C", head + "func (t *T) step(n int) int { type C int; return int(C(n)) }\n", strings.Replace(head, "t.step", "t.next", 1) + "func (t *T) next(n int) int { type C int; return int(C(n)) }\n", nil},
		{"method of a package with C", strings.Replace(head, "package p\n", "package p\n\nimport \"C\"\n", 1) + "func (t *T) step(n int) int { return n }\n",
			strings.Replace(strings.Replace(head, "t.step", "t.next", 1), "package p\n", "package p\n\nimport \"C\"\n", 1) + "func (t *T) next(n int) int { return n }\n", []string{"T.Do", "T.next", "T.step"}},
		{"field", head + "func (t *T) step(n int) int { return t.count }\n", strings.Replace(head, "count", "size", 1) + "func (t *T) step(n int) int { return t.size }\n", nil},
		{"field of another type", head + "func (t *T) step(n int) int { return int(t.count) }\n", strings.Replace(head, "count int", "size int8", 1) + "func (t *T) step(n int) int { return int(t.size) }\n", []string{"T", "T.step"}},
		{"exported", head + "func (t *T) step(n int) int { return n }\n", strings.Replace(head, "Do", "Make", 1) + "func (t *T) step(n int) int { return n }\n", []string{"T.Make", "T.Do"}},
		{"to a name that is there", head + "func (t *T) step(n int) int { return one() }\n\nfunc one() int { return 1 }\n\nfunc two() int { return 2 }\n",
			head + "func (t *T) step(n int) int { return two() }\n\nfunc two() int { return 2 }\n", []string{"T.step", "one"}},
		{"to a predeclared name", head + "func (t *T) step(n int) int { return least(n, 1) }\n\nfunc least(a, b int) int { return a }\n",
			head + "func (t *T) step(n int) int { return min(n, 1) }\n", []string{"T.step", "least"}},
		{"to another function", head + "func (t *T) step(n int) int { return one(n) }\n\nfunc one(n int) int { return n }\n",
			head + "func (t *T) step(n int) int { return two(n) }\n\nfunc two(n int) int { return n }\n\nfunc three(n int) int { return n }\n", []string{"three"}},
		{"package and import", strings.Replace(head, "package p\n", "package p\n\nimport s \"strconv\"\n", 1) + "func (t *T) step(n int) int { return len(s.Itoa(n)) }\n",
			strings.Replace(head, "package p\n", "package p\n\nimport conv \"strconv\"\n", 1) + "func (t *T) step(n int) int { return len(conv.Itoa(n)) }\n", nil},
		{"any", head + "func (t *T) step(n int) int { var x interface{} = n; return x.(int) }\n", head + "func (t *T) step(n int) int { var x any = n; return x.(int) }\n", nil},
		{"any of the package", head + "type any = error\n\nfunc (t *T) step(n int) int { var x interface{} = nil; _ = x; return n }\n", head + "type any = error\n\nfunc (t *T) step(n int) int { var x any = nil; _ = x; return n }\n", []string{"T.step"}},
		{"linked name", "package p\n\nimport _ \"unsafe\"\n\n//go:linkname one two\nfunc one() int\n\nfunc Two() int { return one() }\n",
			"package p\n\nimport _ \"unsafe\"\n\n//go:linkname three two\nfunc three() int\n\nfunc Two() int { return three() }\n", []string{"three", "Two", "one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := &goHolder{repo: &repo{dir: t.TempDir()}, names: map[string]bool{}, out: newAnalysis()}
			if err := h.compare(&unified.File{Old: "p.go", New: "p.go"}, texts{before: c.before, after: c.after}); err != nil {
				t.Fatal(err)
			}
			h.renames()
			var got []string
			for _, d := range h.changed[0].diffs {
				got = append(got, d.decl.name())
			}
			if strings.Join(got, " ") != strings.Join(c.want, " ") {
				t.Errorf("changed: %v, not %v", got, c.want)
			}
		})
	}
}
