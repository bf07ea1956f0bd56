package interaction

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/footprint"
	"github.com/multigrain/multigrain/interaction/internal/initial"
	"github.com/multigrain/multigrain/modules"
)

// footprints computes footprints when they are asked for, each once.
type footprints struct {
	p        *Program
	analyzer *footprint.Analyzer
	byKey    map[string]*print
	steps    int
}

// print is a footprint by numbers of variables, with what could not be analysed.
type print struct {
	name     string
	raw      *footprint.Result
	findings []Finding
	reads    []bool         // by variable: what the guard, or the property, depends on
	writes   []*writtenFrom // by variable
	at       grains.Place   // of the action or property
	// own is the footprint without the rules that grains of the environment bring; it may be this
	// one.
	own *print
}

// writtenFrom lists the variables on which a written variable's new value depends, with the place
// of the write.
type writtenFrom struct {
	raw     *footprint.Write
	sources []bool
}

func (p *Program) footprints() *footprints {
	if p.prints == nil {
		r := p.reading()
		if r.state == nil {
			return nil
		}
		var sources []*ssa.Package
		for _, s := range p.sources {
			sources = append(sources, s.ssa)
		}
		p.prints = &footprints{p: p, byKey: map[string]*print{},
			analyzer: footprint.New(p.ssa.Prog, r.state, r.values.Globals, sources)}
	}
	return p.prints
}

// Variables returns the names of the variables of the State, in its order: see modules.Access.
func (p *Program) Variables() (names []string) {
	if f := p.footprints(); f != nil {
		for _, v := range f.analyzer.Variables {
			names = append(names, v.Name)
		}
	}
	return names
}

// Footprint returns the footprint of an action with the rules of all grains and of the System that
// ride on it.
func (p *Program) Footprint(action string) (*modules.Footprint, []Finding) {
	r := p.reading()
	a := r.byName[action]
	if a == nil || a.effect == nil {
		return nil, []Finding{finding(BadAction, grains.Place{}, "the package has no action %q", action)}
	}
	rules := slices.Clone(r.rules)
	for _, g := range r.grains {
		rules = append(rules, g.rules...)
	}
	f := p.footprints()
	if f == nil {
		return nil, r.findings
	}
	pr := f.action(a, rules)
	return f.public(pr), pr.findings
}

// BareFootprint returns the footprint of an action without rules: of one that no grain has, on
// which none rides.
func (p *Program) BareFootprint(action string) (*modules.Footprint, []Finding) {
	r := p.reading()
	a := r.byName[action]
	if a == nil || a.effect == nil {
		return nil, []Finding{finding(BadAction, grains.Place{}, "the package has no action %q", action)}
	}
	f := p.footprints()
	if f == nil {
		return nil, r.findings
	}
	pr := f.action(a, nil)
	return f.public(pr), pr.findings
}

// action returns the footprint of an action with those of the rules that ride on it, in their
// order.
func (f *footprints) action(a *actionFuncs, rules []*ruleFuncs) *print {
	key := "a:" + a.decl.Name
	var code footprint.Code
	if a.guard != nil {
		code.Guards = append(code.Guards, a.guard)
	}
	code.Effects = append(code.Effects, a.effect)
	for _, r := range rules {
		if !r.ridesOn(a.decl.Name) {
			continue
		}
		key += fmt.Sprintf(",%d", r.id)
		if r.when != nil {
			code.Guards = append(code.Guards, r.when)
		} else {
			code.Effects = append(code.Effects, r.after)
		}
	}
	return f.get(key, a.decl.Name, "action "+a.decl.Name, a.decl.Place, func() *footprint.Result { return f.analyzer.Action(code) })
}

func (r *ruleFuncs) ridesOn(action string) bool {
	if r.decl.On != "" {
		return r.decl.On == action
	}
	return !slices.Contains(r.decl.Except, action)
}

// property returns the footprint of an invariant, constraint or goal; that of an assertion reads
// the variable of assertions.
func (f *footprints) property(v *propertyFuncs) *print {
	name := propertyName(v.decl)
	if v.check == nil {
		return f.get("r:"+name, name, name, v.decl.Place, func() *footprint.Result {
			r := &footprint.Result{Touched: make([]bool, len(f.analyzer.Variables))}
			for k, x := range f.analyzer.Variables {
				if x.Value == "Raised" && v.raises(f.analyzer.Assertion(k)) {
					r.Touched[k] = true
					r.Guard = append(r.Guard, footprint.Read{Variable: k, Next: true})
				}
			}
			return r
		})
	}
	return f.get(fmt.Sprintf("p:%d", v.check.Fn.Pos())+name, name, "property "+name, v.decl.Place,
		func() *footprint.Result { return f.analyzer.Property(v.check) })
}

// raises reports whether assertion e, or one that is not known, -1, is one of the property's.
func (v *propertyFuncs) raises(e int64) bool { return e < 0 || e < 32 && v.decl.Raises>>e&1 != 0 }

func propertyName(d grains.PropertyDecl) string {
	if d.Instance == "" {
		return d.ID
	}
	return d.ID + "." + d.Instance
}

// initial returns the footprint of Init: what it sets to other values than zero.
func (f *footprints) initial(init *initial.Func, at grains.Place) *print {
	return f.get("init", "Init", "Init", at, func() *footprint.Result { return f.analyzer.Init(init) })
}

