package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// What random walks are where neither a flag nor the manifest says so.
const (
	defaultDepth = 100
	defaultWalks = 10_000
	MaxWeight    = 1e12
)

// Walks says which walks are taken, in addition to the manifest.
type Walks struct {
	Depth   int    // 0 where it is not given
	Number  *int64 // nil where it is not given; 0: as many as fit into the timeout
	Learned bool
	// Strategy draws the steps; nil: weights do.
	Strategy *wire.AskedStrategy
	Weights  []Weight // a later one of the same action counts
}

type Weight struct {
	Action string
	Value  float64
	At     hcl.Range
}

// Simulation asks for random walks: flags before the manifest's simulate block before defaults.
func (r *Run) Simulation(w Walks, l Limits, slice bool) (wire.Request, hcl.Diagnostics) {
	s := r.Manifest.Simulate
	if s == nil {
		s = &configs.Simulate{}
	}
	req := r.Exploration(l, slice)
	req.Verb = "simulate"
	opt := &req.Options
	if l.Seed == nil {
		opt.Seed = uint64(s.Seed.Value)
	}
	if opt.Timeout == 0 {
		opt.Timeout = s.Timeout.Value
	}
	asked := &wire.Simulate{Depth: s.Depth.Or(defaultDepth), Number: int64(s.Number.Value), Learned: w.Learned, Strategy: w.Strategy}
	opt.Simulate = asked
	if w.Strategy != nil {
		asked.Depth = s.Depth.Or(cmp.Or(wire.StrategyNamed(w.Strategy.Name).Depth, defaultDepth))
	}
	if w.Depth > 0 {
		asked.Depth = w.Depth
	}
	var diags hcl.Diagnostics
	switch n := w.Number; {
	case n != nil && *n == 0 && opt.Timeout == 0:
		diags = append(diags, configs.Errorf(codes.FlagValue, "Walks without end", hcl.Range{},
			"-number 0 takes as many walks as fit into the timeout, and there is none. Add -timeout, such as -timeout 10m."))
	case n != nil:
		asked.Number = *n
	case asked.Number == 0 && opt.Timeout == 0:
		asked.Number = defaultWalks
	}
	weights, more := r.weights(s.Weights, w.Weights)
	asked.Weights = weights
	diags = append(diags, more...)
	if w.Strategy != nil && wire.StrategyNamed(w.Strategy.Name).Footprints {
		actions, seen, more := r.Composition.Footprints()
		opt.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
		diags = append(diags, more...)
	}
	return req, diags
}

// weights are those of the manifest and of flags, which count more. Those of actions that the
// composition does not have are reported, all in one pass: as errors, or as warnings where
// another grain of the catalog has the action.
func (r *Run) weights(written configs.Settings, given []Weight) (map[string]float64, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	var all []Weight
	for _, w := range written {
		x, _ := w.Value.AsBigFloat().Float64()
		if x > MaxWeight {
			diags = append(diags, w.Errorf(codes.Weight, "Weight too large", "The weight of action %s must be at most %g.", w.Name, float64(MaxWeight)))
		}
		all = append(all, Weight{w.Name, x, w.NameRange})
	}
	has := r.actions()
	out := map[string]float64{}
	for _, w := range append(all, given...) {
		if slices.Contains(has, w.Action) {
			out[w.Action] = w.Value
			continue
		}
		diags = append(diags, r.unknownAction(w, has))
	}
	if len(has) > 0 && !slices.ContainsFunc(has, func(a string) bool { w, ok := out[a]; return !ok || w > 0 }) {
		diags = append(diags, configs.Errorf(codes.Weight, "Every action has weight 0", hcl.Range{},
			"No walk can take a step. Give one of the actions a weight above 0."))
	}
	maps.DeleteFunc(out, func(_ string, w float64) bool { return w == 1 })
	return out, diags
}

// actions are the names of the actions that the composition has.
func (r *Run) actions() (names []string) {
	for _, g := range r.Composition.Chosen() {
		names = append(names, g.Actions...)
	}
	return names
}

