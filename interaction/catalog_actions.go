package interaction

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// readActions reads every package-level variable that is an Action.
func (r *reader) readActions() {
	for _, g := range r.globals() {
		named := isNamed(g.Type().(*types.Pointer).Elem(), modulesPath, "Action")
		if named == nil {
			continue
		}
		cell := r.out.values.Globals[g]
		if cell == nil {
			continue // the initialiser does not touch it: an empty action, which nobody can name
		}
		a := r.action(g, named, cell)
		r.byCell[cell] = a
		if old := r.out.byName[a.decl.Name]; old != nil && a.decl.Name != "" {
			r.report(finding(NameTaken, a.decl.Place, "action name %q is used twice", a.decl.Name).
				remedy("give each action its own name: it is its identity").
				related(old.decl.Place, "%s has the name already", old.decl.Var))
			continue
		}
		r.out.byName[a.decl.Name] = a
		r.out.actions = append(r.out.actions, a)
		r.out.cat.Actions = append(r.out.cat.Actions, a.decl)
	}
}

func (r *reader) action(g *ssa.Global, named *types.Named, cell *initial.Cell) *actionFuncs {
	a := &actionFuncs{global: g, param: named.TypeArgs().At(1)}
	a.decl = grains.ActionDecl{Var: g.Name(), Param: r.typeName(a.param), Place: r.at(g.Pos())}
	s, ok := r.structure(cell, "action "+g.Name(), g.Pos())
	if !ok {
		a.decl.Name = g.Name()
		return a
	}
	if name, ok := s.Field("Name").Value.(constant.Value); ok && constant.StringVal(name) != "" {
		a.decl.Name = constant.StringVal(name)
	} else {
		a.decl.Name = g.Name()
		r.report(finding(NoName, a.decl.Place, "action %s has no constant name", g.Name()).
			remedy("set Name to a string constant, as Name: %q", g.Name()))
	}
	if actor, ok := s.Field("Actor").Value.(constant.Value); ok {
		a.decl.Actor = constant.StringVal(actor)
	}
	if _, none := s.Field("Params").Value.(initial.Nil); none {
		r.report(finding(Incomplete, a.decl.Place, "action %s has no Params", a.decl.Name).
			remedy("set Params to the domain of its parameters, or to modules.Once where it has none"))
	}
	guard, ok := r.function(s.Field("Guard"))
	if !ok {
		r.unresolved(a, "Guard", s.Field("Guard"))
	} else if guard != nil {
		a.guard = guard
		f := r.functionDecl(guard)
		a.decl.Guard = &f
	}
	effect, ok := r.function(s.Field("Effect"))
	switch {
	case !ok:
		r.unresolved(a, "Effect", s.Field("Effect"))
	case effect == nil:
		r.report(finding(Incomplete, a.decl.Place, "action %s has no effect", a.decl.Name).remedy("set Effect to a function"))
	default:
		a.effect = effect
		a.decl.Effect = r.functionDecl(effect)
	}
	return a
}

func (r *reader) unresolved(a *actionFuncs, field string, c *initial.Cell) {
	f := finding(UnknownFunction, a.decl.Place, "the %s of action %s does not resolve to one function", field, a.decl.Name)
	if u, ok := c.Value.(initial.Unknown); ok {
		f = f.related(r.at(u.Pos), "%s", u.Why)
	}
	r.report(f.remedy("set %s to a function literal or to a declared function", field))
}

// function returns the function in a cell; nil where it is nil, not ok where it is not known.
func (r *reader) function(c *initial.Cell) (*initial.Func, bool) {
	switch v := c.Value.(type) {
	case initial.Nil:
		return nil, true
	case *initial.Func:
		return v, len(v.Fn.Blocks) > 0
	}
	return nil, false
}

// functionDecl names a declared function and places a literal at its func.
func (r *reader) functionDecl(f *initial.Func) grains.Function {
	fn := f.Fn
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Parent() != nil {
		return grains.Function{Place: r.at(fn.Pos())}
	}
	pos, name := fn.Pos(), fn.Name()
	if o, ok := fn.Object().(*types.Func); ok { // also of a method expression's wrapper
		pos, name = o.Pos(), o.Name()
		if recv := o.Signature().Recv(); recv != nil {
			t := r.typeName(recv.Type())
			if strings.HasPrefix(t, "*") {
				t = "(" + t + ")"
			}
			name = t + "." + name
		}
	}
	return grains.Function{Name: name, Place: r.at(pos)}
}

