// Package mutate makes mutants of the code under test: copies of a specification in which one
// statement or condition is changed. One program has all of them.
//
// What it computes. Find returns the changes of the functions that the actions under test call, by
// the operators below. Compiling leaves out those that do not compile. Switch returns the source of
// the package in which each changed function chooses one of its versions by a number:
//
//	func(s, n *State, p Pair) {
//		switch MultigrainMutant {
//		case 7:
//			...the body with change 7
//		default:
//			...the body itself
//		}
//	}
//
// The operators are those of errors seen in specifications and in coarse grains. They drop an
// assignment or a message, swap an index, weaken or strengthen a condition of a guard, and redirect
// a message. They take an old value for a new one, and add a write.
//
// Why it is right. A function that other code can reach is left out: a change of it would be no
// mistake of the code under test alone. Code that constants exclude is left out, too, since nothing
// runs it. Names and sizes come from types, so the operators apply to any specification.
//
// What it costs. One pass over the functions, and one check of the types of the package with all
// changes in it.
//
// Example. A guard with two conditions has mutants without one of them, with a further condition
// on one of them, and with another element:
//
//	return s.Up[p.I] && s.Done[p.I] < s.Round
//
//	return true && s.Done[p.I] < s.Round
//	return s.Up[p.I] && ((s.Done[p.I] < s.Round) && s.Round == 0)
//	return s.Up[(p.I+1)%Server(len(s.Up))] && s.Done[p.I] < s.Round
//	return s.Up[p.I] && s.Done[p.I]+1 < s.Round
package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// Version is the version of the operators and of the draw. Raise it if the same specification can
// have other mutants than before.
const Version = 1

// Package is a specification whose code is changed, with its types.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Info  *types.Info
	Types *types.Package
	// State is the name of the State type.
	State string
	// Texts are the contents of the files by path.
	Texts map[string][]byte
}

// Scope says which functions of the catalog are under test.
type Scope struct {
	// Guards and Effects are changed, with what they call. A guard only reads.
	Guards, Effects []grains.Function
	// Others are the functions of all other actions, of properties and of Init. What they reach
	// stays as it is.
	Others []grains.Function
}

// Mutant is one change of the specification's source.
type Mutant struct {
	Operator string
	Function string // the declaration that is changed
	File     string
	Line     int // from 1
	// Was and Is are the texts before and after the change, on one line each. A dropped statement
	// has none after it.
	Was, Is string

	at   span   // what is replaced, in bytes of the file
	with string // what stands there instead
	body span   // of the function, with its braces
}

type span struct{ from, to int }

// String returns the mutant on one line, without its place.
func (m *Mutant) String() string {
	text := m.Was + " => " + m.Is
	switch {
	case m.Is == "":
		text = m.Was
	case m.Was == "":
		text = m.Is
	}
	return m.Function + ": " + m.Operator + ": " + text
}

// Identity returns what tells the mutant from others of the same sources.
func (m *Mutant) Identity() []any {
	return []any{filepath.Base(m.File), m.at.from, m.at.to, m.with}
}

// Find returns the mutants of a scope, ordered by function and place.
func Find(p *Package, s Scope) []Mutant {
	x := &finder{p: p, funcs: map[types.Object]*ast.FuncDecl{}, vars: map[types.Object]ast.Expr{}}
	x.declarations()
	others := &reach{x: x, seen: map[ast.Node]bool{}}
	for _, fn := range s.Others {
		others.enter(fn, false)
	}
	mine := &reach{x: x, seen: map[ast.Node]bool{}}
	for _, fn := range s.Guards {
		mine.enter(fn, true)
	}
	for _, fn := range s.Effects {
		mine.enter(fn, false)
	}
	var units []unit
	for _, u := range mine.units {
		if !others.seen[u.body] {
			units = append(units, u)
		}
	}
	fields := x.numbers(units)
	for _, u := range units {
		o := &operators{finder: x, unit: u, fields: fields}
		o.states()
		o.apply()
		x.found = append(x.found, o.found...)
	}
	slices.SortStableFunc(x.found, func(a, b Mutant) int {
		return cmp.Or(strings.Compare(a.Function, b.Function), strings.Compare(a.File, b.File), a.at.from-b.at.from)
	})
	return x.found
}

// Draw returns at most n of the mutants, drawn by a seed, in the order of the list.
func Draw(all []Mutant, n int, seed uint64) []Mutant {
	if len(all) <= n {
		return all
	}
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n]
	slices.Sort(chosen)
	out := make([]Mutant, n)
	for k, at := range chosen {
		out[k] = all[at]
	}
	return out
}

