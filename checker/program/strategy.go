package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/rounds"
	"github.com/multigrain/multigrain/checker/internal/simulate"
	condition "github.com/multigrain/multigrain/checker/internal/trace"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// strategy replaces the weights in walks.
type strategy[T any] struct {
	simulate.Strategy[T]
	// about describes the strategy for the report. It is called after the walks.
	about func() *wire.Strategy
	// sections divides a shrunk counterexample by what the strategy noted of its walk. Nil: it has
	// no parts.
	sections func(origin *simulate.Origin) []wire.Section
}

// strategyOf makes the strategy that is asked for; nil where weights draw the steps. The error is
// a *wire.Error where the strategy does not fit the composition.
//
// Walks that begin with traces have a strategy, too, which does these first.
func strategyOf[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], names modules.Names, o wire.Options) (*strategy[checker.Node[S, U]], error) {
	if o.Simulate == nil || len(o.Simulate.From) == 0 {
		return drawing(composed, spec, names, o)
	}
	prefixes, wrong := prefixesOf(spec, o.Simulate.From)
	if wrong != nil {
		return nil, wrong
	}
	if o.Simulate.Strategy == nil {
		with := *o.Simulate
		with.Strategy = &wire.AskedStrategy{Name: "guided", Parameters: map[string]float64{"fresh": 1}}
		o.Simulate = &with
		x, err := drawing(composed, spec, names, o)
		if err != nil {
			return nil, err
		}
		return &strategy[checker.Node[S, U]]{Strategy: simulate.NewPrefixed(x.Strategy, prefixes), about: func() *wire.Strategy {
			return &wire.Strategy{Name: "weighted", Notes: []string{fromNote(prefixes)}}
		}}, nil
	}
	x, err := drawing(composed, spec, names, o)
	if err != nil {
		return nil, err
	}
	out := &strategy[checker.Node[S, U]]{Strategy: simulate.NewPrefixed(x.Strategy, prefixes), about: func() *wire.Strategy {
		about := *x.about()
		about.Notes = append(about.Notes, fromNote(prefixes))
		return &about
	}}
	if x.sections == nil {
		return out, nil
	}
	out.sections = func(o *simulate.Origin) []wire.Section {
		n, ok := o.Notes.(simulate.PrefixedNotes)
		if !ok {
			return nil
		}
		of, skipped := *o, 0
		of.Notes, of.From = n.Notes, nil
		for _, k := range o.From {
			if k < n.Prefix {
				skipped++
			} else {
				of.From = append(of.From, k-n.Prefix)
			}
		}
		all := x.sections(&of)
		for k := range all {
			all[k].Step += skipped
		}
		return all
	}
	return out, nil
}

// fromNote says how walks begin.
func fromNote(prefixes [][]int32) string {
	if len(prefixes) == 1 {
		return fmt.Sprintf("walks begin with %d steps of a trace", len(prefixes[0]))
	}
	return fmt.Sprintf("walks begin with one of %d beginnings of traces, drawn uniformly", len(prefixes))
}

// longest returns the number of steps of the longest beginning that walks may have.
func longest(from []wire.From) (n int) {
	for _, x := range from {
		if x.Steps >= 0 {
			n = max(n, x.Steps)
		} else {
			n = max(n, len(x.Trace.Steps)-1)
		}
	}
	return n
}

// prefixesOf finds the instances of the beginnings of traces.
func prefixesOf[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], from []wire.From) (out [][]int32, wrong *wire.Error) {
	starts := 0
	spec.Init(func(*checker.Node[S, U]) bool { starts++; return starts < 2 })
	if starts != 1 {
		return nil, &wire.Error{Kind: wire.ErrorStrategy, Message: "walks begin with a trace only if the specification has one initial state"}
	}
	for _, x := range from {
		if x.Steps > len(x.Trace.Steps) {
			return nil, &wire.Error{Kind: wire.ErrorTrace, Message: fmt.Sprintf("the trace has %d steps, and not %d", len(x.Trace.Steps), x.Steps)}
		}
		t := *x.Trace
		if x.Steps >= 0 {
			t.Steps = t.Steps[:x.Steps]
		}
		steps, err := instances(spec, &t, true)
		if err != nil {
			return nil, &wire.Error{Kind: wire.ErrorTrace, Message: err.Error()}
		}
		var all []int32
		for _, k := range steps {
			all = append(all, int32(k))
		}
		if x.Steps >= 0 {
			out = append(out, all)
			continue
		}
		for n := range max(len(all), 1) {
			out = append(out, all[:n])
		}
	}
	return out, nil
}