// actionOf returns the action that an AnyAction, or a pointer, refers to.
func (r *reader) actionOf(v initial.Value, where string, at token.Pos) *actionFuncs {
	if i, ok := v.(initial.Interface); ok {
		v = i.Value
	}
	cell, ok := v.(*initial.Cell)
	if !ok {
		r.unread(v, where, at)
		return nil
	}
	if a := r.byCell[cell]; a != nil {
		return a
	}
	name := "an action"
	pos := cell.Pos
	if s, ok := cell.Value.(*initial.Struct); ok && s.Field("Name") != nil {
		if c, ok := s.Field("Name").Value.(constant.Value); ok {
			name = "action " + c.ExactString()
		}
		if s.Field("Name").Pos.IsValid() {
			pos = s.Field("Name").Pos
		}
	}
	place := r.at(at)
	if pos.IsValid() {
		place = r.literal(pos)
	}
	r.report(finding(NoVariable, place, "%s, used in %s, is not a package-level variable of %s", name, where, r.p.Path).
		remedy("declare it as var X = Action[P]{...} in the package of the System and refer to it as &X").
		related(r.at(at), "it is used here"))
	return nil
}

// unlisted returns a warning for each action that stands in no grain: no composition has it, so
// nothing is ever known about it. It is used nevertheless if Runtime names it, or if another
// function of the package has its guard or effect.
func (p *Program) unlisted() (out []Finding) {
	r := p.reading()
	used := p.borrowed()
	for _, g := range r.cat.Grains {
		for _, name := range g.Actions {
			used[r.byName[name].global] = true
		}
	}
	of := map[*initial.Cell]*ssa.Global{}
	for _, a := range r.actions {
		of[r.values.Globals[a.global]] = a.global
	}
	for g, cell := range r.values.Globals {
		if isNamed(g.Type().(*types.Pointer).Elem(), modulesPath, "Runtime") != nil {
			named(cell, of, used, map[*initial.Cell]bool{})
		}
	}
	for _, a := range r.actions {
		if !used[a.global] {
			f := finding(Unlisted, a.decl.Place, "action %s stands in no grain, so no composition has it", a.decl.Name).
				remedy("list it in the Actions of a grain, or remove it")
			f.Severity, f.Action = Warning, a.decl.Name
			out = append(out, f)
		}
	}
	return out
}

// borrowed returns the actions whose guard or effect is read, as in Other.Guard.
func (p *Program) borrowed() map[*ssa.Global]bool {
	out := map[*ssa.Global]bool{}
	for _, f := range p.main.syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Guard", "Effect"}, s.Sel.Name) {
				return true
			}
			if id, ok := ast.Unparen(s.X).(*ast.Ident); ok {
				if o := p.main.info.Uses[id]; o != nil && o.Parent() == p.main.types.Scope() {
					if g := p.ssa.Var(o.Name()); g != nil {
						out[g] = true
					}
				}
			}
			return true
		})
	}
	return out
}

// named notes the actions to which a value of the initialiser leads.
func named(v initial.Value, of map[*initial.Cell]*ssa.Global, used map[*ssa.Global]bool, seen map[*initial.Cell]bool) {
	all := func(cells []*initial.Cell) {
		for _, c := range cells {
			named(c, of, used, seen)
		}
	}
	switch v := v.(type) {
	case *initial.Cell:
		if g := of[v]; g != nil {
			used[g] = true
			return
		}
		if !seen[v] {
			seen[v] = true
			named(v.Value, of, used, seen)
		}
	case *initial.Struct:
		all(v.Fields)
	case *initial.Array:
		all(v.Elems)
	case initial.Slice:
		all(v.Elems)
	case initial.Interface:
		named(v.Value, of, used, seen)
	case initial.Made:
		for _, a := range v.Args {
			named(a, of, used, seen)
		}
	}
}
