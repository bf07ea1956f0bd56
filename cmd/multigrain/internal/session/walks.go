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
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
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
	// Hash is wire.Simulate.Hash: one of hashes, "" for the first.
	Hash string
	// Strategy draws the steps; nil: weights do. Given says that a flag says so, which replaces the
	// strategy of the manifest.
	Strategy *wire.AskedStrategy
	Given    bool
	// Weighted says that weights alone draw, whatever the manifest says.
	Weighted bool
	Weights  []Weight // a later one of the same action counts
	// From are the traces with which walks begin.
	From []From
}

// From is a file with a trace, and how many of its steps walks begin with; -1: any number. Each
// asks for walks from each step apart.
type From struct {
	Path  string
	Steps int
	Each  bool
}

// Weight is the weight of an action, with its place in the manifest.
type Weight struct {
	Action string
	Value  float64
	At     hcl.Range
}

// Simulation returns the request for random walks. Flags precede the manifest's simulate block, and
// that precedes defaults. With slice, variables that nothing reads are left out of states. Errors
// among the diagnostics say what is wrong with the settings.
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
	w, diags := r.withStrategy(w, s.Strategy)
	asked := &wire.Simulate{Depth: s.Depth.Or(defaultDepth), Number: int64(s.Number.Value), Learned: w.Learned, Hash: w.Hash, Strategy: w.Strategy}
	opt.Simulate = asked
	if w.Strategy != nil {
		asked.Depth = s.Depth.Or(cmp.Or(wire.StrategyNamed(w.Strategy.Name).Depth, defaultDepth))
	}
	if w.Depth > 0 {
		asked.Depth = w.Depth
	}
	limited := opt.Timeout > 0 || opt.Processor > 0
	switch n := w.Number; {
	case n != nil && *n == 0 && !limited:
		diags = append(diags, configs.Errorf(codes.FlagValue, "Walks without end", hcl.Range{},
			"-number 0 takes as many walks as fit into the timeout, and there is none. Add -timeout, such as -timeout 10m."))
	case n != nil:
		asked.Number = *n
	case asked.Number == 0 && !limited:
		asked.Number = defaultWalks
	}
	for _, f := range w.From {
		_, t, err := ReadTrace(f.Path)
		if err != nil {
			diags = append(diags, configs.Errorf(codes.Trace, "Trace cannot be read", hcl.Range{Filename: f.Path}, "%v.", err))
			continue
		}
		asked.From = append(asked.From, wire.From{Trace: t, Steps: f.Steps})
	}
	if len(w.From) > 0 && w.Learned {
		diags = append(diags, configs.Errorf(codes.FlagValue, "Flags contradict each other", hcl.Range{}, "Weights are not learned where walks begin with a trace. Remove -from, or choose another strategy."))
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

// weights returns those of the manifest and of flags, which count more. Those of actions that the
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

// actions returns the names of the actions that the composition has.
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

// hashes are the values of wire.Simulate.Hash.
var hashes = []string{"actions", "instances", "roles", "states"}

// SetStrategy takes the value of -strategy: a name, or a name with parameters such as
// rounds:period=4,isolated=3.
func (w *Walks) SetStrategy(text string) error {
	name, rest, given := strings.Cut(text, ":")
	w.Given = true
	if name == weighted || name == learned {
		switch {
		case given && name == weighted:
			return fmt.Errorf("strategy %s has no parameters", name)
		case given && !slices.Contains(hashes, rest):
			return fmt.Errorf("strategy %s knows a state by %s, not by %q", name, strings.Join(hashes, ", "), rest)
		}
		w.Strategy, w.Learned, w.Hash = nil, name == learned, rest
		return nil
	}
	known := wire.StrategyNamed(name)
	if known == nil {
		return fmt.Errorf("there is no strategy %q, only %s%s", name, strings.Join(strategyNames(), ", "), meant(name, strategyNames()))
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
		if _, twice := asked.Parameters[parameter]; twice {
			return fmt.Errorf("%s of strategy %s is given twice", parameter, name)
		}
		asked.Parameters[parameter] = value
	}
	w.Strategy, w.Learned, w.Hash = asked, false, ""
	return nil
}

// meant asks for the one of some names that was meant, perhaps; "" where none is near.
func meant(given string, names []string) string {
	if name := configs.Suggest(given, names); name != "" {
		return fmt.Sprintf(" (did you mean %q?)", name)
	}
	return ""
}

// strategyNames returns the names of all strategies.
func strategyNames() []string {
	names := []string{weighted, learned}
	for _, s := range wire.Strategies {
		names = append(names, s.Name)
	}
	return names
}

// parameterOf reads a parameter, such as period=4.
func parameterOf(known *wire.KnownStrategy, text string) (name string, value float64, err error) {
	name, number, ok := strings.Cut(text, "=")
	k := slices.IndexFunc(known.Parameters, func(p wire.KnownParameter) bool { return p.Name == name })
	switch {
	case !ok || k < 0:
		var names []string
		letter := ""
		for _, p := range known.Parameters {
			names = append(names, p.Name)
			meaning, _, _ := strings.Cut(p.Meaning, ";")
			if ok && strings.HasSuffix(meaning, ", "+name) {
				letter = fmt.Sprintf(" (%s is %s)", name, p.Name)
			}
		}
		return "", 0, fmt.Errorf("strategy %s takes %s=N, not %q%s", known.Name, strings.Join(names, "=N, "), text, letter)
	}
	p := &known.Parameters[k]
	value, err = strconv.ParseFloat(number, 64)
	what := "number"
	if p.Whole {
		what = "whole number"
	}
	switch whole := value == float64(int64(value)); {
	case err != nil || !(value >= p.Least && value <= p.Most), p.Whole && !whole:
		return "", 0, fmt.Errorf("%s of strategy %s must be a %s from %g to %g, not %q", name, known.Name, what, p.Least, p.Most, number)
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

// AddFrom takes a value of -from: a file with a trace, and a number of steps after a colon.
func (w *Walks) AddFrom(text string) error {
	f := From{Path: text, Steps: -1}
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		if n, err := strconv.Atoi(text[at+1:]); err == nil {
			f = From{Path: text[:at], Steps: n}
		} else if text[at+1:] == "each" {
			f = From{Path: text[:at], Steps: -1, Each: true}
		}
	}
	if f.Path == "" || f.Steps < -1 || strings.HasSuffix(text, ":-1") {
		return fmt.Errorf("a file with a trace is expected, and perhaps a number of steps or each, such as trace.itf.json:12, not %q", text)
	}
	w.From = append(w.From, f)
	return nil
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

// roleNames are the parts of a round in which an action may be taken: those of rounds.Role.
var roleNames = []string{"internal", "delivery", "repair", "fault", "never"}

// withStrategy adds the strategy block of a manifest to what flags say. A flag replaces the name,
// and the parameters that it gives. Roles and waypoints are those of the block in any case.
func (r *Run) withStrategy(w Walks, b *configs.Strategy) (Walks, hcl.Diagnostics) {
	if b == nil || w.Weighted {
		return w, nil
	}
	written, diags := r.strategyOf(b)
	switch {
	case diags.HasErrors():
	case !w.Given:
		w.Strategy, w.Learned = written, b.Name == learned
	case w.Strategy != nil && written != nil:
		asked := *w.Strategy
		asked.Roles, asked.Waypoints = written.Roles, written.Waypoints
		if asked.Name == written.Name {
			parameters := map[string]float64{}
			for _, of := range []map[string]float64{written.Parameters, asked.Parameters} {
				for name, x := range of {
					parameters[name] = x
				}
			}
			asked.Parameters = parameters
		}
		w.Strategy = &asked
	}
	return w, diags
}

// strategyOf checks a strategy block; nil for strategies that weights draw.
func (r *Run) strategyOf(b *configs.Strategy) (*wire.AskedStrategy, hcl.Diagnostics) {
	plain := b.Name == weighted || b.Name == learned
	known := wire.StrategyNamed(b.Name)
	if known == nil && !plain {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Strategy, "Unknown strategy", b.NameRange, "There is no strategy %q, only %s.%s",
			b.Name, strings.Join(strategyNames(), ", "), configs.Hint(b.Name, strategyNames()))}
	}
	asked := &wire.AskedStrategy{Name: b.Name, Parameters: map[string]float64{}, Roles: map[string]string{}, Waypoints: b.EncodedWaypoints()}
	var diags hcl.Diagnostics
	for _, p := range b.Parameters {
		diags = append(diags, parameter(asked, known, p)...)
	}
	has := r.actions()
	for _, x := range b.Roles {
		role := x.Value.AsString()
		switch {
		case !slices.Contains(roleNames, role):
			diags = append(diags, x.Errorf(codes.Strategy, "Unknown role", "The role of action %s cannot be %q, only %s.%s",
				x.Name, role, strings.Join(roleNames, ", "), configs.Hint(role, roleNames)))
		case !slices.Contains(has, x.Name):
			d := r.unknownAction(Weight{Action: x.Name, At: x.NameRange}, has)
			if d.Severity == hcl.DiagWarning {
				d.Summary = "Role without effect"
			}
			diags = append(diags, d)
		default:
			asked.Roles[x.Name] = role
		}
	}
	if len(b.Waypoints) > 0 && b.Name != "guided" && b.Name != "auto" {
		diags = append(diags, configs.Warnf(codes.Strategy, "Waypoints without effect", b.Waypoints[0].Range,
			"Strategy %s does not use waypoints. Strategies guided and auto do.", b.Name))
	}
	if plain {
		return nil, diags
	}
	return asked, diags
}

// parameter adds a parameter of a strategy block to a strategy. Known is nil for a strategy without
// parameters.
func parameter(asked *wire.AskedStrategy, known *wire.KnownStrategy, p configs.Setting) hcl.Diagnostics {
	var names []string
	if known != nil {
		for _, k := range known.Parameters {
			names = append(names, k.Name)
		}
	}
	at := slices.Index(names, p.Name)
	switch {
	case known == nil:
		return hcl.Diagnostics{p.Errorf(codes.Strategy, "Unknown parameter", "Strategy %s has no parameters.", asked.Name)}
	case at < 0:
		return hcl.Diagnostics{p.Errorf(codes.Strategy, "Unknown parameter", "Strategy %s has no parameter %q, only %s.%s",
			asked.Name, p.Name, strings.Join(names, ", "), configs.Hint(p.Name, names))}
	}
	k := &known.Parameters[at]
	x, _ := p.Value.AsBigFloat().Float64()
	if !(x >= k.Least && x <= k.Most) || k.Whole && x != float64(int64(x)) {
		what := "a number"
		if k.Whole {
			what = "a whole number"
		}
		return hcl.Diagnostics{p.Errorf(codes.Strategy, "Wrong parameter", "%s of strategy %s must be %s from %g to %g.", k.Name, known.Name, what, k.Least, k.Most)}
	}
	asked.Parameters[p.Name] = x
	return nil
}

// ExploreSeeds is Explore for n seeds, from that of the request on. The run has the result of the
// first seed that violates a property; or else of the first that is undecided, or of the first.
func (r *Run) ExploreSeeds(req wire.Request, n int, how Exploring) (all []result.Seeded) {
	request := func(k int) wire.Request {
		one := req
		one.Options.Seed += uint64(k)
		return one
	}
	r.ExploreSeries(n, request, how, func(k int, rep *wire.Report) bool {
		all = append(all, seeded(req.Options.Seed+uint64(k), rep))
		return decides(all)
	})
	r.unfinished(len(all), n)
	return all
}

// decides reports whether the last of some seeds is the result of all of them.
func decides(all []result.Seeded) bool {
	last := len(all) - 1
	return !slices.ContainsFunc(all[:last], func(s result.Seeded) bool { return !Outweighs(all[last].Verdict, s.Verdict) })
}

// Outweighs reports whether a verdict is that of two runs, although the other run came before. A
// violation outweighs all else, and then a run that is undecided.
func Outweighs(verdict, before string) bool {
	weight := map[string]int{verdicts.Violated: 2, verdicts.Undecided: 1}
	return weight[verdict] > weight[before]
}

// unfinished makes a result undecided that violates nothing and lacks some of n seeds.
func (r *Run) unfinished(ended, n int) {
	if r.Report != nil && ended < n && r.Report.Verdict != verdicts.Violated {
		r.Report.Verdict, r.Report.Reason = verdicts.Undecided, fmt.Sprintf("interrupted after %d of %d seeds", ended, n)
	}
}

// seeded returns the result of a seed. A seed that took no step is undecided.
func seeded(seed uint64, rep *wire.Report) result.Seeded {
	s := result.Seeded{Seed: seed, Verdict: rep.Verdict, Reason: rep.Reason, Seconds: rep.Seconds, Processor: rep.Processor}
	if w := rep.Simulation; w != nil {
		s.Walks, s.Steps = w.Walks, w.Steps
	}
	if len(rep.Violations) > 0 {
		s.Found = propertyName(&rep.Violations[0])
	}
	if c := rep.Conformance; c != nil {
		if s.Walks, s.Steps = c.Traces, c.Steps; len(c.Found) > 0 {
			if s.Found = c.Found[0].Kind; len(c.Found[0].Values) > 0 {
				s.Found = c.Found[0].Values[0].Path
			}
		}
	}
	switch {
	case s.Verdict == verdicts.Holds && s.Steps == 0:
		s.Verdict, s.Reason = verdicts.Undecided, "no step was taken"
	case s.Verdict == verdicts.Holds && rep.Simulation != nil:
		s.Verdict = verdicts.NothingFound
	}
	return s
}
