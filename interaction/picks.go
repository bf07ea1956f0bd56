package interaction

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// picksOf returns the messages of Bags that parameters of an action name by position, of those
// parameters that mean nothing else to an observer. Such a parameter is no index of what is read or
// written, the channel of the message is known, and its network has kinds.
func picksOf(f *modules.Footprint, reads []modules.Access) (out []modules.Pick) {
	means := map[string]bool{"*": true} // terms that are known to mean something else
	for _, a := range reads {
		for _, term := range append(slices.Clone(a.Index), a.Key) {
			means[term] = true
		}
	}
	for _, w := range f.Writes {
		for _, e := range w.Elements {
			for _, term := range append(slices.Clone(e.Index), e.Key) {
				means[term] = true
			}
		}
	}
	for _, p := range f.Picks {
		if slices.Contains(p.Index, "*") || !strings.Contains(p.Variable, "#") {
			means[p.At] = true
		}
	}
	for _, p := range f.Picks {
		if !means[p.At] {
			out = append(out, p)
		}
	}
	return out
}

// project says which messages that the environment picks are hidden: those of kinds that no module
// under test reads.
func (v *Views) project() {
	seen := map[string]bool{}
	for _, s := range v.Steps {
		for _, a := range s.Reads {
			seen[a.Variable] = seen[a.Variable] || !s.Environment
		}
	}
	for k := range v.Steps {
		s := &v.Steps[k]
		if !s.Environment || len(s.Picks) == 0 {
			continue
		}
		s.Quiet = !slices.ContainsFunc(s.Footprint.Writes, func(w modules.Write) bool {
			return !slices.ContainsFunc(s.Picks, func(p modules.Pick) bool { return networkOf(p.Variable) == networkOf(w.Variable) })
		})
		for _, p := range s.Picks {
			if !seen[p.Variable] && !slices.Contains(s.Hidden, p.Variable) {
				s.Hidden = append(s.Hidden, p.Variable)
			}
		}
	}
}

// networkOf returns the Bag or Net that a variable is a part of, or the variable itself.
func networkOf(variable string) string {
	net, _, _ := strings.Cut(variable, "#")
	return net
}
