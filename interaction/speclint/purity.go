package speclint

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// checkFlow reports guards and properties that write, effects that write the state before, captured
// variables that are written, and calls of functions that are not known.
func (l *linter) checkFlow(pkg *ssa.Package, all []*root) {
	bySyntax := l.functions(pkg)
	var entries []*ssa.Function
	for _, n := range l.reach.steps {
		if fn := bySyntax[n]; fn != nil {
			entries = append(entries, fn)
		}
	}
	steps := len(entries)
	for _, n := range l.reach.starts {
		entries = append(entries, functionsIn(n, bySyntax)...)
	}
	f := newFlow(entries, func(fn *types.Func) reachOfCall {
		if fn != nil && pathOf(fn) == modulesPath && mutates(fn) {
			return writesReceiver
		}
		return writesNothing
	}, func(g *ssa.Global, field string) roots {
		out := roots{}
		if a := l.declared[g.Object()]; a != nil && a.field[field] != nil {
			fns, _ := l.resolve(a.field[field], map[types.Object]bool{})
			for _, n := range fns {
				if fn := bySyntax[n]; fn != nil {
					out[fn] = true
				}
			}
		}
		return out
	})
	for _, r := range all {
		for _, n := range r.fns {
			if fn := bySyntax[n]; fn != nil {
				l.checkKept(f, r, fn)
				l.checkCaptured(f, r, fn)
			}
		}
	}
	for k, fn := range entries {
		for inner := range family(fn) {
			l.checkCalled(f, inner, k >= steps)
		}
	}
}

// functionsIn returns the outermost functions of a node.
func functionsIn(n ast.Node, bySyntax map[ast.Node]*ssa.Function) (out []*ssa.Function) {
	ast.Inspect(n, func(n ast.Node) bool {
		fn := bySyntax[n]
		if fn != nil {
			out = append(out, fn)
		}
		return fn == nil
	})
	return out
}

// functions returns the functions of the source by their syntax.
func (l *linter) functions(pkg *ssa.Package) map[ast.Node]*ssa.Function {
	out := map[ast.Node]*ssa.Function{}
	add := func(fn *ssa.Function) {
		for g := range family(fn) {
			if n := g.Syntax(); n != nil {
				out[n] = g
			}
		}
	}
	add(pkg.Func("init"))
	for fn := range l.index.decls {
		if g := pkg.Prog.FuncValue(fn); g != nil {
			add(g)
		}
	}
	return out
}

// buildSSA builds the SSA form of the package's own files. It is not taken from the buildssa pass,
// which requires facts of all dependencies and would be built for packages that are no
// specifications.
func (l *linter) buildSSA(mode ssa.BuilderMode) *ssa.Package {
	prog := ssa.NewProgram(l.Fset, mode)
	seen := map[*types.Package]bool{l.Pkg: true}
	var imports func(pkgs []*types.Package)
	imports = func(pkgs []*types.Package) {
		for _, p := range pkgs {
			if !seen[p] {
				seen[p] = true
				prog.CreatePackage(p, nil, nil, true)
				imports(p.Imports())
			}
		}
	}
	imports(l.Pkg.Imports())
	pkg := prog.CreatePackage(l.Pkg, l.Files, l.TypesInfo, false)
	pkg.Build()
	return pkg
}

// family is fn and the literals within it.
func family(fn *ssa.Function) map[*ssa.Function]bool {
	out := map[*ssa.Function]bool{fn: true}
	for _, anon := range fn.AnonFuncs {
		for g := range family(anon) {
			out[g] = true
		}
	}
	return out
}

// checkKept reports the writes of fn through the parameters that it must only read.
func (l *linter) checkKept(f *flow, r *root, fn *ssa.Function) {
	own := family(fn)
	for _, k := range r.keep {
		if k >= len(fn.Params) {
			continue
		}
		p := fn.Params[k]
		for _, w := range slices.Concat(f.writes[p], f.writes[beyond{p}]) {
			if own[w.in] {
				l.reportWrite(f, w, r.rule, r.what)
			}
		}
	}
}

