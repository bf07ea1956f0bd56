package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// generator makes one random specification.
type generator struct {
	r    *rand.Rand
	s    *oracle.Spec
	same bool // nothing tells the nodes apart
	// loose makes steps that mostly touch what belongs to the acting node, so that many commute, and
	// properties of few variables: reductions have something to leave out.
	loose bool
	q     bool // inside a loop or a quantifier
	dom   string
	msg   bool  // a message was received
	lets  int   // local variables that are in scope
	next  bool  // reads may be of the state after
	only  *bool // the only state that may be read
}

type node = oracle.Node

// size is how many states a specification has, and how many its largest level has at least. Large
// levels are those that the engine explores with sleep sets.
type size struct{ fewest, most, level int }

var (
	small = size{fewest: 30, most: 4000}
	large = size{fewest: 1500, most: 12000, level: 1100}
)

// generate returns a random specification of a size.
func generate(r *rand.Rand, name string, of size) *oracle.Spec {
	for {
		g := &generator{r: r}
		s := g.spec(name)
		if of == large && s.Nodes < 3 {
			continue
		}
		graph := oracle.New(s).Search(oracle.Choice{Most: of.most})
		if graph != nil && len(graph.States) >= of.fewest && len(graph.Levels) >= 4 && slices.Max(graph.Levels) >= of.level {
			g.coarseGrains()
			g.prune(graph)
			return s
		}
	}
}

// chance reports true in so many of a hundred cases.
func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *generator, list ...T) T { return list[g.r.IntN(len(list))] }

func (g *generator) spec(name string) *oracle.Spec {
	g.same, g.loose = g.chance(50), g.chance(40)
	g.s = &oracle.Spec{Name: name, Nodes: 2 + g.r.IntN(2), Deadlock: g.chance(30)}
	g.variables()
	g.modules()
	for k := range 4 + g.r.IntN(4) {
		g.s.Actions = append(g.s.Actions, g.action(k))
	}
	if v := g.channels(); v >= 0 {
		g.traffic(v)
	}
	g.inits()
	g.rules()
	g.budgets()
	g.properties()
	return g.s
}

func (g *generator) variables() {
	kinds := []string{oracle.Num, oracle.Flag, oracle.Ref, oracle.Nums, oracle.Flags, oracle.Set, oracle.Sets,
		oracle.Seq, oracle.Map, oracle.Recs}
	add := func(kind string) {
		v := oracle.Var{Name: string(rune('A' + len(g.s.Vars))), Kind: kind, Max: 1 + g.r.IntN(2), Cap: 1 + g.r.IntN(2)}
		if kind == oracle.Num {
			v.Max += g.r.IntN(2)
		}
		if kind == oracle.Net || kind == oracle.Bag {
			v.Kinds = 1 + g.r.IntN(2)
			v.Max = 1
			v.Cap = 1 + g.r.IntN(2)
			if g.s.Nodes == 3 {
				v.Cap = 1
			}
		}
		g.s.Vars = append(g.s.Vars, v)
	}
	add(pick(g, oracle.Nums, oracle.Flags))
	if g.loose {
		kinds = []string{oracle.Nums, oracle.Flags, oracle.Set, oracle.Sets, oracle.Map}
		add(pick(g, kinds...))
	}
	add(oracle.Num)
	for range 1 + g.r.IntN(3) {
		add(pick(g, kinds...))
	}
	if g.chance(50) {
		add(pick(g, oracle.Net, oracle.Bag))
	}
}

func (g *generator) modules() {
	g.s.Modules = []oracle.Module{{Name: "left"}, {Name: "right", Target: true}}
	if g.chance(60) {
		g.s.Modules = append(g.s.Modules, oracle.Module{Name: "faults", Environment: true})
	}
}

// channels returns the Net or Bag, or -1.
func (g *generator) channels() int { return g.any(oracle.Net, oracle.Bag) }

// any returns a variable of one of the kinds, or -1.
func (g *generator) any(kinds ...string) int {
	var found []int
	for k, v := range g.s.Vars {
		for _, kind := range kinds {
			if v.Kind == kind {
				found = append(found, k)
			}
		}
	}
	if len(found) == 0 {
		return -1
	}
	return pick(g, found...)
}

