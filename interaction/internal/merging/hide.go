package merging

import (
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// mostKnown bounds the search for a path. Above so many sets of facts the path counts as existing.
const mostKnown = 4000

// known maps elements, as Phase[p.I], to the constants that they may have. An element that is not
// in it may have any value.
type known map[string][]string

func (k known) key() string {
	var b strings.Builder
	for _, e := range slices.Sorted(maps.Keys(k)) {
		b.WriteString(e + "=" + strings.Join(k[e], "|") + ";")
	}
	return b.String()
}

// hides reports whether coarse action b can do step a, later a step for which last holds, and only
// allowed steps in between. A step with other parameters can occur in between as well. Such a step
// requires nothing of the elements that are compared, and can change each of them.
func (p *Program) hides(b, a *Step, last func(c *Step) bool) bool {
	start, ok := p.after(known{}, a, false)
	if !ok {
		return true // a itself contradicts what is known: say nothing about it
	}
	seen := map[string]bool{start.key(): true}
	queue := []known{start}
	for len(queue) > 0 {
		k := queue[0]
		queue = queue[1:]
		for _, c := range p.allowed[b] {
			for _, other := range []bool{false, true} {
				next, ok := p.after(k, c, other)
				if !ok {
					continue
				}
				if !other && last(c) {
					return true
				}
				if key := next.key(); !seen[key] {
					seen[key] = true
					queue = append(queue, next)
				}
			}
		}
		if len(seen) > mostKnown {
			return true
		}
	}
	return false
}

// after returns the facts after a step; ok is false if the step is not possible. Other says that
// the step is done with other parameters than the first one.
func (p *Program) after(k known, s *Step, other bool) (out known, ok bool) {
	out = maps.Clone(k)
	for _, f := range s.Facts {
		if other && f.Index != "" {
			continue
		}
		e := f.Variable + f.Index
		had, is := out[e]
		switch {
		case f.Differs && is:
			if had = slices.DeleteFunc(slices.Clone(had), func(x string) bool { return x == f.Value }); len(had) == 0 {
				return nil, false
			}
			out[e] = had
		case !f.Differs && is && !slices.Contains(had, f.Value):
			return nil, false
		case !f.Differs:
			out[e] = []string{f.Value}
		}
	}
	for k := range s.Print.Writes {
		p.assign(out, &s.Print.Writes[k], other)
	}
	return out, true
}

// assign changes what is known by a write.
func (p *Program) assign(k known, w *footprint.Write, other bool) {
	name := p.Variables[w.Variable].Name
	at, exact := index(w)
	if exact && !other || exact && at == "" {
		switch e := name + at; {
		case w.Computed:
			delete(k, e)
		case !w.Keeps:
			k[e] = slices.Sorted(slices.Values(w.Constants))
		case k[e] != nil:
			k[e] = union(k[e], w.Constants)
		}
		if at == "" {
			return
		}
	}
	for e := range k {
		if e == name+at && exact && !other {
			continue
		}
		if strings.HasPrefix(e, name) && (e == name || strings.HasPrefix(e[len(name):], "[")) {
			if w.Computed {
				delete(k, e)
			} else {
				k[e] = union(k[e], w.Constants)
			}
		}
	}
}

func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
