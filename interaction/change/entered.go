package change

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// What it computes. Whether code that no modelled function reaches can run at all.
//
// Why it is right. A function runs if another one calls it, and one that mentions a function counts
// as its caller; see link. What begins a run stands outside of that: an exported function, which a
// program or code of another package may call, or which reflection finds; main and init; what
// stands in declarations outside of functions, which run at the start; a method of an interface,
// since a value may come from outside of the packages; and functions that assembly, C or a
// directive name. If neither the declaration nor any function that reaches it is one of these, no
// run reaches it, so that it writes nothing that modelled code reads.

// unseen says why a function may run without a call that the graph shows; "" where it cannot.
func (f *function) unseen(p *program) string {
	pkg, name := p.packageOf(f.obj), f.obj.Name()
	switch {
	case f.obj.Exported():
		return f.names[0] + " is exported"
	case name == "init" || name == "main":
		return f.names[0] + " runs by itself"
	case pkg == nil || f.directive || slices.ContainsFunc(pkg.OtherFiles, func(s string) bool { return !strings.HasSuffix(s, ".h") }) || pkg.Imports["runtime/cgo"] != nil:
		return f.names[0] + " may be called by assembly, C or another package, by a directive"
	case p.mentioned[f.obj]:
		return f.names[0] + " is mentioned outside of functions"
	case f.obj.Signature().Recv() != nil && p.abstract[name]:
		return "an interface has a method such as " + f.names[0]
	}
	return ""
}

// entered says why some functions, or one that reaches them, may run; "" where none can.
func (p *program) entered(from []*function) string {
	seen := map[*function]bool{}
	queue := slices.Clone(from)
	for ; len(queue) > 0; queue = queue[1:] {
		f := queue[0]
		if seen[f] {
			continue
		}
		seen[f] = true
		if why := f.unseen(p); why != "" {
			return why
		}
		queue = append(queue, f.callers...)
	}
	return ""
}

// unseenDecl says why a type, constant or variable may matter without a function that uses it.
func (p *program) unseenDecl(file string, d *decl) string {
	for _, n := range d.names {
		if n == "_" || ast.IsExported(n) {
			return n + " is exported or blank"
		}
	}
	if v, ok := d.node.(*ast.ValueSpec); ok && d.kind == Var && slices.ContainsFunc(v.Values, runs) {
		return "its value is computed when the program begins"
	}
	for o := range p.mentioned {
		if at := p.at(o.Pos()); at.Filename == file && at.Line >= d.first && at.Line <= d.last {
			return d.name() + " is mentioned outside of functions"
		}
	}
	return ""
}

// runs reports whether an expression may do more than compute a value.
func runs(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op.String() == "<-"
		}
		return !found
	})
	return found
}

// outside notes what declarations outside of functions mention, and the methods of interfaces.
func (p *program) outside(pkg *types.Package, info *types.Info, f *ast.File) {
	for _, c := range f.Comments {
		for _, d := range directives(c) {
			if words := strings.Fields(d); words[0] == "//go:linkname" && len(words) > 1 && pkg.Scope().Lookup(words[1]) != nil {
				p.mentioned[pkg.Scope().Lookup(words[1])] = true
			}
		}
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		ast.Inspect(g, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && info.Uses[id] != nil {
				p.mentioned[origin(info.Uses[id])] = true
			}
			return true
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if i, ok := n.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					p.abstract[name.Name] = true
				}
			}
		}
		return true
	})
}
