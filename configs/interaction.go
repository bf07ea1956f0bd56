package configs

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Interaction says how far interaction preservation is examined.
type Interaction struct {
	// Level is "L0", "L1", "L2" or "L3". L3 needs the results of L2 as well.
	Level Attr[string]
	// MaxStates bounds the states explored by levels L1 and L2; at least 1.
	MaxStates Attr[int]
	// Timeout bounds their time; positive.
	Timeout Attr[time.Duration]
	// Accept are gaps that are accepted for the whole composition.
	Accept []*Acceptance
	// Unchanged names modules whose coarse grains stand in both compositions that levels L1 and L2
	// compare: they are compared with what they coarsen elsewhere.
	Unchanged Attr[[]Text]
	// Against names the grains that stand in the finer one of these compositions, by module,
	// instead of the finest ones.
	Against Settings
	// EqualBounds demands that the bounds of the manifest are those of the comparison. With others
	// the level is not decided.
	EqualBounds Attr[bool]
	// Bounds replace those of the manifest while levels L1 and L2 are examined.
	Bounds    Settings
	DeclRange hcl.Range
}

var interactionSchema = &schema{
	attrs:  []string{"level", "max_states", "timeout", "accept", "unchanged", "equal_bounds"},
	blocks: map[string]*schema{"bounds": {free: true}, "against": {free: true}, "accept": acceptSchema},
}

// interaction decodes the interaction block; nil if there is none.
func (d *decoder) interaction(b *block) *Interaction {
	if b == nil {
		return nil
	}
	return &Interaction{
		Level:       d.choice(b, "level", "L0", "L1", "L2", "L3"),
		MaxStates:   d.whole(b, "max_states", 1),
		Timeout:     d.duration(b, "timeout"),
		Accept:      d.accepts(b),
		Unchanged:   d.texts(b, "unchanged"),
		EqualBounds: d.flag(b, "equal_bounds"),
		Against:     d.settingsOf(b.first("against"), cty.String),
		Bounds:      d.bounds(b.first("bounds")),
		DeclRange:   b.header,
	}
}

// Acceptance accepts one gap of interaction preservation: behaviours of the finer grains that a
// coarse grain misses. The verb interaction prints its extent for the bounds of the manifest. A gap
// of another extent is not accepted.
type Acceptance struct {
	// Action is the step that the coarse grain leaves out, or the step or invariant that
	// observes the gap. Variable is the first variable that differs. At least one of them is
	// set.
	Action, Variable Attr[string]
	Reason           Attr[string]
	// Missed of Views are missed. Digest identifies them.
	Missed, Views Attr[int]
	Digest        Attr[string]
	// Sequences identifies the sequences of observations that are missed. Level L2 accepts nothing
	// without it, unless there are too many sequences to know them.
	Sequences Attr[string]
	DeclRange hcl.Range
}

var acceptSchema = &schema{
	attrs:   []string{"action", "variable", "reason", "missed", "views", "digest", "sequences"},
	repeats: many,
}

// Pinned reports whether the extent is written.
func (a *Acceptance) Pinned() bool {
	return a.Missed.IsSet() && a.Views.IsSet() && a.Digest.IsSet()
}

// String returns what is accepted and why, in a line.
func (a *Acceptance) String() string {
	var names []string
	for _, n := range []Attr[string]{a.Action, a.Variable} {
		if n.IsSet() {
			names = append(names, n.Value)
		}
	}
	return strings.Join(names, ", ") + ": " + a.Reason.Value
}

// accepts decodes the accept blocks of a block. The attribute of the same name, with an empty
// list, takes those of an extended manifest away.
func (d *decoder) accepts(b *block) (out []*Acceptance) {
	if a := d.texts(b, "accept"); len(a.Value) > 0 {
		for _, t := range a.Value {
			d.report(WithContext(Errorf(CodeBadValue, "Gap without extent", t.Range,
				"A text accepts a gap of any extent. Write a block instead, and add missed, views and digest as "+
					"\"multigrain interaction -level L2\" prints them:\n\n%s",
				rewritten(t.Value)), a.Range))
		}
	}
	for _, n := range b.of("accept") {
		x := &Acceptance{
			Action: d.text(n, "action"), Variable: d.text(n, "variable"), Digest: d.text(n, "digest"), Sequences: d.text(n, "sequences"),
			Missed: d.whole(n, "missed", 0), Views: d.whole(n, "views", 0), DeclRange: n.header,
		}
		if d.require(n, "reason", "why the gap does no harm") {
			x.Reason = d.text(n, "reason")
		}
		if n.attrs["action"] == nil && n.attrs["variable"] == nil {
			d.require(n, "action", "the step that the coarse grain leaves out, or else variable")
		}
		out = append(out, x)
	}
	return out
}

// rewritten returns a text that accepted a gap as a block. The names stand before the first colon.
func rewritten(text string) string {
	names, reason, found := strings.Cut(text, ": ")
	if !found {
		names, reason = "NAME", text
	}
	name, _, _ := strings.Cut(names, ",")
	return fmt.Sprintf("accept {\n  action = %q # or variable\n  reason = %q\n}", name, reason)
}

// Refines says how the states of the composition are mapped to those of an abstract one: see
// package checker/internal/abstraction.
type Refines struct {
	// System is the name of the abstract system.
	System      string
	SystemRange hcl.Range
	// Function is the mapping function, as IMPORTPATH.NAME or FOLDER.NAME. Map has formulas in its
	// place. Exactly one of them is set.
	Function Attr[string]
	Map      []FieldFormula
	MapRange hcl.Range
	// Variables are the abstract variables that the function sets. Not set: all of them.
	Variables Attr[[]Text]
	// Actions are the concrete actions that are observed as abstract ones.
	Actions   Settings
	DeclRange hcl.Range
}

var refinesSchema = &schema{
	labels: []string{"the name of the abstract system"}, attrs: []string{"map", "variables"},
	blocks: map[string]*schema{"actions": {free: true}},
}

// refines decodes a refines block.
func (d *decoder) refines(b *block, sources map[string]*hcl.File) *Refines {
	r := &Refines{System: b.labels[0], SystemRange: b.labelRanges[0], DeclRange: b.header,
		Variables: d.texts(b, "variables"), Actions: d.settingsOf(b.first("actions"), cty.String)}
	if !d.require(b, "map", "a Go function, or { VARIABLE = formula, ... }") {
		return r
	}
	attr := b.attrs["map"]
	r.MapRange = attr.SrcRange
	if _, formula := attr.Expr.(*hclsyntax.ObjectConsExpr); !formula {
		r.Function = d.text(b, "map")
		return r
	}
	f := &formulas{decoder: d, sources: sources, trace: &Trace{}}
	r.Map = f.fields(b, "map")
	if r.Variables.IsSet() {
		d.report(r.Variables.Errorf(CodeUnknownAttribute, "Attribute without a function",
			"%q names the variables that a function sets. The formulas of \"map\" name theirs. Remove %q.", "variables", "variables"))
	}
	return r
}

// Encoded returns a formula as an assembled program reads it: see type Formula of package
// checker/internal/trace.
func (f FieldFormula) Encoded() json.RawMessage {
	b, err := json.Marshal(encodedOrNil(f.Value))
	if err != nil {
		panic(err) // texts, numbers and truth values only
	}
	return b
}
