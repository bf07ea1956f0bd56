package effects

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/multigrain/multigrain/interaction/internal/importpath"
)

// Source says which program is read.
type Source struct {
	// Dir is the folder in which the go command runs, Environ its environment, nil for that of this
	// process.
	Dir     string
	Environ []string
	// Overlay are contents of files by absolute path.
	Overlay map[string][]byte
	// Root is the folder of the implementation, absolute; Module the path of its module.
	Root, Module string
	// Packages are patterns of what is loaded where there is no adapter. With one in the same
	// module they are those of the implementation. Spec is then the import path of the
	// specification's package, which is none of them.
	Packages []string
	Spec     string
	// Adapter is the import path of the adapter's package; "" without one.
	Adapter string
	// Renamed are names that a package has in this code instead of others: by import path, a dot,
	// and the other name. The adapter finds fields by the other names, and two sides are compared
	// by them.
	Renamed map[string]string
	// Modelled reports whether grains model a function: import path, type of the receiver, name.
	// Nil: it is not known, and those count that the adapter reaches.
	Modelled func(name string) bool
	// Compared are the variables of the specification that walks compare.
	Compared []string
	// Absent reports whether the specification has nothing for a field: type, field. Nil: it has
	// something for each. See Program.absent.
	Absent func(name string) bool
}

// side says whose code a package is.
type side int

const (
	outside side = iota
	code         // the implementation's
	adapter      // the adapter's, and packages that it uses to reach the implementation
)

// Program is the code of an implementation, with its adapter.
type Program struct {
	of      Source
	fset    *token.FileSet
	sides   map[*types.Package]side
	pkgs    []*packages.Package
	funcs   []*ssa.Function // with bodies, of the code and the adapter
	callees map[ssa.CallInstruction][]*ssa.Function
	callers map[*ssa.Function][]ssa.CallInstruction
	// touched are the functions with lines that the present question is about, with their callers.
	touched map[*ssa.Function]bool

	owners   map[*types.Var]string // names of fields
	controls map[*ssa.Function]*control
	written  map[*ssa.Function]*reach
	consts   map[*ssa.Function]map[*ssa.Const][]ssa.Instruction
	seen     *observed
	idles    map[any]bool // see unread
	reached  map[*ssa.Function]bool
	unset    map[*types.Var]bool // see absent
	was      map[string]string   // the other name, by import path, a dot, and the name
}

// Load reads a program. It returns an error if the code does not compile.
func Load(of Source) (*Program, error) {
	p := &Program{of: of, fset: token.NewFileSet(), sides: map[*types.Package]side{}, callees: map[ssa.CallInstruction][]*ssa.Function{},
		callers: map[*ssa.Function][]ssa.CallInstruction{}, owners: map[*types.Var]string{}, controls: map[*ssa.Function]*control{},
		written: map[*ssa.Function]*reach{}, consts: map[*ssa.Function]map[*ssa.Const][]ssa.Instruction{}, idles: map[any]bool{}, unset: map[*types.Var]bool{}}
	p.was = map[string]string{}
	for key, name := range of.Renamed {
		dot := strings.LastIndexByte(key, '.')
		p.was[key[:dot+1]+name] = key[dot+1:]
	}
	for _, pattern := range of.Packages {
		if err := importpath.CheckPattern(pattern); err != nil {
			return nil, fmt.Errorf("%q is no pattern of packages: %w", pattern, err)
		}
	}
	if of.Adapter != "" {
		if err := importpath.Check(of.Adapter); err != nil {
			return nil, err
		}
	}
	patterns, adapters, err := p.patterns()
	if err != nil {
		return nil, err
	}
	cfg := &packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: of.Dir, Env: of.Environ, Fset: p.fset, Overlay: of.Overlay}
	if p.pkgs, err = packages.Load(cfg, patterns...); err != nil {
		return nil, err
	}
	for _, pkg := range p.pkgs {
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("the code does not compile: %v", pkg.Errors[0])
		}
		p.sides[pkg.Types] = code
		if slices.Contains(adapters, pkg.PkgPath) {
			p.sides[pkg.Types] = adapter
		}
		p.own(pkg.Types)
	}
	prog, _ := ssautil.Packages(p.pkgs, ssa.InstantiateGenerics|ssa.GlobalDebug)
	prog.Build()
	all := ssautil.AllFunctions(prog)
	p.link(vta.CallGraph(all, nil))
	for f := range all {
		if f.Blocks != nil && p.side(f) != outside {
			p.funcs = append(p.funcs, f)
		}
	}
	slices.SortFunc(p.funcs, func(a, b *ssa.Function) int {
		if d := int(a.Pos()) - int(b.Pos()); d != 0 {
			return d
		}
		return strings.Compare(a.String(), b.String())
	})
	return p, nil
}

