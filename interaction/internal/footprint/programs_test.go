package footprint

import (
	"fmt"
	"math/rand"
	"strings"
)

// This file generates random programs over the State of laws_test.go. It generates every part twice at once: as Go text,
// which the analysis reads, and as a function, which runs the part. All numbers are 0, 1 or 2, so every number is an index.

type pair struct{ X, Y int }

type state struct {
	A, B int
	F    bool
	R    [3]int
	G    [2][2]int
	D    pair
	E    [3]pair
}

type param struct{ I, J, K int }

// env is a call of a function that runs.
type env struct {
	s, n *state
	p    param
	a    int  // an argument
	y    *int // an argument
	c    state
	x    [2]int
	la   [3]int
	lp   pair
	q    *int
	v    int // what the interface v holds
	sl   *[3]int
	loop [3]int
	ret  int
}

// locals declares what env has. Every function starts with it.
const locals = `	var x0, x1 int
	var la [3]int
	var lp Pair
	var v any = 0
	q, sl, c := &x0, la[:], *s
	_, _, _, _, _, _, _, _, _, _ = x0, x1, la, lp, v, q, sl, c, a, y
`

func newEnv(s, n *state, p param, a int, y *int) *env {
	e := &env{s: s, n: n, p: p, a: a, y: y, c: *s}
	e.q, e.sl = &e.x[0], &e.la
	if y == nil {
		e.y = &e.x[1]
	}
	return e
}

type number struct {
	text string
	eval func(*env) int
}

type condition struct {
	text string
	eval func(*env) bool
}

// place is where a number is stored.
type place struct {
	text string
	at   func(*env) *int
}

type statement struct {
	text string
	run  func(*env) outcome
}

// outcome says how control leaves a statement.
type outcome int

const (
	falls outcome = iota
	breaks
	continues
	returns
)

// helper is a function that main functions and later helpers call.
type helper struct {
	name string
	run  func(*env)
}

// programs generates programs.
type programs struct {
	r       *rand.Rand
	helpers []helper
	loops   int  // loops around the statement
	result  bool // the function returns a number
}

// program generates helpers, an effect and a guard.
func (g *programs) program() (text string, effect func(s, n *state, p param), guard func(s *state, p param) bool) {
	var b strings.Builder
	g.result = true
	for k := range 2 {
		body, ret := g.block(3, 2), g.number(2)
		name := fmt.Sprintf("h%d", k)
		fmt.Fprintf(&b, "func %s(s, n *State, p P, a int, y *int) int {\n%s%s\treturn %s\n}\n\n", name, locals, body.text, ret.text)
		g.helpers = append(g.helpers, helper{name, func(e *env) {
			if body.run(e) != returns {
				e.ret = ret.eval(e)
			}
		}})
	}
	g.recursive(&b)
	g.result = false
	body := g.block(5, 3)
	fmt.Fprintf(&b, "func effect(s, n *State, p P) {\n\tvar a int\n\tvar x0 int\n\ty := &x0\n%s%s}\n\n",
		strings.Replace(locals, "var x0, x1 int", "var x1 int", 1), body.text)
	before, holds := g.block(3, 2), g.condition(2)
	for strings.Contains(before.text, "return") {
		before = g.block(3, 2)
	}
	fmt.Fprintf(&b, "func guard(s *State, p P) bool {\n\tvar a int\n\tm := *s\n\tn := &m\n\t_ = n\n\tvar x0 int\n\ty := &x0\n%s%s\treturn %s\n}\n",
		strings.Replace(locals, "var x0, x1 int", "var x1 int", 1), before.text, holds.text)
	main := func(s, n *state, p param) *env {
		e := newEnv(s, n, p, 0, nil)
		e.y = &e.x[0]
		return e
	}
	return b.String(), func(s, n *state, p param) { body.run(main(s, n, p)) },
		func(s *state, p param) bool {
			m := *s
			e := main(s, &m, p)
			before.run(e)
			return holds.eval(e)
		}
}

