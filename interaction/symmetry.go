package interaction

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/initial"
	"github.com/multigrain/multigrain/modules"
)

// Asymmetric is the kind of findings about code that tells servers apart otherwise than by asking whether two are the same.
const Asymmetric Kind = "asymmetric"

func init() { codes[Asymmetric] = "MG220" }

// Symmetry is what symmetry over servers needs of a composition, and what forbids it.
type Symmetry struct {
	// Identities is nil where the composition has no type of servers, or a bound named servers that says how many there are.
	Identities *modules.Identities `json:"identities,omitempty"`
	// Findings are errors: with one among them the reduction is unsound.
	Findings []Finding `json:"findings,omitempty"`
}

// symmetry finds the type of servers, by the parameters of the actions, and which arrays have an element for each: those whose
// length is the constant of the bound "servers", or follows from it and has its value. Then it reads all code that takes part, see
// order.
func (a *analysis) symmetry() *Symmetry {
	s := &Symmetry{}
	o := &order{p: a.p, out: s, arrays: map[string]bool{}, done: map[ast.Node]bool{}}
	if !o.identify(a) {
		return s
	}
	ids := &modules.Identities{Type: o.server.Obj().Name(), Count: o.count}
	o.findArrays()
	for name := range o.arrays {
		ids.Arrays = append(ids.Arrays, name)
	}
	slices.Sort(ids.Arrays)
	s.Identities = ids
	o.declare()
	for _, u := range a.mixed.units {
		for _, name := range u.grain.decl.Actions {
			if x := a.r.byName[name]; x != nil {
				o.root("action "+name, x.guard, x.effect)
			}
		}
	}
	for _, r := range a.mixed.rules {
		o.root("a rule", r.when, r.after)
	}
	for _, v := range a.checked {
		o.root("property "+propertyName(v.decl), v.check)
	}
	o.root("Init", a.r.init)
	return s
}

// identify finds the type of servers and how many there are.
func (o *order) identify(a *analysis) bool {
	none := func(format string, args ...any) bool {
		f := finding(Asymmetric, grains.Place{}, format, args...)
		o.out.Findings = append(o.out.Findings, f.remedy("check without symmetry"))
		return false
	}
	for _, u := range a.mixed.units {
		for _, name := range u.grain.decl.Actions {
			x := a.r.byName[name]
			if x == nil {
				continue
			}
			t, ok := types.Unalias(x.param).(*types.Named)
			if !ok || t.TypeArgs().Len() == 0 || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != modulesPath {
				continue
			}
			id, ok := types.Unalias(t.TypeArgs().At(0)).(*types.Named)
			switch {
			case !ok:
			case o.server == nil:
				o.server = id
			case !types.Identical(o.server, id):
				return none("actions take servers of two types, %s and %s", o.server.Obj().Name(), id.Obj().Name())
			}
		}
	}
	if o.server == nil {
		return none("no action takes a server: nothing can be permuted")
	}
	for _, b := range a.r.cat.Bounds {
		if b.Name == "servers" && b.Const != "" {
			o.servers, _ = a.p.main.types.Scope().Lookup(b.Const).(*types.Const)
		}
	}
	if o.servers == nil || o.server.Obj().Pkg() != a.p.main.types {
		return none("the catalog has no bound named servers that sets how many values %s has", o.server.Obj().Name())
	}
	n, ok := constant.Int64Val(constant.ToInt(o.servers.Val()))
	if !ok || n < 1 || n > modules.MaxSet {
		return none("%s servers cannot be permuted, at most %d can", o.servers.Val(), modules.MaxSet)
	}
	o.count = int(n)
	return true
}

// findArrays finds the fields and named types of the package whose arrays are indexed by servers.
func (o *order) findArrays() {
	o.derived = map[types.Object]bool{o.servers: true}
	for more := true; more; { // constants that follow from the number of servers
		more = false
		o.each(func(spec *ast.ValueSpec) {
			for k, name := range spec.Names {
				c, ok := o.p.main.info.Defs[name].(*types.Const)
				if ok && !o.derived[c] && k < len(spec.Values) && o.mentions(spec.Values[k]) && constant.Compare(c.Val(), eql, o.servers.Val()) {
					o.derived[c], more = true, true
				}
			}
		})
	}
	for _, f := range o.p.main.syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			o.dimensions(t.Name.Name, 0, t.Type)
			if s, ok := t.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						o.dimensions(t.Name.Name+"."+name.Name, 0, f.Type)
					}
				}
			}
			return false
		})
	}
}

// each calls do for every declaration of constants or variables at the package's level.
func (o *order) each(do func(*ast.ValueSpec)) {
	for _, f := range o.p.main.syntax {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						do(v)
					}
				}
			}
		}
	}
}

func (o *order) dimensions(site string, depth int, e ast.Expr) {
	for {
		a, ok := e.(*ast.ArrayType)
		if !ok || a.Len == nil {
			return
		}
		if o.mentions(a.Len) && o.isCount(a.Len) {
			o.arrays[fmt.Sprintf("%s/%d", site, depth)] = true
		}
		e, depth = a.Elt, depth+1
	}
}

// mentions reports whether an expression uses a constant that is, or follows from, the number of servers.
func (o *order) mentions(e ast.Expr) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && o.derived[o.p.main.info.Uses[id]] {
			yes = true
		}
		return !yes
	})
	return yes
}

// isCount reports whether a constant expression is the number of servers.
func (o *order) isCount(e ast.Expr) bool {
	v := o.p.main.info.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Compare(v, eql, constant.MakeInt64(int64(o.count)))
}

// root reads functions and all that they use.
func (o *order) root(what string, fs ...*initial.Func) {
	o.what = what
	for _, f := range fs {
		if f == nil {
			continue
		}
		for _, b := range f.Bind {
			if inner, ok := b.(*initial.Func); ok {
				o.root(what, inner)
			}
		}
		if n := f.Fn.Syntax(); n != nil {
			o.walk(n)
		}
	}
}