// drawing makes the strategy that is asked for, apart from how walks begin.
func drawing[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], names modules.Names, o wire.Options) (*strategy[checker.Node[S, U]], error) {
	if o.Simulate == nil || o.Simulate.Strategy == nil {
		return nil, nil
	}
	asked := o.Simulate.Strategy
	known := wire.StrategyNamed(asked.Name)
	if known == nil {
		return nil, fmt.Errorf("there is no strategy %q", asked.Name)
	}
	values := map[string]float64{}
	for _, v := range known.Values(asked.Parameters) {
		values[v.Name] = v.Value
	}
	switch known.Name {
	case "guided":
		return guided(spec, o, known.Values(asked.Parameters), values, names)
	case "auto":
		return mixed(composed, spec, names, o, known.Values(asked.Parameters), values)
	case "rounds":
		return inRounds(composed, spec, o, known.Values(asked.Parameters), values)
	case "pct", "delays":
		return byAgents(composed, spec, o, known, values)
	case "loss":
		return withLoss(composed, spec, o, known, values)
	}
	return nil, fmt.Errorf("strategy %q is not built in", asked.Name)
}

// mixed makes the strategy "auto".
func mixed[S any, U checker.Counters](composed *modules.Spec[S], spec *checker.Spec[checker.Node[S, U]], names modules.Names, o wire.Options, all []wire.Parameter, values map[string]float64) (*strategy[checker.Node[S, U]], error) {
	type node = checker.Node[S, U]
	var parts []simulate.Part[node]
	var made []*strategy[node]
	about := &wire.Strategy{Name: "auto", Parameters: all}
	for _, p := range all {
		if p.Value == 0 {
			continue
		}
		depth := min(o.Simulate.Depth, mixedDepth)
		with := *o.Simulate
		with.Depth = depth
		with.Strategy = &wire.AskedStrategy{Name: p.Name, Roles: o.Simulate.Strategy.Roles}
		if p.Name == "guided" {
			with.Strategy.Waypoints = o.Simulate.Strategy.Waypoints
		}
		switch p.Name {
		case "weighted": // no walk of this corpus is kept
			with.Strategy.Name, with.Strategy.Parameters = "guided", map[string]float64{"fresh": 1}
		case "rounds":
			with.Strategy.Parameters, depth = map[string]float64{"heuristic": 1}, o.Simulate.Depth
		}
		of := o
		of.Simulate = &with
		x, err := drawing(composed, spec, names, of)
		if refused, ok := errors.AsType[*wire.Error](err); ok {
			about.Notes = append(about.Notes, p.Name+" is left out: "+refused.Message)
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, reason := range x.about().Heuristic {
			about.Heuristic = append(about.Heuristic, p.Name+": "+reason)
		}
		made = append(made, x)
		parts = append(parts, simulate.Part[node]{Name: p.Name, Strategy: x.Strategy, Share: int(p.Value), Depth: depth})
	}
	if len(parts) == 0 {
		return nil, &wire.Error{Kind: wire.ErrorStrategy, Message: "no strategy has a share: give one of them a share above 0"}
	}
	return &strategy[node]{Strategy: simulate.NewMixed(parts), about: func() *wire.Strategy { return about }, sections: func(origin *simulate.Origin) []wire.Section {
		n, ok := origin.Notes.(simulate.MixedNotes)
		if !ok || made[n.Part].sections == nil {
			return nil
		}
		of := *origin
		of.Notes = n.Notes
		return made[n.Part].sections(&of)
	}}, nil
}

// mixedDepth bounds the steps of the walks of "auto", except those in rounds.
const mixedDepth = 100

// guided makes the strategy "guided".
func guided[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], o wire.Options, all []wire.Parameter, values map[string]float64, names modules.Names) (*strategy[checker.Node[S, U]], error) {
	by, err := simulate.NewGuided(spec, o.Simulate.Weights, values["fresh"])
	if err != nil {
		return nil, err
	}
	by.UseBranches = values["branches"] == 1
	for _, a := range spec.Actions {
		by.Aims = append(by.Aims, slices.Contains(o.Simulate.Strategy.Aims, a.Name))
	}
	waypoints, err := waypointsOf[S](o.Simulate.Strategy.Waypoints)
	if err != nil {
		return nil, &wire.Error{Kind: wire.ErrorStrategy, Message: err.Error()}
	}
	by.Of = len(waypoints)
	by.Waypoint = func(n *checker.Node[S, U], number int) bool { return meets(waypoints, &n.State, number, names) }
	return &strategy[checker.Node[S, U]]{Strategy: by, about: func() *wire.Strategy {
		about := &wire.Strategy{Name: "guided", Parameters: all, Notes: []string{fmt.Sprintf("%d walks are kept for new coverage: %d sets of enabled instances, steps between sets of enabled actions, branches, and goals", by.Kept(), by.Features())}}
		for k, f := range waypoints {
			what := "was not met"
			if k < by.Met() {
				what = "was met"
			}
			about.Notes = append(about.Notes, fmt.Sprintf("waypoint %d %s: %s", k+1, what, f.Text))
		}
		return about
	}}, nil
}