// finder has the declarations of a package, and the mutants that were found.
type finder struct {
	p     *Package
	funcs map[types.Object]*ast.FuncDecl
	vars  map[types.Object]ast.Expr // initial values of package-level variables
	found []Mutant
}

func (x *finder) declarations() {
	for _, f := range x.p.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if o := x.p.Info.Defs[d.Name]; o != nil && d.Body != nil {
					x.funcs[o] = d
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					v, ok := spec.(*ast.ValueSpec)
					if !ok || d.Tok != token.VAR {
						continue
					}
					for k, id := range v.Names {
						if k < len(v.Values) {
							x.vars[x.p.Info.Defs[id]] = v.Values[k]
						}
					}
				}
			}
		}
	}
}

// unit is a function that can be changed.
type unit struct {
	name  string
	recv  *ast.FieldList
	typ   *ast.FuncType
	body  *ast.BlockStmt
	guard bool
	// step says that it is an effect or a rule of the catalog: its first State is the one before.
	step bool
}

// reach finds the functions that some functions of the catalog call.
type reach struct {
	x     *finder
	seen  map[ast.Node]bool // bodies and initial values
	units []unit
	// entered says that the next object is a function of the catalog.
	entered bool
}

// enter adds a function of the catalog.
func (r *reach) enter(fn grains.Function, guard bool) {
	if fn.Name != "" {
		if o := r.x.p.Types.Scope().Lookup(fn.Name); o != nil {
			r.entered = true
			r.object(o, guard)
		}
		return
	}
	for _, f := range r.x.p.Files {
		for _, d := range f.Decls {
			name := ""
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					name = n.Names[0].Name
				case *ast.FuncLit:
					at := r.x.p.Fset.Position(n.Pos())
					if at.Filename == fn.Place.File && at.Line == fn.Place.Line && at.Column == fn.Place.Column {
						r.add(unit{name: name, typ: n.Type, body: n.Body, guard: guard, step: !guard})
					}
				}
				return true
			})
		}
	}
}

// object adds what a name of the package stands for.
func (r *reach) object(o types.Object, guard bool) {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	if d := r.x.funcs[o]; d != nil {
		step := r.entered && !guard
		r.entered = false
		r.add(unit{name: d.Name.Name, recv: d.Recv, typ: d.Type, body: d.Body, guard: guard, step: step})
	}
	if v := r.x.vars[o]; v != nil && !r.seen[v] {
		r.seen[v] = true
		r.walk(v)
	}
}

func (r *reach) add(u unit) {
	if r.seen[u.body] {
		return
	}
	r.seen[u.body] = true
	r.units = append(r.units, u)
	r.walk(u.body)
}

// walk adds what live code mentions.
func (r *reach) walk(n ast.Node) {
	r.x.live(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := r.x.p.Info.Uses[id]; o != nil && o.Pkg() == r.x.p.Types {
				r.object(o, false)
			}
		}
		return true
	})
}

// live is ast.Inspect without the code that constants exclude.
func (x *finder) live(n ast.Node, visit func(ast.Node) bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			value, known := x.decided(n.Cond)
			if !known {
				break
			}
			if visit(n); n.Init != nil {
				x.live(n.Init, visit)
			}
			switch {
			case value:
				x.live(n.Body, visit)
			case n.Else != nil:
				x.live(n.Else, visit)
			}
			return false
		case *ast.BinaryExpr:
			if value, known := x.decided(n.X); known && (n.Op == token.LAND && !value || n.Op == token.LOR && value) {
				return false
			}
		}
		return n == nil || visit(n)
	})
}

// decided returns the value of a condition that constants decide.
func (x *finder) decided(e ast.Expr) (value, known bool) {
	if v := x.p.Info.Types[e].Value; v != nil {
		return v.String() == "true", true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.decided(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			value, known = x.decided(e.X)
			return !value, known
		}
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR {
			return false, false
		}
		decides := e.Op == token.LOR // the value of one operand that is that of all
		first, known := x.decided(e.X)
		second, also := x.decided(e.Y)
		switch {
		case known && first == decides || also && second == decides:
			return decides, true
		case known && also:
			return !decides, true
		}
	}
	return false, false
}

// offset returns the place of a node in its file, in bytes.
func (x *finder) offset(p token.Pos) int { return x.p.Fset.PositionFor(p, false).Offset }

func (x *finder) file(p token.Pos) string { return x.p.Fset.PositionFor(p, false).Filename }

// text returns the source of a node.
func (x *finder) text(n ast.Node) string {
	return string(x.p.Texts[x.file(n.Pos())][x.offset(n.Pos()):x.offset(n.End())])
}
