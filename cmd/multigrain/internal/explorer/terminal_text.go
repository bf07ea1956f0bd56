package explorer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
)

// state prints the state by module and node, or the variables whose names begin with a text.
func (t *talk) state(name string) error {
	last, printed := "", false
	for k := range t.v.State {
		x := &t.v.State[k]
		if !strings.HasPrefix(x.Name, name) {
			continue
		}
		if module := moduleName(x.Module); module != last {
			fmt.Fprintf(t.out, "%s\n", module)
			last = module
		}
		printed = true
		mark := func(i int) string {
			if slices.Contains(x.Changed, i) {
				return "*"
			}
			return " "
		}
		if x.Nodes == nil {
			fmt.Fprintf(t.out, " %s%s = %s\n", mark(0), x.Name, x.Value)
			continue
		}
		fmt.Fprintf(t.out, "  %s\n", x.Name)
		for i, value := range x.Nodes {
			if value != "" {
				fmt.Fprintf(t.out, "   %s%s: %s\n", mark(i), t.v.Nodes[i], strings.ReplaceAll(value, "\n", "; "))
			}
		}
	}
	if name == "" && len(t.v.Unused) > 0 {
		fmt.Fprintf(t.out, "not used in this composition: %s\n", strings.Join(t.v.Unused, ", "))
	}
	if !printed {
		return fmt.Errorf("the state has no variable that begins with %s", name)
	}
	return nil
}

func moduleName(module string) string {
	if module == "" {
		return "channels and bounds"
	}
	return module
}

// steps lists the possible steps of an action, or all, with what they change.
func (t *talk) steps(action string) {
	last := ""
	for k := range t.v.Steps {
		o := &t.v.Steps[k]
		if action != "" && o.Action != action {
			continue
		}
		if o.Module != last {
			fmt.Fprintf(t.out, "%s\n", o.Module)
			last = o.Module
		}
		fmt.Fprintf(t.out, "%4d  %s\n", k+1, o.Call)
		for _, n := range o.Notes {
			fmt.Fprintf(t.out, "        ! %s\n", n.Text)
		}
		for c := range o.Changes {
			fmt.Fprintf(t.out, "        %s\n", o.Changes[c].text())
		}
	}
	if action != "" {
		return
	}
	var idle []string
	for _, x := range t.v.Idle {
		idle = append(idle, x.Action)
	}
	if len(idle) > 0 {
		fmt.Fprintf(t.out, "not possible: %s\n", strings.Join(idle, ", "))
	}
}

// path prints the steps of the path.
func (t *talk) path() {
	fmt.Fprintf(t.out, "   0  initial state %d\n", t.v.Init)
	for k := range t.v.Trail {
		fmt.Fprintf(t.out, "%4d  %s  %s\n", k+1, t.v.Trail[k].Call, t.v.Trail[k].Module)
	}
}

// mostCases bounds the groups of refused steps that are printed.
const mostCases = 12

// whyNot prints what refuses an action.
func (t *talk) whyNot(ctx context.Context, action string) error {
	a, err := t.why(ctx, t.here, action)
	if err != nil {
		return err
	}
	all := refusals(a)
	for k, r := range all {
		if k == mostCases {
			fmt.Fprintf(t.out, "and %d more: name one step\n", len(all)-k)
			break
		}
		calls := r.Calls[0]
		if n := len(r.Calls); n > 1 {
			calls = fmt.Sprintf("%s and %d more", calls, n-1)
		}
		fmt.Fprintf(t.out, "%s\n", calls)
		for _, line := range r.Lines {
			fmt.Fprintf(t.out, "    %s\n", line)
		}
	}
	return nil
}

// mermaid prints the path as a diagram.
func (t *talk) mermaid() error {
	b, err := t.behaviour(t.here)
	if err == nil {
		io.WriteString(t.out, diagram.Mermaid(b.Diagram, t.title()))
	}
	return err
}

// besideHere prints what the second composition does with the path.
func (t *talk) besideHere(ctx context.Context) error {
	x, err := t.alongside(ctx, &asked{place: t.here})
	if err != nil {
		return err
	}
	p := x.(*parted)
	fmt.Fprintf(t.out, "%s %s\n", p.Title, p.Says)
	if p.Limited {
		io.WriteString(t.out, "  (not all of its behaviours were tried: there are too many)\n")
	}
	for k, call := range p.Taken {
		own := ""
		if slices.Contains(p.Bridged, call) {
			own = "  (its own)"
		}
		fmt.Fprintf(t.out, "%4d  %s%s\n", k+1, call, own)
	}
	for _, r := range p.Why {
		for _, line := range r.Lines {
			fmt.Fprintf(t.out, "    %s\n", line)
		}
	}
	for k := range p.Differs {
		c := &p.Differs[k]
		fmt.Fprintf(t.out, "  %s: %s here, %s there\n", c.Path, c.Old, c.New)
	}
	return nil
}

// complete returns a line with its last word completed as far as that is clear.
func (t *talk) complete(line string) string {
	var all []string
	rest := func(word string) (string, bool) { return strings.CutPrefix(line, word+" ") }
	switch {
	case begins(line, "do ", "d "):
		for k := range t.v.Steps {
			all = append(all, "do "+t.v.Steps[k].Call)
		}
		if short, ok := rest("d"); ok {
			line = "do " + short
		}
	case begins(line, "why not "):
		for _, x := range t.v.Idle {
			all = append(all, "why not "+x.Action)
		}
		for k := range t.v.Steps {
			all = append(all, "why not "+t.v.Steps[k].Action)
		}
	case begins(line, "find action "):
		for _, x := range t.v.Idle {
			all = append(all, "find action "+x.Action)
		}
	case begins(line, "steps "):
		for k := range t.v.Steps {
			all = append(all, "steps "+t.v.Steps[k].Action)
		}
	default:
		head := line[:strings.LastIndexAny(line, " (!&|=<>")+1]
		for k := range t.v.State {
			all = append(all, head+t.v.State[k].Name)
		}
		if head == "" {
			for _, c := range commands {
				all = append(all, c.word+" ")
			}
		}
		if begins(line, "find ") {
			all = append(all, "find action ", "find violation")
		}
	}
	return longestCommon(line, all)
}

func begins(line string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) })
}

// longestCommon returns the longest text with which all begin that begin with line.
func longestCommon(line string, all []string) string {
	common, found := line, false
	for _, x := range all {
		if !strings.HasPrefix(x, line) {
			continue
		}
		if !found {
			common, found = x, true
			continue
		}
		for !strings.HasPrefix(x, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}