func (g *generator) action(k int) oracle.Action {
	a := oracle.Action{Name: fmt.Sprintf("Do%d", k), Module: g.r.IntN(len(g.s.Modules))}
	if k < len(g.s.Modules) {
		a.Module = k
	}
	if a.Domain = oracle.Each; !g.loose || g.chance(20) {
		a.Domain = g.domain()
	}
	g.begin(a.Domain)
	a.Guard = g.condition(2)
	g.next = true
	a.Effect = g.block(1+g.r.IntN(3), 2)
	return a
}

// domain returns a domain of parameters.
func (g *generator) domain() string {
	domain := pick(g, oracle.Once, oracle.Each, oracle.Each, oracle.Each, oracle.Pairs, oracle.Pairs,
		oracle.Links, oracle.Subsets, oracle.Quorums)
	if g.same && domain == oracle.Links {
		return oracle.Pairs
	}
	return domain
}

// begin forgets what was in scope.
func (g *generator) begin(domain string) {
	g.dom, g.q, g.msg, g.lets, g.next, g.only = domain, false, false, 0, false, nil
}

// traffic adds actions that receive, and one of the environment that loses or duplicates.
func (g *generator) traffic(v int) {
	x := &g.s.Vars[v]
	for kind := range x.Kinds {
		a := oracle.Action{Name: fmt.Sprintf("Take%d", kind+1), Module: g.r.IntN(2), Domain: oracle.Pairs}
		is := &node{Op: "is", Var: v, N: kind + 1, Who: "J", Peer: "I"}
		if x.Kind == oracle.Bag {
			a.Domain, a.Depth, is.Op = oracle.Positions, x.Cap, "isat"
		}
		g.begin(a.Domain)
		a.Guard = is
		if g.chance(30) {
			a.Guard = and(is, g.condition(1))
		}
		g.next, g.msg = true, true
		receive := &node{Op: "recv", Var: v, N: kind + 1, Who: "J", Peer: "I"}
		a.Effect = append([]*node{receive}, g.block(1+g.r.IntN(2), 1)...)
		g.s.Actions = append(g.s.Actions, a)

		g.begin(oracle.Pairs)
		send := oracle.Action{Name: fmt.Sprintf("Send%d", kind+1), Module: g.r.IntN(2), Domain: oracle.Pairs, Guard: g.condition(2)}
		g.next = true
		send.Effect = append(g.block(1, 1), &node{Op: "send", Var: v, N: kind + 1, Who: "I", Peer: "J", Args: []*node{g.num(1)}})
		g.s.Actions = append(g.s.Actions, send)
	}
	if len(g.s.Modules) < 3 {
		return
	}
	op := pick(g, "lose", "duplicate", "cut")
	guard := &node{Op: "lt", Args: []*node{constant(0), {Op: "flight", Var: v, Who: "I", Peer: "J"}}}
	if op == "cut" {
		guard = not(&node{Op: "broken", Var: v, Who: "I", Peer: "J"})
		mend := oracle.Action{Name: "Mend", Module: 2, Domain: oracle.Pairs, Guard: not(guard).Clone(), Effect: []*node{{Op: "mend", Var: v, Who: "I", Peer: "J"}}}
		if g.chance(50) {
			g.s.Actions = append(g.s.Actions, mend)
		}
	}
	g.s.Actions = append(g.s.Actions, oracle.Action{Name: "Disturb", Module: 2, Domain: oracle.Pairs, Guard: guard,
		Effect: []*node{{Op: op, Var: v, Who: "I", Peer: "J"}}})
}

func (g *generator) inits() {
	g.s.Inits = []oracle.Init{{}}
	if g.chance(30) {
		g.begin(oracle.Once)
		g.q, g.next = true, true
		g.s.Inits = append(g.s.Inits, oracle.Init{Each: true, Body: []*node{g.statement(0)}})
	}
}

