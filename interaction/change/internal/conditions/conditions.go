// Package conditions compares boolean expressions of Go that are written in different forms. Their
// operands may be in another order or negated, and a part may be in a function of its own.
//
// It imports nothing of the project.
package conditions

import (
	"go/ast"
	"go/token"
)

// What it computes. Whether two conditions decide the same, and do the same while they are
// evaluated.
//
// Why it is right. A condition is a boolean function of its operands. Both are evaluated for each
// combination of the operands' values, as Go does: from left to right and no further than needed.
// They are equal if each combination gives the same value and evaluates the same ordered operands
// in the same order. Ordered operands are those that may panic or have effects. They may also
// change what is read after them. So an operand that is evaluated after one of these has a value of
// its own. A comparison of numbers or texts has three values: less, equal and greater.
//
// What it costs. Three to the number of operands, with at most mostCases combinations.
//
// Example. "a && b && f()" and "b && a && f()" are equal if a and b neither panic nor have effects.
// "a && f()" and "f() && a" are not: f is evaluated where a is false.

// mostCases bounds the combinations of values that are compared.
const mostCases = 1 << 12

// Operands says what is known of operands, which are expressions other than !, && and ||.
type Operands struct {
	// Same reports whether an operand of the first condition is one of the second.
	Same func(a, b ast.Expr) bool
	// Free reports whether an operand of the second condition neither panics nor has an effect.
	Free func(e ast.Expr) bool
	// Total reports whether one of two values of the type of an expression of the second condition
	// is less, unless they are equal.
	Total func(e ast.Expr) bool
	// Within returns the condition that a call of the second condition stands for; nil for another
	// expression.
	Within func(e ast.Expr) ast.Expr
}

// Formula reports whether an expression is a condition of operands.
func Formula(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return Formula(x.X)
	case *ast.UnaryExpr:
		return x.Op == token.NOT
	case *ast.BinaryExpr:
		return x.Op == token.LAND || x.Op == token.LOR || senses[x.Op] != nil
	}
	return false
}

// senses are the comparisons, with their values if the first operand is less, equal and greater.
var senses = map[token.Token][]bool{
	token.EQL: {false, true, false}, token.NEQ: {true, false, true}, token.LSS: {true, false, false}, token.GEQ: {false, true, true},
	token.GTR: {false, false, true}, token.LEQ: {true, true, false},
}

// Equal reports whether two conditions decide and do the same.
func Equal(a, b ast.Expr, of Operands) bool { return compare(a, b, of, false) }

// Opposite reports whether two conditions do the same and decide the opposite.
func Opposite(a, b ast.Expr, of Operands) bool { return compare(a, b, of, true) }

func compare(a, b ast.Expr, of Operands, negated bool) bool {
	c := &comparison{of: of}
	was, is := c.read(a, false), c.read(b, true)
	if negated {
		is = not(is)
	}
	return is != nil && was != nil && !c.mixed() && c.equal(was, is, map[value]int{})
}

// node is a condition: an operand, or a negation, conjunction or disjunction.
type node struct {
	op      token.Token // NOT, LAND, LOR, or ILLEGAL for an operand
	x, y    *node
	operand int
	sense   []bool // by the operand's value; nil for an operand that is true or false
	equals  bool   // the comparison is == or !=
}

// comparison holds the operands of two conditions.
type comparison struct {
	of    Operands
	atoms []atom
	cases int
}

// atom is an operand. One that is not free is ordered.
type atom struct {
	expr ast.Expr // of the first condition
	free bool     // as far as the second condition has it
	// total says that a comparison has three values, and ops are those with which it stands there.
	total bool
	ops   []token.Token
}

// mixed reports whether values that have no order are compared in several ways.
func (c *comparison) mixed() bool {
	for _, a := range c.atoms {
		if a.total {
			continue
		}
		for _, op := range a.ops {
			if equals := op == token.EQL || op == token.NEQ; op != a.ops[0] && (!equals || a.ops[0] != token.EQL && a.ops[0] != token.NEQ) {
				return true
			}
		}
	}
	return false
}

