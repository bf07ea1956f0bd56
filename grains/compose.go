package grains

import (
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// Choice lists the names that a manifest chose from a catalog. The composer has compared them with
// the catalog and reported every mistake at its place in the manifest. Compose checks only that the
// names exist.
type Choice struct {
	// one for each covered module or group of modules
	Grains []Ref `json:"grains"`
	// Replaced are grains that others stand for. Their constraints are offered, too: a fine
	// composition is explored within those of the coarse grains that it replaces.
	Replaced []Ref `json:"replaced,omitempty"`
	// names or IDs; "*" is all that are offered
	Invariants  []string `json:"invariants"`
	Except      []string `json:"except"`               // taken out again
	Constraints []string `json:"constraints"`          // by ID
	Properties  []string `json:"properties,omitempty"` // liveness properties by ID, or "*"
	// limits; missing ones have their default
	Budgets map[string]int `json:"budgets"`
}

// Compose returns the mixed-grained specification of a choice. The error names what the system does
// not have, or an action whose parameters have too many values.
func Compose[S any](sys *System[S], c Choice) (*modules.Spec[S], error) {
	var chosen []*Grain[S]
	for _, r := range c.Grains {
		g := sys.grain(r)
		if g == nil {
			return nil, fmt.Errorf("system %s has no grain %q of module %q", sys.Name, r.Grain, r.Module)
		}
		chosen = append(chosen, g)
	}
	offer, err := sys.offer(chosen, c)
	if err != nil {
		return nil, err
	}
	spec := &modules.Spec[S]{System: sys.Name, Init: sys.Init, Roles: sys.Roles, Invariants: offer.invariants, Masked: offer.masked, Constraints: offer.constraints, Goals: offer.goals}
	if spec.Liveness, err = sys.liveness(c); err != nil {
		return nil, err
	}
	var rules []modules.Rule[S]
	for _, g := range chosen {
		rules = append(rules, g.Rules...)
	}
	rules = append(rules, sys.Rules...)
	for _, g := range chosen {
		for _, b := range modules.Bind(g.Actions, rules, spec.Invariants, g.Stands...) {
			if len(b.Params) > modules.MostParams {
				return nil, fmt.Errorf("the domain of action %s has more than %d parameters, or no end: give Params a smaller domain", b.Name, modules.MostParams)
			}
			spec.Actions = append(spec.Actions, modules.SpecAction[S]{
				Bound: b, Module: g.Covers[0], Environment: sys.environment(g.Covers[0]),
			})
		}
	}
	return spec, sys.spend(spec, chosen, c)
}

func (sys *System[S]) grain(r Ref) *Grain[S] {
	for k := range sys.Grains {
		if g := &sys.Grains[k]; g.Name == r.Grain && g.Covers[0] == r.Module {
			return g
		}
	}
	return nil
}

func (sys *System[S]) environment(module string) bool {
	for _, m := range sys.Modules {
		if m.Name == module {
			return m.Environment
		}
	}
	return false
}

// spend attaches the budgets of the chosen grains to the actions.
func (sys *System[S]) spend(spec *modules.Spec[S], chosen []*Grain[S], c Choice) error {
	for _, g := range chosen {
		for _, b := range g.Budgets {
			limit, ok := c.Budgets[b.Bound]
			if !ok {
				k := slices.IndexFunc(sys.Bounds, func(x Bound) bool { return x.Name == b.Bound })
				if k < 0 {
					return fmt.Errorf("budget %q of grain %q has no bound in the catalog of %s", b.Bound, g.Name, sys.Name)
				}
				limit = sys.Bounds[k].Default
			}
			at := slices.IndexFunc(spec.Budgets, func(x modules.Limit) bool { return x.Bound == b.Bound })
			if at < 0 {
				at = len(spec.Budgets)
				spec.Budgets = append(spec.Budgets, modules.Limit{Bound: b.Bound, Max: limit})
			}
			for _, a := range b.Actions {
				for k := range spec.Actions {
					if x := &spec.Actions[k]; x.Name == modules.NameOf(a) && !slices.Contains(x.Budgets, at) {
						x.Budgets = append(x.Budgets, at)
					}
				}
			}
		}
	}
	return nil
}
