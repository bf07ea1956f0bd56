package order

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// findArrays finds the fields and named types of the package whose arrays are indexed by servers.
func (o *Reader) findArrays() {
	o.derived = map[types.Object]bool{o.servers: true}
	for more := true; more; { // constants that follow from the number of servers
		more = false
		o.each(func(spec *ast.ValueSpec) {
			for k, name := range spec.Names {
				c, ok := o.main.Info.Defs[name].(*types.Const)
				if ok && !o.derived[c] && k < len(spec.Values) && o.mentions(spec.Values[k]) && o.isCountOf(c.Val()) {
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
		if o.mentions(a.Len) && o.isCount(a.Len) {
			o.arrays[fmt.Sprintf("%s/%d", site, depth)] = true
		}
		e, depth = a.Elt, depth+1
	}
}

// mentions reports whether an expression uses a constant that is the number of servers or follows
// from it.
func (o *Reader) mentions(e ast.Expr) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && o.derived[o.main.Info.Uses[id]] {
			yes = true
		}
		return !yes
	})
	return yes
}

// isCount reports whether a constant expression is the number of servers or of nodes.
func (o *Reader) isCount(e ast.Expr) bool {
	v := o.main.Info.Types[e].Value
	return v != nil && o.isCountOf(v)
}

func (o *Reader) isCountOf(v constant.Value) bool {
	n, ok := constant.Int64Val(constant.ToInt(v))
	return v.Kind() == constant.Int && ok && o.isNumberOf(n)
}

// isNumberOf reports whether a number is that of the servers or of the nodes.
func (o *Reader) isNumberOf(n int64) bool { return n == int64(o.Count) || n == int64(o.Nodes) }

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
