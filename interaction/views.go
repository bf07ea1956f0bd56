package interaction

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/merging"
	"github.com/multigrain/multigrain/modules"
)

// Views hold the input of levels L1 and L2 for a choice: the fine composition, and what each
// observer reads.
type Views struct {
	// Fine are the grains of the composition in which every coarse grain is replaced by those that
	// it coarsens, or by those that it is compared with.
	Fine []grains.Ref `json:"fine"`
	// Steps are the visible actions: those of the targets, whose footprints are their views, and of
	// the environment.
	Steps []StepView `json:"steps"`
	// Looks are the footprints of the selected invariants that both compositions can check.
	Looks []Look `json:"looks"`
	// Writers say where actions of either composition write, for witnesses.
	Writers []Writer `json:"writers"`
	// Kept are the variables that the coarse grains must keep. Coarse are the actions of the
	// coarse grains that are compared, and Written the variables that these or the finer ones
	// write.
	Kept    []string       `json:"kept"`
	Coarse  []CoarseAction `json:"coarse"`
	Written []string       `json:"written"`
	// Unlooked are selected invariants about the steps of an action that only one of the
	// compositions has.
	Unlooked []string `json:"unlooked,omitempty"`
	// Weakest describes the weakest environment.
	Weakest Weakest `json:"weakest"`
}

// Weakest divides the fields of the State for a comparison in which everything but the compared
// modules is an environment that may do at any time whatever footprints allow.
type Weakest struct {
	// Lacks says why there is no such comparison; "" if there is one.
	Lacks string `json:"lacks,omitempty"`
	// Rest are the fields that no action of the compared modules reads or writes, of either grain.
	Rest []string `json:"rest,omitempty"`
	// Reads are the accesses, with all bookkeeping, of each action that belongs to no compared
	// module, by its name.
	Reads map[string][]modules.Access `json:"reads,omitempty"`
	// Looks are the fields of Rest that selected invariants read.
	Looks []string `json:"looks,omitempty"`
}

// StepView is a visible action. Its footprint is that of its guard and effect, of the rules that
// forbid it in both compositions, and of the bookkeeping of the grains under test. Other
// bookkeeping is for the invariants, which look at it themselves.
type StepView struct {
	Action string `json:"action"`
	// observed by its label; the footprint explains differences
	Environment bool             `json:"environment,omitempty"`
	Reads       []modules.Access `json:"reads"`
	// Picks are the messages of Bags that parameters name by position. A label has the message in
	// the place of the position, unless its kind is one of Hidden: no module under test reads it.
	Picks  []modules.Pick `json:"picks,omitempty"`
	Hidden []string       `json:"hidden,omitempty"`
	// Quiet says that the action of the environment changes the channels of Picks and nothing else.
	// Its step is silent where the message is hidden.
	Quiet     bool              `json:"quiet,omitempty"`
	Footprint modules.Footprint `json:"-"`
}

// CoarseAction is an action of a coarse grain. It lists the steps of the finer grains that every
// such step contains, and the steps that some contain.
type CoarseAction struct {
	Action    string   `json:"action"`
	Grain     string   `json:"grain"`            // as module/grain
	Shared    bool     `json:"shared,omitempty"` // the finer grain has it, too
	Contained []string `json:"contained,omitempty"`
	Allowed   []string `json:"allowed,omitempty"`
	// Alike says, by finer step of Allowed, how many per cent of the variables that one of the
	// guards reads both read.
	Alike map[string]int `json:"alike,omitempty"`
	At    grains.Place   `json:"at"`
	// GrainAt is where the grain is declared.
	GrainAt grains.Place `json:"grain_at"`
}

// Look is an invariant as an observer.
type Look struct {
	Name  string           `json:"name"`
	Kind  string           `json:"kind"`         // modules.KindState, KindStep or KindAssert
	On    string           `json:"on,omitempty"` // the action whose steps it is about
	Reads []modules.Access `json:"reads,omitempty"`
	// Picks are the messages that the action's parameters name by position, as in StepView.
	Picks []modules.Pick `json:"picks,omitempty"`
}

// Writer is where an action writes a variable.
type Writer struct {
	Action   string             `json:"action"`
	Variable string             `json:"variable"`
	Silent   bool               `json:"silent,omitempty"` // the action is not visible
	Fine     bool               `json:"fine,omitempty"`   // the fine composition has it
	Coarse   bool               `json:"coarse,omitempty"` // the chosen composition has it
	At       []modules.Position `json:"at"`
}