// checkCaptured reports the writes of fn to variables of the functions around it.
func (l *linter) checkCaptured(f *flow, r *root, fn *ssa.Function) {
	own := family(fn)
	for outer := fn.Parent(); outer != nil; outer = outer.Parent() {
		for root, ws := range f.writes {
			if a, ok := root.(*ssa.Alloc); !ok || a.Parent() != outer {
				continue
			}
			for _, w := range ws {
				if own[w.in] {
					l.reportWrite(f, w, captureWritten, r.what)
				}
			}
		}
	}
}

func (l *linter) reportWrite(f *flow, w *write, rule Rule, what string) {
	place := l.position(w.instr, w.in)
	target := path(w.target)
	switch {
	case w.method != nil && w.callee == nil:
		l.report(place, rule, "%s writes %s: %s changes it", what, target, w.method.Name())
	case w.callee != nil:
		l.reportRelated(place, rule, l.trail(f, w), "%s writes %s: %s writes through it", what, target, calleeName(w.callee))
	default:
		l.report(place, rule, "%s writes %s", what, target)
	}
}

// trail returns the places after a call at which the write comes about.
func (l *linter) trail(f *flow, w *write) (out []analysis.RelatedInformation) {
	seen := map[ssa.Value]bool{}
	for w != nil && w.callee != nil && !seen[w.param] {
		seen[w.param] = true
		w = f.writes[w.param][0]
		out = append(out, at(l.position(w.instr, w.in), fmt.Sprintf("%s is written here", path(w.target)))...)
	}
	return out
}

func calleeName(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return "a function literal"
	}
	if o := fn.Object(); o != nil {
		return o.Name()
	}
	return fn.Name()
}

// position returns where an instruction stands; where it has no position, its operand or the
// function that holds it.
func (l *linter) position(i ssa.Instruction, in *ssa.Function) analysis.Range {
	if c := l.index.opened[i.Pos()]; c != nil {
		return c
	}
	if i.Pos() != token.NoPos {
		return span(i.Pos())
	}
	for _, o := range i.Operands(nil) {
		if _, ok := (*o).(ssa.Instruction); ok && (*o).Pos() != token.NoPos {
			return span((*o).Pos())
		}
	}
	return span(in.Pos())
}

// path returns the source text of the operand that a pointer refers to, as far as it is known,
// such as s.Servers[].Up.
func path(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		if v.Comment != "" {
			return v.Comment
		}
	case *ssa.FieldAddr:
		return path(v.X) + "." + fieldName(v)
	case *ssa.IndexAddr:
		return path(v.X) + "[]"
	case *ssa.Slice:
		return path(v.X)
	case *ssa.UnOp:
		return path(v.X)
	case *ssa.ChangeType:
		return path(v.X)
	case *ssa.Extract:
		return path(v.Tuple)
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil {
			return calleeName(callee) + "()"
		}
	}
	return "it"
}

// fieldName returns the name of the field that v is the address of.
func fieldName(v *ssa.FieldAddr) string {
	if s, ok := types.Unalias(v.X.Type()).Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
		return s.Field(v.Field).Name()
	}
	return "?"
}

// checkCalled reports the calls in fn of unknown function values. A function that is a parameter
// belongs to the caller that passes it. At the start, domains may be called.
func (l *linter) checkCalled(f *flow, fn *ssa.Function, start bool) {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(ssa.CallInstruction)
			if !ok || c.Common().IsInvoke() {
				continue
			}
			if _, ok := c.Common().Value.(*ssa.Builtin); ok || overFunction(c.Common()) {
				continue
			}
			known := start && isDomain(c.Common().Value.Type())
			for r := range f.of(c.Common().Value) {
				switch r := r.(type) {
				case *ssa.Function:
					known = true
				case *ssa.Parameter:
					_, is := r.Type().Underlying().(*types.Signature)
					known = known || is
				}
			}
			if !known {
				l.report(l.position(i, fn), functionValueUnknown, "a function value is called")
			}
		}
	}
}

// overFunction reports whether a call is that of a loop that ranges over a function, which has its
// own finding.
func overFunction(c *ssa.CallCommon) bool {
	for _, a := range c.Args {
		if m, ok := a.(*ssa.MakeClosure); ok {
			if _, ok := m.Fn.(*ssa.Function).Syntax().(*ast.RangeStmt); ok {
				return true
			}
		}
	}
	return false
}
