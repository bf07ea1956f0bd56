package interaction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// Report describes the interaction in a composition.
type Report struct {
	Level   string   `json:"level"`   // "L0"
	Verdict Verdict  `json:"verdict"` // over all coarse grains
	Targets []string `json:"targets"`
	// Modules are those of the composition with every coarse grain replaced by the grains that it
	// coarsens: D and I are computed for that composition.
	Modules   []ModuleReport   `json:"modules"`
	Variables []VariableReport `json:"variables"` // in the order of the State
	Grains    []GrainReport    `json:"grains"`    // the chosen coarse ones
	Findings  []Finding        `json:"findings"`  // of all coarse grains
	Untouched []string         `json:"untouched,omitempty"`
	// Never are the actions of the composition as it is chosen that cannot be enabled. The
	// constants that were analysed, as options and bounds set them, make a guard or a rule's
	// condition of the action false in every state.
	Never []string `json:"never,omitempty"`
	// Outside are the fields of the State outside the cone of influence. Actions of the composition
	// as it is chosen write them, and neither a guard nor a selected invariant, constraint or goal
	// can depend on them.
	Outside []string `json:"outside,omitempty"`
	// Properties say where each selected invariant is judged.
	Properties []PropertyReport `json:"properties,omitempty"`
	// Symmetry holds the data that symmetry over servers needs. Its findings are not among
	// Findings.
	Symmetry *Symmetry `json:"symmetry,omitempty"`
	// Suggestions list what coarse grains of the modules that are not under test may leave out.
	Suggestions []Suggestion `json:"suggestions,omitempty"`
}

// Verdict says whether interaction is preserved, as far as the level says.
type Verdict string

// The verdicts of L0. None means that no coarse grain was chosen, Skipped that something cannot be
// analysed.
const (
	Preserved Verdict = "preserved"
	Broken    Verdict = "broken"
	None      Verdict = "none"
	Skipped   Verdict = "skipped"
)

// ModuleReport is a module of a Report. A grain that covers several modules is one, with their
// names joined by "+".
type ModuleReport struct {
	Name        string   `json:"name"`
	Covers      []string `json:"covers"`
	Grain       string   `json:"grain"`
	Target      bool     `json:"target,omitempty"`
	Environment bool     `json:"environment,omitempty"`
	Actions     []string `json:"actions"`
	Dependency  []string `json:"dependency"` // D(M)
}

// VariableReport is a variable of a Report.
type VariableReport struct {
	Name string `json:"name"`
	// Interaction says that it is an interaction variable of the Modules, by definition 3: each of
	// them for itself, whatever grain covers them.
	Interaction bool `json:"interaction,omitempty"`
	// Interface says that two of the Modules meet in it: one depends on it, and another depends on
	// it or writes it. Definition 3 leaves such a variable out where only the first depends on it.
	// What only the environment writes is no interface: a crash writes nearly everything.
	Interface bool `json:"interface,omitempty"`
	// Roles has one entry for each of the Modules.
	Roles []Role `json:"roles"`
	// Kept says that coarse grains must keep it, and Why is the chain of guards and assignments
	// that is the reason, the variable's own first. All others that any module uses may be dropped,
	// be they interaction variables of modules that one coarse grain covers.
	Kept bool   `json:"kept,omitempty"`
	Why  []Step `json:"why,omitempty"`
	// Droppable says why a used variable may be dropped. It is empty for those that are kept.
	Droppable string `json:"droppable,omitempty"`
}

// Role is the role of a variable for a module.
type Role struct {
	Dependency bool `json:"dependency,omitempty"` // it is in D of the module
	Reads      bool `json:"reads,omitempty"`      // in a guard, or to compute a value
	Writes     bool `json:"writes,omitempty"`
	// Internal says that no other module uses it, and that no interaction variable is computed
	// from it.
	Internal bool `json:"internal,omitempty"`
}

