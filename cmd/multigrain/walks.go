package main

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// What random walks are where neither a flag nor the manifest says so.
const (
	defaultDepth = 100
	defaultWalks = 10_000
	maxWeight    = 1e12
)

// walks says which walks are taken, beside what the manifest says.
type walks struct {
	depth   int    // 0 where it is not given
	number  *int64 // nil where it is not given; 0: as many as fit into the timeout
	learned bool
	weights []weight // a later one of the same action counts
}

type weight struct {
	action string
	value  float64
	at     hcl.Range
}

// simulation asks for random walks: flags before the manifest's simulate block before defaults.
func (o *outcome) simulation(w walks, l limits, slice bool) (wire.Request, hcl.Diagnostics) {
	s := o.manifest.Simulate
	if s == nil {
		s = &configs.Simulate{}
	}
	req := o.exploration(l, slice)
	req.Verb = "simulate"
	opt := &req.Options
	if l.seed == nil {
		opt.Seed = uint64(s.Seed.Value)
	}
	if opt.Timeout == 0 {
		opt.Timeout = s.Timeout.Value
	}
	asked := &wire.Simulate{Depth: s.Depth.Or(defaultDepth), Number: int64(s.Number.Value), Learned: w.learned}
	opt.Simulate = asked
	if w.depth > 0 {
		asked.Depth = w.depth
	}
	var diags hcl.Diagnostics
	switch n := w.number; {
	case n != nil && *n == 0 && opt.Timeout == 0:
		diags = append(diags, configs.Errorf(codes.FlagValue, "Walks without end", hcl.Range{},
			"-number 0 takes as many walks as fit into the timeout, and there is none. Add -timeout, such as -timeout 10m."))
	case n != nil:
		asked.Number = *n
	case asked.Number == 0 && opt.Timeout == 0:
		asked.Number = defaultWalks
	}
	weights, more := o.weights(s.Weights, w.weights)
	asked.Weights = weights
	return req, append(diags, more...)
}

// weights are those of the manifest and of flags, which count more. Those of actions that the composition does not have are
// reported, all in one pass: as errors, or as warnings where another grain of the catalog has the action.
func (o *outcome) weights(written configs.Settings, given []weight) (map[string]float64, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	var all []weight
	for _, w := range written {
		x, _ := w.Value.AsBigFloat().Float64()
		if x > maxWeight {
			diags = append(diags, w.Errorf(codes.Weight, "Weight too large", "The weight of action %s must be at most %g.", w.Name, float64(maxWeight)))
		}
		all = append(all, weight{w.Name, x, w.NameRange})
	}
	has := o.actions()
	out := map[string]float64{}
	for _, w := range append(all, given...) {
		if slices.Contains(has, w.action) {
			out[w.action] = w.value
			continue
		}
		diags = append(diags, o.unknownAction(w, has))
	}
	if len(has) > 0 && !slices.ContainsFunc(has, func(a string) bool { w, ok := out[a]; return !ok || w > 0 }) {
		diags = append(diags, configs.Errorf(codes.Weight, "Every action has weight 0", hcl.Range{},
			"No walk can take a step. Give one of the actions a weight above 0."))
	}
	maps.DeleteFunc(out, func(_ string, w float64) bool { return w == 1 })
	return out, diags
}

// actions are the names of the actions that the composition has.
func (o *outcome) actions() (names []string) {
	for _, g := range o.comp.Chosen() {
		names = append(names, g.Actions...)
	}
	return names
}

func (o *outcome) unknownAction(w weight, has []string) *hcl.Diagnostic {
	const summary = "Unknown action"
	for k := range o.comp.Catalog.Grains {
		if g := &o.comp.Catalog.Grains[k]; slices.Contains(g.Actions, w.action) {
			return configs.Warnf(codes.Weight, "Weight without effect", w.at,
				"This composition does not have action %s, which belongs to grain %q of module %q.", w.action, g.Name, g.Covers[0])
		}
	}
	return configs.Errorf(codes.Weight, summary, w.at, "System %q has no action %q.%s", o.comp.Catalog.System, w.action, configs.Hint(w.action, has))
}
