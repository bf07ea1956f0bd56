package interaction

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"go/ast"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/differ"
	"github.com/multigrain/multigrain/interaction/internal/initial"
	"github.com/multigrain/multigrain/interaction/internal/names"
	"github.com/multigrain/multigrain/interaction/speclint"
	"github.com/multigrain/multigrain/modules"
)

// Catalog reads the catalog of the system from the package's initialiser, with places. The findings
// say what is wrong with it, and which rules of speclint the package breaks. The catalog is nil
// where there is no System to read, and partial where there are errors among the findings.
func (p *Program) Catalog() (*grains.Catalog, []Finding) {
	r := p.reading()
	return r.cat, p.broken(r.findings)
}

// catalogReading is a catalog with the functions after it.
type catalogReading struct {
	cat      *grains.Catalog
	findings []Finding

	state       types.Type // the State
	actions     []*actionFuncs
	byName      map[string]*actionFuncs
	grains      []*grainFuncs // in the order of the catalog
	rules       []*ruleFuncs
	invariants  []*propertyFuncs
	constraints []*propertyFuncs
	goals       []*propertyFuncs
	liveness    []*livenessValues
	init        *initial.Func
	values      *initial.Result
}

type actionFuncs struct {
	decl          grains.ActionDecl
	global        *ssa.Global
	param         types.Type
	guard, effect *initial.Func
}

type ruleFuncs struct {
	decl        grains.RuleDecl
	id          int // unique in the package
	when, after *initial.Func
	takesParam  bool
}

type propertyFuncs struct {
	decl  grains.PropertyDecl
	check *initial.Func // nil for an assertion
	step  bool          // over a step: s and n
	on    *actionFuncs
}

type grainFuncs struct {
	decl                           *grains.GrainDecl
	rules                          []*ruleFuncs
	stands                         []*standFuncs
	invariants, constraints, goals []*propertyFuncs
}

func (p *Program) reading() *catalogReading {
	if p.catalog == nil {
		r := &reader{p: p, out: &catalogReading{byName: map[string]*actionFuncs{}}, byCell: map[*initial.Cell]*actionFuncs{}}
		r.read()
		p.catalog = r.out
	}
	return p.catalog
}

// reader decodes what the initialiser made.
type reader struct {
	p      *Program
	out    *catalogReading
	byCell map[*initial.Cell]*actionFuncs
	nrules int
}

func (r *reader) read() {
	r.out.values = initial.Run(r.p.ssa)
	system, ok := r.findSystem()
	if !ok {
		return
	}
	cat := &grains.Catalog{Package: r.p.Path, Var: system.Name()}
	r.out.cat = cat
	if r.checkShared(system) {
		return
	}
	r.readActions()
	cell := r.out.values.Globals[system]
	s, ok := r.structure(cell, "the System", system.Pos())
	if !ok {
		return
	}
	args := types.Unalias(system.Type().(*types.Pointer).Elem()).(*types.Named).TypeArgs()
	r.out.state = args.At(0)
	cat.State = r.typeName(args.At(0))
	r.readSystem(s)
	r.readNames()
	r.checkFlat()
	r.checkCatalog(system)
}

// findSystem returns the package-level variable that holds the System.
func (r *reader) findSystem() (*ssa.Global, bool) {
	var found []*ssa.Global
	for _, g := range r.globals() {
		if isNamed(g.Type().(*types.Pointer).Elem(), grainsPath, "System") != nil {
			found = append(found, g)
		}
	}
	switch len(found) {
	case 1:
		return found[0], true
	case 0:
		r.report(finding(BadCatalog, grains.Place{File: r.p.Dir}, "package %s declares no System", r.p.Path).
			remedy("declare its catalog: var System = grains.System[State]{...}"))
	default:
		f := finding(BadCatalog, r.at(found[1].Pos()), "package %s declares %d Systems", r.p.Path, len(found)).
			remedy("keep one: a package is one system")
		for _, g := range found {
			f = f.related(r.at(g.Pos()), "%s is declared here", g.Name())
		}
		r.report(f)
	}
	return nil, false
}

// globals returns the package's variables in the order of the source.
func (r *reader) globals() (out []*ssa.Global) {
	for _, m := range r.p.ssa.Members {
		if g, ok := m.(*ssa.Global); ok && g.Pos().IsValid() {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Global) int { return int(a.Pos()) - int(b.Pos()) })
	return out
}