// recursive adds helper h2, which calls itself until its argument is 0.
func (g *programs) recursive(b *strings.Builder) {
	first, then, ret := g.block(2, 1), g.block(2, 1), g.number(1)
	to := g.place(1)
	fmt.Fprintf(b, "func h2(s, n *State, p P, a int, y *int) int {\n%s\tif a == 0 {\n\t\treturn 1\n\t}\n%s\tx0 = h2(s, n, p, a-1, &%s)\n%s\treturn %s\n}\n\n",
		locals, first.text, to.text, then.text, ret.text)
	var run func(e *env)
	run = func(e *env) {
		if e.a == 0 {
			e.ret = 1
			return
		}
		if first.run(e) == returns {
			return
		}
		inner := newEnv(e.s, e.n, e.p, e.a-1, to.at(e))
		run(inner)
		e.x[0] = inner.ret
		if then.run(e) != returns {
			e.ret = ret.eval(e)
		}
	}
	g.helpers = append(g.helpers, helper{"h2", run})
}

// block generates up to n statements.
func (g *programs) block(n, depth int) statement {
	var text strings.Builder
	var all []statement
	for range 1 + g.r.Intn(n) {
		st := g.statement(depth)
		all = append(all, st)
		text.WriteString(st.text)
	}
	return statement{text.String(), func(e *env) outcome {
		for _, st := range all {
			if o := st.run(e); o != falls {
				return o
			}
		}
		return falls
	}}
}

func does(text string, run func(*env)) statement {
	return statement{text + "\n", func(e *env) outcome { run(e); return falls }}
}

func (g *programs) statement(depth int) statement {
	if depth > 0 {
		switch g.r.Intn(6) {
		case 0:
			return g.branch(depth)
		case 1:
			if g.loops < 3 {
				return g.loop(depth)
			}
		}
	}
	switch g.r.Intn(11) {
	case 10:
		return g.aliases()
	case 0:
		q := g.place(depth)
		return does("q = &"+q.text, func(e *env) { e.q = q.at(e) })
	case 1, 2:
		return g.copies()
	case 3:
		if len(g.helpers) > 0 {
			return g.calls()
		}
	case 4:
		b := g.condition(2)
		return does("n.F = "+b.text, func(e *env) { e.n.F = b.eval(e) })
	case 5:
		return g.boxes()
	}
	p, x := g.place(2), g.number(2)
	return does(p.text+" = "+x.text, func(e *env) { to, v := p.at(e), x.eval(e); *to = v })
}

func (g *programs) branch(depth int) statement {
	c, yes, no := g.condition(2), g.block(3, depth-1), g.block(2, depth-1)
	switch {
	case g.loops > 0 && g.r.Intn(4) == 0:
		leave, word := breaks, "break"
		if g.r.Intn(2) == 0 {
			leave, word = continues, "continue"
		}
		return statement{"if " + c.text + " {\n" + yes.text + word + "\n}\n", func(e *env) outcome {
			if !c.eval(e) {
				return falls
			}
			if o := yes.run(e); o != falls {
				return o
			}
			return leave
		}}
	case g.r.Intn(6) == 0:
		x, text := g.number(1), "return"
		if g.result {
			text += " " + x.text
		}
		return statement{"if " + c.text + " {\n" + yes.text + text + "\n}\n", func(e *env) outcome {
			if !c.eval(e) {
				return falls
			}
			if o := yes.run(e); o != falls {
				return o
			}
			e.ret = x.eval(e)
			return returns
		}}
	}
	return statement{"if " + c.text + " {\n" + yes.text + "} else {\n" + no.text + "}\n", func(e *env) outcome {
		if c.eval(e) {
			return yes.run(e)
		}
		return no.run(e)
	}}
}

func (g *programs) loop(depth int) statement {
	k, rounds := g.loops, 2+g.r.Intn(2)
	g.loops++
	body := g.block(3, depth-1)
	g.loops--
	text := fmt.Sprintf("for i%d := range %d {\n_ = i%d\n%s}\n", k, rounds, k, body.text)
	return statement{text, func(e *env) outcome {
		for i := range rounds {
			e.loop[k] = i
			switch body.run(e) {
			case breaks:
				return falls
			case returns:
				return returns
			}
		}
		return falls
	}}
}