// Used reports whether the module uses the variable.
func (r Role) Used() bool { return r.Dependency || r.Reads || r.Writes }

// Step is one link of a chain.
type Step struct {
	Variable string `json:"variable"`
	Text     string `json:"text"`
	grains.Place
}

// GrainReport is the result of L0 for one coarse grain.
type GrainReport struct {
	Module   string    `json:"module"` // the first that it covers
	Grain    string    `json:"grain"`
	Covers   []string  `json:"covers"`
	Coarsens []string  `json:"coarsens"` // as module/grain
	Verdict  Verdict   `json:"verdict"`
	Keeps    []string  `json:"keeps"` // kept variables that the covered modules update
	Drops    []string  `json:"drops"` // variables whose updates it leaves out, and may
	Findings []Finding `json:"findings,omitempty"`
}

// Analyze computes D, I and what the coarse grains of a choice must keep for the targets, and
// checks each statically against the grains that it coarsens. The findings next to the report are
// about code that cannot be analysed: with an error among them the verdict is Skipped. The report
// is nil where the choice or the catalog is wrong.
func (p *Program) Analyze(c grains.Choice, targets []string) (*Report, []Finding) {
	a, findings := p.analysis(c, targets)
	if a == nil {
		return nil, findings
	}
	s := a.apart()
	properties := slices.Concat(a.invariants, a.constraints)
	m := a.interaction(a.merged)
	kept := a.kept(a.merged, m, properties)
	without := a.kept(a.merged, m, nil)
	forProp := map[int]string{}
	for _, v := range kept.order {
		if !without.has(v) {
			forProp[v] = kept.why[v].text
		}
	}
	rep := &Report{Level: "L0", Verdict: None, Targets: targets, Untouched: a.untouched(), Never: a.never()}
	a.reportModules(rep, s)
	a.reportVariables(rep, s, kept)
	a.reportGrains(rep, kept, forProp)
	rep.Properties = a.reportProperties()
	if !HasErrors(findings) {
		rep.Outside = a.outside()
		rep.Symmetry = a.symmetry()
	}
	rep.Suggestions = a.suggest(c)
	if HasErrors(findings) {
		rep.Verdict = Skipped
	}
	return rep, append(findings, p.unlisted()...)
}

func (a *analysis) reportModules(rep *Report, s *sets) {
	for _, u := range a.fine.units {
		m := ModuleReport{Name: u.name, Covers: u.grain.decl.Covers, Grain: u.grain.decl.Name, Target: u.target, Environment: u.env}
		for _, pr := range u.actions {
			m.Actions = append(m.Actions, pr.name)
		}
		for _, v := range s.d[u].sorted() {
			m.Dependency = append(m.Dependency, a.name(v))
		}
		rep.Modules = append(rep.Modules, m)
	}
}

func (s *varSet) sorted() []int { return slices.Sorted(slices.Values(s.order)) }

func (a *analysis) reportVariables(rep *Report, s *sets, kept *varSet) {
	for v := range a.prints.analyzer.Variables {
		r := VariableReport{Name: a.name(v), Interaction: s.i.has(v), Kept: kept.has(v)}
		users, depend := 0, 0
		var writes []int // modules, without the environment
		for k, u := range a.fine.units {
			role := roleOf(u, v)
			role.Dependency = s.d[u].has(v)
			if role.Used() {
				users++
			}
			if role.Dependency {
				depend++
			}
			if role.Writes && !role.Dependency && !u.env {
				writes = append(writes, k)
			}
			r.Roles = append(r.Roles, role)
		}
		r.Interface = depend > 1 || depend == 1 && len(writes) > 0
		for k := range r.Roles {
			r.Roles[k].Internal = users == 1 && r.Roles[k].Used() && !r.Interaction
		}
		switch {
		case r.Kept:
			r.Why = a.chain(kept, v)
		case users > 0:
			r.Droppable = a.droppable(r.Roles)
		}
		rep.Variables = append(rep.Variables, r)
	}
}

