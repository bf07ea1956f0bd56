package order

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// findArrays finds the fields and named types of the package whose arrays are indexed by nodes.
func (o *Reader) findArrays() {
	o.derived = map[types.Object]bool{}
	for _, x := range o.Sizes {
		o.derived[x] = true
	}
	for more := true; more; { // constants that follow from the sizes
		more = false
		o.each(func(spec *ast.ValueSpec) {
			for k, name := range spec.Names {
				c, ok := o.main.Info.Defs[name].(*types.Const)
				if ok && !o.derived[c] && k < len(spec.Values) && o.mentions(spec.Values[k]) && o.isEndOf(c.Val()) {
					o.derived[c], more = true, true
				}
			}
		})
	}
	for _, f := range o.main.Syntax {
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
func (o *Reader) each(do func(*ast.ValueSpec)) {
	for _, f := range o.main.Syntax {
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

func (o *Reader) dimensions(site string, depth int, e ast.Expr) {
	for {
		a, ok := e.(*ast.ArrayType)
		if !ok || a.Len == nil {
			return
		}
		if o.mentions(a.Len) && o.isEndOf(o.main.Info.Types[a.Len].Value) {
			o.arrays[fmt.Sprintf("%s/%d", site, depth)] = true
		}
		e, depth = a.Elt, depth+1
	}
}

// mentions reports whether an expression uses a constant that is the size of a role or follows from
// the sizes.
func (o *Reader) mentions(e ast.Expr) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && o.derived[o.main.Info.Uses[id]] {
			yes = true
		}
		return !yes
	})
	return yes
}

// isEndOf reports whether a constant is the number after the last node of a role. The value nil is
// none.
func (o *Reader) isEndOf(v constant.Value) bool {
	if v == nil || v.Kind() != constant.Int {
		return false
	}
	n, ok := constant.Int64Val(v)
	return ok && o.isEnd(n)
}

func (o *Reader) isEnd(n int64) bool { return slices.Contains(o.Ends, int(n)) }

// Root reads functions and all that they use; what names them in refusals.
func (o *Reader) Root(what string, fs ...*initial.Func) {
	o.what = what
	for _, f := range fs {
		if f == nil {
			continue
		}
		for _, b := range f.Bind {
			if inner, ok := b.(*initial.Func); ok {
				o.Root(what, inner)
			}
		}
		if n := f.Fn.Syntax(); n != nil {
			o.walk(n)
		}
	}
}