// patterns returns what is loaded: the packages of the implementation's module that the adapter is
// built with, and those of the adapter that reach them. Without an adapter they are given.
func (p *Program) patterns() (all, adapters []string, err error) {
	if p.of.Adapter == "" {
		return p.of.Packages, nil, nil
	}
	mode := packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: p.of.Dir, Env: p.of.Environ, Overlay: p.of.Overlay}, p.of.Adapter)
	if err != nil {
		return nil, nil, err
	}
	var own map[string]bool // packages of the implementation; nil: all of its module
	if len(p.of.Packages) > 0 {
		found, err := packages.Load(&packages.Config{Mode: packages.NeedName, Dir: p.of.Root, Env: p.of.Environ, Overlay: p.of.Overlay}, p.of.Packages...)
		if err != nil {
			return nil, nil, err
		}
		own = map[string]bool{}
		for _, pkg := range found {
			own[pkg.PkgPath] = pkg.PkgPath != p.of.Adapter && pkg.PkgPath != p.of.Spec
		}
	}
	reaches := map[*packages.Package]bool{}
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		for _, i := range pkg.Imports {
			reaches[pkg] = reaches[pkg] || reaches[i]
		}
		switch {
		case pkg.Module == nil:
		case pkg.Module.Path == p.of.Module && (own == nil || own[pkg.PkgPath]):
			reaches[pkg] = true
			all = append(all, pkg.PkgPath)
		case reaches[pkg]:
			all, adapters = append(all, pkg.PkgPath), append(adapters, pkg.PkgPath)
		}
	})
	return all, adapters, nil
}

// link notes calls and callers.
func (p *Program) link(graph *callgraph.Graph) {
	for _, n := range graph.Nodes {
		for _, e := range n.Out {
			if e.Site == nil || slices.Contains(p.callees[e.Site], e.Callee.Func) {
				continue
			}
			p.callees[e.Site] = append(p.callees[e.Site], e.Callee.Func)
			p.callers[e.Callee.Func] = append(p.callers[e.Callee.Func], e.Site)
		}
	}
	for _, sites := range p.callers {
		slices.SortFunc(sites, func(a, b ssa.CallInstruction) int { return int(a.Pos()) - int(b.Pos()) })
	}
}

// side says whose code a function is: that of its declaration.
func (p *Program) side(f *ssa.Function) side {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	switch {
	case f.Pkg != nil:
		return p.sides[f.Pkg.Pkg]
	case f.Object() != nil:
		return p.sides[f.Object().Pkg()]
	}
	return outside
}

// inside reports whether a function's body is known.
func (p *Program) inside(f *ssa.Function) bool { return f.Blocks != nil && p.side(f) != outside }

// own names the fields of the structs that a package declares.
func (p *Program) own(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
			p.fields(t.Type().Underlying(), pkg.Name()+"."+name)
		}
	}
}

func (p *Program) fields(t types.Type, name string) {
	s, ok := t.(*types.Struct)
	if !ok {
		return
	}
	for f := range s.Fields() {
		if _, known := p.owners[f]; !known {
			p.owners[f] = name + "." + f.Name()
			if _, named := f.Type().(*types.Named); !named {
				p.fields(f.Type().Underlying(), p.owners[f])
			}
		}
	}
}

// nameOf returns a field with its package and type, as raft.readOnly.acks.
func (p *Program) nameOf(f *types.Var) string {
	f = f.Origin()
	if name, ok := p.owners[f]; ok {
		return name
	}
	if f.Pkg() != nil {
		return f.Pkg().Name() + "." + f.Name()
	}
	return f.Name()
}

// fieldName returns the name of a field by which the adapter finds it, and by which two sides are
// compared.
func (p *Program) fieldName(f *types.Var) string {
	if f.Pkg() != nil {
		if was, ok := p.was[f.Pkg().Path()+"."+f.Name()]; ok {
			return was
		}
	}
	return f.Name()
}

// sideOfField says who declares a field.
func (p *Program) sideOfField(f *types.Var) side {
	if f.Pkg() == nil {
		return outside
	}
	return p.sides[f.Pkg()]
}

// place returns a position's file, relative to the implementation, and line.
func (p *Program) place(at token.Pos) (file string, line int) {
	x := p.fset.Position(at)
	if rel, err := filepath.Rel(p.of.Root, x.Filename); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel), x.Line
	}
	return x.Filename, x.Line
}

// functionName returns the name of a function as the code has it: package.Type.Method.
func functionName(f *ssa.Function) string { return nameIn(f, (*types.Package).Name) }

// pathName returns the name of a function with the import path instead of the package's name.
func pathName(f *ssa.Function) string { return nameIn(f, (*types.Package).Path) }

func nameIn(f *ssa.Function, pkgName func(*types.Package) string) string {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	name, pkg := f.Name(), ""
	if r := f.Signature.Recv(); r != nil {
		if n := namedOf(r.Type()); n != nil {
			name = n.Obj().Name() + "." + name
		}
	}
	if f.Object() != nil && f.Object().Pkg() != nil {
		pkg = pkgName(f.Object().Pkg()) + "."
	}
	return pkg + name
}

// namedOf returns the named type of a value or pointer; nil without one.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}
