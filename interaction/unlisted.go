package interaction

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

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

// borrowed returns the actions of which a field is read, as in Other.Guard.
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
