package oracle

import (
	"slices"
)

// Choice is what a search judges.
type Choice struct {
	Properties  []int // numbers of Spec.Properties, in ascending order
	Constraints []int
	Deadlock    bool
	Symmetric   bool // states count up to permutations of the nodes
	Most        int  // give up above so many states; 0: never
}

// Deadlock is the number of the property that every state has a successor.
const Deadlock = -1

// Finding is a violation of one property.
type Finding struct {
	Property int
	Level    int // the level of the search that found it first: initial states have 0
	Depth    int // steps of a shortest counterexample
	Count    int // in the whole search
}

// Total is what was found by the end of a level.
type Total struct{ Distinct, Generated int }

// Graph is what a search found. State k was reached first in the level that Depth says.
type Graph struct {
	Machine *Machine
	Totals  []Total // by level; the last one is the whole search
	Levels  []int   // states of each level
	Found   []Finding
	States  []*Value
	Depth   []int
	Edges   [][]Edge // by state
	Initial []int    // numbers of states
	number  map[string]int
}

// Edge is a step. To is -1 where the step raises an assertion or leaves the constraints; then After
// is the state after it.
type Edge struct {
	Instance int
	To       int
	After    *Value
}

// after returns the state after a step.
func (g *Graph) after(e Edge) *Value {
	if e.To >= 0 {
		return g.States[e.To]
	}
	return e.After
}

// Search explores all states. It returns nil if there are more than Most.
func (m *Machine) Search(c Choice) *Graph {
	g := &Graph{Machine: m, number: map[string]int{}}
	x := &search{Graph: g, c: c, found: map[int]*Finding{}}
	for _, v := range m.Inits() {
		x.judge(nil, v, -1)
	}
	for from := 0; ; {
		x.totals()
		to := len(g.States)
		if from == to {
			break
		}
		if c.Most > 0 && to > c.Most {
			return nil
		}
		g.Levels = append(g.Levels, to-from)
		x.level++
		for ; from < to; from++ {
			x.expand(from)
		}
	}
	for _, f := range x.found {
		g.Found = append(g.Found, *f)
	}
	slices.SortFunc(g.Found, func(a, b Finding) int {
		if a.Level != b.Level {
			return a.Level - b.Level
		}
		return a.Property - b.Property
	})
	return g
}

type search struct {
	*Graph
	c         Choice
	level     int
	generated int
	found     map[int]*Finding
}

func (x *search) totals() {
	x.Totals = append(x.Totals, Total{len(x.States), x.generated})
}

func (x *search) expand(k int) {
	m, s := x.Machine, x.States[k]
	enabled := false
	for i, in := range m.Instances {
		if m.Enabled(s, in) {
			enabled = true
			n := m.Apply(s, in)
			e := Edge{Instance: i, To: x.judge(s, n, i)}
			if e.To < 0 {
				e.After = n
			}
			x.Edges[k] = append(x.Edges[k], e)
		}
	}
	if !enabled && x.c.Deadlock {
		x.note(Deadlock, x.level-1)
	}
}

// judge takes a successor, or an initial state, and returns its number or -1.
func (x *search) judge(s, n *Value, instance int) int {
	m := x.Machine
	x.generated++
	if n.Raised != 0 {
		for _, k := range x.c.Properties {
			if p := &m.Spec.Properties[k]; p.Kind == Assert && n.Raised>>p.Raise&1 == 1 {
				x.note(k, x.level)
			}
		}
		return -1
	}
	if s != nil {
		for _, k := range x.c.Properties {
			if m.BreaksStep(k, s, n, instance) {
				x.note(k, x.level)
			}
		}
	}
	key := n.Key()
	if x.c.Symmetric {
		key = m.Orbit(n)
	}
	within := m.within(n, x.c.Constraints)
	number, old := x.number[key]
	if !within || !old {
		for _, k := range x.c.Properties {
			if m.BreaksState(k, n) {
				x.note(k, x.level)
			}
		}
	}
	switch {
	case !within:
		return -1
	case !old:
		number = len(x.States)
		x.number[key] = number
		x.States = append(x.States, n)
		x.Depth = append(x.Depth, x.level)
		x.Edges = append(x.Edges, nil)
	}
	if s == nil && !slices.Contains(x.Initial, number) {
		x.Initial = append(x.Initial, number)
	}
	return number
}

func (x *search) note(property, depth int) {
	f := x.found[property]
	if f == nil {
		f = &Finding{Property: property, Level: x.level, Depth: depth}
		x.found[property] = f
	}
	f.Count++
}

// BreaksState reports whether a state violates state invariant k.
func (m *Machine) BreaksState(k int, s *Value) bool {
	p := &m.Spec.Properties[k]
	return p.Kind == State && !(&scope{m: m, s: s}).is(p.Holds)
}

// BreaksStep reports whether a step by an instance violates step property k.
func (m *Machine) BreaksStep(k int, s, n *Value, instance int) bool {
	p, in := &m.Spec.Properties[k], m.Instances[instance]
	if p.Kind != Step || p.On >= 0 && p.On != in.Action {
		return false
	}
	return !(&scope{m: m, s: s, n: n, p: in.Param}).is(p.Holds)
}

// First returns what a search finds that ends after the first level with a violation, the totals at
// the end of that level, and the number of the levels. It returns nil if nothing is violated.
func (g *Graph) First() (f *Finding, at Total, levels int) {
	if len(g.Found) == 0 {
		return nil, g.Totals[len(g.Totals)-1], len(g.Levels)
	}
	f = &g.Found[0]
	at = g.Totals[f.Level]
	return f, at, min(f.Level+1, len(g.Levels))
}

// Taken counts the steps of each action.
func (g *Graph) Taken() []int {
	count := make([]int, len(g.Machine.Spec.Actions))
	for _, list := range g.Edges {
		for _, e := range list {
			count[g.Machine.Instances[e.Instance].Action]++
		}
	}
	return count
}
