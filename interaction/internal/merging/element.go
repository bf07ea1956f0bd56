package merging

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// otherElements returns the kept variables with an element that a coarse action writes and none of
// its possible steps writes there. The parameters of a step are known in the coarse action if both
// read an element of the same variable, and no fine step writes that variable. Such a variable is
// a message from outside, or belongs to another module.
//
//	fine    Is(p.J, p.I, UPDATE)   Log[p.I] := ...
//	coarse  Is(p.A, p.B, UPDATE)   Log[p.A] := ...    p.I is p.B, so the element is Log[p.B]
func (p *Program) otherElements(b *Step) (out []Loss) {
	for v, w := range b.writes {
		if w == nil || !p.Kept[v] || p.Variables[v].Dims == 0 {
			continue
		}
		have, exact := index(w)
		if !exact || have == "" {
			continue
		}
		var writer *Step
		other := true
		for _, a := range p.allowed[b] {
			if a.writes[v] == nil {
				continue
			}
			writer = a
			if !p.elsewhere(b, a, v, have) {
				other = false
			}
		}
		if writer != nil && other {
			out = append(out, Loss{Kind: OtherElement, Coarse: b, Fine: writer, Variable: v, Element: have, Certain: true})
		}
	}
	return out
}

// elsewhere reports whether step a, within a coarse action, certainly writes other elements of v
// than the one.
func (p *Program) elsewhere(b, a *Step, v int, have string) bool {
	in := p.parameters(b, a)
	for _, e := range a.writes[v].Elements {
		var terms []string
		for _, t := range e.Index {
			if strings.HasPrefix(t, "p.") {
				if t = in[t]; t == "" {
					return false
				}
			}
			terms = append(terms, t)
		}
		if at, exact := indexText(terms); !exact || at == have || len(terms) == 0 {
			return false
		}
	}
	return true
}

// parameters maps the parameters of a step to terms of the coarse action, where they are known.
func (p *Program) parameters(b, a *Step) map[string]string {
	out := map[string]string{}
	for x := range p.Variables {
		if !a.guard[x] || !b.guard[x] || slices.ContainsFunc(p.Fine, func(c *Step) bool { return c.Print.Sends[x] != nil }) {
			continue
		}
		if p.Variables[x].Kind == "" && slices.ContainsFunc(p.Fine, func(c *Step) bool { return c.writes[x] != nil }) {
			continue
		}
		fine, ok := onlyRead(a, x)
		coarse, also := onlyRead(b, x)
		if !ok || !also || len(fine) != len(coarse) {
			continue
		}
		for k, t := range fine {
			if strings.HasPrefix(t, "p.") {
				out[t] = coarse[k]
			}
		}
	}
	return out
}

// onlyRead returns the index at which a guard reads a variable, if it is one and exact.
func onlyRead(s *Step, v int) ([]string, bool) {
	var found []footprint.Read
	for _, r := range s.Print.Guard {
		if r.Variable == v {
			found = append(found, r)
		}
	}
	if len(found) != 1 || found[0].Key != "" || slices.Contains(found[0].Index, "*") {
		return nil, false
	}
	return found[0].Index, true
}
