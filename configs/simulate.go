package configs

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Simulate says how random walks are taken.
type Simulate struct {
	// Depth is the length of a walk in transitions, Number how many walks are
	// taken; both at least 1.
	Depth, Number Attr[int]
	// Timeout bounds the time of all walks; positive.
	Timeout Attr[time.Duration]
	// Seed makes the walks repeatable; not negative.
	Seed Attr[int]
	// Weights are the relative frequencies of actions, by the action's name;
	// numbers that are not negative.
	Weights Settings
	// Strategy says what draws the steps; nil: weights do.
	Strategy  *Strategy
	DeclRange hcl.Range
}

// Strategy is a strategy of walks. Which strategies and parameters exist is not known here.
type Strategy struct {
	Name      string
	NameRange hcl.Range
	// Parameters are numbers.
	Parameters Settings
	// Roles are the parts of a round in which actions are taken, by the action's name: texts.
	Roles Settings
	// Waypoints are conditions on states, which a walk should meet one after the other.
	Waypoints []*Formula
	DeclRange hcl.Range
}

var simulateSchema = &schema{
	attrs: []string{"depth", "number", "timeout", "seed"},
	blocks: map[string]*schema{
		"weights": {free: true},
		// A strategy block of an extending manifest replaces that of the extended one, whatever
		// their names.
		"strategy": {labels: []string{"the name of a strategy"}, free: true, repeats: many,
			blocks: map[string]*schema{"roles": {free: true}}},
	},
}

// Or returns a copy of s in which everything that s does not set is taken from another block. Both
// may be nil. If one is, Or returns the other one.
func (s *Simulate) Or(other *Simulate) *Simulate {
	if s == nil || other == nil {
		return cmp.Or(s, other)
	}
	out := *s
	for _, x := range []struct{ to, from *Attr[int] }{{&out.Depth, &other.Depth}, {&out.Number, &other.Number}, {&out.Seed, &other.Seed}} {
		if !x.to.IsSet() {
			*x.to = *x.from
		}
	}
	if !out.Timeout.IsSet() {
		out.Timeout = other.Timeout
	}
	if len(out.Weights) == 0 {
		out.Weights = other.Weights
	}
	if out.Strategy == nil {
		out.Strategy = other.Strategy
	}
	return &out
}

// simulate decodes a simulate block, or one like it; nil if there is none.
func (d *decoder) simulate(b *block, sources map[string]*hcl.File) *Simulate {
	if b == nil {
		return nil
	}
	s := &Simulate{
		Depth:     d.whole(b, "depth", 1),
		Number:    d.whole(b, "number", 1),
		Timeout:   d.duration(b, "timeout"),
		Seed:      d.whole(b, "seed", 0),
		DeclRange: b.header,
	}
	for _, w := range d.settingsOf(b.first("weights"), cty.Number) {
		if w.Value.AsBigFloat().Sign() < 0 {
			d.report(w.Errorf(CodeBadNumber, "Number too small",
				"The weight of action %q is negative. Use 0 for an action that is never taken.", w.Name))
			continue
		}
		s.Weights = append(s.Weights, w)
	}
	for k, x := range b.of("strategy") {
		if k > 0 {
			d.report(Errorf(CodeDuplicate, "Second strategy", x.header,
				"%s has a strategy already: %q. Keep one of them.", sentence(b.String()), s.Strategy.Name))
			break
		}
		s.Strategy = d.strategy(x, sources)
	}
	return s
}

// strategy decodes a strategy block.
func (d *decoder) strategy(b *block, sources map[string]*hcl.File) *Strategy {
	const waypoints = "waypoints"
	s := &Strategy{Name: b.labels[0], NameRange: b.labelRanges[0], Roles: d.settingsOf(b.first("roles"), cty.String), DeclRange: b.header}
	for _, name := range b.names {
		if name == waypoints {
			continue
		}
		if v, got := d.value(b, name, cty.Number); got == present {
			s.Parameters = append(s.Parameters, Setting{name, v})
		}
	}
	f := &formulas{decoder: d, sources: sources, trace: &Trace{}}
	if attr := b.attrs[waypoints]; attr != nil {
		tuple, ok := attr.Expr.(*hclsyntax.TupleConsExpr)
		if !ok {
			d.report(Errorf(CodeWrongType, "Not a list of conditions", attr.Expr.Range(),
				"%q of %s is a list: write [condition, ...].", waypoints, b))
			return s
		}
		for _, e := range tuple.Exprs { // a conjunction is one waypoint
			if x := f.formula(e); x != nil {
				s.Waypoints = append(s.Waypoints, x)
			}
		}
	}
	return s
}

// EncodedWaypoints returns the waypoints as an assembled program reads them: see type Formula of
// package checker/internal/trace.
func (s *Strategy) EncodedWaypoints() (out []json.RawMessage) {
	for _, f := range s.Waypoints {
		b, err := json.Marshal(encodedOrNil(f))
		if err != nil {
			panic(err) // texts, numbers and truth values only
		}
		out = append(out, b)
	}
	return out
}
