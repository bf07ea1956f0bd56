package footprint

import "fmt"

// addressed puts parentheses around what a pointer points to, so that & and an index may stand
// next to it.
func (p place) addressed() place {
	if p.text[0] == '*' {
		p.text = "(" + p.text + ")"
	}
	return p
}

// of generates a number's place in a state.
func (g *programs) of(root string, st func(*env) *state, depth int) place {
	i := g.number(min(depth, 1))
	switch g.r.Intn(7) {
	case 0:
		return place{root + ".A", func(e *env) *int { return &st(e).A }}
	case 1:
		return place{root + ".B", func(e *env) *int { return &st(e).B }}
	case 2, 3:
		return place{root + ".R[" + i.text + "]", func(e *env) *int { return &st(e).R[i.eval(e)] }}
	case 4:
		j, k := g.bit(), g.bit()
		return place{root + ".G[" + j.text + "][" + k.text + "]", func(e *env) *int { return &st(e).G[j.eval(e)][k.eval(e)] }}
	case 5:
		return place{root + ".D.Y", func(e *env) *int { return &st(e).D.Y }}
	}
	return place{root + ".E[" + i.text + "].X", func(e *env) *int { return &st(e).E[i.eval(e)].X }}
}

// bit generates 0 or 1.
func (g *programs) bit() number {
	return []number{
		{"0", func(*env) int { return 0 }},
		{"1", func(*env) int { return 1 }},
		{"p.K", func(e *env) int { return e.p.K }},
		{"(s.A&1)", func(e *env) int { return e.s.A & 1 }},
	}[g.r.Intn(4)]
}

// place generates a place that may be written.
func (g *programs) place(depth int) place {
	switch g.r.Intn(8) {
	case 0:
		return place{"x0", func(e *env) *int { return &e.x[0] }}
	case 1:
		i := g.number(min(depth, 1))
		return place{"la[" + i.text + "]", func(e *env) *int { return &e.la[i.eval(e)] }}
	case 2:
		return []place{
			{"lp.X", func(e *env) *int { return &e.lp.X }},
			{"*q", func(e *env) *int { return e.q }},
			{"*y", func(e *env) *int { return e.y }},
		}[g.r.Intn(3)].addressed()
	case 3:
		i := g.number(0)
		return place{"sl[" + i.text + "]", func(e *env) *int { return &e.sl[i.eval(e)] }}
	case 4:
		return g.of("c", func(e *env) *state { return &e.c }, depth)
	}
	return g.of("n", func(e *env) *state { return e.n }, depth)
}

// number generates 0, 1 or 2.
func (g *programs) number(depth int) number {
	switch k := g.r.Intn(12); {
	case k < 2:
		n := g.r.Intn(3)
		return number{fmt.Sprint(n), func(*env) int { return n }}
	case k < 4:
		return number{"p.I", func(e *env) int { return e.p.I }}
	case k < 5:
		return number{"p.J", func(e *env) int { return e.p.J }}
	case k < 6 && g.loops > 0:
		n := g.r.Intn(g.loops)
		return number{fmt.Sprintf("i%d", n), func(e *env) int { return e.loop[n] }}
	case k < 7:
		return number{"a", func(e *env) int { return e.a }}
	case k < 8 && depth > 0:
		x, y := g.number(depth-1), g.number(depth-1)
		return number{"(" + x.text + "+" + y.text + ")%3", func(e *env) int { return (x.eval(e) + y.eval(e)) % 3 }}
	case k < 10 && depth > 0:
		p := g.of("s", func(e *env) *state { return e.s }, depth-1)
		return number{p.text, func(e *env) int { return *p.at(e) }}
	case depth > 0:
		p := g.place(depth - 1)
		return number{p.text, func(e *env) int { return *p.at(e) }}
	}
	return number{"x1", func(e *env) int { return e.x[1] }}
}

func (g *programs) condition(depth int) condition {
	if g.r.Intn(6) == 0 {
		return condition{"s.F", func(e *env) bool { return e.s.F }}
	}
	x, y := g.number(depth), g.number(depth)
	switch g.r.Intn(4) {
	case 0:
		return condition{x.text + " < " + y.text, func(e *env) bool { return x.eval(e) < y.eval(e) }}
	case 1:
		if depth > 0 {
			c, d := g.condition(depth-1), g.condition(depth-1)
			return condition{"(" + c.text + " || " + d.text + ")", func(e *env) bool { return c.eval(e) || d.eval(e) }}
		}
	case 2:
		return condition{x.text + " != " + y.text, func(e *env) bool { return x.eval(e) != y.eval(e) }}
	}
	return condition{x.text + " == " + y.text, func(e *env) bool { return x.eval(e) == y.eval(e) }}
}