func (r *reader) report(f Finding) { r.out.findings = append(r.out.findings, f) }

func (r *reader) at(pos token.Pos) grains.Place { return placeOf(r.p.fset.Position(pos)) }

// isNamed is t as a named type of that package and name, else nil.
func isNamed(t types.Type, path, name string) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != name || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != path {
		return nil
	}
	return n
}

func (r *reader) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.p.main.types {
			return ""
		}
		return p.Name()
	})
}

// literal returns the start of the composite literal around pos, or of the call whose parenthesis
// is at pos.
func (r *reader) literal(pos token.Pos) grains.Place {
	for _, s := range r.p.sources {
		for _, f := range s.syntax {
			if f.FileStart > pos || pos >= f.FileEnd {
				continue
			}
			path, _ := astutil.PathEnclosingInterval(f, pos, pos)
			for _, n := range path {
				switch n := n.(type) {
				case *ast.CompositeLit:
					return r.at(n.Pos())
				case *ast.CallExpr:
					if n.Lparen == pos {
						return r.at(n.Pos())
					}
				}
			}
		}
	}
	return r.at(pos)
}

// readNames reads the constants that name values, and the fields of messages.
func (r *reader) readNames() {
	cat := r.out.cat
	set := map[string]bool{}
	for _, b := range cat.Bounds {
		set[b.Const] = b.Const != ""
	}
	for _, o := range cat.Options {
		set[o.Const] = o.Const != ""
	}
	var sources []names.Source
	for _, s := range r.p.sources {
		x := names.Source{Syntax: s.syntax, Info: s.info, Types: s.types}
		if s != r.p.main {
			x.Prefix = s.path + "."
		}
		sources = append(sources, x)
	}
	cat.Enums, cat.Sized = names.Enums(sources, set)
	cat.Messages = names.Messages(sources, modulesPath)
	r.finishMeetings(names.Source{Syntax: r.p.main.syntax, Info: r.p.main.info, Types: r.p.main.types}, set)
}

// finishMeetings reads the numbers of the quorums from the literals of their variables.
func (r *reader) finishMeetings(s names.Source, set map[string]bool) {
	for k := range r.out.cat.Meetings {
		m := &r.out.cat.Meetings[k]
		for _, q := range []*grains.QuorumDecl{&m.A, &m.B} {
			at := r.at(s.Types.Scope().Lookup(q.Var).Pos())
			found, ok := names.Quorum(s, set, q.Var)
			if *q = found; !ok {
				r.report(finding(BadCatalog, at, "quorum %s, or its list of weights, is no literal", q.Var).
					remedy("write var %s = modules.Quorum{Members: ..., Least: ...}, with Weights: []int{...}", q.Var))
			}
			q.Place = at
		}
	}
}

// kind returns the kind of a property, as results name it.
func (p *propertyFuncs) kind() string {
	switch {
	case p.decl.Raises != 0:
		return modules.KindAssert
	case p.step:
		return modules.KindStep
	}
	return modules.KindState
}

// checkShared reports where the System or an action depends on whether slices share their elements.
// The catalog would not be the value that the program has. What cannot be read for this reason gets
// no finding of its own.
func (r *reader) checkShared(system *ssa.Global) bool {
	found := r.out.values.Shared(func(g *ssa.Global) bool {
		return g == system || g.Pkg == r.p.ssa && isNamed(g.Type().(*types.Pointer).Elem(), modulesPath, "Action") != nil
	})
	for _, u := range found {
		r.report(finding(SharedSlice, r.at(u.Pos), "%s", u.Why).remedy("%s", speclint.SharedSlice.Remedy))
	}
	return len(found) > 0
}

// Unlike returns where the catalog of p, which is loaded with the constants of a manifest, is not
// cat, which was read with the constants of the source. A composition is resolved with the one, and
// the program has the other. There are no findings where the catalog of p has errors.
func (p *Program) Unlike(cat *grains.Catalog) (out []Finding) {
	r := p.reading()
	if r.cat == nil || HasErrors(r.findings) {
		return nil
	}
	for _, d := range differ.Between(cat, r.cat) {
		out = append(out, finding(BadCatalog, d.At, "%s %s with the bounds and options of the manifest", d.Part, d.How).
			remedy("declare it the same for all of them, and read the constant in a guard, an effect or a rule"))
	}
	return out
}
