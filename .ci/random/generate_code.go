package main

import (
	"strconv"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

func constant(n int) *node  { return &node{Op: "const", N: n} }
func not(a *node) *node     { return &node{Op: "not", Args: []*node{a}} }
func and(a, b *node) *node  { return &node{Op: "and", Args: []*node{a, b}} }
func or(a, b *node) *node   { return &node{Op: "or", Args: []*node{a, b}} }
func (g *generator) n() int { return g.r.IntN(3) }

// who names a node that is in scope, "" if there is none.
func (g *generator) who() string {
	if g.loose && !g.q && g.dom != oracle.Once && g.chance(85) {
		return "I"
	}
	var names []string
	switch g.dom {
	case oracle.Once:
	case oracle.Each, oracle.Subsets, oracle.Quorums:
		names = append(names, "I", "I")
	default:
		names = append(names, "I", "I", "J")
	}
	if g.q {
		names = append(names, "q", "q", "q")
	}
	if !g.same && g.chance(30) || !g.same && len(names) == 0 {
		names = append(names, strconv.Itoa(g.r.IntN(g.s.Nodes)))
	}
	if len(names) == 0 {
		return ""
	}
	return pick(g, names...)
}

// variable returns one that an expression or a statement is about.
func (g *generator) variable() int {
	for {
		v := g.r.IntN(len(g.s.Vars))
		switch g.s.Vars[v].Kind {
		case oracle.Nums, oracle.Flags, oracle.Set, oracle.Sets, oracle.Map:
			return v
		}
		if !g.loose || g.dom == oracle.Once || g.chance(10) {
			return v
		}
	}
}

// after says which state an expression reads.
func (g *generator) after() bool {
	if g.only != nil {
		return *g.only
	}
	return g.next && g.chance(40)
}

// num returns an expression that is a number.
func (g *generator) num(depth int) *node {
	switch {
	case g.msg && g.only == nil && g.chance(30):
		return &node{Op: "msg"}
	case g.lets > 0 && g.only == nil && g.chance(30):
		return &node{Op: "local", N: g.r.IntN(g.lets)}
	case depth > 0 && g.chance(25):
		op := pick(g, "add", "add", "mul")
		return &node{Op: op, Args: []*node{g.num(depth - 1), g.num(depth - 1)}}
	case depth > 0 && g.chance(10):
		return &node{Op: "mod", N: 2, Args: []*node{g.num(depth - 1)}}
	case g.chance(25):
		return constant(g.n())
	}
	v := g.variable()
	e := &node{Var: v, Next: g.after(), Who: g.who()}
	named := e.Who != ""
	switch kind := g.s.Vars[v].Kind; {
	case kind == oracle.Num:
		e.Op, e.Who = "num", ""
	case kind == oracle.Nums && named && g.chance(75):
		e.Op = "elem"
	case kind == oracle.Nums:
		e.Op, e.Who = "sum", ""
	case kind == oracle.Flags || kind == oracle.Set:
		e.Op, e.Who = "count", ""
	case kind == oracle.Sets && named:
		e.Op = "countof"
	case kind == oracle.Seq:
		e.Op, e.Who = pick(g, "len", "last"), ""
	case kind == oracle.Recs:
		e.Op, e.Who = "len", ""
	case kind == oracle.Map && named && g.chance(60):
		e.Op = "mapat"
	case kind == oracle.Map:
		e.Op, e.Who = "maplen", ""
	default:
		return constant(g.n())
	}
	return e
}

// condition returns a condition.
func (g *generator) condition(depth int) *node {
	if depth > 0 && g.chance(45) {
		switch g.r.IntN(5) {
		case 0, 1:
			return and(g.condition(depth-1), g.condition(depth-1))
		case 2:
			return or(g.condition(depth-1), g.condition(depth-1))
		case 3:
			return not(g.condition(depth - 1))
		default:
			return g.quantifier(depth - 1)
		}
	}
	if g.q && g.only == nil && (g.dom == oracle.Subsets || g.dom == oracle.Quorums) && g.chance(50) {
		return &node{Op: "insub", Who: "q"}
	}
	v := g.variable()
	e := &node{Var: v, Next: g.after(), Who: g.who()}
	named := e.Who != ""
	switch kind := g.s.Vars[v].Kind; {
	case kind == oracle.Flag:
		e.Op, e.Who = "flag", ""
	case kind == oracle.Flags && named:
		e.Op = "flagof"
	case kind == oracle.Set && named:
		e.Op = "has"
	case kind == oracle.Sets && named:
		e.Op, e.Peer = "hasof", g.who()
	case kind == oracle.Ref && named && g.chance(70):
		e.Op = "refis"
	case kind == oracle.Ref:
		e.Op, e.Who = "refis", "nobody"
	case kind == oracle.Map && named:
		e.Op = "inmap"
	case kind == oracle.Recs:
		e.Op, e.Who, e.Args = "inrecs", "", []*node{g.num(0), g.num(0)}
	default:
		a, b := g.num(1), g.num(1)
		for !reads(a) && !reads(b) { // an analysis of the code knows what constants give
			a = g.num(1)
		}
		return &node{Op: pick(g, "eq", "lt", "le", "le"), Args: []*node{a, b}}
	}
	return e
}

// reads reports whether a number depends on the state.
func reads(e *node) bool {
	found := false
	e.Walk(func(x *node) {
		switch x.Op {
		case "const", "local", "add", "mul", "mod":
		default:
			found = true
		}
	})
	return found
}

// quantifier returns a condition on all nodes or on one of them. Its body reads one state, and no
// local variable.
func (g *generator) quantifier(depth int) *node {
	outer := *g
	side := g.after()
	g.only, g.q, g.msg, g.lets = &side, true, false, 0
	e := &node{Op: pick(g, "all", "any"), Next: side, Body: []*node{g.condition(depth)}}
	g.only, g.q, g.msg, g.lets = outer.only, outer.q, outer.msg, outer.lets
	return e
}

// block returns so many statements.
func (g *generator) block(length, depth int) (list []*node) {
	lets := g.lets
	for range length {
		if g.chance(10) {
			list = append(list, &node{Op: "let", N: g.lets, Args: []*node{g.num(1)}})
			g.lets++
		}
		list = append(list, g.statement(depth))
	}
	g.lets = lets
	return list
}

// statement returns a statement.
func (g *generator) statement(depth int) *node {
	if depth > 0 && g.chance(30) {
		e := &node{Op: "if", Args: []*node{g.condition(1)}, Body: g.block(1, depth-1)}
		if g.chance(40) {
			e.Else = g.block(1, depth-1)
		}
		return e
	}
	often := 15
	if g.dom == oracle.Subsets || g.dom == oracle.Quorums {
		often = 70
	}
	if depth > 0 && !g.q && g.chance(often) {
		g.q = true
		e := &node{Op: "for", Body: g.block(1, depth-1)}
		g.q = false
		return e
	}
	for {
		if e := g.write(g.variable()); e != nil {
			return e
		}
	}
}

// write returns a statement that writes a variable, nil if none is possible here.
func (g *generator) write(v int) *node {
	e := &node{Var: v, Who: g.who()}
	named := e.Who != ""
	number := func() { e.Args = []*node{g.num(1)} }
	switch kind := g.s.Vars[v].Kind; {
	case kind == oracle.Num:
		e.Op, e.Who = "setnum", ""
		number()
		if g.chance(50) { // counting makes deep specifications
			e.Args = []*node{{Op: "add", Args: []*node{{Op: "num", Var: v}, constant(1)}}}
		}
	case kind == oracle.Flag:
		e.Op, e.Who, e.Args = "setflag", "", []*node{g.condition(1)}
	case kind == oracle.Ref && (named || g.chance(30)):
		e.Op = "setref"
		if !named || g.chance(25) {
			e.Who = "nobody"
		}
	case kind == oracle.Nums && named:
		e.Op = "setelem"
		number()
	case kind == oracle.Flags && named:
		e.Op, e.Args = "setflagof", []*node{g.condition(1)}
	case kind == oracle.Set && named:
		e.Op = pick(g, "addto", "addto", "removefrom")
	case kind == oracle.Sets && named:
		e.Op, e.Peer = pick(g, "addtoof", "addtoof", "removefromof"), g.who()
	case kind == oracle.Seq:
		e.Op, e.Who = pick(g, "append", "append", "pop", "clear"), ""
		if e.Op == "append" {
			number()
		}
	case kind == oracle.Map && named:
		e.Op = pick(g, "put", "put", "delete")
		if e.Op == "put" {
			number()
		}
	case kind == oracle.Recs:
		e.Op, e.Who = pick(g, "addrec", "addrec", "removerec", "clear"), ""
		if e.Op != "clear" {
			e.Args = []*node{g.num(1), g.num(0)}
		}
	default:
		return nil
	}
	return e
}