// meets reports whether a state meets the waypoint with a number, from 0.
func meets[S any](waypoints []*condition.Formula, s *S, number int, names modules.Names) bool {
	ok, err := waypoints[number].Holds(condition.About{Before: s, Names: names})
	if err != nil {
		panic(fmt.Sprintf("waypoint %d, %s: %v", number+1, waypoints[number].Text, err))
	}
	return ok
}

// waypointsOf decodes waypoints and checks them against the State.
func waypointsOf[S any](encoded []json.RawMessage) (out []*condition.Formula, err error) {
	for k, text := range encoded {
		f := new(condition.Formula)
		if err := json.Unmarshal(text, f); err != nil {
			return nil, err
		}
		if bad := f.Check(reflect.TypeFor[S](), nil); len(bad) > 0 {
			return nil, fmt.Errorf("waypoint %d, %s, is wrong: %s", k+1, f.Text, bad[0].Message)
		}
		out = append(out, f)
	}
	return out, nil
}

// closed adds the step property CommunicationClosure to a specification, where that is asked for.
// What footprints prove that a search may omit does not count with it, so nothing is omitted.
func closed[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], o wire.Options) *wire.Error {
	if o.Closure == nil {
		return nil
	}
	refuse := func(text string) *wire.Error { return &wire.Error{Kind: wire.ErrorClosure, Message: text} }
	switch {
	case o.Symmetry != nil || o.POR != nil || len(o.Sliced) > 0:
		return refuse("communication closure is not checked together with symmetry, partial-order reduction or slicing")
	case len(spec.Invariants) == 64:
		return refuse("communication closure is one property more than the 64 that are checked")
	}
	c, err := rounds.NewClosure(reflect.TypeFor[S](), o.Closure.Server, o.Closure.Message)
	if err != nil {
		return refuse(err.Error())
	}
	spec.Pruning = nil
	bit := uint64(1) << len(spec.Invariants)
	spec.Invariants = append(spec.Invariants[:len(spec.Invariants):len(spec.Invariants)],
		checker.Property{ID: "CommunicationClosure", Doc: "No message of an older round is used.", Kind: modules.KindStep})
	others := spec.Steps
	spec.Steps = func(s, n *checker.Node[S, U], instance int) (broken uint64) {
		if others != nil {
			broken = others(s, n, instance)
		}
		a := spec.Instances[instance].Action
		if !spec.Actions[a].Environment && !c.Holds(unsafe.Pointer(&s.State), unsafe.Pointer(&n.State)) {
			broken |= bit
		}
		return broken
	}
	return nil
}