// Views computes what levels L1 and L2 need. A coarse grain is compared with the grains of against
// that cover its modules, and without such with the finest ones. One that is compared with itself
// is part of both compositions. Views is nil where the choice or the catalog is wrong; with an
// error among the findings the footprints are not to be trusted.
func (p *Program) Views(c grains.Choice, targets []string, against ...grains.Ref) (*Views, []Finding) {
	a, findings := p.analysis(c, targets, against...)
	if a == nil {
		return nil, findings
	}
	v := &Views{}
	for _, u := range a.fine.units {
		v.Fine = append(v.Fine, grains.Ref{Module: u.grain.decl.Covers[0], Grain: u.grain.decl.Name})
	}
	order := func(r grains.Ref) int {
		return slices.IndexFunc(a.r.cat.Modules, func(m grains.Module) bool { return m.Name == r.Module })
	}
	slices.SortStableFunc(v.Fine, func(x, y grains.Ref) int { return cmp.Compare(order(x), order(y)) })
	rules := a.observed()
	for _, u := range a.mixed.units {
		if !u.target && !u.env {
			continue
		}
		for _, pr := range u.actions {
			f := a.prints.public(a.prints.action(a.r.byName[pr.name], rules))
			v.Steps = append(v.Steps, StepView{Action: pr.name, Environment: u.env, Reads: f.Reads(), Picks: picksOf(f, f.Reads()), Footprint: *f})
		}
	}
	v.project()
	a.looks(c, v)
	a.writers(v)
	a.coarsened(v)
	a.weakest(v)
	return v, findings
}

// weakest divides the fields of the State between the compared modules and everything else.
func (a *analysis) weakest(v *Views) {
	w := &v.Weakest
	w.Lacks = a.lacksWeakest()
	used := map[string]bool{}
	for _, k := range a.coarse {
		for _, u := range append(slices.Clone(k.finer), k.unit) {
			for _, pr := range u.actions {
				f := a.prints.public(pr)
				for _, r := range f.Reads() {
					used[fieldOf(r.Variable)] = true
				}
				for _, x := range f.Writes {
					used[fieldOf(x.Variable)] = true
				}
			}
		}
	}
	w.Reads = map[string][]modules.Access{}
	seen, looks := map[string]bool{}, map[string]bool{}
	add := func(fields map[string]bool, variable string) {
		if f := fieldOf(variable); !used[f] {
			seen[f], fields[f] = true, true
		}
	}
	for _, u := range a.mixed.units {
		if slices.ContainsFunc(a.coarse, func(k coarsening) bool { return k.unit == u }) {
			continue
		}
		for _, pr := range u.actions {
			f := a.prints.public(pr)
			w.Reads[pr.name] = f.Reads()
			for _, r := range f.Reads() {
				add(map[string]bool{}, r.Variable)
			}
			for _, x := range f.Writes {
				add(map[string]bool{}, x.Variable)
			}
		}
	}
	for _, pr := range a.invariants {
		for _, r := range a.prints.public(pr).Reads() {
			add(looks, r.Variable)
		}
	}
	w.Rest, w.Looks = slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(looks))
}

// lacksWeakest says why the rest of a composition is not the same environment for both grains; ""
// if it is.
func (a *analysis) lacksWeakest() string {
	for _, k := range a.coarse {
		for _, u := range append(slices.Clone(k.finer), k.unit) {
			switch {
			case len(u.grain.rules) > 0:
				return "grain " + u.name + "/" + u.grain.decl.Name + " has rules, which may change the steps of others"
			case u.target || u.env:
				return "module " + u.name + " is compared, and is under test or of the environment"
			}
		}
	}
	if len(a.constraints) > 0 {
		return "the composition has state constraints"
	}
	return ""
}

// observed returns the rules that belong to the views of visible actions.
func (a *analysis) observed() (out []*ruleFuncs) {
	own := slices.Clone(a.r.rules)
	var tested []*ruleFuncs
	for _, u := range a.mixed.units {
		if u.target {
			tested = append(tested, u.grain.rules...)
		}
		if slices.ContainsFunc(a.fine.units, func(f *unit) bool { return f.grain == u.grain }) {
			own = append(own, u.grain.rules...)
		}
	}
	for _, r := range a.mixed.rules {
		if slices.Contains(own, r) && (r.when != nil || slices.Contains(tested, r)) {
			out = append(out, r)
		}
	}
	return out
}

// looks lists the selected invariants that the chosen grains offer, where both compositions can
// check them.
func (a *analysis) looks(c grains.Choice, v *Views) {
	offered := slices.Clone(a.r.invariants)
	var fine []*propertyFuncs
	for _, u := range a.mixed.units {
		offered = append(offered, u.grain.invariants...)
	}
	fine = append(fine, a.r.invariants...)
	for _, u := range a.fine.units {
		fine = append(fine, u.grain.invariants...)
	}
	seen := map[string]bool{}
	for _, x := range offered {
		selected := func(s string) bool { return grains.Selects(s, x.decl.ID, x.decl.Instance) }
		name := propertyName(x.decl)
		if !slices.ContainsFunc(c.Invariants, selected) || slices.ContainsFunc(c.Except, selected) || seen[name] {
			continue
		}
		seen[name] = true
		both := slices.ContainsFunc(fine, func(y *propertyFuncs) bool { return propertyName(y.decl) == name })
		if x.on != nil {
			both = both && a.fine.judges(x) && a.mixed.judges(x)
		}
		if !both {
			v.Unlooked = append(v.Unlooked, name)
			continue
		}
		l := Look{Name: name, Kind: x.decl.Kind, On: x.decl.On}
		if x.check != nil {
			f := a.prints.public(a.prints.property(x))
			l.Reads = f.Reads()
			if x.on != nil {
				on := a.prints.public(a.prints.action(x.on, a.mixed.rules))
				on.Picks = append(on.Picks, f.Picks...)
				l.Picks = picksOf(on, l.Reads)
			}
		}
		v.Looks = append(v.Looks, l)
	}
}