// calls calls a helper, which one may depend on the state.
func (g *programs) calls() statement {
	f, to, a := g.helpers[g.r.Intn(len(g.helpers))], g.place(1), g.number(1)
	run := func(e *env, f helper) {
		inner := newEnv(e.s, e.n, e.p, a.eval(e), to.at(e))
		f.run(inner)
		e.x[1] = inner.ret
	}
	args := "(s, n, p, " + a.text + ", &" + to.text + ")"
	if g.r.Intn(3) > 0 || len(g.helpers) < 3 {
		return does("x1 = "+f.name+args, func(e *env) { run(e, f) })
	}
	c, other := g.condition(1), g.helpers[g.r.Intn(2)]
	return does("{\nh := "+f.name+"\nif "+c.text+" {\nh = "+other.name+"\n}\nx1 = h"+args+"\n}", func(e *env) {
		if c.eval(e) {
			run(e, other)
		} else {
			run(e, f)
		}
	})
}

// boxes puts a number into an interface, takes it out, or captures places in a function.
func (g *programs) boxes() statement {
	p, x, c := g.place(1), g.number(1), g.condition(1)
	switch g.r.Intn(5) {
	case 0:
		return does("v = "+x.text, func(e *env) { e.v = x.eval(e) })
	case 1:
		return does(p.text+" = v.(int)", func(e *env) { *p.at(e) = e.v })
	case 2: // a choice of what the interface holds
		return does("if "+c.text+" {\nv = "+x.text+"\n}\n"+p.text+" = v.(int)", func(e *env) {
			if c.eval(e) {
				e.v = x.eval(e)
			}
			*p.at(e) = e.v
		})
	case 3: // a choice of what the pointer points to
		return does("if "+c.text+" {\nq = &"+p.text+"\n}\n*q = "+x.text, func(e *env) {
			if c.eval(e) {
				e.q = p.at(e)
			}
			*e.q = x.eval(e)
		})
	}
	return does("func(k int) {\n"+p.text+" = k\n}("+x.text+")", func(e *env) { v := x.eval(e); *p.at(e) = v })
}

// aliases writes two elements that may be one, and reads the first.
func (g *programs) aliases() statement {
	i, j, x, y := g.number(0), g.number(0), g.number(1), g.number(1)
	text := fmt.Sprintf("la[%s] = %s\nla[%s] = %s\nx0 = la[%[1]s]", i.text, x.text, j.text, y.text)
	return does(text, func(e *env) {
		e.la[i.eval(e)] = x.eval(e)
		e.la[j.eval(e)] = y.eval(e)
		e.x[0] = e.la[i.eval(e)]
	})
}

// copies copies arrays, structs and whole states.
func (g *programs) copies() statement {
	i, k := g.number(0), g.bit()
	switch g.r.Intn(14) {
	case 0:
		return does("n.R = s.R", func(e *env) { e.n.R = e.s.R })
	case 1:
		return does("la = n.R", func(e *env) { e.la = e.n.R })
	case 2:
		return does("n.R = la", func(e *env) { e.n.R = e.la })
	case 3:
		return does("n.G["+k.text+"] = s.G[p.K]", func(e *env) { e.n.G[k.eval(e)] = e.s.G[e.p.K] })
	case 4:
		return does("n.G = c.G", func(e *env) { e.n.G = e.c.G })
	case 5:
		return does("n.E["+i.text+"] = lp", func(e *env) { e.n.E[i.eval(e)] = e.lp })
	case 6:
		return does("lp = s.E["+i.text+"]", func(e *env) { e.lp = e.s.E[i.eval(e)] })
	case 7:
		return does("n.D = n.E["+i.text+"]", func(e *env) { e.n.D = e.n.E[i.eval(e)] })
	case 8:
		return does("*n = c", func(e *env) { *e.n = e.c })
	case 9:
		return does("c = *n", func(e *env) { e.c = *e.n })
	case 10:
		return does("*n = *s", func(e *env) { *e.n = *e.s })
	case 11:
		return does("sl = n.R[:]", func(e *env) { e.sl = &e.n.R })
	case 12:
		return does("sl = la[:]", func(e *env) { e.sl = &e.la })
	}
	return does("n.E = s.E", func(e *env) { e.n.E = e.s.E })
}
