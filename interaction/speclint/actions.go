package speclint

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// action is a declared action, or one that is made elsewhere.
type action struct {
	at    ast.Expr // the literal, or the declared name where there is none
	typ   *types.Named
	name  string
	field map[string]ast.Expr
	// declared is the package-level variable; nil where the action is made elsewhere.
	declared *ast.Ident
}

// title names the action in messages.
func (a *action) title() string {
	switch {
	case a.name != "":
		return "action " + a.name
	case a.declared != nil:
		return "action " + a.declared.Name
	}
	return "an action"
}

// actions returns all actions that the package makes, in the order of the source.
func (l *linter) actions() (out []*action) {
	declared := map[ast.Expr]*ast.Ident{}
	for _, f := range l.files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					out = append(out, l.declaredActions(s.(*ast.ValueSpec), declared)...)
				}
			}
		}
	}
	for _, c := range l.literals(isAction) {
		a := &action{at: c, declared: declared[c], field: l.fieldsOf(c)}
		t := types.Unalias(l.TypesInfo.TypeOf(c))
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		a.typ, _ = t.(*types.Named)
		if name := a.field["Name"]; name != nil {
			if v := l.TypesInfo.Types[name].Value; v != nil {
				a.name = constant.StringVal(v)
			}
		}
		out = append(out, a)
	}
	return out
}

// declaredActions notes which literals initialise the variables of s, and returns those that no
// literal initialises.
func (l *linter) declaredActions(s *ast.ValueSpec, declared map[ast.Expr]*ast.Ident) (out []*action) {
	for k, name := range s.Names {
		t := l.TypesInfo.TypeOf(name)
		if t == nil || !isAction(t) {
			continue
		}
		if len(s.Values) == len(s.Names) {
			if c, ok := ast.Unparen(s.Values[k]).(*ast.CompositeLit); ok && name.Name != "_" {
				declared[c] = name
				continue
			}
			if name.Name == "_" {
				continue // its literal is reported as an action without a variable
			}
		}
		out = append(out, &action{at: name, typ: types.Unalias(t).(*types.Named)})
	}
	return out
}

func (l *linter) checkActions(actions []*action) {
	names := map[string]*action{}
	for _, a := range actions {
		if a.declared == nil {
			l.report(a.at, actionNotVariable, "%s", l.describe(a))
		}
		if a.field == nil {
			continue
		}
		l.checkName(a, names)
		for _, need := range []struct{ field, remedy string }{
			{"Params", "without parameters its domain is modules.Once"},
			{"Effect", "an action that changes nothing has no place in a specification"},
		} {
			if e := a.field[need.field]; e == nil || l.TypesInfo.Types[e].IsNil() {
				l.report(a.at, actionIncomplete, "%s has no %s; give it one: %s", a.title(), need.field, need.remedy)
			}
		}
	}
	l.checkLocalActions()
}

// describe says how an action comes to be that is not a declared literal.
func (l *linter) describe(a *action) string {
	if a.field == nil {
		return "action " + a.at.(*ast.Ident).Name + " is not declared by a literal"
	}
	if a.name == "" {
		return "an action is made where it has no variable"
	}
	return "action " + a.name + " is not the value of a package-level variable"
}

func (l *linter) checkName(a *action, names map[string]*action) {
	e := a.field["Name"]
	switch {
	case e == nil:
		l.report(a.at, nameNotConstant, "%s has no name", a.title())
	case l.TypesInfo.Types[e].Value == nil:
		l.report(e, nameNotConstant, "the name of %s is computed", a.title())
	case a.name == "":
		l.report(e, nameNotConstant, "the name of %s is empty", a.title())
	case names[a.name] != nil:
		first := names[a.name]
		l.reportRelated(e, nameTaken, at(first.field["Name"], "the first action of this name"),
			"the name %q is taken", a.name)
	default:
		names[a.name] = a
	}
}

// checkLocalActions reports variables, parameters and allocations of type Action inside functions.
func (l *linter) checkLocalActions() {
	literal := map[*ast.Ident]bool{} // reported by its literal already
	for _, f := range l.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for k := range n.Lhs {
					id, ok := n.Lhs[k].(*ast.Ident)
					if _, made := ast.Unparen(n.Rhs[min(k, len(n.Rhs)-1)]).(*ast.CompositeLit); ok && made {
						literal[id] = true
					}
				}
			case *ast.Ident:
				v, ok := l.TypesInfo.Defs[n].(*types.Var)
				if ok && n.Name != "_" && !literal[n] && !v.IsField() && v.Parent() != l.Pkg.Scope() && isAction(v.Type()) {
					l.report(n, actionNotVariable, "%s is an action inside a function, or a copy of one", n.Name)
				}
			case *ast.CallExpr:
				if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && l.builtin(id) == "new" && isAction(l.TypesInfo.TypeOf(n.Args[0])) {
					l.report(n, actionNotVariable, "new makes an action without declaring it")
				}
			}
			return true
		})
	}
}

// checkAssignments reports what changes actions, wherever they are, and other parts of the catalog
// at package level.
func (l *linter) checkAssignments() {
	for _, f := range l.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						l.checkAssigned(e)
					}
				}
			case *ast.IncDecStmt:
				l.checkAssigned(n.X)
			}
			return true
		})
	}
}

func (l *linter) checkAssigned(e ast.Expr) {
	if id := l.index.root(e); id != nil {
		if v, ok := l.TypesInfo.Uses[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && isCatalog(v.Type()) {
			l.report(e, catalogAssigned, "%s is assigned to at run time", types.ExprString(e))
			return
		}
	}
	for x := e; x != nil; x = inner(x) {
		t := l.TypesInfo.TypeOf(x)
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if x != e && t != nil && isAction(t) {
			l.report(e, catalogAssigned, "%s is assigned to at run time", types.ExprString(e))
			return
		}
	}
}

// inner returns the operand that e selects from; nil at the root.
func inner(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.IndexExpr:
		return e.X
	case *ast.SelectorExpr:
		return e.X
	}
	return nil
}

// builtin returns the name of the predeclared function that id stands for, "" for anything else.
func (l *linter) builtin(id *ast.Ident) string {
	if b, ok := l.TypesInfo.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}
