package assemble

import (
	"go/ast"
	exact "go/constant"
	"go/token"
	"go/types"
)

// block walks statements in order and reports whether the last one that can be reached does not
// continue after them. Boolean says that the function around returns a truth value.
func (b *brancher) block(list []ast.Stmt, boolean bool) (ends bool) {
	for _, s := range list {
		if b.statement(s, boolean) {
			return true
		}
	}
	return false
}

func (b *brancher) statement(s ast.Stmt, boolean bool) (ends bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return b.block(s.List, boolean)
	case *ast.LabeledStmt:
		return b.statement(s.Stmt, boolean)
	case *ast.IfStmt:
		return b.branch(s, boolean)
	case *ast.ForStmt:
		b.simple(s.Init)
		if s.Cond != nil {
			b.condition(s.Cond)
			if v, ok := b.decided(s.Cond); ok && !v {
				return false
			}
		}
		b.simple(s.Post)
		b.block(s.Body.List, boolean)
	case *ast.RangeStmt:
		b.expression(s.X)
		if !b.empty(s.X) {
			b.block(s.Body.List, boolean)
		}
	case *ast.SwitchStmt:
		return b.choice(s, boolean)
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			if boolean && len(s.Results) == 1 {
				b.condition(e)
				if b.judging {
					b.violating(e, false)
				}
			} else {
				b.expression(e)
			}
		}
		return true
	case *ast.BranchStmt:
		return s.Tok != token.BREAK && s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		b.expression(s.X)
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	default:
		b.expression(s)
	}
	return false
}

// simple walks a statement that may be missing.
func (b *brancher) simple(s ast.Stmt) {
	if s != nil {
		b.expression(s)
	}
}

func (b *brancher) branch(s *ast.IfStmt, boolean bool) (ends bool) {
	b.simple(s.Init)
	b.condition(s.Cond)
	if b.judging && refuses(s.Body) {
		b.violating(s.Cond, true)
	}
	if b.judging && s.Else != nil && refuses(s.Else) {
		b.violating(s.Cond, false)
	}
	v, decided := b.decided(s.Cond)
	then, other := false, false
	if !decided || v {
		then = b.block(s.Body.List, boolean)
	}
	if s.Else != nil && (!decided || !v) {
		other = b.statement(s.Else, boolean)
	}
	switch {
	case decided && v:
		return then
	case decided:
		return other
	}
	return then && other
}

// choice walks a switch. Of one without a tag the cases are conditions, of one with a constant tag
// only those that may be it count.
func (b *brancher) choice(s *ast.SwitchStmt, boolean bool) (ends bool) {
	b.simple(s.Init)
	var tag exact.Value
	if s.Tag != nil {
		b.expression(s.Tag)
		tag = b.info.Types[s.Tag].Value
	}
	jumps := false // out of a case or into the next
	ast.Inspect(s.Body, func(n ast.Node) bool {
		j, ok := n.(*ast.BranchStmt)
		jumps = jumps || ok && (j.Tok == token.BREAK || j.Tok == token.FALLTHROUGH)
		return true
	})
	ends, last := !jumps, false
	var otherwise *ast.CaseClause
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			otherwise = c
			continue
		}
		if last {
			continue
		}
		possible := false
		for _, e := range c.List {
			can, must := true, false
			if !jumps {
				can, must = b.matches(s.Tag, tag, e)
			}
			if s.Tag == nil && !last {
				b.condition(e)
			} else {
				b.expression(e)
			}
			possible, last = possible || can, last || must
		}
		if possible && !b.block(c.Body, boolean) {
			ends = false
		}
	}
	switch {
	case last:
	case otherwise == nil:
		ends = false
	default:
		ends = b.block(otherwise.Body, boolean) && ends
	}
	return ends
}

// matches reports whether a case can be the one, and whether it must be where it is reached.
func (b *brancher) matches(on ast.Expr, tag exact.Value, e ast.Expr) (can, must bool) {
	if on == nil {
		v, decided := b.decided(e)
		return !decided || v, decided && v
	}
	v := b.info.Types[e].Value
	if tag == nil || v == nil || tag.Kind() != v.Kind() {
		return true, false
	}
	same := exact.Compare(tag, token.EQL, v)
	return same, same
}

// empty reports whether a loop over a value has no turn: an array without elements or a number that
// is 0.
func (b *brancher) empty(e ast.Expr) bool {
	tv := b.info.Types[e]
	if tv.Value != nil && tv.Value.Kind() == exact.Int {
		return exact.Sign(tv.Value) <= 0
	}
	if tv.Type == nil {
		return false
	}
	t := tv.Type.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	return ok && a.Len() == 0
}
