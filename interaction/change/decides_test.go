package change

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// TestDecides: conditions with the same operands in another form are no change if none of them can
// tell. What decides otherwise, or evaluates something that may panic or have an effect, is one.
func TestDecides(t *testing.T) {
	t.Parallel()
	const head = "package p\n\ntype id struct{ term, index int }\n\ntype T struct {\n\tlast int\n\tnext *T\n}\n\nfunc (t *T) Do(a id, b, c int) { t.step(a, b, c) }\n\n" +
		"func (t *T) holds(a id) bool { t.last++; return a.term > 0 }\n\n"
	in := func(cond string) string {
		return head + "func (t *T) step(a id, b, c int) {\n\tif " + cond + " {\n\t\tt.last = b\n\t}\n}\n"
	}
	for _, c := range []struct {
		name, before, after string
		want                string // changed declarations
	}{
		{"another order", in("a.term != 0 && a.index > t.last && t.holds(a)"), in("a.index > t.last && a.term != 0 && t.holds(a)"), ""},
		{"De Morgan", in("a.term != 0 && b > c"), in("!(a.term == 0 || !(b > c))"), ""},
		{"distributed", in("a.term > 0 && (b > c || c > 7)"), in("a.term > 0 && b > c || c > 7 && a.term > 0"), ""},
		{"twice", in("b > c"), in("b > c || b > c"), ""},
		{"a function", in("a.term != 0 && a.index > t.last && t.holds(a)"),
			in("t.may(a)") + "func (t *T) may(a id) bool { return a.term != 0 && a.index > t.last && t.holds(a) }\n", ""},
		{"a function with other names, in another order", in("a.term != 0 && a.index > t.last && t.holds(a)"),
			in("t.may(a)") + "func (x *T) may(e id) bool { return e.index > x.last && e.term != 0 && x.holds(e) }\n", ""},
		{"a function in a function", in("a.term != 0 && b > c"),
			in("both(a, b, c)") + "func both(a id, x, y int) bool { return a.term != 0 && more(x, y) }\n\nfunc more(p, q int) bool { return p > q }\n", ""},
		{"a function of a part", in("a.term != 0 && b > c && t.holds(a)"), in("a.term != 0 && more(b, c) && t.holds(a)") + "func more(x, y int) bool { return x > y }\n", ""},

		{"De Morgan with an order", in("b > c || b == c && a.term >= a.index"), in("!(b < c || b == c && a.term < a.index)"), ""},
		{"branches in the other order", strings.Replace(in("b > c"), "t.last = b\n\t}", "t.last = b\n\t} else {\n\t\tt.last = c\n\t}", 1),
			strings.Replace(in("b <= c"), "t.last = b\n\t}", "t.last = c\n\t} else {\n\t\tt.last = b\n\t}", 1), ""},

		{"branches in the other order without the condition", strings.Replace(in("b > c"), "t.last = b\n\t}", "t.last = b\n\t} else {\n\t\tt.last = c\n\t}", 1),
			strings.Replace(in("b < c"), "t.last = b\n\t}", "t.last = c\n\t} else {\n\t\tt.last = b\n\t}", 1), "T.step"},
		{"a condition without its branches", strings.Replace(in("b > c"), "t.last = b\n\t}", "t.last = b\n\t} else {\n\t\tt.last = c\n\t}", 1),
			strings.Replace(in("b <= c"), "t.last = b\n\t}", "t.last = b\n\t} else {\n\t\tt.last = c\n\t}", 1), "T.step"},
		{"an order with one end", in("b > c"), in("b >= c"), "T.step"},
		{"an order of what may have none", in("float64(b) > float64(c)"), in("!(float64(b) <= float64(c))"), "T.step"},
		{"more of what may have none", in("c > 7"), in("c > 7 || float64(b) > float64(c) && c > 7 || float64(b) > float64(c)"), "T.step"},
		{"twice what may have none", in("c > 7 || float64(b) > float64(c)"), in("float64(b) > float64(c) || c > 7"), ""},
		{"one of two that may have none", in("c > 7 && (c > 7 || float64(b) > float64(c))"), in("c > 7 || float64(b) > float64(c)"), "T.step"},
		{"a function that calls itself", in("b > c"), in("more(b, c)") + "func more(x, y int) bool { return x > y && more(x, y) }\n", "T.step more"},
		{"functions that call each other", in("b > c"), in("more(b, c)") + "func more(x, y int) bool { return x > y && most(x, y) }\n\nfunc most(p, q int) bool { return more(p, q) }\n", "T.step more most"},
		{"a function without parameters", in("b > c"), in("b > c && on()") + "func on() bool { return on() }\n", "T.step on"},
		{"and for or", in("a.term != 0 && b > c"), in("a.term != 0 || b > c"), "T.step"},
		{"an operand is gone", in("a.term != 0 && b > c"), in("a.term != 0"), "T.step"},
		{"another operand", in("a.term != 0 && b > c"), in("c > b && a.term != 0"), "T.step"},
		{"an effect comes first", in("b > c && t.holds(a)"), in("t.holds(a) && b > c"), "T.step"},
		{"an effect that changes an operand", in("t.last > 0 && t.holds(a) && t.last > 0"), in("t.holds(a) && t.last > 0"), "T.step"},
		{"an effect is missing", in("b > c && (t.holds(a) || !t.holds(a))"), in("b > c"), "T.step"},
		{"a nil pointer", in("t.next != nil && t.next.last > 0"), in("t.next.last > 0 && t.next != nil"), "T.step"},
		{"a receiver that may be nil", in("t != nil && t.last > 0"), in("t.last > 0 && t != nil"), "T.step"},
		{"a division", in("c != 0 && b/c > 1"), in("b/c > 1 && c != 0"), "T.step"},
		{"an index", in("c < 2 && [2]int{}[c] > 1"), in("[2]int{}[c] > 1 && c < 2"), "T.step"},
		{"a function with exchanged arguments", in("a.term != 0 && b > c"), in("a.term != 0 && more(c, b)") + "func more(x, y int) bool { return x > y }\n", "T.step more"},
		{"a function with another condition", in("a.term != 0 && b > c"), in("more(a, b, c)") + "func more(a id, x, y int) bool { return a.term != 0 || x > y }\n", "T.step more"},
		{"a function that does more", in("b > c"), in("t.more(b, c)") + "func (t *T) more(x, y int) bool { t.last++; return x > y }\n", "T.more T.step"},
		{"a name of the package in a function", strings.Replace(in("b > c"), "a id, b, c int) {\n", "a id, b, c int) {\n\tlimit := 3\n\tc = limit\n", 1) + "var limit = 2\n",
			strings.Replace(in("b > limit2(c)"), "a id, b, c int) {\n", "a id, b, c int) {\n\tlimit := 3\n\tc = limit\n", 1) + "var limit = 2\n\nfunc limit2(c int) int { return c }\n", "T.step limit2"},
		{"a function that others use otherwise", in("b > c"), in("more(b, c)") + "func more(x, y int) bool { return x > y }\n\nfunc (t *T) Other() { if more(t.last, 1) { t.last = 0 } }\n", "T.Other T.step more"},
		{"a condition and a statement", in("a.term != 0 && b > c"), strings.Replace(in("b > c && a.term != 0"), "t.last = b", "t.last = c", 1), "T.step"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.org/p\n\ngo 1.26.0\n", "p.go": c.after} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			h := &goHolder{repo: &repo{dir: dir}, names: map[string]bool{}, out: newAnalysis(), patterns: []string{"./..."}, environ: append(os.Environ(), "GOWORK=off")}
			if err := h.compare(&unified.File{Old: "p.go", New: "p.go"}, texts{before: c.before, after: c.after}); err != nil {
				t.Fatal(err)
			}
			h.renames()
			var err error
			if h.now, err = loadGo(dir, h.patterns, h.environ, nil); err != nil {
				t.Fatal(err)
			}
			decides := h.deciding()
			var got []string
			for _, d := range h.changed[0].diffs {
				if !decides[". "+d.decl.key()] {
					got = append(got, d.decl.name())
				}
			}
			slices.Sort(got)
			if strings.Join(got, " ") != c.want {
				t.Errorf("changed: %q, not %q", strings.Join(got, " "), c.want)
			}
		})
	}
}