func (g *generator) rules() {
	some := func() []int {
		if g.chance(50) {
			return []int{g.r.IntN(len(g.s.Actions))}
		}
		return nil
	}
	on := func() int {
		k := g.r.IntN(len(g.s.Actions))
		g.begin(g.s.Actions[k].Domain)
		return k
	}
	if g.chance(50) {
		g.s.Rules = append(g.s.Rules, oracle.Rule{On: on(), When: g.condition(1)})
	}
	if g.chance(30) {
		g.begin(oracle.Once)
		g.s.Rules = append(g.s.Rules, oracle.Rule{On: -1, When: or(g.condition(1), g.condition(1)), Except: some()})
	}
	if g.chance(50) {
		rule := oracle.Rule{On: on()}
		g.next = true
		rule.After = g.block(1, 1)
		g.s.Rules = append(g.s.Rules, rule)
	}
	if g.chance(30) {
		g.begin(oracle.Once)
		g.next = true
		g.s.Rules = append(g.s.Rules, oracle.Rule{On: -1, After: g.block(1, 1), Except: some()})
	}
}

func (g *generator) budgets() {
	for module := range g.s.Modules {
		var of []int
		for k, a := range g.s.Actions {
			if a.Module == module {
				of = append(of, k)
			}
		}
		if len(of) == 0 || !g.chance(40) && !g.s.Modules[module].Environment {
			continue
		}
		b := oracle.Budget{Name: fmt.Sprintf("spent%d", len(g.s.Budgets)), Limit: 1 + g.r.IntN(3), Actions: []int{of[g.r.IntN(len(of))]}}
		if g.s.Modules[module].Environment {
			b.Actions = of
		}
		g.s.Budgets = append(g.s.Budgets, b)
	}
}

func (g *generator) properties() {
	add := func(kind string, on int, e *node) {
		g.s.Properties = append(g.s.Properties, oracle.Property{ID: fmt.Sprintf("P%d", len(g.s.Properties)), Kind: kind, On: on, Holds: e})
	}
	for range 3 {
		g.begin(oracle.Once)
		add(oracle.State, -1, g.rarely())
	}
	g.begin(oracle.Once)
	g.next = true
	add(oracle.Step, -1, or(g.rarely(), g.condition(1)))
	on := g.r.IntN(len(g.s.Actions))
	g.begin(g.s.Actions[on].Domain)
	g.next = true
	add(oracle.Step, on, or(g.condition(1), g.condition(1)))
	if g.chance(60) {
		for raise := range 1 + g.r.IntN(2) {
			k := g.r.IntN(len(g.s.Actions))
			a := &g.s.Actions[k]
			g.begin(a.Domain)
			a.Effect = append(a.Effect, &node{Op: "if", Args: []*node{not(g.rarely())}, Body: []*node{{Op: "raise", N: raise}}})
			g.s.Properties = append(g.s.Properties, oracle.Property{ID: fmt.Sprintf("P%d", len(g.s.Properties)), Kind: oracle.Assert, On: -1, Raise: raise})
		}
	}
	for k := range 1 + g.r.IntN(2) {
		g.begin(oracle.Once)
		g.s.Constraints = append(g.s.Constraints, oracle.Property{ID: fmt.Sprintf("C%d", k), Kind: oracle.State, On: -1, Holds: g.rarely()})
	}
	for k := range 2 + g.r.IntN(2) {
		g.s.Liveness = append(g.s.Liveness, g.leads(k))
	}
}

func (g *generator) leads(k int) oracle.Leads {
	l := oracle.Leads{ID: fmt.Sprintf("L%d", k), Each: g.chance(40)}
	g.begin(oracle.Once)
	if l.Each {
		g.begin(oracle.Each)
	}
	if l.Each || g.chance(60) {
		l.From = g.condition(1)
	}
	l.To = g.condition(1)
	for a := range g.s.Actions {
		if g.chance(25) {
			l.Unfair = append(l.Unfair, a)
		}
	}
	return l
}

// rarely returns a condition that is false in few states.
func (g *generator) rarely() *node {
	return not(and(g.condition(1), and(g.condition(1), g.condition(1))))
}

// prune drops constraints that an initial state does not satisfy.
func (g *generator) prune(graph *oracle.Graph) {
	var kept []oracle.Property
	for _, c := range g.s.Constraints {
		ok := true
		for _, k := range graph.Initial {
			ok = ok && graph.Holds(c.Holds, k, oracle.Param{})
		}
		if ok {
			kept = append(kept, c)
		}
	}
	g.s.Constraints = kept
}
