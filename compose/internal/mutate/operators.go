package mutate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The operators, as results name them.
const (
	DropAssignment = "drop an assignment"
	DropCall       = "drop a call or a send"
	Redirect       = "redirect a send"
	SwapIndex      = "swap an index"
	Weaken         = "weaken a condition"
	Strengthen     = "strengthen a condition"
	OldForNew      = "old for new value"
	NewForOld      = "new for old value"
	ExtraWrite     = "extra write"
)

// operators changes one function.
type operators struct {
	*finder
	unit
	fields    []string // variables of numbers, as X or X[0]
	old, next string   // parameters: the state before and the one after; "" for none
	found     []Mutant
}

// answers reports whether a function has one result, of type bool.
func (o *operators) answers() bool {
	return o.typ.Results != nil && len(o.typ.Results.List) == 1 && o.text(o.typ.Results.List[0].Type) == "bool"
}

// apply finds the mutants of the function.
func (o *operators) apply() {
	if o.guard || o.answers() {
		o.live(o.body, o.conditions)
	}
	o.live(o.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			o.index(n)
		case *ast.AssignStmt:
			if !o.guard {
				o.assignment(n)
			}
		case *ast.IncDecStmt:
			if !o.guard && !o.loop(n) {
				o.replace(DropAssignment, n, "")
			}
		case *ast.ExprStmt:
			if !o.guard {
				o.call(n)
			}
		}
		return true
	})
	if !o.guard && o.next != "" && o.typ.Results == nil {
		o.extra()
	}
}

// loop reports whether a statement moves a loop on: without it the loop would not end.
func (o *operators) loop(s ast.Stmt) (is bool) {
	ast.Inspect(o.body, func(n ast.Node) bool {
		if f, ok := n.(*ast.ForStmt); ok && f.Post == s {
			is = true
		}
		return !is
	})
	return is
}

// add adds the mutant in which a part of the file has another text.
func (o *operators) add(operator string, from, to token.Pos, was, is, with string) {
	line := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	o.found = append(o.found, Mutant{
		Operator: operator, Function: o.name, File: o.file(from), Line: o.p.Fset.PositionFor(from, false).Line,
		Was: line(was), Is: line(is), at: span{o.offset(from), o.offset(to)}, with: with,
		body: span{o.offset(o.body.Pos()), o.offset(o.body.End())},
	})
}

// replace adds the mutant in which a node has another text.
func (o *operators) replace(operator string, n ast.Node, text string) {
	o.add(operator, n.Pos(), n.End(), o.text(n), text, text)
}

// assignment drops an assignment, and takes old values for new ones and new ones for old ones on
// its right.
func (o *operators) assignment(n *ast.AssignStmt) {
	if n.Tok != token.DEFINE && !o.loop(n) {
		o.replace(DropAssignment, n, "")
	}
	for _, r := range n.Rhs {
		ast.Inspect(r, o.values)
	}
}

// values takes an old value for a new one, and a new one for an old one.
func (o *operators) values(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return false // what has the address may write
		}
	case *ast.CallExpr:
		if o.mayWrite(n.Fun) {
			for _, a := range n.Args {
				ast.Inspect(a, o.values)
			}
			return false
		}
	}
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return true
	}
	if o.old == "" || o.next == "" || !o.isVariable(id) {
		return false
	}
	switch id.Name {
	case o.next:
		o.replace(OldForNew, sel, o.old+"."+sel.Sel.Name)
	case o.old:
		o.replace(NewForOld, sel, o.next+"."+sel.Sel.Name)
	}
	return false
}

// isVariable reports whether a name is a pointer to a State.
func (o *operators) isVariable(id *ast.Ident) bool {
	v, ok := o.p.Info.Uses[id].(*types.Var)
	return ok && o.isState(v.Type())
}

// call drops a call that changes something, and redirects one that sends.
func (o *operators) call(n *ast.ExprStmt) {
	c, ok := n.X.(*ast.CallExpr)
	if !ok || o.text(c.Fun) == "panic" {
		return
	}
	o.replace(DropCall, n, "")
	if strings.HasSuffix(o.text(c.Fun), ".Send") && len(c.Args) == 3 && o.text(c.Args[0]) != o.text(c.Args[1]) {
		o.replace(Redirect, n, fmt.Sprintf("%s(%s, %s, %s)", o.text(c.Fun), o.text(c.Args[1]), o.text(c.Args[0]), o.text(c.Args[2])))
	}
	for _, a := range c.Args {
		ast.Inspect(a, o.values)
	}
}

