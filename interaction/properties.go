package interaction

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/footprint"
	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// outside returns the fields of the State that actions of the mixed composition write and that
// neither a guard nor a selected property can depend on. They lie outside the cone of influence.
// Raised assertions end a step, so they are inside.
//
// What an effect reads to choose a branch or an element counts as what it writes there is computed
// from, so the cone is an over-approximation, as footprints are.
func (a *analysis) outside() (out []string) {
	cone := newVarSet()
	inside := func(prs ...*print) {
		for _, pr := range prs {
			for v, reads := range pr.reads {
				if reads {
					cone.add(v, reason{from: -1})
				}
			}
		}
	}
	var actions []*print
	for _, u := range a.mixed.units {
		actions = append(actions, u.actions...)
	}
	inside(actions...)
	inside(a.invariants...)
	inside(a.constraints...)
	inside(a.goals...)
	for v, of := range a.prints.analyzer.Variables {
		if of.Value == "Raised" {
			cone.add(v, reason{from: -1})
		}
	}
	for k := 0; k < len(cone.order); k++ {
		for _, pr := range actions {
			if w := pr.writes[cone.order[k]]; w != nil {
				for x, is := range w.sources {
					if is {
						cone.add(x, reason{from: cone.order[k]})
					}
				}
			}
		}
	}
	written, kept := []string{}, map[string]bool{}
	for v, of := range a.prints.analyzer.Variables {
		f := fieldOf(of.Name)
		kept[f] = kept[f] || cone.has(v)
		if slices.ContainsFunc(actions, func(pr *print) bool { return pr.writes[v] != nil }) && !slices.Contains(written, f) {
			written = append(written, f)
		}
	}
	for _, f := range written {
		if !kept[f] {
			out = append(out, f)
		}
	}
	return out
}

// standing returns the declarations of a composition's grains for an action.
func (c *composition) standing(action string) (out []*standFuncs) {
	for _, u := range c.units {
		for _, d := range u.grain.stands {
			if d.decl.For == action {
				out = append(out, d)
			}
		}
	}
	return out
}

// judges reports whether a composition takes steps on which a property is judged.
func (c *composition) judges(v *propertyFuncs) bool {
	return v.on == nil || c.has(v.on.decl.Name) || len(c.standing(v.on.decl.Name)) > 0
}

// judged returns the footprint of a property in a composition. Where an action stands for the one
// that the property is about, what computes the state before belongs to it. Such a place counts as
// the whole variable, since parameters of the coarse action are others. A variable of the state
// before that each stand-in sets is none that the property reads from the composition.
func (f *footprints) judged(v *propertyFuncs, c *composition) *print {
	own := f.property(v)
	if v.on == nil {
		return own
	}
	var before []*initial.Func
	key, standing := "j:"+own.name, c.standing(v.on.decl.Name)
	for _, d := range standing {
		if d.before != nil {
			before = append(before, d.before)
			key += "," + d.decl.Action
		}
	}
	if len(before) == 0 {
		return own
	}
	return f.get(key, own.name, "property "+own.name, v.decl.Place, func() *footprint.Result {
		r := *own.raw
		r.Guard, r.Touched, r.Issues = slices.Clone(r.Guard), slices.Clone(r.Touched), slices.Clone(r.Issues)
		setBy := map[int]int{}
		var more []footprint.Read
		for _, b := range before {
			x := f.analyzer.Action(footprint.Code{Effects: []*initial.Func{b}})
			for _, w := range x.Writes {
				if replaces(w) {
					setBy[w.Variable]++
				}
				for _, reads := range [][]footprint.Read{w.Data, w.Control, w.Indices} {
					for _, read := range reads {
						more = append(more, footprint.Read{Variable: read.Variable, Place: read.Place})
					}
				}
			}
			for k, is := range x.Touched {
				r.Touched[k] = r.Touched[k] || is
			}
			r.Issues = append(r.Issues, x.Issues...)
		}
		if !c.has(v.on.decl.Name) && len(before) == len(standing) {
			r.Guard = slices.DeleteFunc(r.Guard, func(read footprint.Read) bool { return !read.Next && setBy[read.Variable] == len(before) })
		}
		r.Guard = append(r.Guard, more...)
		return &r
	})
}

// replaces reports whether a write always replaces the whole variable.
func replaces(w footprint.Write) bool {
	return !w.Keeps && !slices.ContainsFunc(w.Elements, func(e footprint.Element) bool { return len(e.Index) > 0 || e.Key != "" })
}

