package change

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// What it computes. Who calls whom in the Go code on one side of a change, and who mentions a
// declaration. From this follow the modelled functions that a changed function is reached from.
//
// Why it is right. Calls come from a VTA call graph (Sundaresan et al., 2000), which follows the
// types that flow to each call through an interface or a function value. A literal counts as the
// function around it. A function that mentions another one counts as its caller, since it may hand
// it to code that is not loaded. So the graph errs on one side for loaded code. What it does not
// see stands in the package's comment.
//
// What it costs. Loading and building the SSA form of the packages, then the flow of types: seconds
// for a library such as etcd's. Questions are searches along callers.
//
// Example. The change is in the function maybeCommit, and Step is modelled:
//
//	Step -> stepLeader -> maybeCommit     the trail, by edges of calls
//	stepLeader is a value of r.step       the flow of types gives the edge Step -> stepLeader

// program is the code in Go on one side of a change.
type program struct {
	root  string
	fset  *token.FileSet
	pkgs  []*packages.Package
	funcs map[*types.Func]*function
	// order are the functions by position, so that results do not depend on the order of maps.
	order []*function
	// mentioned are the objects that declarations outside of functions mention, abstract the names
	// of methods that interfaces have.
	mentioned map[types.Object]bool
	abstract  map[string]bool
}

// at returns a position in the text of a file, which a line directive does not change.
func (p *program) at(pos token.Pos) token.Position { return p.fset.PositionFor(pos, false) }

// function is a declared function or method.
type function struct {
	obj        *types.Func
	names      []string // by which a place may call it, the longest first
	step       Step
	file       string // absolute
	first, end token.Pos
	callers    []*function
	// uses are package-level objects, fields, methods of interfaces and imports that it mentions.
	uses map[types.Object]bool
	// directive says that the toolchain may link it to another name.
	directive bool
}

// loadGo loads packages with the contents of overlaid files in place.
func loadGo(root string, patterns []string, environ []string, overlay map[string][]byte) (*program, error) {
	p := &program{root: root, fset: token.NewFileSet(), funcs: map[*types.Func]*function{}, mentioned: map[types.Object]bool{}, abstract: map[string]bool{}}
	cfg := &packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: root, Fset: p.fset, Overlay: overlay, Env: environ}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	broken := new(CompileError)
	for _, pkg := range pkgs {
		for _, e := range pkg.Errors {
			broken.add(root, e)
		}
	}
	switch {
	case len(broken.Places)+len(broken.Others) > 0:
		return nil, broken
	case len(pkgs) == 0:
		return nil, fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	p.pkgs = pkgs
	for _, pkg := range pkgs {
		for _, f := range pkg.Syntax {
			p.outside(pkg.Types, pkg.TypesInfo, f)
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					p.declare(pkg, d)
				}
			}
		}
	}
	p.link()
	return p, nil
}

// CompileError says that code does not compile.
type CompileError struct {
	Places []token.Position // of the messages of the compiler; files are relative to the code
	Texts  []string         // one for each place
	Others []string         // messages without a place
}

// mostFaults is how many messages of the compiler are shown.
const mostFaults = 10

func (e *CompileError) Error() string {
	var lines []string
	for k, p := range e.Places {
		lines = append(lines, fmt.Sprintf("%s: %s", p, e.Texts[k]))
	}
	if len(lines) == 0 { // the go command repeats those that have a place
		lines = e.Others
	}
	if more := len(lines) - mostFaults; more > 0 {
		lines = append(lines[:mostFaults:mostFaults], fmt.Sprintf("and %d more", more))
	}
	return "the code does not compile:\n" + strings.Join(lines, "\n")
}

// add adds a message, once.
func (e *CompileError) add(root string, x packages.Error) {
	var at token.Position
	parts := strings.Split(x.Pos, ":")
	if n := len(parts); n >= 3 {
		at.Line, _ = strconv.Atoi(parts[n-2])
		at.Column, _ = strconv.Atoi(parts[n-1])
		at.Filename = strings.Join(parts[:n-2], ":")
	}
	if at.Line == 0 {
		e.Others = append(e.Others, strings.TrimSpace(x.Msg))
		return
	}
	if rest, err := filepath.Rel(root, at.Filename); err == nil && filepath.IsLocal(rest) {
		at.Filename = filepath.ToSlash(rest)
	}
	for k := range e.Places {
		if e.Places[k] == at && e.Texts[k] == x.Msg {
			return
		}
	}
	e.Places, e.Texts = append(e.Places, at), append(e.Texts, x.Msg)
}