func (r *Run) unknownAction(w Weight, has []string) *hcl.Diagnostic {
	const summary = "Unknown action"
	for k := range r.Composition.Catalog.Grains {
		if g := &r.Composition.Catalog.Grains[k]; slices.Contains(g.Actions, w.Action) {
			return configs.Warnf(codes.Weight, "Weight without effect", w.At,
				"This composition does not have action %s, which belongs to grain %q of module %q.", w.Action, g.Name, g.Covers[0])
		}
	}
	return configs.Errorf(codes.Weight, summary, w.At, "System %q has no action %q.%s", r.Composition.Catalog.System, w.Action, configs.Hint(w.Action, has))
}

// Plain strategies draw by weight, and are no wire.KnownStrategy.
const (
	weighted = "weighted"
	learned  = "learned"
)

// SetStrategy takes the value of -strategy: a name, or a name with parameters such as
// rounds:period=4,isolated=3.
func (w *Walks) SetStrategy(text string) error {
	name, rest, given := strings.Cut(text, ":")
	if name == weighted || name == learned {
		if given {
			return fmt.Errorf("strategy %s has no parameters", name)
		}
		w.Strategy, w.Learned = nil, name == learned
		return nil
	}
	known := wire.StrategyNamed(name)
	if known == nil {
		names := []string{weighted, learned}
		for _, s := range wire.Strategies {
			names = append(names, s.Name)
		}
		return fmt.Errorf("there is no strategy %q, only %s", name, strings.Join(names, ", "))
	}
	asked := &wire.AskedStrategy{Name: name, Parameters: map[string]float64{}}
	for part := range strings.SplitSeq(rest, ",") {
		if !given {
			break
		}
		parameter, value, err := parameterOf(known, part)
		if err != nil {
			return err
		}
		asked.Parameters[parameter] = value
	}
	w.Strategy, w.Learned = asked, false
	return nil
}

// parameterOf reads a parameter, such as period=4.
func parameterOf(known *wire.KnownStrategy, text string) (name string, value float64, err error) {
	name, number, ok := strings.Cut(text, "=")
	k := slices.IndexFunc(known.Parameters, func(p wire.KnownParameter) bool { return p.Name == name })
	switch {
	case !ok || k < 0:
		var names []string
		for _, p := range known.Parameters {
			names = append(names, p.Name)
		}
		return "", 0, fmt.Errorf("strategy %s takes %s=N, not %q", known.Name, strings.Join(names, "=N, "), text)
	}
	p := &known.Parameters[k]
	value, err = strconv.ParseFloat(number, 64)
	switch whole := value == float64(int64(value)); {
	case err != nil || !(value >= p.Least && value <= p.Most), p.Whole && !whole:
		return "", 0, fmt.Errorf("%s of strategy %s must be a number from %g to %g, not %q", name, known.Name, p.Least, p.Most, number)
	}
	return name, value, nil
}

// strategyRemedy says how a strategy that refuses a composition takes it.
func strategyRemedy(r *Run) string {
	asked := r.request.Options.Simulate
	if asked == nil || asked.Strategy == nil {
		return ""
	}
	known := wire.StrategyNamed(asked.Strategy.Name)
	if known == nil || !slices.ContainsFunc(known.Parameters, func(p wire.KnownParameter) bool { return p.Name == "heuristic" }) {
		return ""
	}
	return fmt.Sprintf(" Choose another grain, or accept walks that are a heuristic with -strategy %s:heuristic=1.", known.Name)
}

// SetClosure takes the value of -closure: variables of a server and fields of a message, such as
// Term=Term or Phase,Step=Phase,Kind.
func (l *Limits) SetClosure(text string) error {
	server, message, ok := strings.Cut(text, "=")
	c := &wire.Closure{Server: strings.Split(server, ","), Message: strings.Split(message, ",")}
	if !ok || len(c.Server) != len(c.Message) || slices.Contains(c.Server, "") || slices.Contains(c.Message, "") {
		return fmt.Errorf("as many variables of a server as fields of a message are expected, such as Term=Term, not %q", text)
	}
	l.Closure = c
	return nil
}
