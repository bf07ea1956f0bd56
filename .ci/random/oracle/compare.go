package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// Levels are the answers of levels L1 and L2: whether the coarse composition has no behaviour that
// the fine one lacks (no false one), and the converse (none is missed).
type Levels struct {
	NoFalse, NoMissed [3]bool // by level; 0 is not used
	// FineViews and CoarseViews are the numbers of different labels.
	FineViews, CoarseViews int
	Undecided              bool // level L2 is too large for the oracle
}

// observed is a graph whose edges have labels: "" for what nobody sees. The last state is the end.
type observed struct {
	initial []int
	edges   [][]observation
	looks   map[string]bool // what invariants see, with their names; those that are violated begin with !
}

type observation struct {
	label string
	to    int
}

// Compare decides both levels by definition: L1 by sets, L2 by a subset construction. An invariant is
// an observer without memory (decision 0022). So what invariants see is compared as sets, at both
// levels: a value that only the coarse composition has is false, and one that only the fine one has
// is missed if it is a violation.
func Compare(fine, coarse *Spec, c Choice, wide bool) *Levels {
	f, g := observe(fine, c, wide), observe(coarse, c, wide)
	if f == nil || g == nil {
		return nil
	}
	mine, theirs := f.labels(), g.labels()
	l := &Levels{FineViews: len(mine), CoarseViews: len(theirs)}
	seen, known := within(broken(f.looks), g.looks), within(g.looks, f.looks)
	l.NoMissed[1] = within(mine, theirs) && seen
	l.NoFalse[1] = within(theirs, mine) && known
	missed, one := included(f, g)
	invented, two := included(g, f)
	l.NoMissed[2], l.NoFalse[2] = missed && seen, invented && known
	l.Undecided = !one || !two
	return l
}

func within(a, b map[string]bool) bool {
	for x := range a {
		if !b[x] {
			return false
		}
	}
	return true
}

func broken(looks map[string]bool) map[string]bool {
	out := map[string]bool{}
	for x := range looks {
		if strings.HasPrefix(x, "!") {
			out[x] = true
		}
	}
	return out
}

// observe explores a composition and labels its steps.
func observe(s *Spec, c Choice, wide bool) *observed {
	m := New(s)
	g := m.Search(c)
	if g == nil {
		return nil
	}
	o := &observed{initial: g.Initial, edges: make([][]observation, len(g.States)+1), looks: map[string]bool{}}
	views := make([]*cells, len(m.Instances))
	for k, v := range g.States {
		for _, p := range c.Properties {
			if s.Properties[p].Kind == State {
				o.see(m.BreaksState(p, v), p, m.look(p, v, wide))
			}
		}
		for _, e := range g.Edges[k] {
			in := m.Instances[e.Instance]
			raised := g.after(e).Raised
			for _, p := range c.Properties {
				if x := &s.Properties[p]; x.Kind == Assert && raised>>x.Raise&1 == 1 {
					o.see(true, p, "")
				}
			}
			label := ""
			switch mod := s.Modules[s.Actions[in.Action].Module]; {
			case mod.Environment:
				label = fmt.Sprint(s.Actions[in.Action].Name, in.Param, raised != 0)
			case mod.Target:
				if views[e.Instance] == nil {
					views[e.Instance] = m.stepView(in, wide)
				}
				p := in.Param
				if !wide && s.Actions[in.Action].Domain == Positions {
					p.K = 0
				}
				label = fmt.Sprint(s.Actions[in.Action].Name, p, raised != 0, views[e.Instance].text(v))
			}
			to := e.To
			if to < 0 {
				to = len(g.States)
			}
			o.edges[k] = append(o.edges[k], observation{label, to})
		}
	}
	return o
}

func (o *observed) see(broken bool, property int, value string) {
	mark := ""
	if broken {
		mark = "!"
	}
	o.looks[fmt.Sprint(mark, property, value)] = true
}

func (o *observed) labels() map[string]bool {
	out := map[string]bool{}
	for _, list := range o.edges {
		for _, e := range list {
			if e.label != "" {
				out[e.label] = true
			}
		}
	}
	return out
}

// closed returns the states that silent steps reach from a set, in order.
func (o *observed) closed(set []int) []int {
	seen := map[int]bool{}
	for _, k := range set {
		seen[k] = true
	}
	for at := 0; at < len(set); at++ {
		for _, e := range o.edges[set[at]] {
			if e.label == "" && !seen[e.to] {
				seen[e.to] = true
				set = append(set, e.to)
			}
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// mostPairs bounds the pairs of a subset construction.
const mostPairs = 20000

// included reports whether every observation of a is one of b, and whether that was decided. It
// walks all pairs of a state of a and the set of states of b in which the same observation can end.
func included(a, b *observed) (yes, decided bool) {
	type pair struct {
		state int
		set   string
	}
	sets := map[string][]int{}
	intern := func(set []int) string {
		key := fmt.Sprint(set)
		sets[key] = set
		return key
	}
	seen := map[pair]bool{}
	var todo []pair
	push := func(p pair) {
		if !seen[p] {
			seen[p] = true
			todo = append(todo, p)
		}
	}
	first := intern(b.closed(slices.Clone(b.initial)))
	for _, k := range a.initial {
		push(pair{k, first})
	}
	after := map[string]map[string]string{} // of a set, by label
	for len(todo) > 0 {
		if len(seen) > mostPairs {
			return false, false
		}
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range a.edges[p.state] {
			if e.label == "" {
				push(pair{e.to, p.set})
				continue
			}
			if after[p.set] == nil {
				after[p.set] = map[string]string{}
			}
			next, ok := after[p.set][e.label]
			if !ok {
				var post []int
				for _, k := range sets[p.set] {
					for _, x := range b.edges[k] {
						if x.label == e.label {
							post = append(post, x.to)
						}
					}
				}
				next = intern(b.closed(post))
				after[p.set][e.label] = next
			}
			if len(sets[next]) == 0 {
				return false, true
			}
			push(pair{e.to, next})
		}
	}
	return true, true
}