func (f *footprints) get(key, name, what string, at grains.Place, compute func() *footprint.Result) *print {
	if pr := f.byKey[key]; pr != nil {
		return pr
	}
	n := len(f.analyzer.Variables)
	pr := &print{name: name, raw: compute(), reads: make([]bool, n), writes: make([]*writtenFrom, n), at: at}
	f.steps += pr.raw.Steps
	for _, x := range pr.raw.Guard {
		pr.reads[x.Variable] = true
	}
	for k := range pr.raw.Writes {
		w := &pr.raw.Writes[k]
		from := &writtenFrom{raw: w, sources: make([]bool, n)}
		for _, list := range [][]footprint.Read{w.Data, w.Control, w.Indices} {
			for _, x := range list {
				from.sources[x.Variable] = true
			}
		}
		pr.writes[w.Variable] = from
	}
	for _, i := range pr.raw.Issues {
		pr.findings = append(pr.findings, f.issue(i, what, name, at))
	}
	slices.SortStableFunc(pr.findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Message, b.Message))
	})
	pr.own = pr
	f.byKey[key] = pr
	return pr
}

func (f *footprints) issue(i footprint.Issue, what, name string, at grains.Place) Finding {
	place := f.place(i.Place.At)
	if place.File == "" {
		place = at
	}
	kind, remedy := CannotAnalyse, "write it with assignments, conditions, loops and the value types of package modules"
	switch i.Rule {
	case "":
	case footprint.ReaderWrites, footprint.WritesBefore:
		kind, remedy = Kind(i.Rule), "only an effect writes, and only to its second State"
	default:
		kind = Kind(i.Rule)
	}
	x := finding(kind, place, "%s: %s", what, i.Text).remedy("%s", remedy)
	x.Action = name
	if i.Place.In.IsValid() {
		x = x.related(f.place(i.Place.In), "it happens here")
	}
	return x
}

func (f *footprints) place(pos token.Pos) grains.Place {
	if !pos.IsValid() {
		return grains.Place{}
	}
	return placeOf(f.p.fset.Position(pos))
}

// public returns a footprint by names.
func (f *footprints) public(pr *print) *modules.Footprint {
	out := &modules.Footprint{Name: pr.name, Guard: f.accesses(pr, pr.raw.Guard)}
	for _, w := range pr.raw.Writes {
		x := modules.Write{Variable: f.analyzer.Variables[w.Variable].Name, Data: f.accesses(pr, w.Data), Control: f.accesses(pr, w.Control),
			Indices: f.accesses(pr, w.Indices), Computed: w.Computed, Constants: f.constants(w.Variable, w.Constants)}
		for _, e := range w.Elements {
			if e := (modules.Element{Index: published(e.Index), Key: e.Key}); !slices.ContainsFunc(x.Elements, func(y modules.Element) bool { return y.Key == e.Key && slices.Equal(y.Index, e.Index) }) {
				x.Elements = append(x.Elements, e)
			}
		}
		for _, p := range w.Places {
			if at := modules.Position(f.place(p.At)); !slices.Contains(x.At, at) {
				x.At = append(x.At, at)
			}
		}
		out.Writes = append(out.Writes, x)
	}
	for k, v := range f.analyzer.Variables {
		if pr.raw.Sends[k] != nil {
			out.Sends = append(out.Sends, v.Name)
		}
		if pr.raw.Receives[k] != nil {
			out.Receives = append(out.Receives, v.Name)
		}
		if pr.raw.Touched[k] {
			out.Touched = append(out.Touched, v.Name)
		}
	}
	for _, p := range pr.raw.Picks {
		x := modules.Pick{Variable: f.analyzer.Variables[p.Variable].Name, Index: published(p.Index), At: p.At, Add: p.Add}
		if !slices.ContainsFunc(out.Picks, x.Equal) {
			out.Picks = append(out.Picks, x)
		}
	}
	return out
}

// published returns an index as engines know it: to them a parameter and a number is any term.
func published(index []string) []string {
	var out []string
	for k, t := range index {
		if strings.HasPrefix(t, "p.") && strings.ContainsAny(t, "+-") {
			if out == nil {
				out = slices.Clone(index)
			}
			out[k] = "*"
		}
	}
	if out == nil {
		return index
	}
	return out
}

func (f *footprints) accesses(pr *print, rs []footprint.Read) (out []modules.Access) {
	for _, r := range rs {
		a := modules.Access{Variable: f.analyzer.Variables[r.Variable].Name, Index: published(r.Index), Key: r.Key, Next: r.Next,
			At: modules.Position(f.place(r.Place.At))}
		if a.At.File == "" {
			a.At = modules.Position(pr.at)
		}
		if in := f.place(r.Place.In); in.File != "" {
			a.In = (*modules.Position)(&in)
		}
		counted := strings.Contains(a.Variable, "#") && pr.raw.Counted(r.Variable)
		if !counted || pr.raw.First(r.Variable) {
			out = append(out, a)
		}
		if counted {
			a.Key = modules.AllOfKind
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b modules.Access) int { return strings.Compare(a.String(), b.String()) })
	return slices.CompactFunc(out, func(a, b modules.Access) bool { return a.String() == b.String() })
}

// constants names constants by the enumeration of the variable's type; an empty value type is {}.
func (f *footprints) constants(variable int, texts []string) (out []string) {
	v := f.analyzer.Variables[variable]
	for _, s := range texts {
		out = append(out, f.constant(v, s))
	}
	slices.Sort(out)
	return out
}

func (f *footprints) constant(v footprint.Variable, s string) string {
	if s == "0" && (v.Value != "" || v.Kind != "") {
		return "{}"
	}
	n, ok := types.Unalias(v.Type).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return s
	}
	scope := n.Obj().Pkg().Scope()
	best := ""
	var at token.Pos
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), n) && c.Val().ExactString() == s && (best == "" || c.Pos() < at) {
			best, at = name, c.Pos()
		}
	}
	if best != "" {
		return best
	}
	return s
}

// short returns a place as people read it: the file without its folder, and the line.
func short(p grains.Place) string {
	if p.File == "" {
		return "?"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
}
