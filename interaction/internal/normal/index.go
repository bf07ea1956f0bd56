package normal

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Package is a package whose declarations may be reached.
type Package struct {
	Path   string
	Types  *types.Package
	Info   *types.Info
	Syntax []*ast.File
	// Whole is a digest of all files of the package. It is "" where the syntax says all. Packages
	// that a whole one imports are whole.
	Whole string
	// Shared says that all iterations of a loop share its variables, as before Go 1.22.
	Shared bool
}

// Index finds the declarations of some packages.
type Index struct {
	packages []*Package // imports first
	byTypes  map[*types.Package]*Package
	decls    map[types.Object]*declaration
	open     map[types.Object]bool
	set      map[types.Object]bool
	methods  map[*types.TypeName][]*types.Func
	asked    map[string]bool // methods that are called through interfaces; nil until needed
	runs     []*run          // what initialisation runs; nil until needed
	effects  map[types.Object]*effect
}

// declaration is a declaration at the level of a package, or a method.
type declaration struct {
	pkg   *Package
	fn    *ast.FuncDecl
	typ   *ast.TypeSpec
	value *ast.ValueSpec // of a variable or a constant
	// of a constant without values of its own, the specification whose values it repeats
	repeats *ast.ValueSpec
	index   int // of the name in the specification
	iota    int
}

// New returns the index of packages, imports first. The constants of the last package that have
// names of open may have other values than those of the sources, so they are not folded. Those
// of set are set by a manifest: they are no part of what is named as changed.
func New(packages []*Package, open, set []string) *Index {
	x := &Index{packages: packages, byTypes: map[*types.Package]*Package{}, decls: map[types.Object]*declaration{},
		open: map[types.Object]bool{}, set: map[types.Object]bool{}, methods: map[*types.TypeName][]*types.Func{}, effects: map[types.Object]*effect{}}
	for _, p := range packages {
		x.byTypes[p.Types] = p
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				x.declare(p, d)
			}
		}
	}
	scope := packages[len(packages)-1].Types.Scope()
	for _, names := range []struct {
		list []string
		into map[types.Object]bool
	}{{open, x.open}, {set, x.set}} {
		for _, name := range names.list {
			if o := scope.Lookup(name); o != nil {
				names.into[o] = true
			}
		}
	}
	x.spread()
	return x
}

func (x *Index) declare(p *Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		fn, ok := p.Info.Defs[d.Name].(*types.Func)
		if !ok {
			return
		}
		x.decls[fn] = &declaration{pkg: p, fn: d}
		if recv := fn.Signature().Recv(); recv != nil {
			t := types.Unalias(recv.Type())
			if ptr, ok := t.(*types.Pointer); ok {
				t = types.Unalias(ptr.Elem())
			}
			if n, ok := t.(*types.Named); ok {
				x.methods[n.Origin().Obj()] = append(x.methods[n.Origin().Obj()], fn)
			}
		}
	case *ast.GenDecl:
		var last *ast.ValueSpec
		for k, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if o := p.Info.Defs[s.Name]; o != nil {
					x.decls[o] = &declaration{pkg: p, typ: s}
				}
			case *ast.ValueSpec:
				if d.Tok == token.VAR || s.Type != nil || len(s.Values) > 0 {
					last = s
				}
				for n, name := range s.Names {
					if o := p.Info.Defs[name]; o != nil {
						x.decls[o] = &declaration{pkg: p, value: s, repeats: last, index: n, iota: k}
					}
				}
			}
		}
	}
}

// spread opens the constants whose values follow from open ones.
func (x *Index) spread() {
	for changed := len(x.open) > 0; changed; {
		changed = false
		for o, d := range x.decls {
			if _, ok := o.(*types.Const); !ok || x.open[o] || d.repeats == nil || d.index >= len(d.repeats.Values) {
				continue
			}
			if x.isOpen(d.pkg, d.repeats.Values[d.index]) || d.repeats.Type != nil && x.isOpen(d.pkg, d.repeats.Type) {
				x.open[o], changed = true, true
			}
		}
	}
}

// isOpen reports whether the value of an expression may follow from an open constant. Lengths and
// sizes may, of an array that has an open length, and so may constants of a function.
func (x *Index) isOpen(p *Package, n ast.Node) (open bool) {
	if len(x.open) == 0 {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o := p.Info.Uses[n]
			c, isConst := o.(*types.Const)
			open = open || x.open[o] || isConst && c.Pkg() != nil && c.Parent() != c.Pkg().Scope()
		case *ast.CallExpr:
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				_, builtin := p.Info.Uses[f].(*types.Builtin)
				open = open || builtin
			case *ast.SelectorExpr:
				_, builtin := p.Info.Uses[f.Sel].(*types.Builtin) // of package unsafe
				open = open || builtin
			}
		}
		return !open
	})
	return open
}

// constantName returns the name that results give a constant of a named type: the first constant
// of the type's package with that value. It is "" for another constant.
func constantName(t types.Type, v constant.Value) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	scope := n.Obj().Pkg().Scope()
	var best *types.Const
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), n) && c.Val().ExactString() == v.ExactString() && (best == nil || c.Pos() < best.Pos()) {
			best = c
		}
	}
	if best == nil {
		return ""
	}
	return best.Name()
}

// find returns the declaration of an object that stands in the sources, or the package that covers
// it as a whole; neither for an object of another package.
func (x *Index) find(o types.Object) (*declaration, *Package) {
	if p := x.byTypes[o.Pkg()]; p != nil && p.Whole != "" {
		return nil, p
	}
	return x.decls[o], nil
}

// position orders declarations by package and place.
func (x *Index) position(o types.Object) (int, token.Pos) {
	return slices.Index(x.packages, x.byTypes[o.Pkg()]), o.Pos()
}