// read returns the tree of a condition; nil for the second one if it has an operand that the first
// one lacks.
func (c *comparison) read(e ast.Expr, second bool) *node {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return c.read(x.X, second)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return not(c.read(x.X, second))
		}
	case *ast.BinaryExpr:
		switch {
		case x.Op == token.LAND || x.Op == token.LOR:
			l, r := c.read(x.X, second), c.read(x.Y, second)
			if l == nil || r == nil {
				return nil
			}
			return &node{op: x.Op, x: l, y: r}
		case senses[x.Op] != nil:
			same := *x
			same.Op = token.EQL // one operand for all comparisons of two values
			n := c.operand(&same, x, second)
			if n != nil {
				n.sense, n.equals = senses[x.Op], x.Op == token.EQL || x.Op == token.NEQ
				a := &c.atoms[n.operand]
				a.ops = append(a.ops, x.Op)
				a.total = a.total || second && c.of.Total(x.X)
			}
			return n
		}
	}
	if second && c.of.Within != nil {
		if in := c.of.Within(e); in != nil {
			return c.read(in, second)
		}
	}
	return c.operand(e, e, second)
}

func not(n *node) *node {
	if n == nil {
		return nil
	}
	return &node{op: token.NOT, x: n}
}

// operand returns the node of an operand. Known is the expression that has types.
func (c *comparison) operand(e, known ast.Expr, second bool) *node {
	for k := range c.atoms {
		if c.of.Same(c.atoms[k].expr, e) {
			if second {
				c.atoms[k].free = c.of.Free(known)
			}
			return &node{operand: k}
		}
	}
	if second {
		return nil
	}
	c.atoms = append(c.atoms, atom{expr: e})
	return &node{operand: len(c.atoms) - 1}
}

// value is an operand after so many ordered ones.
type value struct{ operand, after int }

// run is an evaluation of a condition.
type run struct {
	c       *comparison
	known   map[value]int
	ordered []int  // ordered operands that were evaluated
	open    *value // a value that is not known; nil if there is none
}

func (r *run) eval(n *node) bool {
	switch n.op {
	case token.NOT:
		return !r.eval(n.x)
	case token.LAND:
		return r.eval(n.x) && r.open == nil && r.eval(n.y)
	case token.LOR:
		v := r.eval(n.x)
		if r.open != nil || v {
			return v
		}
		return r.eval(n.y)
	}
	if r.open != nil {
		return false
	}
	at := value{n.operand, len(r.ordered)}
	v, ok := r.known[at]
	if !ok {
		r.open = &at
	}
	if !r.c.atoms[n.operand].free {
		r.ordered = append(r.ordered, n.operand)
	}
	if n.sense != nil && (n.equals || r.c.atoms[n.operand].total) {
		return n.sense[v]
	}
	return v == 1
}

// values is how many values an operand has.
func (c *comparison) values(n int) int {
	if c.atoms[n].total {
		return 3
	}
	return 2
}

// equal compares two conditions for all values that are not known.
func (c *comparison) equal(a, b *node, known map[value]int) bool {
	if c.cases++; c.cases > mostCases {
		return false
	}
	x, y := &run{c: c, known: known}, &run{c: c, known: known}
	v := x.eval(a)
	open := x.open
	w := false
	if open == nil {
		w = y.eval(b)
		open = y.open
	}
	if open == nil {
		if v != w || len(x.ordered) != len(y.ordered) {
			return false
		}
		for k := range x.ordered {
			if x.ordered[k] != y.ordered[k] {
				return false
			}
		}
		return true
	}
	for v := range c.values(open.operand) {
		known[*open] = v
		if !c.equal(a, b, known) {
			delete(known, *open)
			return false
		}
	}
	delete(known, *open)
	return true
}
