package normal

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
)

// A method may run without being mentioned: through an interface, or since the framework or the
// standard library looks for it. So a type that is reached brings its methods of the names below.
// All its other methods run only where they are mentioned.

// looked are the methods that packages modules, grains, checker and fmt look for.
var looked = []string{"String", "Error", "Format", "GoString", "MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText", "raised", "message"}

// askedMethods returns the methods of a type that may run without being mentioned, by name.
func (x *Index) askedMethods(t *types.TypeName) (out []*types.Func) {
	if x.asked == nil {
		x.ask()
	}
	for _, m := range x.methods[t] {
		if x.asked[m.Name()] {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b *types.Func) int { return cmp.Compare(a.Name(), b.Name()) })
	return out
}

// ask collects the names of the methods of all interfaces that occur in the sources. These are
// types of expressions, types of parameters, and constraints of generic functions and types.
func (x *Index) ask() {
	x.asked = map[string]bool{}
	for _, name := range looked {
		x.asked[name] = true
	}
	seen := map[types.Type]bool{}
	for _, p := range x.packages {
		for _, tv := range p.Info.Types {
			if tv.Type != nil {
				x.askOf(tv.Type, seen)
			}
		}
		for id := range p.Info.Instances {
			x.askInstance(p, id, seen)
		}
	}
}

func (x *Index) askInstance(p *Package, id *ast.Ident, seen map[types.Type]bool) {
	var list *types.TypeParamList
	switch o := p.Info.Uses[id].(type) {
	case *types.Func:
		list = o.Origin().Signature().TypeParams()
	case *types.TypeName:
		if n, ok := types.Unalias(o.Type()).(*types.Named); ok {
			list = n.Origin().TypeParams()
		}
	}
	for k := range list.Len() {
		x.askOf(list.At(k).Constraint(), seen)
	}
}

// askOf notes the methods of an interface, and of interfaces among parameters.
func (x *Index) askOf(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for k := range u.NumMethods() {
			x.asked[u.Method(k).Name()] = true
		}
	case *types.Signature:
		for k := range u.Params().Len() {
			p := u.Params().At(k).Type()
			if s, ok := p.(*types.Slice); ok {
				p = s.Elem()
			}
			if types.IsInterface(p) {
				x.askOf(p, seen)
			}
		}
	}
}
