package change

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/unified"
)

// What it computes. Who calls whom in code that a table describes, and from that where a changed
// method or field leads, and whether it can matter at all.
//
// Why it is right. A call of a method may be one of each method that overrides it: class hierarchy
// analysis. The table says which methods code outside of it may call: whoever calls a constructor
// counts as their caller, so that a thread's run belongs to the one that makes the thread. A new
// caller of a changed method is changed code itself, so the calls before the change suffice to go
// up. Reflection is not seen. An object that only reflection can make is named as not modelled, since
// code outside of the table may call its methods.
//
// Code is apart from the model if no run of it meets modelled state. Take all that reaches the
// changed method, and all that these call. They call no modelled method, they use no field that a
// modelled method or one that it calls uses, and they call nothing outside of the table that may
// have state. So values from the changed code reach the model neither through results nor
// through state. That is only said where the changed lines call nothing new.

// tableGraph are the methods of one version of a table.
type tableGraph struct {
	methods map[string]*tableMethod
	users   map[string][]string // the methods that use a field
	plain   map[string]bool     // fields whose values never change
	state   map[string]bool     // the fields that modelled methods use, with all that they call; nil before the first question
}

// tableMethod is a method, overloaded ones in one.
type tableMethod struct {
	step            Step
	calls, callers  []string
	over, overriden []string
	uses            []string
	outside         bool
}