// roleOf returns how the actions of u use v.
func roleOf(u *unit, v int) (r Role) {
	for _, pr := range u.actions {
		r.Reads = r.Reads || pr.reads[v]
		r.Writes = r.Writes || pr.writes[v] != nil
		for _, w := range pr.writes {
			r.Reads = r.Reads || w != nil && w.sources[v]
		}
	}
	return r
}

// droppable says why a variable with these roles need not be kept.
func (a *analysis) droppable(roles []Role) string {
	var using, depending []*unit
	for k, u := range a.fine.units {
		if roles[k].Used() {
			using = append(using, u)
		}
		if roles[k].Dependency {
			depending = append(depending, u)
		}
	}
	if len(using) == 1 {
		return fmt.Sprintf("internal to %s: no other module and no checked property uses it", using[0].name)
	}
	for _, k := range a.coarse {
		if len(depending) > 1 && !slices.ContainsFunc(depending, func(u *unit) bool { return !slices.Contains(k.finer, u) }) {
			return fmt.Sprintf("only %s depend on it, and %s/%s covers them as one", unitNames(depending), k.unit.grain.decl.Covers[0], k.unit.grain.decl.Name)
		}
	}
	switch len(depending) {
	case 0:
		return "no guard depends on it"
	case 1:
		return fmt.Sprintf("only %s depends on it, which is not under test", depending[0].name)
	}
	return fmt.Sprintf("only %s depend on it, which are not under test", unitNames(depending))
}

// unitNames lists modules.
func unitNames(us []*unit) string {
	var names []string
	for _, u := range us {
		names = append(names, u.name)
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// chain follows the reasons from v to one that is a guard, a property or the like.
func (a *analysis) chain(s *varSet, v int) (out []Step) {
	seen := map[int]bool{}
	for v >= 0 && !seen[v] && s.has(v) {
		seen[v] = true
		r := s.why[v]
		out = append(out, Step{a.name(v), r.text, r.place})
		v = r.from
	}
	return out
}

func (a *analysis) reportGrains(rep *Report, kept *varSet, forProp map[int]string) {
	dropped := make([]bool, len(a.prints.analyzer.Variables))
	var cs []*checker
	for _, k := range a.coarse {
		c := &checker{analysis: a, coarsening: k, kept: kept, forProp: forProp}
		cs = append(cs, c)
		for v := range dropped {
			dropped[v] = dropped[v] || c.drops(v)
		}
	}
	for _, c := range cs {
		c.dropped = dropped
		c.check()
		slices.SortStableFunc(c.out, func(x, y Finding) int { return cmp.Compare(rank[x.Severity], rank[y.Severity]) })
		g := GrainReport{Module: c.unit.grain.decl.Covers[0], Grain: c.unit.grain.decl.Name, Covers: c.unit.grain.decl.Covers,
			Verdict: Preserved, Findings: c.out}
		for _, u := range c.finer {
			g.Coarsens = append(g.Coarsens, u.grain.decl.Covers[0]+"/"+u.grain.decl.Name)
		}
		for v := range dropped {
			fine, _ := c.updates(v)
			switch {
			case len(fine) > 0 && kept.has(v):
				g.Keeps = append(g.Keeps, a.name(v))
			case c.drops(v):
				g.Drops = append(g.Drops, a.name(v))
			}
		}
		if rep.Verdict == None {
			rep.Verdict = Preserved
		}
		if HasErrors(c.out) {
			g.Verdict, rep.Verdict = Broken, Broken
		}
		rep.Grains = append(rep.Grains, g)
		rep.Findings = append(rep.Findings, c.out...)
	}
}

var rank = map[Severity]int{Error: 0, Warning: 1, Note: 2}

// Variable finds a variable of the report.
func (r *Report) Variable(name string) *VariableReport {
	for k := range r.Variables {
		if r.Variables[k].Name == name {
			return &r.Variables[k]
		}
	}
	return nil
}