// coarsened lists the actions of the coarse grains that are compared, and what they are about.
func (a *analysis) coarsened(v *Views) {
	kept := a.kept(a.merged, a.interaction(a.merged), slices.Concat(a.invariants, a.constraints))
	for x, of := range a.prints.analyzer.Variables {
		if kept.has(x) && of.Value != "Raised" {
			v.Kept = append(v.Kept, a.name(x))
		}
	}
	written := map[string]bool{}
	for _, k := range a.coarse {
		ch := &checker{analysis: a, coarsening: k, kept: kept}
		p := ch.program()
		p.Compare()
		for n, b := range p.Coarse {
			act := CoarseAction{Action: b.Name, Grain: ch.grainName(), At: k.unit.actions[n].at, GrainAt: k.unit.grain.decl.Place}
			act.Contained, act.Allowed = p.Counterparts(b)
			act.Alike = p.Alike(b)
			act.Shared = slices.ContainsFunc(p.Fine, func(f *merging.Step) bool { return f.Name == b.Name })
			v.Coarse = append(v.Coarse, act)
		}
		for _, s := range slices.Concat(p.Fine, p.Coarse) {
			for _, w := range s.Print.Writes {
				written[a.name(w.Variable)] = true
				if net := a.prints.analyzer.Variables[w.Variable].Net; net != "" {
					written[net] = true
				}
			}
		}
	}
	v.Written = slices.Sorted(maps.Keys(written))
}

func (a *analysis) writers(v *Views) {
	seen := map[string]int{}
	for k, c := range []*composition{a.fine, a.mixed} {
		for _, u := range c.units {
			for _, pr := range u.actions {
				for _, w := range a.prints.public(pr).Writes {
					key := pr.name + " " + w.Variable
					at, ok := seen[key]
					if !ok {
						at = len(v.Writers)
						seen[key] = at
						v.Writers = append(v.Writers, Writer{Action: pr.name, Variable: w.Variable, Silent: !u.target && !u.env, At: w.At})
					}
					if k == 0 {
						v.Writers[at].Fine = true
					} else {
						v.Writers[at].Coarse = true
					}
				}
			}
		}
	}
}

// picksOf returns the messages of Bags that parameters of an action name by position, of those
// parameters that mean nothing else to an observer. Such a parameter is no index of what is read or
// written, the channel of the message is known, and its network has kinds.
func picksOf(f *modules.Footprint, reads []modules.Access) (out []modules.Pick) {
	means := map[string]bool{"*": true} // terms that are known to mean something else
	for _, a := range reads {
		for _, term := range append(slices.Clone(a.Index), a.Key) {
			means[term] = true
		}
	}
	for _, w := range f.Writes {
		for _, e := range w.Elements {
			for _, term := range append(slices.Clone(e.Index), e.Key) {
				means[term] = true
			}
		}
	}
	for _, p := range f.Picks {
		if slices.Contains(p.Index, "*") || !strings.Contains(p.Variable, "#") {
			means[p.At] = true
		}
	}
	for _, p := range f.Picks {
		if !means[p.At] {
			out = append(out, p)
		}
	}
	return out
}

// project says which messages that the environment picks are hidden: those of kinds that no module
// under test reads.
func (v *Views) project() {
	seen := map[string]bool{}
	for _, s := range v.Steps {
		for _, a := range s.Reads {
			seen[a.Variable] = seen[a.Variable] || !s.Environment
		}
	}
	for k := range v.Steps {
		s := &v.Steps[k]
		if !s.Environment || len(s.Picks) == 0 {
			continue
		}
		s.Quiet = !slices.ContainsFunc(s.Footprint.Writes, func(w modules.Write) bool {
			return !slices.ContainsFunc(s.Picks, func(p modules.Pick) bool { return networkOf(p.Variable) == networkOf(w.Variable) })
		})
		for _, p := range s.Picks {
			if !seen[p.Variable] && !slices.Contains(s.Hidden, p.Variable) {
				s.Hidden = append(s.Hidden, p.Variable)
			}
		}
	}
}

// networkOf returns the Bag or Net that a variable is a part of, or the variable itself.
func networkOf(variable string) string {
	net, _, _ := strings.Cut(variable, "#")
	return net
}
