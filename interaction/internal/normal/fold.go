package normal

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// value returns the value of a constant expression that does not follow from an open constant; nil
// for other expressions.
func (w *Writer) value(e ast.Expr) constant.Value {
	tv, ok := w.pkg.Info.Types[e]
	if !ok || tv.Value == nil || w.x.isOpen(w.pkg, e) {
		return nil
	}
	return tv.Value
}

// decide returns the value of a condition that constants decide. Operands that are not constant are
// not evaluated then.
func (w *Writer) decide(e ast.Expr) (value, known bool) {
	if v := w.value(e); v != nil && v.Kind() == constant.Bool {
		return constant.BoolVal(v), true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			value, known = w.decide(e.X)
			return !value, known
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			return false, false
		}
		left, ok := w.decide(e.X)
		switch {
		case !ok:
			return false, false
		case left == (e.Op == token.LOR):
			return left, true
		}
		return w.decide(e.Y)
	}
	return false, false
}

// folded writes an expression whose value is known, and reports whether it did.
func (w *Writer) folded(e ast.Expr) bool {
	if id, ok := e.(*ast.Ident); ok {
		if _, ok := w.pkg.Info.Defs[id]; ok {
			return false
		}
	}
	tv, ok := w.pkg.Info.Types[e]
	if !ok || !tv.IsValue() {
		return false
	}
	if v := w.value(e); v != nil {
		used := w.constantsOf(e)
		w.form.constants = append(w.form.constants, used...)
		switch _, name := ast.Unparen(e).(*ast.Ident); {
		case !w.named || len(used) == 0:
			w.constant(v, tv.Type)
		case name, isQualified(w.pkg, e):
			w.Word("constant")
			w.Text(used[0].Name())
		default:
			return false // it is written with the names of constants
		}
		return true
	}
	if v, known := w.decide(e); known {
		w.form.constants = append(w.form.constants, w.constantsOf(e)...)
		w.constant(constant.MakeBool(v), tv.Type)
		return true
	}
	return false
}

// constantsOf returns the constants of the sources that an expression mentions, except local ones.
func (w *Writer) constantsOf(e ast.Node) (out []*types.Const) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if c, ok := w.pkg.Info.Uses[id].(*types.Const); ok && w.x.decls[c] != nil {
				out = append(out, c)
			}
		}
		return true
	})
	return out
}

func isQualified(p *Package, e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && p.Info.Selections[s] == nil
}

// binary writes an operation, of && and || without a constant operand.
func (w *Writer) binary(e *ast.BinaryExpr) {
	if e.Op == token.LAND || e.Op == token.LOR {
		neutral := e.Op == token.LAND
		if v, known := w.decide(e.X); known && v == neutral {
			w.excluded(e.X)
			w.node(e.Y)
			return
		}
		if v, known := w.decide(e.Y); known && v == neutral {
			w.excluded(e.Y)
			w.node(e.X)
			return
		}
	}
	w.generic(e)
}

// excluded notes the constants of a condition that excludes code.
func (w *Writer) excluded(e ast.Node) {
	w.form.constants = append(w.form.constants, w.constantsOf(e)...)
}

// list writes statements up to one after which control does not continue. A label may be the
// target of a jump.
func (w *Writer) list(list []ast.Stmt) {
	for k, s := range list {
		w.node(s)
		if w.ends(s) && !labelled(list[k+1:]) {
			return
		}
	}
}

func labelled(list []ast.Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*ast.LabeledStmt); ok {
			return true
		}
	}
	return false
}

// ends reports whether control does not continue after a statement: a return, or a block that
// constants choose and that ends so.
func (w *Writer) ends(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		for _, x := range s.List {
			if w.ends(x) {
				return !labelled(s.List)
			}
		}
	case *ast.IfStmt:
		if v, known := w.decide(s.Cond); known {
			switch {
			case v:
				return w.ends(s.Body)
			case s.Else != nil:
				return w.ends(s.Else)
			}
		}
	}
	return false
}

// branch writes an if, of one whose condition is known the branch that is taken.
func (w *Writer) branch(s *ast.IfStmt) {
	v, known := w.decide(s.Cond)
	if !known {
		w.generic(s)
		return
	}
	w.excluded(s.Cond)
	if s.Init != nil {
		w.Word("{")
		w.node(s.Init)
		defer w.Word("}")
	}
	switch {
	case v:
		w.node(s.Body)
	case s.Else != nil:
		w.node(s.Else)
	}
}

// choose writes a switch without the clauses that constants exclude.
func (w *Writer) choose(s *ast.SwitchStmt) {
	tag := constant.MakeBool(true)
	if s.Tag != nil {
		tag = w.value(s.Tag)
	}
	if tag == nil || s.Init != nil {
		w.generic(s)
		return
	}
	if s.Tag != nil {
		w.excluded(s.Tag)
	}
	w.Word("(switch")
	for _, c := range w.live(s, tag) {
		w.implicit(c)
		w.generic(c)
	}
	if s.Tag != nil {
		w.constant(tag, w.pkg.Info.Types[s.Tag].Type)
	}
	w.Word(")")
}

// live returns the clauses of a switch that constants do not exclude: by their values, or since
// another clause is chosen in any case. A clause into which a live one falls through is live.
func (w *Writer) live(s *ast.SwitchStmt, tag constant.Value) (live []*ast.CaseClause) {
	taken := false // some clause is chosen in any case, unless an earlier one is
	for _, c := range s.Body.List {
		_, certain := w.possible(c.(*ast.CaseClause), tag)
		taken = taken || certain
	}
	into, passed := false, false
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		possible, certain := w.possible(clause, tag)
		if clause.List == nil {
			possible = !taken
		} else {
			possible = possible && !passed
		}
		if possible || into {
			live = append(live, clause)
		}
		into = (possible || into) && fallsThrough(clause)
		passed = passed || certain
	}
	return live
}

// possible reports whether a clause may be taken, and whether it is unless an earlier one is.
func (w *Writer) possible(c *ast.CaseClause, tag constant.Value) (possible, certain bool) {
	if c.List == nil {
		return true, false
	}
	for _, e := range c.List {
		v := w.value(e)
		if d, known := w.decide(e); known && tag.Kind() == constant.Bool {
			v = constant.MakeBool(d)
		}
		switch {
		case v == nil || v.Kind() != tag.Kind():
			possible = true
		case constant.Compare(v, token.EQL, tag):
			return true, true
		}
	}
	if !possible {
		for _, e := range c.List {
			w.excluded(e)
		}
	}
	return possible, false
}

func fallsThrough(c *ast.CaseClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	b, ok := c.Body[len(c.Body)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}