// lostSteps reports the selected properties that are about steps which a coarse grain replaces, and
// for which none of its steps stands. They are judged nowhere in the composition.
func (c *checker) lostSteps(selected []*propertyFuncs) {
	replaced := replacedBy(c.r.cat, c.unit.grain.decl)
	for _, v := range selected {
		if v.on == nil || c.mixed.judges(v) || !slices.Contains(replaced, v.on.decl.Name) || !c.possible(v.on) {
			continue
		}
		at, action := c.where()
		name, step := propertyName(v.decl), v.on.decl.Name
		f := finding(LostStep, at, "grain %s replaces %s, and none of its steps stands for it, so property %s of the steps of %s is judged nowhere",
			c.grainName(), step, name, step).
			remedy("declare in Stands of the grain which action stands for it, as modules.StandsFor(&%s, &%s, ...), leave the property out, or choose %s",
				c.example(), v.on.decl.Var, c.names(c.finer)).
			related(v.decl.Place, "property %s is declared here", name).
			related(v.on.decl.Place, "%s is declared here", step)
		f.Action, f.Grain = action, c.grainName()
		c.out = append(c.out, f)
	}
}

// possible reports whether an action that is replaced can be enabled with the manifest's constants.
func (c *checker) possible(a *actionFuncs) bool {
	return a.effect != nil && !c.prints.action(a, c.fine.rules).never()
}

// example returns the variable of the coarse grain's only action, or a word for it.
func (c *checker) example() string {
	if own := c.unit.grain.decl.Actions; len(own) == 1 {
		return c.r.byName[own[0]].decl.Var
	}
	return "Coarse"
}

// selectedInvariants returns the selected invariants that the System and the chosen grains offer.
func (a *analysis) selectedInvariants(c grains.Choice) (out []*propertyFuncs) {
	offered := slices.Clone(a.r.invariants)
	for _, u := range a.mixed.units {
		offered = append(offered, u.grain.invariants...)
	}
	for _, v := range offered {
		is := func(s string) bool { return grains.Selects(s, v.decl.ID, v.decl.Instance) }
		if slices.ContainsFunc(c.Invariants, is) && !slices.ContainsFunc(c.Except, is) {
			out = append(out, v)
		}
	}
	return out
}

// PropertyReport says where a selected invariant is judged.
type PropertyReport struct {
	Name string `json:"name"`
	Kind string `json:"kind"`         // modules.KindState, KindStep or KindAssert
	On   string `json:"on,omitempty"` // the action, for a property of its steps
	// Function is the declared function of the property; "" for a literal.
	Function string `json:"function,omitempty"`
	// By are actions of the composition. For a property of the steps of one action they are that
	// one or those that stand for it. For an assertion they are those that can raise it.
	By []string `json:"by,omitempty"`
	// Fine says that the fine composition has such actions.
	Fine bool `json:"fine,omitempty"`
}

// reportProperties reports the selected invariants, as the System and the chosen grains offer them.
func (a *analysis) reportProperties() (out []PropertyReport) {
	for _, v := range a.selected {
		p := PropertyReport{Name: propertyName(v.decl), Kind: v.decl.Kind, On: v.decl.On}
		if v.decl.Check != nil {
			p.Function = v.decl.Check.Name
		}
		switch {
		case v.on != nil:
			p.By, p.Fine = a.mixed.judging(v), a.fine.has(v.on.decl.Name)
		case v.check == nil:
			pr := a.prints.property(v)
			p.By = a.mixed.raising(pr)
			p.Fine = len(a.fine.raising(pr)) > 0
		}
		out = append(out, p)
	}
	return out
}

// judging returns the actions on whose steps a property is judged.
func (c *composition) judging(v *propertyFuncs) (out []string) {
	if c.has(v.on.decl.Name) {
		out = append(out, v.on.decl.Name)
	}
	for _, d := range c.standing(v.on.decl.Name) {
		out = append(out, d.decl.Action)
	}
	return out
}

// raising returns the actions that can raise an assertion, whose footprint is given.
func (c *composition) raising(assertion *print) (out []string) {
	for _, u := range c.units {
		for _, pr := range u.actions {
			if slices.ContainsFunc(assertion.raw.Guard, func(r footprint.Read) bool { return pr.writes[r.Variable] != nil }) {
				out = append(out, pr.name)
			}
		}
	}
	return out
}
