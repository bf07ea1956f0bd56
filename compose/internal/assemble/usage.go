package assemble

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// Usage lists the names that code of the specification's package can read. It is an
// over-approximation: a method or a field is known by its name alone, and code that constants
// switch off counts.
type Usage struct {
	d *Names
	// idents are names that are used as such, as those of constants; selectors those after a dot,
	// as of fields and methods.
	idents, selectors map[string]bool
}

// Names are the package's declarations by name.
type Names struct {
	r              *Rewriting
	state, catalog string // names of the State type and of the variable that holds the catalog
	// values are of constants and variables, types of types; a name has several functions where
	// types share a method's name.
	values map[string]ast.Expr
	types  map[string]ast.Expr
	funcs  map[string][]*ast.FuncDecl
	fields map[string]ast.Expr // of the State, by name
}

// Names collects the declarations.
func (r *Rewriting) Names(state, catalog string) *Names {
	d := &Names{r: r, state: state, catalog: catalog, values: map[string]ast.Expr{}, types: map[string]ast.Expr{}, funcs: map[string][]*ast.FuncDecl{},
		fields: map[string]ast.Expr{}}
	for _, f := range r.files {
		for _, decl := range f.tree.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d.funcs[decl.Name.Name] = append(d.funcs[decl.Name.Name], decl)
			case *ast.GenDecl:
				d.declare(decl)
			}
		}
	}
	if st, ok := d.types[state].(*ast.StructType); ok {
		for _, f := range st.Fields.List {
			for _, id := range f.Names {
				d.fields[id.Name] = f.Type
			}
		}
	}
	return d
}

func (d *Names) declare(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.types[spec.Name.Name] = spec.Type
		case *ast.ValueSpec:
			for k, id := range spec.Names {
				if k < len(spec.Values) && decl.Tok != token.IMPORT {
					d.values[id.Name] = spec.Values[k]
				}
			}
		}
	}
}

// Usage returns an empty usage of these names.
func (d *Names) Usage() *Usage {
	return &Usage{d: d, idents: map[string]bool{}, selectors: map[string]bool{}}
}

// node adds what an expression, a statement or a declaration uses.
func (x *Usage) node(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x.selector(n.Sel.Name)
			x.node(n.X)
			return false
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok { // of a struct, or a constant as an index
				x.selector(id.Name)
			}
		case *ast.Ident:
			x.ident(n.Name)
		}
		return true
	})
}

func (x *Usage) ident(name string) {
	if x.idents[name] || name == x.d.state || name == x.d.catalog {
		return
	}
	x.idents[name] = true
	if v := x.d.values[name]; v != nil {
		x.node(v)
	}
	if t := x.d.types[name]; t != nil {
		x.node(t)
	}
	for _, f := range x.d.funcs[name] {
		x.node(f)
	}
}

// selector adds methods of that name, and the type of the State's field, whose capacity counts.
func (x *Usage) selector(name string) {
	if x.selectors[name] {
		return
	}
	x.selectors[name] = true
	for _, f := range x.d.funcs[name] {
		if f.Recv != nil {
			x.node(f)
		}
	}
	if t := x.d.fields[name]; t != nil {
		x.node(t)
	}
}

// Function adds a function of the catalog.
func (x *Usage) Function(fn *grains.Function) {
	switch {
	case fn == nil:
	case fn.Name != "":
		x.ident(fn.Name)
	default:
		if _, lit := x.d.r.literal(fn.Place); lit != nil {
			x.node(lit)
		}
	}
}

// Init adds Init. The fields that it sets do not count: what only Init sets is never read.
func (x *Usage) Init(fn *grains.Function) {
	fields := x.d.fields
	x.d.fields = nil
	x.Function(fn)
	x.d.fields = fields
}

// Rules adds the rules that ride on one of the actions, or on all actions.
func (x *Usage) Rules(rules []grains.RuleDecl, actions []string) {
	for k := range rules {
		if r := &rules[k]; r.On == "" || slices.Contains(actions, r.On) {
			x.Function(r.When)
			x.Function(r.After)
		}
	}
}

// Properties adds the functions of properties.
func (x *Usage) Properties(list []grains.PropertyDecl) {
	for _, p := range list {
		x.Function(p.Check)
	}
}

// Reads reports whether the code that was added uses a name, as that of a constant.
func (x *Usage) Reads(name string) bool { return x.idents[name] }

// Grain adds the actions and rules of a grain.
func (x *Usage) Grain(cat *grains.Catalog, g *grains.GrainDecl) {
	for _, name := range g.Actions {
		for _, a := range cat.Actions {
			if a.Name != name {
				continue
			}
			if value := x.d.values[a.Var]; value != nil { // with its parameters
				x.node(value)
			}
			x.Function(a.Guard)
			x.Function(&a.Effect)
		}
	}
	x.Rules(g.Rules, g.Actions)
	for k := range g.Stands {
		x.Function(g.Stands[k].Params)
		x.Function(g.Stands[k].Before)
	}
}

// Mentions returns the names that a function of the catalog has in its own text, with those in the
// values of the constants among them. Calls are not followed.
func (d *Names) Mentions(fn *grains.Function) map[string]bool {
	out := map[string]bool{}
	var add func(n ast.Node)
	add = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !out[id.Name] {
				out[id.Name] = true
				if v := d.values[id.Name]; v != nil {
					add(v)
				}
			}
			return true
		})
	}
	switch {
	case fn == nil:
	case fn.Name != "":
		for _, f := range d.funcs[fn.Name] {
			add(f)
		}
	default:
		if _, lit := d.r.literal(fn.Place); lit != nil {
			add(lit)
		}
	}
	return out
}

// Has reports whether the code that was added uses a function or a method of a name.
func (x *Usage) Has(name string) bool { return x.idents[name] || x.selectors[name] }
