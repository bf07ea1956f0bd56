package interaction

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/grains"
)

// Suggestion lists what a coarse grain of a module that is not under test may leave out, by L0. It
// is computed of the grains that the chosen coarse ones stand for, and says nothing about the order
// of what is kept: levels L1 and L2 do.
type Suggestion struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	// Drops are the variables and kinds of messages whose updates may be left out while the other
	// modules stay as they are.
	Drops []string `json:"drops"`
	// Together are those that may be left out, too, where one coarse grain covers all of Others.
	Together []string `json:"together,omitempty"`
	Others   []string `json:"others,omitempty"` // modules, this one included
	// Keeps are the updated variables that have to be kept, each with its reason.
	Keeps []Keep `json:"keeps"`
	// Silent are the actions that, without the rules that ride on them, update only what may be
	// dropped: a coarse grain needs no step for them.
	Silent []string `json:"silent,omitempty"`
}

// Keep is a variable that has to be kept and the chain of guards and assignments that is the
// reason, as in VariableReport.
type Keep struct {
	Variable string `json:"variable"`
	Why      []Step `json:"why"`
}

// suggest makes a Suggestion for every module that is neither a target nor of the environment.
// There is none without a target: then all modules are under test.
//
// Properties that a grain of such a module brings are left out: another grain brings its own.
func (a *analysis) suggest(c grains.Choice) (out []Suggestion) {
	joint, others := a.joint()
	if len(others) == 0 || !slices.ContainsFunc(a.fine.units, func(u *unit) bool { return u.target }) {
		return nil
	}
	properties := a.propertiesBeside(c, others)
	alone := a.kept(a.fine, a.apart(), properties)
	together := a.kept(joint, a.interaction(joint), properties)
	for _, u := range others {
		s := Suggestion{Module: u.name, Grain: u.grain.decl.Name}
		for v := range a.prints.analyzer.Variables {
			switch {
			case !updates(u, v):
			case !alone.has(v):
				s.Drops = append(s.Drops, a.name(v))
			case !together.has(v):
				s.Together = append(s.Together, a.name(v))
			default:
				s.Keeps = append(s.Keeps, Keep{a.name(v), a.chain(together, v)})
			}
		}
		if len(s.Together) > 0 {
			for _, o := range others {
				s.Others = append(s.Others, o.name)
			}
		}
		for _, pr := range u.actions {
			if bare := a.prints.action(a.r.byName[pr.name], nil); !slices.ContainsFunc(alone.order, func(v int) bool { return bare.writes[v] != nil }) {
				s.Silent = append(s.Silent, pr.name)
			}
		}
		out = append(out, s)
	}
	return out
}

// propertiesBeside returns the selected invariants and constraints that the System and the grains
// of the fine composition but those of some units offer.
func (a *analysis) propertiesBeside(c grains.Choice, without []*unit) []*print {
	var kept []*grainFuncs
	for _, u := range a.fine.units {
		if !slices.Contains(without, u) {
			kept = append(kept, u.grain)
		}
	}
	b := *a
	b.invariants, b.constraints, b.goals = nil, nil, nil
	b.selectProperties(c, kept)
	return slices.Concat(b.invariants, b.constraints)
}

func updates(u *unit, v int) bool {
	return slices.ContainsFunc(u.actions, func(pr *print) bool { return pr.writes[v] != nil })
}

// joint returns the fine composition with all modules that are neither targets nor of the
// environment as one, and these modules.
func (a *analysis) joint() (*composition, []*unit) {
	c := &composition{rules: a.fine.rules}
	var others []*unit
	var names []string
	one := &unit{}
	for _, u := range a.fine.units {
		if u.target || u.env {
			c.units = append(c.units, u)
			continue
		}
		others = append(others, u)
		names = append(names, u.name)
		one.grain = u.grain
		one.actions = append(one.actions, u.actions...)
	}
	one.name = strings.Join(names, "+")
	if len(others) > 0 {
		c.units = append(c.units, one)
	}
	return c, others
}

// apart returns the sets of the fine composition in which every module is one of its own, though a
// coarse grain covers several.
func (a *analysis) apart() *sets {
	b := *a
	b.coarse = nil
	return b.interaction(a.fine)
}
