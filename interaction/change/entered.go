package change

import (
	"cmp"
	"go/ast"
	"go/types"
	"path"
	"reflect"
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

// uncalled reports whether nothing in the code that is left called a function that the change
// removes. Each function that reaches it by calls is removed, too. None of these runs by itself, is
// mentioned outside of functions, or has the name of an interface's method.
func (h *goHolder) uncalled(p *program, fn *function) bool {
	seen := map[*function]bool{}
	for queue := []*function{fn}; len(queue) > 0; queue = queue[1:] {
		f := queue[0]
		if seen[f] {
			continue
		}
		seen[f] = true
		name := f.obj.Name()
		method := f.obj.Signature().Recv() != nil
		if !h.removes(f) || name == "init" || name == "main" || f.directive || p.mentioned[f.obj] || method && (p.abstract[name] || h.now.abstract[name]) {
			return false
		}
		queue = append(queue, f.callers...)
	}
	return true
}

// removes reports whether the change removes a function of the old side.
func (h *goHolder) removes(f *function) bool {
	return slices.ContainsFunc(h.changed, func(c goChange) bool {
		return h.abs(cmp.Or(c.file.Old, c.file.New)) == f.file && slices.ContainsFunc(c.diffs, func(d difference) bool {
			return d.how == Removed && d.decl.first == h.then.at(f.first).Line && slices.Contains(d.decl.names, f.obj.Name())
		})
	})
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

// What it computes. Whether a declaration without lines that run shows in other changed lines: a
// type, constant or variable that is added or removed, or a function that is removed.
//
// Why it is right. What is added is used by name, and so was what is removed. If all declarations
// that use it changed themselves, no line that stays as it was means something else. Three things
// would reach it without a name, and are excluded: a value that runs code when the program begins,
// a method of an interface, and an embedded field, through which a name that stays finds another
// method.

// grown returns the new fields of a struct type that differs in these alone, if all that uses them
// is named itself; else none. The fields have names of their own. What uses exported ones elsewhere
// is not known here.
func (h *goHolder) grown(file string, d *decl) []string {
	k := slices.IndexFunc(h.changed, func(c goChange) bool { return h.abs(c.file.Path()) == file })
	if k < 0 || d.kind != Type {
		return nil
	}
	before, err := parseGo(h.changed[k].file.Path(), h.changed[k].texts.before)
	if err != nil {
		return nil
	}
	at := slices.IndexFunc(before.decls, func(x *decl) bool { return x.key() == d.key() })
	if at < 0 || !reflect.DeepEqual(before.decls[at].directives, d.directives) {
		return nil
	}
	added, ok := addedFields(before.decls[at].node, d.node)
	if !ok {
		return nil
	}
	of := h.now.declaredBy(file, d)
	uses := func(o types.Object) bool {
		v, field := o.(*types.Var)
		return field && v.IsField() && of(o) && slices.Contains(added, v.Name())
	}
	if slices.ContainsFunc(h.now.order, func(f *function) bool { return f.usesOneOf(uses) && !h.differs(f.step.File, f.names) }) {
		return nil
	}
	return added
}

// typeName returns the name of a declared type with its import path.
func (p *program) typeName(file string, d *decl) string {
	declared := p.declaredBy(file, d)
	for _, pkg := range p.pkgs {
		if o := pkg.Types.Scope().Lookup(d.names[0]); o != nil && declared(o) {
			return pkg.PkgPath + "." + o.Name()
		}
	}
	return ""
}

// addedFields returns the names of the fields that a struct type has and another one lacks. Both
// are the same otherwise, or it reports false.
func addedFields(was, is ast.Node) (names []string, ok bool) {
	a, ok1 := was.(*ast.TypeSpec)
	b, ok2 := is.(*ast.TypeSpec)
	if !ok1 || !ok2 {
		return nil, false
	}
	old, ok1 := a.Type.(*ast.StructType)
	now, ok2 := b.Type.(*ast.StructType)
	if !ok1 || !ok2 || a.Assign.IsValid() || b.Assign.IsValid() || !sameTree(a.TypeParams, b.TypeParams) {
		return nil, false
	}
	k := 0
	for _, f := range now.Fields.List {
		if k < len(old.Fields.List) && sameTree(old.Fields.List[k], f) {
			k++
			continue
		}
		if len(f.Names) == 0 || f.Tag != nil {
			return nil, false
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				return nil, false
			}
			names = append(names, n.Name)
		}
	}
	return names, k == len(old.Fields.List)
}

// followed reports whether all that uses a declaration of one side is named itself.
func (h *goHolder) followed(p *program, file string, x difference) bool {
	d := x.decl
	function := d.kind == Function || d.kind == Method
	switch {
	case function && x.how != Removed, !function && x.how != Added && x.how != Removed, d.kind == Import || d.kind == Package:
		return false
	case len(d.directives) > 0 || slices.Contains(d.names, "_") || slices.Contains(d.names, "init") || slices.Contains(d.names, "main"):
		return false
	case d.kind == Method && (ast.IsExported(d.names[0]) || h.now.abstract[d.names[0]] || p.abstract[d.names[0]]):
		return false
	}
	if v, ok := d.node.(*ast.ValueSpec); ok && d.kind == Var && slices.ContainsFunc(v.Values, runs) {
		return false
	}
	declared := p.declaredBy(file, d)
	for _, f := range p.order {
		if f.usesOneOf(declared) && !h.differs(f.step.File, f.names) {
			return false
		}
		if f.usesOneOf(declared) && x.how == Removed && h.stillUses(f, d.names) {
			return false
		}
	}
	for _, spec := range p.specs(declared) {
		if !h.differs(spec.file, []string{spec.name}) && !(h.abs(spec.file) == file && slices.Contains(d.names, spec.name)) {
			return false
		}
	}
	return true
}

// declaredBy returns what tells objects of a declaration from others.
func (p *program) declaredBy(file string, d *decl) func(types.Object) bool {
	return func(o types.Object) bool {
		if _, ok := o.(*types.PkgName); ok || !o.Pos().IsValid() {
			return false
		}
		at := p.at(o.Pos())
		return at.Filename == file && at.Line >= d.first && at.Line <= d.last
	}
}

func (f *function) usesOneOf(declared func(types.Object) bool) bool {
	for o := range f.uses {
		if declared(o) {
			return true
		}
	}
	return false
}

// differs reports whether a declaration of a file's folder differs, by one of its names.
func (h *goHolder) differs(file string, names []string) bool {
	return slices.ContainsFunc(h.changed, func(c goChange) bool {
		return path.Dir(c.file.Path()) == path.Dir(file) && slices.ContainsFunc(c.diffs, func(d difference) bool {
			return slices.Contains(names, d.decl.name()) || slices.ContainsFunc(d.decl.names, func(n string) bool { return d.decl.receiver == "" && slices.Contains(names, n) })
		})
	})
}

// stillUses reports whether a function of the old side uses something with one of these names on
// the new side, too. It would be something else.
func (h *goHolder) stillUses(old *function, names []string) bool {
	for _, f := range h.now.order {
		if f.names[0] != old.names[0] {
			continue
		}
		for o := range f.uses {
			if slices.Contains(names, o.Name()) {
				return true
			}
		}
	}
	return false
}

// spec is a declaration outside of functions.
type spec struct{ file, name string }

// specs returns the declarations outside of functions that mention one of these objects.
func (p *program) specs(declared func(types.Object) bool) (out []spec) {
	for _, pkg := range p.pkgs {
		for _, f := range pkg.Syntax {
			for _, d := range f.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, x := range specsOf(g) {
					mentions := false
					ast.Inspect(x.node, func(n ast.Node) bool {
						id, ok := n.(*ast.Ident)
						mentions = mentions || ok && pkg.TypesInfo.Uses[id] != nil && declared(origin(pkg.TypesInfo.Uses[id]))
						return !mentions
					})
					if mentions {
						for _, name := range x.names {
							out = append(out, spec{p.relative(p.at(f.Pos()).Filename), name})
						}
					}
				}
			}
		}
	}
	return out
}