// linked returns the modules that packages are built with.
func linked(root string, patterns, environ []string) (modules []string, err error) {
	mode := packages.NeedImports | packages.NeedDeps | packages.NeedModule
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: root, Env: environ}, patterns...)
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if len(p.Errors) > 0 && err == nil {
			err = p.Errors[0]
		}
		if p.Module != nil && !slices.Contains(modules, p.Module.Path) {
			modules = append(modules, p.Module.Path)
		}
	})
	return modules, err
}

// declare adds a function.
func (p *program) declare(pkg *packages.Package, d *ast.FuncDecl) {
	obj, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		return // a blank name
	}
	receiver := ""
	if d.Recv != nil && len(d.Recv.List) == 1 {
		receiver = receiverName(d.Recv.List[0].Type)
	}
	at := p.at(d.Name.Pos())
	f := &function{obj: obj, names: goNames(pkg.PkgPath, pkg.Name, receiver, d.Name.Name), file: at.Filename,
		first: d.Pos(), end: d.End(), uses: map[types.Object]bool{}}
	f.directive = len(directives(d.Doc)) > 0 || d.Body == nil
	f.step = Step{Name: f.names[0], File: p.relative(at.Filename), Line: at.Line}
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := pkg.TypesInfo.Uses[id]; o != nil {
				f.uses[origin(o)] = true
			}
		}
		return true
	})
	p.funcs[obj] = f
	p.order = append(p.order, f)
}

// origin returns the generic object that an instance is of.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return o
}

func (p *program) relative(file string) string {
	if rel, err := filepath.Rel(p.root, file); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

// link finds who calls whom. A function literal belongs to the function around it, which therefore
// counts as its caller's callee and as the caller of what it calls, wherever it runs.
func (p *program) link() {
	prog, _ := ssautil.Packages(p.pkgs, ssa.InstantiateGenerics)
	prog.Build()
	graph := vta.CallGraph(ssautil.AllFunctions(prog), nil)
	graph.DeleteSyntheticNodes()
	for _, n := range graph.Nodes {
		for _, e := range n.Out {
			p.edge(e)
		}
	}
	// Functions that are handed to code that is not loaded are called from there: a function that
	// mentions one counts as its caller.
	for _, f := range p.order {
		for o := range f.uses {
			if g, ok := o.(*types.Func); ok && p.funcs[g] != nil {
				p.funcs[g].calledBy(f)
			}
		}
	}
	for _, f := range p.order {
		slices.SortFunc(f.callers, func(a, b *function) int { return int(a.first) - int(b.first) })
	}
}

func (p *program) edge(e *callgraph.Edge) {
	caller, callee := p.declared(e.Caller.Func), p.declared(e.Callee.Func)
	if caller != nil && callee != nil {
		callee.calledBy(caller)
	}
}

func (f *function) calledBy(caller *function) {
	if caller != f && !slices.Contains(f.callers, caller) {
		f.callers = append(f.callers, caller)
	}
}

// declared returns the declaration that a function of SSA comes from. For an instance it is that of
// the generic function, for a literal the one around it, for a wrapper that of the method. It is
// nil for a function that is not declared in the loaded packages.
func (p *program) declared(f *ssa.Function) *function {
	for f != nil && f.Parent() != nil {
		f = f.Parent()
	}
	if f == nil {
		return nil
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	obj, ok := f.Object().(*types.Func)
	if !ok {
		return nil
	}
	return p.funcs[obj.Origin()]
}

// packageOf returns the loaded package of an object; nil without one.
func (p *program) packageOf(o types.Object) *packages.Package {
	for _, pkg := range p.pkgs {
		if pkg.Types == o.Pkg() {
			return pkg
		}
	}
	return nil
}

// find returns the function of a declaration, nil where the loaded packages do not have it.
func (p *program) find(file string, d *decl) *function {
	for _, f := range p.order {
		if f.file == file && f.obj.Name() == d.names[0] && p.at(f.first).Line == d.first {
			return f
		}
	}
	return nil
}

// users returns the functions that mention an object that is declared between two lines of a file:
// a type with its fields and methods, a constant, a variable, an import.
func (p *program) users(file string, d *decl) (out []*function) {
	declared := func(o types.Object) bool {
		at := p.at(o.Pos())
		return o.Pos().IsValid() && at.Filename == file && at.Line >= d.first && at.Line <= d.last
	}
	for _, f := range p.order {
		for o := range f.uses {
			if name, ok := o.(*types.PkgName); ok != (d.kind == Import) || ok && name.Imported().Path() != strings.Trim(d.names[0], `"`) {
				continue
			}
			if declared(o) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// has reports whether a file belongs to the loaded packages.
func (p *program) has(file string) bool {
	return slices.ContainsFunc(p.pkgs, func(pkg *packages.Package) bool { return slices.Contains(pkg.CompiledGoFiles, file) })
}
