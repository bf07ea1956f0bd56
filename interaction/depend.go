package interaction

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// What it computes. For each module its dependency variables, for a composition its interaction
// variables, and from these the variables that coarse grains must keep (Remix, definitions 2 and
// 3).
//
// Why it is right. A variable counts if a guard of the module reads it, or if such a variable is
// computed from it within the module: a least fixed point, to which each round adds sources. Two
// modules interact through what both depend on, and through what one computes for the other. A
// coarse grain that keeps these variables offers the others the same values. Comments of the
// functions name the deviations from the definitions.
//
// What it costs. Rounds over all updates of all actions until nothing is added: at most as many
// rounds as there are variables. The footprints come from package footprint, which costs far more.
//
// Example. Election decides the leader by votes, and synchronization is under test:
//
//	Vote        a guard of election reads it              internal to election
//	LeaderAddr  election computes it from Vote            a guard of synchronization reads it: kept
//	Vote        outside synchronization, LeaderAddr is computed from it, within election: dropped

// reason says why a variable is in a set.
type reason struct {
	text  string
	place grains.Place
	from  int // the variable that brought it in; -1: none
}

// varSet is a set of variables with the reasons.
type varSet struct {
	why map[int]reason
	// order is the order in which they came in.
	order []int
}

func newVarSet() *varSet { return &varSet{why: map[int]reason{}} }

func (s *varSet) has(v int) bool {
	_, ok := s.why[v]
	return ok
}

func (s *varSet) add(v int, r reason) bool {
	if s.has(v) {
		return false
	}
	s.why[v] = r
	s.order = append(s.order, v)
	return true
}

// readPlace returns where a footprint's guard reads a variable.
func (a *analysis) readPlace(reads []footprint.Read, v int, otherwise grains.Place) grains.Place {
	for _, r := range reads {
		if r.Variable == v {
			if p := a.prints.place(r.Place.At); p.File != "" {
				return p
			}
		}
	}
	return otherwise
}

// writePlace returns where a footprint first writes a variable.
func (a *analysis) writePlace(pr *print, v int) grains.Place {
	if w := pr.writes[v]; w != nil {
		for _, x := range w.raw.Places {
			if p := a.prints.place(x.At); p.File != "" {
				return p
			}
		}
	}
	return pr.at
}

func (a *analysis) name(v int) string { return a.prints.analyzer.Variables[v].Name }

// dependency is D(M), definition 2: what the guards read, and what the updates of such variables
// within the module are computed from.
//
// Deviation: sources by control and by index count like those by data. The definition speaks of the
// values from which the assigned one is calculated. The branch that chooses a value and the index
// that selects it are as much part of it. A guard of the environment that reads a channel whatever
// the kind makes no kind a dependency variable. An effect of the environment on messages by their
// position makes no kind depend on another. Otherwise all kinds would be.
func (a *analysis) dependency(u *unit) *varSet {
	d := newVarSet()
	for _, pr := range u.actions {
		for v, reads := range pr.reads {
			if reads && !a.blindly(u, pr, v) {
				d.add(v, reason{fmt.Sprintf("the guard of %s (%s) reads %s", pr.name, u.name, a.name(v)), a.readPlace(pr.raw.Guard, v, pr.at), -1})
			}
		}
	}
	for k := 0; k < len(d.order); k++ {
		v := d.order[k]
		for _, pr := range u.actions {
			a.sources(u, pr, v, func(x int) {
				d.add(x, reason{fmt.Sprintf("%s (%s) computes %s from %s", pr.name, u.name, a.name(v), a.name(x)), a.writePlace(pr, v), v})
			})
		}
	}
	return d
}

// blindly reports whether the environment reads v in a guard as one of all kinds of messages of its
// channels. It does so in an action of its own, or in a rule.
func (a *analysis) blindly(u *unit, pr *print, v int) bool {
	return (u.env || !pr.own.reads[v]) && a.allKinds(v, pr.reads)
}

// allKinds reports whether v is a kind of messages and all kinds of its channels are among the
// variables marked.
func (a *analysis) allKinds(v int, marked []bool) bool {
	of := a.prints.analyzer.Variables[v]
	if of.Kind == "" || of.Value == "Raised" {
		return false
	}
	for x, o := range a.prints.analyzer.Variables {
		if o.Net == of.Net && o.Kind != "" && !marked[x] {
			return false
		}
	}
	return true
}

// positional reports whether the environment computes v from x as one of all kinds of messages. It
// does so in an action of its own that loses or repeats messages of kind v by their position, or in
// a rule that keeps books.
func (a *analysis) positional(u *unit, pr *print, v, x int) bool {
	if !a.allKinds(x, pr.writes[v].sources) {
		return false
	}
	if w := pr.own.writes[v]; w == nil || !w.sources[x] {
		return true
	}
	return u.env && a.prints.analyzer.Variables[v].Net == a.prints.analyzer.Variables[x].Net
}

