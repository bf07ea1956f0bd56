package compose

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/multigrain/multigrain/grains"
)

// usage is what code of the specification's package can read, by names: an over-approximation, since a method or a field is known by
// its name alone, and code that constants switch off counts.
type usage struct {
	d *packageNames
	// idents are names that are used as such, as those of constants; selectors those behind a dot, as of fields and methods.
	idents, selectors map[string]bool
}

// packageNames are the package's declarations by name.
type packageNames struct {
	r              *rewriting
	state, catalog string // names of the State type and of the variable that holds the catalog
	// values are of constants and variables, types of types; a name has several functions where types share a method's name.
	values map[string]ast.Expr
	types  map[string]ast.Expr
	funcs  map[string][]*ast.FuncDecl
	fields map[string]ast.Expr // of the State, by name
}

func (r *rewriting) packageNames(state, catalog string) *packageNames {
	d := &packageNames{r: r, state: state, catalog: catalog, values: map[string]ast.Expr{}, types: map[string]ast.Expr{}, funcs: map[string][]*ast.FuncDecl{},
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

func (d *packageNames) declare(decl *ast.GenDecl) {
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

func (d *packageNames) usage() *usage {
	return &usage{d: d, idents: map[string]bool{}, selectors: map[string]bool{}}
}

// node adds what an expression, a statement or a declaration uses.
func (x *usage) node(n ast.Node) {
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

func (x *usage) ident(name string) {
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
func (x *usage) selector(name string) {
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

// function adds a function of the catalog.
func (x *usage) function(fn *grains.Function) {
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

// init adds Init. The fields that it sets do not count: what only Init sets is never read.
func (x *usage) init(fn *grains.Function) {
	fields := x.d.fields
	x.d.fields = nil
	x.function(fn)
	x.d.fields = fields
}

func (x *usage) rules(rules []grains.RuleDecl, actions []string) {
	for k := range rules {
		if r := &rules[k]; r.On == "" || slices.Contains(actions, r.On) {
			x.function(r.When)
			x.function(r.After)
		}
	}
}

func (x *usage) properties(list []grains.PropertyDecl) {
	for _, p := range list {
		x.function(p.Check)
	}
}

// grain adds the actions and rules of a grain.
func (x *usage) grain(cat *grains.Catalog, g *grains.GrainDecl) {
	for _, name := range g.Actions {
		for _, a := range cat.Actions {
			if a.Name != name {
				continue
			}
			if value := x.d.values[a.Var]; value != nil { // with its parameters
				x.node(value)
			}
			x.function(a.Guard)
			x.function(&a.Effect)
		}
	}
	x.rules(g.Rules, g.Actions)
}
