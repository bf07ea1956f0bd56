package footprint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// lines writes a footprint: one line for each variable that is written, and one for each issue.
func (a *Analyzer) lines(r *Result) string {
	var b strings.Builder
	list := func(name string, reads []Read) {
		for k, x := range reads {
			if k == 0 {
				fmt.Fprintf(&b, "; %s", name)
			}
			fmt.Fprintf(&b, " %s%v", a.Variables[x.Variable].Name, x.Index)
		}
	}
	for _, w := range r.Writes {
		b.WriteString(a.Variables[w.Variable].Name)
		for _, e := range w.Elements {
			fmt.Fprintf(&b, "%v", e.Index)
		}
		fmt.Fprintf(&b, " = %s", strings.Join(w.Constants, " "))
		if w.Computed {
			b.WriteString(" ...")
		}
		list("data", w.Data)
		list("control", w.Control)
		list("index", w.Indices)
		b.WriteString("\n")
	}
	for _, i := range r.Issues {
		b.WriteString("issue: " + i.Text + "\n")
	}
	return b.String()
}

// TestFound holds programs whose footprints once left something out: the generated programs and the
// laws of this package found them.
func TestFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"a copy, or something else, with a known element",
			"var la [3]int\nif s.F {\n la = n.R\n}\nla[p.I] = 2\nn.R = la",
			"R[] = 0 2; control F[]\n"},
		{"what an interface holds depends on what chose it",
			"var v any = 0\nif s.F {\n v = 1\n}\nn.A = v.(int)",
			"A[] = 0 1; control F[]\n"},
		{"a pointer with a target that is not known",
			"var m [2][2]*int\nm[p.K][s.B&1] = &n.A\nm[0][1] = &n.B\nrow := m[p.K]\n*row[p.K] = 2",
			"A[] = 2; index B[]\nissue: it writes through a pointer that is not followed\n"},
		{"an interface around itself, in a loop",
			"type box struct{ in any }\nvar v any = 0\nfor range 3 {\n v = box{v}\n}\nif v == nil {\n n.A = 1\n}",
			"A[] = 1\n"},
		{"an interface around itself, in a recursion",
			"n.B = deep(0, s.A)\n}\n\ntype box struct{ in any }\n\n" +
				"func deep(v any, k int) int {\nif k == 0 {\n return v.(int)\n}\nreturn deep(box{v}, k-1)",
			"B[] = 0; control A[]\n"},
		{"a closure around itself",
			"var t caller\nfor range 3 {\n t = caller{t.call}\n}\nn.A = t.f()\n}\n\n" +
				"type caller struct{ f func() int }\n\nfunc (c caller) call() int {\nreturn 1",
			"A[] = 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, pkg := domain(t, "func effect(s, n *State, p P) {\n"+c.body+"\n}\n")
			got := a.lines(a.Action(Code{Effects: []*initial.Func{{Fn: pkg.Func("effect")}}}))
			if got != c.want {
				t.Errorf("the footprint differs:\n%s", udiff.Unified("want", "got", c.want, got))
			}
		})
	}
}
