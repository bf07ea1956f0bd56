package noting

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// operands wraps the operands of the conditions that have a changed line, and returns the lines of
// these conditions.
func (n *noter) operands(body *ast.BlockStmt, lines []Line) map[int]bool {
	c := &conditions{n: n, lines: lines, seen: map[ast.Expr]bool{}, covered: map[int]bool{}}
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.GenDecl:
			return x.Tok != token.CONST
		case *ast.IfStmt:
			c.condition(x.Cond)
		case *ast.ForStmt:
			c.condition(x.Cond)
		case *ast.SwitchStmt:
			for _, s := range x.Body.List {
				for _, e := range s.(*ast.CaseClause).List {
					if x.Tag == nil {
						c.condition(e)
					}
				}
			}
		case *ast.ReturnStmt:
			for _, e := range x.Results {
				if b, ok := e.(*ast.BinaryExpr); ok && compares(b.Op) {
					c.condition(e)
				}
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				c.condition(x)
			}
		}
		return true
	})
	return c.covered
}

// compares reports whether an operator makes a truth value of two values.
func compares(op token.Token) bool {
	return slices.Contains([]token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, op)
}

// conditions wraps the operands of changed conditions.
type conditions struct {
	n       *noter
	lines   []Line
	seen    map[ast.Expr]bool
	covered map[int]bool
}

// condition wraps the operands of an expression that has a changed line.
func (c *conditions) condition(e ast.Expr) {
	if e == nil || c.seen[e] {
		return
	}
	from, to := c.n.line(e.Pos()), c.n.line(e.End())
	if !slices.ContainsFunc(c.lines, func(l Line) bool { return !l.Removed && l.Number >= from && l.Number <= to }) {
		return
	}
	for k := from; k <= to; k++ {
		c.covered[k] = true
	}
	c.operand(e)
}

func (c *conditions) operand(e ast.Expr) {
	c.seen[e] = true
	switch x := e.(type) {
	case *ast.ParenExpr:
		c.operand(x.X)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			c.operand(x.X)
			return
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			c.operand(x.X)
			c.operand(x.Y)
			return
		}
	}
	n := c.n
	at := n.file.PositionFor(e.Pos(), false)
	start, end := n.file.Offset(e.Pos()), n.file.Offset(e.End())
	text := strings.Join(strings.Fields(string(n.text[start:end])), " ")
	k := n.place(at.Line, at.Column, text, Operand)
	before, after := "", ")"
	if b, ok := e.(*ast.BinaryExpr); ok && compares(b.Op) { // its value has no type
		before, after = "(", ") == true)"
	}
	n.edits = append(n.edits, edit{start: start, end: start, text: fmt.Sprintf("%smultigrainran.See(%d, ", before, k)}, edit{start: end, end: end, text: after})
}
