// Package names compares declarations of Go whose names may differ. It tells what differs in names
// only from what differs in more.
//
// It imports nothing of the project.
package names

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// What it computes. Changed declarations that differ in names only, so that they do as before.
//
// Why it is right. A name of a function's own, such as that of a parameter or a label, may be any
// other one: two functions are the same if their syntax trees are, and local names stand for
// objects that correspond one to one. A name of the package, a field or a method may be another one
// if the old name is nowhere in the new package and the new name nowhere in the old one. Then the
// names of the whole package are exchanged one to one, and every name refers to what it did. They
// must be declared by declarations, fields or imports that correspond, too.
//
// What it costs. The types of changed files, without what they import.
//
// Example. Both declarations are the same, and size stands for count:
//
//	func (q *queue) full() bool { n := q.count; return n > 9 }
//	func (q *queue) full() bool { all := q.size; return all > 9 }

// Decl is a declaration, or one specification of a group.
type Decl struct {
	Kind     string // function, method, type, constant, variable or import
	Receiver string // of a method: the name of its type
	Names    []string
	Node     ast.Node
	// Group has the expressions that a constant without a value repeats; nil elsewhere.
	Group      ast.Node
	Ordinal    int // of a constant in a group with iota
	Directives []string
}

// Side is one side of a package's changed files.
type Side struct {
	info *types.Info
	pkg  map[*types.Scope]bool // scopes of packages and files
	// keys are the names in front of the values of composite literals that are not resolved: they
	// are fields, or variables in a map.
	keys map[*ast.Ident]bool
}

// NewSide returns a side without files.
func NewSide() *Side {
	return &Side{info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}, pkg: map[*types.Scope]bool{types.Universe: true}, keys: map[*ast.Ident]bool{}}
}

// Add resolves the names of a file, as far as the file alone says.
func (s *Side) Add(fset *token.FileSet, tree *ast.File) {
	info := &types.Info{Defs: s.info.Defs, Uses: s.info.Uses, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	// A name that is not resolved must be the same on both sides.
	pkg, _ := conf.Check("p", fset, []*ast.File{tree}, info)
	if pkg != nil {
		s.pkg[pkg.Scope()] = true
	}
	s.pkg[info.Scopes[tree]] = true
	ast.Inspect(tree, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && s.info.Uses[id] == nil {
				s.keys[id] = true
			}
		}
		return true
	})
}

// noImports imports nothing.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) {
	return nil, errors.New("packages are not imported")
}

// local returns the object of a name that is one of a function alone. Known says that the name is
// the one of a type switch, which has an object in each of its cases.
func (s *Side) local(id *ast.Ident) (o types.Object, known bool) {
	o, defined := s.info.Defs[id]
	if !defined {
		o = s.info.Uses[id]
	}
	switch {
	case o == nil:
		return nil, defined
	case o.Parent() == nil || s.pkg[o.Parent()]:
		return nil, false
	}
	return o, true
}

// Exchange compares the declarations of a package's changed files by what names stand for.
type Exchange struct {
	Old, New *Side
	// Gone are the names that only the old package has, Come those that only the new one has.
	Gone, Come map[string]bool
	// Compare compares two syntax trees, and names in them by the function ident.
	Compare func(a, b ast.Node, ident func(a, b *ast.Ident) bool) bool

	// to are the names that stand for old ones. While pairs is not nil, names are collected there,
	// and in declared those that are declared.
	to              map[string]string
	pairs, declared map[[2]string]bool
	// there and back are the local objects of two declarations that correspond.
	there, back map[types.Object]types.Object
}

