package methods

import (
	"slices"
	"strings"
)

// What it computes. The calls of code that a table describes. From these follow the modelled
// methods to which a changed method or field leads, and whether code can meet modelled state at
// all.
//
// Why it is right. A call of a method may be one of each method that overrides it: class hierarchy
// analysis. The table says which methods code outside of it may call. The constructor of the class
// counts as their caller, so that a thread's run belongs to the method that makes the thread. A new
// caller of a changed method is changed code itself. So the calls before the change suffice to go
// up. Reflection is not seen. An object that only reflection can make is reported by Meets, since
// code outside of the table may call its methods.
//
// Code is apart from the model if no run of it meets modelled state. Take all that reaches the
// changed method, and all that these call. They call no modelled method. They use no field that a
// modelled method uses, or one that it calls. They call nothing outside of the table that may have
// state. So values from the changed code reach the model neither through results nor through
// state.

// Graph are the methods of one version of a table.
type Graph struct {
	Methods map[string]*Method
	Users   map[string][]string // the methods that use a field

	constants map[string]bool
	state     map[string]bool // see State; nil before the first question
}

// Method is a method; overloaded ones are one.
type Method struct {
	File string
	Line int // its first line, from 1; 0 where the table has none
	// Calls are the methods that it calls, as the table names them. Callers are all that may call
	// it, directly or through a method that it overrides.
	Calls, Callers []string
	Uses           []string // fields

	over, overriding []string
	outside          bool
}

// Graph returns the calls of a table's version; nil where it has none.
func (t *Table) Graph() *Graph {
	if t.graph != nil {
		return t.graph
	}
	g := &Graph{Methods: map[string]*Method{}, Users: map[string][]string{}, constants: map[string]bool{}}
	known := false
	for _, f := range t.Files {
		for k := range f.Rows {
			r := &f.Rows[k]
			if r.Class || r.Field {
				g.constants[r.Name] = r.Constant
				continue
			}
			m := g.Methods[r.Name]
			if m == nil {
				m = &Method{File: f.Path, Line: r.Span.Start}
				g.Methods[r.Name] = m
			}
			m.Calls, m.over, m.Uses = append(m.Calls, r.Calls...), append(m.over, r.Over...), append(m.Uses, r.Uses...)
			m.outside = m.outside || r.Outside
			known = known || len(r.Calls) > 0
		}
	}
	if !known {
		return nil
	}
	g.link()
	t.graph = g
	return g
}

// link finds callers, overriding methods and users.
func (g *Graph) link() {
	for _, name := range g.Names() {
		for _, up := range g.Methods[name].over {
			if m := g.Methods[up]; m != nil {
				m.overriding = append(m.overriding, name)
			}
		}
	}
	g.initialise()
	for _, name := range g.Names() {
		for _, to := range g.called(name) {
			if m := g.Methods[to]; to != name {
				m.Callers = append(m.Callers, name)
			}
		}
		for _, f := range g.Methods[name].Uses {
			g.Users[f] = append(g.Users[f], name)
		}
	}
}

// initialiser is the name of the static initialiser of a class.
const initialiser = ".<clinit>"

// initialise adds calls of static initialisers: all methods of the class call it, and all that use
// a field of the class.
func (g *Graph) initialise() {
	for name, m := range g.Methods {
		for _, of := range append([]string{name}, m.Uses...) {
			if init := ClassOf(of) + initialiser; init != name && g.Methods[init] != nil {
				m.Calls = append(m.Calls, init)
			}
		}
	}
}

// Names returns the names of all methods, sorted.
func (g *Graph) Names() []string {
	out := make([]string, 0, len(g.Methods))
	for name := range g.Methods {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// called returns the methods that a method may call.
func (g *Graph) called(name string) (out []string) {
	for _, to := range g.Methods[name].Calls {
		if m := g.Methods[to]; m != nil {
			out = append(append(out, to), m.overriding...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Follow goes up from methods to modelled ones, breadth first, and not past these. It returns the
// shortest path to each: it begins with one of the given methods and ends with the modelled one.
func (g *Graph) Follow(from []string, modelled func(name string) bool) (paths [][]string) {
	type node struct {
		name string
		next *node // towards the change
	}
	var queue []*node
	seen := map[string]bool{}
	add := func(name string, next *node) {
		if g.Methods[name] != nil && !seen[name] {
			seen[name] = true
			queue = append(queue, &node{name, next})
		}
	}
	for _, name := range from {
		add(name, nil)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if modelled(n.name) {
			var path []string
			for x := n; x != nil; x = x.next {
				path = append(path, x.name)
			}
			slices.Reverse(path)
			paths = append(paths, path)
			continue
		}
		for _, c := range g.Methods[n.name].Callers {
			add(c, n)
		}
	}
	return paths
}

// closure returns methods with all that they reach along the steps of next, those with the fewest
// steps first.
func (g *Graph) closure(from []string, next func(name string) []string) (out []string) {
	seen := map[string]bool{}
	for queue := slices.Clone(from); len(queue) > 0; queue = queue[1:] {
		if name := queue[0]; g.Methods[name] != nil && !seen[name] {
			seen[name] = true
			out = append(out, name)
			queue = append(queue, next(name)...)
		}
	}
	return out
}

// State returns the fields that modelled methods use, with all that they call. Constants are no
// state: the initialiser that gives them their value counts as called by those that use them.
func (g *Graph) State(modelled []string) map[string]bool {
	if g.state != nil {
		return g.state
	}
	g.state = map[string]bool{}
	for _, name := range g.closure(modelled, g.called) {
		for _, f := range g.Methods[name].Uses {
			if !g.constants[f] {
				g.state[f] = true
			}
		}
	}
	return g.state
}

// Meets says how code around methods may meet the model; "" where it cannot. The modelled methods
// are those of the whole specification.
func (g *Graph) Meets(from, modelled []string) string {
	state := g.State(modelled)
	reaching := g.closure(from, func(name string) []string { return g.Methods[name].Callers })
	for _, name := range reaching {
		class := Short(ClassOf(name))
		if strings.HasSuffix(ClassOf(name), "."+Last(name)) && len(g.Methods[name].Callers) == 0 {
			return "only reflection can make a " + class + ", which may pass it to modelled code"
		}
	}
	own := g.closure(from, g.called) // its own effects are the first to be named
	for _, name := range append(own, g.closure(reaching, g.called)...) {
		m := g.Methods[name]
		switch k := slices.IndexFunc(m.Uses, func(f string) bool { return state[f] }); {
		case slices.Contains(modelled, name):
			return "it or its caller reaches " + Short(name) + ", which is modelled"
		case k >= 0:
			return Short(name) + " uses " + Short(m.Uses[k]) + ", as modelled code does"
		case m.outside:
			return Short(name) + " calls code that the table does not have"
		}
	}
	return ""
}

// ClassOf returns the class of a member.
func ClassOf(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }

// Last returns the last part of a name.
func Last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Short returns the name of a class or member without its package.
func Short(name string) string {
	if p := PackageOf(name); p != "" {
		return strings.TrimPrefix(name, p+".")
	}
	return name
}