// index takes the next element of an array of the State. In a composition without a grain that uses
// it the array can have no elements, and its length is a constant.
func (o *operators) index(n *ast.IndexExpr) {
	array, ok := under(o.p.Info.TypeOf(n.X)).(*types.Array)
	if !ok || array.Len() < 2 || !o.ofState(n.X) {
		return
	}
	switch n.Index.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.BasicLit:
	default:
		return
	}
	kind := types.TypeString(types.Default(o.p.Info.TypeOf(n.Index)), func(p *types.Package) string {
		if p == o.p.Types {
			return ""
		}
		return p.Name()
	})
	is := o.text(n.Index)
	o.add(SwapIndex, n.Index.Pos(), n.Index.End(), o.text(n), fmt.Sprintf("%s[(%s+1)%%%d]", o.text(n.X), is, array.Len()),
		fmt.Sprintf("(%s+1)%%%s(max(len(%s), 1))", is, kind, o.text(n.X)))
}

func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// ofState reports whether an expression selects fields and elements of a State.
func (o *operators) ofState(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return o.isVariable(x)
		default:
			return false
		}
	}
}

// conditions changes what a function returns that asks something, and the conditions under which it
// returns false.
func (o *operators) conditions(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false // what it returns is another answer
	case *ast.ReturnStmt:
		if len(n.Results) == 1 && !o.constant(n.Results[0]) {
			o.conjunct(n.Results[0])
		}
	case *ast.IfStmt:
		if refuses(n.Body) && !o.constant(n.Cond) {
			o.refusal(n.Cond)
		}
	}
	return true
}

func (o *operators) constant(e ast.Expr) bool {
	_, known := o.decided(e)
	return known
}

// refuses reports whether a block begins with return false.
func refuses(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	r, ok := b.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	id, ok := r.Results[0].(*ast.Ident)
	return ok && id.Name == "false"
}

// refusal drops each disjunct of a condition under which the answer is false, and adds one.
func (o *operators) refusal(e ast.Expr) {
	if o.constant(e) {
		return
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		o.refusal(b.X)
		o.refusal(b.Y)
		return
	}
	o.replace(Weaken, e, "false")
	if f := o.field(); f != "" {
		o.replace(Strengthen, e, fmt.Sprintf("((%s) || %s.%s != 0)", o.text(e), o.state(), f))
	}
}

// conjunct drops each conjunct of an answer, and strengthens each.
func (o *operators) conjunct(e ast.Expr) {
	if o.constant(e) {
		return
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		switch b.Op {
		case token.LAND:
			if value, known := o.decided(b.X); !known || value {
				o.conjunct(b.X)
				o.conjunct(b.Y)
			}
			return
		case token.LSS:
			o.replace(Strengthen, b, fmt.Sprintf("%s+1 < %s", o.text(b.X), o.text(b.Y)))
		}
	}
	o.replace(Weaken, e, "true")
	if f := o.field(); f != "" {
		o.replace(Strengthen, e, fmt.Sprintf("((%s) && %s.%s == 0)", o.text(e), o.state(), f))
	}
}

// state returns the parameter that a condition reads.
func (o *operators) state() string {
	if o.old != "" {
		return o.old
	}
	return o.next
}

// field returns one of the variables of numbers, in turn; "" if there is none.
func (o *operators) field() string {
	if len(o.fields) == 0 || o.state() == "" {
		return ""
	}
	return o.fields[(len(o.finder.found)+len(o.found))%len(o.fields)]
}

// extra writes one more variable at the end of a function.
func (o *operators) extra() {
	if f := o.field(); f != "" {
		is := o.next + "." + f + " = 0"
		o.add(ExtraWrite, o.body.Rbrace, o.body.Rbrace, "", is, "\n"+is+"\n")
	}
}

// numbers returns the fields of the State that hold integers, and that functions mention: as X, or
// as X[0] for an array.
func (x *finder) numbers(units []unit) (out []string) {
	integer := func(t types.Type) bool {
		b, ok := under(t).(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0
	}
	for _, u := range units {
		o := &operators{finder: x, unit: u}
		x.live(u.body, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !o.ofState(sel) {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); !ok || !o.isVariable(id) {
				return true
			}
			text := sel.Sel.Name
			if s := x.p.Info.Selections[sel]; s == nil || s.Kind() != types.FieldVal {
				return true
			}
			t := x.p.Info.TypeOf(sel)
			if a, ok := under(t).(*types.Array); ok && a.Len() > 0 {
				t, text = a.Elem(), text+"[0]"
			}
			if integer(t) && !slices.Contains(out, text) {
				out = append(out, text)
			}
			return true
		})
	}
	slices.Sort(out)
	return out
}