// Learn sets the names that stand for old ones, from changed declarations on both sides, and from
// those that only one side has.
func (r *Exchange) Learn(changed [][2]*Decl, removed, added []*Decl) {
	r.to = map[string]string{}
	r.pairs, r.declared = map[[2]string]bool{}, map[[2]string]bool{}
	for _, d := range changed {
		r.Same(d[0], d[1])
	}
	for _, a := range removed {
		for _, b := range added {
			if r.Renamed(a, b) {
				r.declared[[2]string{a.Names[0], b.Names[0]}] = true
				if !r.stand(a.Names[0], b.Names[0]) { // nothing that uses it shows its name
					r.Same(a, b)
				}
			}
		}
	}
	there, back := map[string]int{}, map[string]int{}
	for p := range r.pairs {
		there[p[0]]++
		back[p[1]]++
	}
	for p := range r.pairs {
		if there[p[0]] == 1 && back[p[1]] == 1 && r.declared[p] {
			r.to[p[0]] = p[1]
		}
	}
	r.pairs, r.declared = nil, nil
}

// All returns the names that stand for old ones, by the old name.
func (r *Exchange) All() map[string]string { return maps.Clone(r.to) }

// stand reports whether a pair is known of the old name or of the new one.
func (r *Exchange) stand(old, new string) bool {
	for p := range r.pairs {
		if p[0] == old || p[1] == new {
			return true
		}
	}
	return false
}

// Renamed reports whether a declaration may be another one under a name that stands for its own, or
// under the same name in another place.
func (r *Exchange) Renamed(a, b *Decl) bool {
	return a.Kind == b.Kind && len(a.Names) == 1 && len(b.Names) == 1 && a.Kind != "import" &&
		(a.Receiver == b.Receiver || r.stands(a.Receiver, b.Receiver)) && (a.Names[0] == b.Names[0] || r.stands(a.Names[0], b.Names[0]))
}

// stands reports whether a name of the new package stands for one of the old package.
func (r *Exchange) stands(old, new string) bool {
	if r.pairs != nil {
		return r.Gone[old] && r.Come[new]
	}
	return r.to[old] == new
}

// Same reports whether two declarations are the same except for names.
func (r *Exchange) Same(a, b *Decl) bool {
	if a.Ordinal != b.Ordinal || !slices.Equal(a.Directives, b.Directives) || (a.Group == nil) != (b.Group == nil) {
		return false
	}
	r.there, r.back = map[types.Object]types.Object{}, map[types.Object]types.Object{}
	pairs, declared := r.pairs, r.declared
	if pairs != nil {
		r.pairs, r.declared = map[[2]string]bool{}, map[[2]string]bool{}
	}
	ok := r.Compare(a.Node, b.Node, r.ident) && (a.Group == nil || r.Compare(a.Group, b.Group, r.ident))
	if pairs != nil {
		if ok {
			maps.Copy(pairs, r.pairs)
			maps.Copy(declared, r.declared)
		}
		r.pairs, r.declared = pairs, declared
	}
	return ok
}

// ident reports whether two names stand for the same.
func (r *Exchange) ident(a, b *ast.Ident) bool {
	x, here := r.Old.local(a)
	y, there := r.New.local(b)
	switch {
	case here != there || (x == nil) != (y == nil):
		return false
	case x != nil:
		if r.there[x] == nil && r.back[y] == nil {
			r.there[x], r.back[y] = y, x
		}
		return r.there[x] == y && r.back[y] == x
	case r.Old.keys[a] && r.differ(a.Name, b.Name):
		return false
	case here || a.Name == b.Name: // the name of a type switch
		return true
	case !r.stands(a.Name, b.Name):
		return false
	case r.pairs != nil:
		r.pairs[[2]string{a.Name, b.Name}] = true
		if declares(r.Old.info.Defs[a]) {
			r.declared[[2]string{a.Name, b.Name}] = true
		}
	}
	return true
}

// differ reports whether a local object with one of these names has another name on the other side.
func (r *Exchange) differ(old, new string) bool {
	for x, y := range r.there {
		if x.Name() != y.Name() && (x.Name() == old || y.Name() == new) {
			return true
		}
	}
	return false
}

// declares reports whether an object is a field, a method of an interface, or an import.
func declares(o types.Object) bool {
	switch o := o.(type) {
	case *types.Var:
		return o.IsField()
	case *types.Func:
		return o.Signature().Recv() != nil && types.IsInterface(o.Signature().Recv().Type())
	case *types.PkgName:
		return true
	}
	return false
}