// sources calls f for each variable from which an action computes v.
func (a *analysis) sources(u *unit, pr *print, v int, f func(x int)) {
	w := pr.writes[v]
	if w == nil {
		return
	}
	for x, is := range w.sources {
		if is && x != v && !a.positional(u, pr, v, x) {
			f(x)
		}
	}
}

// sets are the sets of definitions 2 and 3 of one composition.
type sets struct {
	d map[*unit]*varSet
	i *varSet
}

// interaction is I, definition 3.
//
// Modules that one coarse grain of the composition covers are one module in rule 1. What passes
// between them is inside the steps that it replaces. An example is the vote that Election hands to
// Discovery in the paper's figure 5.
//
// Deviation: environment modules are left out of rule 1, since they write every kind of message and
// would make it an interaction variable. Their guards and updates count in rules 2 and 3. In rule 3
// the sources that are dependency variables of the module that assigns are left out, as in rule 2.
// The literal rule leaves out only those of the module whose variable it is. Sources by control
// count here, and with them the literal rule would keep every vote that decides when an election
// ends.
func (a *analysis) interaction(c *composition) *sets {
	s := &sets{d: map[*unit]*varSet{}, i: newVarSet()}
	for _, u := range c.units {
		s.d[u] = a.dependency(u)
	}
	for k, m := range c.units {
		for _, n := range c.units[k+1:] {
			if m.env || n.env || a.together(m, n) {
				continue
			}
			for _, v := range s.d[m].order {
				if s.d[n].has(v) {
					s.i.add(v, reason{fmt.Sprintf("%s and %s both depend on it: %s; %s", m.name, n.name, s.d[m].why[v].text, s.d[n].why[v].text),
						s.d[n].why[v].place, -1})
				}
			}
		}
	}
	for grew := true; grew; {
		grew = false
		for v := range a.prints.analyzer.Variables {
			for _, u := range c.units {
				if a.spread(c, s, u, v) {
					grew = true
				}
			}
		}
	}
	return s
}

// together reports whether a coarse grain of the composition covers both modules.
func (a *analysis) together(m, n *unit) bool {
	return slices.ContainsFunc(a.coarse, func(c coarsening) bool { return slices.Contains(c.finer, m) && slices.Contains(c.finer, n) })
}

// spread applies rules 2 and 3 of definition 3 to the updates of v in one module.
func (a *analysis) spread(c *composition, s *sets, u *unit, v int) (grew bool) {
	owned := false
	for _, o := range c.units {
		owned = owned || s.d[o].has(v)
	}
	if !owned && !s.i.has(v) {
		return false
	}
	for _, pr := range u.actions {
		a.sources(u, pr, v, func(x int) {
			if s.d[u].has(x) || s.i.has(x) {
				return
			}
			if !s.i.has(v) { // rule 3: v belongs to modules that depend on it
				for _, o := range c.units {
					if s.d[o].has(v) && s.d[o].has(x) {
						return
					}
				}
			}
			s.i.add(x, reason{fmt.Sprintf("%s (%s) computes %s from %s", pr.name, u.name, a.name(v), a.name(x)), a.writePlace(pr, v), v})
			grew = true
		})
	}
	return grew
}

// kept returns the variables that the coarse grains must keep for the targets. These are the
// targets' dependency variables, the interaction variables, and those that the selected properties
// read. The variables from which any of these are computed, outside the module that computes it,
// are kept, and those that decide whether the environment writes one. Variables of the environment
// are kept, too.
func (a *analysis) kept(c *composition, s *sets, properties []*print) *varSet {
	k := newVarSet()
	for _, u := range c.units {
		if u.target {
			for _, v := range s.d[u].order {
				r := s.d[u].why[v]
				if r.from < 0 {
					r.text = "target " + u.name + " depends on it: " + r.text
				}
				k.add(v, r)
			}
		}
	}
	for _, v := range s.i.order {
		r := s.i.why[v]
		if r.from < 0 {
			r.text = "it is an interaction variable: " + r.text
		}
		k.add(v, r)
	}
	for _, pr := range properties {
		for v, reads := range pr.reads {
			if reads {
				k.add(v, reason{"property " + pr.name + " reads it", a.readPlace(pr.raw.Guard, v, pr.at), -1})
			}
		}
	}
	for _, u := range c.units {
		if u.env {
			for _, v := range s.d[u].order {
				r := s.d[u].why[v]
				if r.from < 0 {
					r.text = "it belongs to the environment: " + r.text
				}
				k.add(v, r)
			}
		}
	}
	for x := 0; x < len(k.order); x++ {
		v := k.order[x]
		for _, u := range c.units {
			for _, pr := range u.actions {
				if pr.writes[v] == nil {
					continue
				}
				a.sources(u, pr, v, func(y int) {
					if !s.d[u].has(y) {
						k.add(y, reason{fmt.Sprintf("%s (%s) computes %s from %s", pr.name, u.name, a.name(v), a.name(y)), a.writePlace(pr, v), v})
					}
				})
			}
		}
	}
	return k
}