// calls returns the calls of a table's version; nil where the table has none.
func (t *Table) calls() *tableGraph {
	if t.graph != nil {
		return t.graph
	}
	g := &tableGraph{methods: map[string]*tableMethod{}, users: map[string][]string{}, plain: map[string]bool{}}
	known := false
	for _, f := range t.Files {
		for k := range f.Rows {
			r := &f.Rows[k]
			if r.Class || r.Field {
				g.plain[r.Name] = r.Constant
				continue
			}
			m := g.methods[r.Name]
			if m == nil {
				m = &tableMethod{step: Step{Name: r.Name, File: f.Path, Line: r.Span.Start}}
				g.methods[r.Name] = m
			}
			m.calls, m.over, m.uses = append(m.calls, r.Calls...), append(m.over, r.Over...), append(m.uses, r.Uses...)
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
func (g *tableGraph) link() {
	for _, name := range g.names() {
		for _, up := range g.methods[name].over {
			if m := g.methods[up]; m != nil {
				m.overriden = append(m.overriden, name)
			}
		}
	}
	g.initialise()
	for _, name := range g.names() {
		for _, to := range g.called(name) {
			if m := g.methods[to]; to != name {
				m.callers = append(m.callers, name)
			}
		}
		for _, f := range g.methods[name].uses {
			g.users[f] = append(g.users[f], name)
		}
	}
}

// initialiser is the name of the static initialiser of a class.
const initialiser = ".<clinit>"

// initialise adds calls of static initialisers: all methods of the class call it, and all that use a
// field of the class.
func (g *tableGraph) initialise() {
	for name, m := range g.methods {
		for _, of := range append([]string{name}, m.uses...) {
			if init := classOf(of) + initialiser; init != name && g.methods[init] != nil {
				m.calls = append(m.calls, init)
			}
		}
	}
}

// classOf returns the class of a member.
func classOf(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }

// names returns the methods in order.
func (g *tableGraph) names() []string {
	out := make([]string, 0, len(g.methods))
	for name := range g.methods {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// called returns the methods that a method may call.
func (g *tableGraph) called(name string) (out []string) {
	for _, to := range g.methods[name].calls {
		if m := g.methods[to]; m != nil {
			out = append(append(out, to), m.overriden...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// follow goes up from methods to modelled ones, breadth first, and not past these. It returns the
// shortest path to each, which begins with one of the methods.
func (g *tableGraph) follow(places *Places, from []string) (paths [][]Step, to []*Place) {
	type node struct {
		name string
		next *node // towards the change
	}
	var queue []*node
	seen := map[string]bool{}
	add := func(name string, next *node) {
		if g.methods[name] != nil && !seen[name] {
			seen[name] = true
			queue = append(queue, &node{name, next})
		}
	}
	for _, name := range from {
		add(name, nil)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if p := places.of(n.name); p != nil {
			var path []Step
			for x := n; x != nil; x = x.next {
				path = append(path, g.methods[x.name].step)
			}
			slices.Reverse(path)
			paths, to = append(paths, path), append(to, p)
			continue
		}
		for _, c := range g.methods[n.name].callers {
			add(c, n)
		}
	}
	return paths, to
}

// closure returns methods with all that they reach along the steps of next, those with the fewest
// steps first.
func (g *tableGraph) closure(from []string, next func(name string) []string) (out []string) {
	seen := map[string]bool{}
	out = slices.Clone(from)
	for k := 0; k < len(out); k++ {
		if name := out[k]; g.methods[name] == nil || seen[name] {
			out = slices.Delete(out, k, k+1)
			k--
		} else {
			seen[name] = true
			out = append(out, next(name)...)
		}
	}
	return out
}

// modelledState returns the fields that modelled methods use, with all that they call. Constants are
// no state: what gives them their value counts as called by those that use them.
func (g *tableGraph) modelledState(places *Places) map[string]bool {
	if g.state == nil {
		g.state = map[string]bool{}
		var modelled []string
		for _, p := range places.list {
			modelled = append(modelled, p.Name)
		}
		for _, name := range g.closure(modelled, g.called) {
			for _, f := range g.methods[name].uses {
				if !g.plain[f] {
					g.state[f] = true
				}
			}
		}
	}
	return g.state
}

// meets says how code around methods may meet modelled state; "" where it cannot.
func (g *tableGraph) meets(places *Places, from []string) string {
	state := g.modelledState(places)
	reaching := g.closure(from, func(name string) []string { return g.methods[name].callers })
	for _, name := range reaching {
		if strings.HasSuffix(name, "."+lastName(classOf(name))+"."+lastName(classOf(name))) && len(g.methods[name].callers) == 0 {
			return "only reflection can make a " + lastNames(classOf(name)) + ", which may pass it to modelled code"
		}
	}
	own := g.closure(from, g.called) // its own effects are the first to be named
	for _, name := range append(own, g.closure(reaching, g.called)...) {
		m := g.methods[name]
		switch k := slices.IndexFunc(m.uses, func(f string) bool { return state[f] }); {
		case places.byName[name] != nil:
			return "it or what calls it reaches " + lastNames(name) + ", which is modelled"
		case k >= 0:
			return lastNames(name) + " uses " + lastNames(m.uses[k]) + ", as modelled code does"
		case m.outside:
			return lastNames(name) + " calls code that the table does not have"
		}
	}
	return ""
}

// lastNames returns a member with its class, without the package.
func lastNames(name string) string {
	if p := packageOf(name); p != "" {
		return strings.TrimPrefix(name, p+".")
	}
	return name
}

// reached follows a changed method or field that is not modelled itself.
func (h *lineHolder) reached(d Declaration, r unified.Hunk, reason string) {
	rule := ruleOf(h.out.rules, d.File, d.Name)
	if rule != nil && rule.Policy != Report {
		h.out.unmodelled(d, reason)
	}
	g := h.table.calls()
	switch {
	case rule != nil && (rule.Policy == Ignore || rule.Policy == Fail && g == nil):
		return
	case g == nil:
		h.out.unmodelled(d, reason+", and the table of methods has no calls"+h.blind)
		return
	}
	from := []string{d.Name}
	if d.Kind == Var {
		from = g.users[d.Name]
	}
	paths, to := g.follow(h.places, from)
	for k := range paths {
		if d.Kind != Var {
			paths[k] = paths[k][1:] // the method itself
		}
		h.out.trail(Trail{Declaration: d, Path: paths[k], Place: to[k]})
	}
	if len(paths) > 0 || rule != nil && rule.Policy == Fail {
		return
	}
	switch why := g.apart(h.places, from, r); {
	case why != "":
		h.out.unmodelled(d, reason+", no modelled one reaches it, and "+why+h.blind)
	default:
		h.out.ignore(d.File, "no modelled method reaches %s, and no modelled state or method is reached from it or from what calls it", lastNames(d.Name))
	}
}

// apart says why a changed method or field may meet modelled state; "" where it cannot.
func (g *tableGraph) apart(places *Places, from []string, r unified.Hunk) string {
	if len(from) == 0 {
		return "the table has no use of it (the value of a constant is copied to where it is used)"
	}
	if g.methods[from[0]] == nil {
		return "the table does not have it in this version"
	}
	if why := g.meets(places, from); why != "" {
		return why
	}
	return g.fresh(from, r)
}

// fresh says what the new lines of a changed part call or use that may be part of the model; "" for
// nothing.
func (g *tableGraph) fresh(from []string, r unified.Hunk) string {
	if r.New.Lines > 0 && len(r.Body) == 0 {
		return "the diff has no lines that say what it calls now"
	}
	known, state := map[string]bool{}, map[string]bool{}
	for _, name := range from {
		for _, c := range append(slices.Clone(g.methods[name].calls), g.methods[name].uses...) {
			known[lastName(c)] = true
		}
	}
	for f := range g.state {
		state[lastName(f)] = true
	}
	var text strings.Builder
	for _, line := range r.Body {
		if line[0] == '+' {
			text.WriteString(line[1:] + "\n")
		}
	}
	tokens := lex("A.java", text.String(), inCode).tokens
	for k, t := range tokens {
		call := k+1 < len(tokens) && tokens[k+1].text == "("
		switch {
		case !word(t.text[0]) || known[t.text] || slices.Contains(plainCalls, t.text):
		case call:
			return "its new lines call " + t.text
		case state[t.text]:
			return "its new lines use " + t.text + ", a name of modelled state"
		}
	}
	return ""
}

// plainCalls are words before a parenthesis that call nothing which has state but a logger or their
// own arguments.
var plainCalls = []string{"if", "for", "while", "switch", "catch", "synchronized", "return", "trace", "debug", "info", "warn", "error", "isDebugEnabled", "isTraceEnabled",
	"toString", "equals", "hashCode", "format", "length", "size", "isEmpty"}

// lastName returns the last part of a name.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
