package configs

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// Trace says what the events of a log stand for: see package checker/internal/trace.
type Trace struct {
	// Format is one of TraceFormats. It is always set.
	Format   Attr[string]
	Order    Attr[string] // one of TraceOrders, or not set
	Events   []*TraceEvent
	Unlogged []*TraceUnlogged
	// Formulas are all formulas of the block by their numbers.
	Formulas  []*Formula
	DeclRange hcl.Range
}

// TraceFormats are the formats of logs.
var TraceFormats = []string{"etcd-raft", "ccf-raft", "ccf-scenario", "ccf-consistency", "ndjson"}

// TraceOrders are which order of the events of a log counts. It is that of the log, that of each
// node in it, or that of each node and of vector clocks.
var TraceOrders = []string{"log", "nodes", "clocks"}

// TraceEvent says what an event of that name may stand for.
type TraceEvent struct {
	Name      string
	NameRange hcl.Range
	// When says which events of the name are meant; nil: all.
	When *Formula
	// Actions happen one after the other, with what Where binds of their parameters.
	Actions Attr[[]Text]
	Where   []FieldFormula
	// Before and Check must hold in the states before and after them.
	Before, Check []*Formula
	DeclRange     hcl.Range
}

// TraceUnlogged is an action that may happen between events, Max times at most.
type TraceUnlogged struct {
	Action      string
	ActionRange hcl.Range
	Max         Attr[int]
	Events      Attr[[]Text] // names of events that it may precede; not set: any
	When        *Formula
	Where       []FieldFormula
	Check       []*Formula
	DeclRange   hcl.Range
}

// Formula is an expression about an event and a state, which is evaluated when a log is.
type Formula struct {
	ID    int
	Text  string // as it is written
	Range hcl.Range
	Expr  *FormulaExpr
}

// FieldFormula binds a field of a parameter.
type FieldFormula struct {
	Field      string
	FieldRange hcl.Range
	Value      *Formula
}

var traceSchema = &schema{
	attrs: []string{"format", "order"},
	blocks: map[string]*schema{
		"let": {free: true, repeats: gather},
		"event": {labels: []string{"the name of an event"}, attrs: []string{"when", "action", "where", "before", "check"},
			repeats: named},
		"unlogged": {labels: []string{"the name of an action"}, attrs: []string{"max", "events", "when", "where", "check"},
			repeats: named},
	},
}

// trace decodes the trace block; nil if there is none.
func (d *decoder) trace(b *block, sources map[string]*hcl.File) *Trace {
	if b == nil {
		return nil
	}
	t := &Trace{DeclRange: b.header}
	if d.require(b, "format", "what the log is written in, such as \"ndjson\"") {
		t.Format = d.choice(b, "format", TraceFormats...)
	}
	t.Order = d.choice(b, "order", TraceOrders...)
	f := &formulas{decoder: d, sources: sources, trace: t, let: b.first("let")}
	f.checkLet()
	for _, e := range b.of("event") {
		t.Events = append(t.Events, &TraceEvent{
			Name: e.labels[0], NameRange: e.labelRanges[0], DeclRange: e.header, When: f.one(e, "when"), Actions: d.texts(e, "action"),
			Where: f.fields(e, "where"), Before: f.list(e, "before"), Check: f.list(e, "check"),
		})
	}
	for _, u := range b.of("unlogged") {
		x := &TraceUnlogged{
			Action: u.labels[0], ActionRange: u.labelRanges[0], DeclRange: u.header, Events: d.texts(u, "events"), When: f.one(u, "when"),
			Where: f.fields(u, "where"), Check: f.list(u, "check"),
		}
		if d.require(u, "max", "how often it may happen between two events") {
			x.Max = d.whole(u, "max", 1)
			if x.Max.Value > 255 {
				d.report(x.Max.Errorf(CodeBadNumber, "Number too large", "\"max\" of %s is %d. It is at most 255.", u, x.Max.Value))
			}
		}
		t.Unlogged = append(t.Unlogged, x)
	}
	if len(t.Events) == 0 {
		d.report(Errorf(CodeMissingBlock, "No event", b.header,
			"A trace block says what events stand for: event \"Name\" { action = [\"Action\"] }."))
	}
	return t
}

// EventNames returns the names of the events that the block speaks of, each once.
func (t *Trace) EventNames() (names []string) {
	for _, e := range t.Events {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

// Place returns where a rule stands, by its number in the encoded block: events first, then
// unlogged actions.
func (t *Trace) Place(rule int) (label, whole hcl.Range) {
	switch {
	case rule < 0 || rule >= len(t.Events)+len(t.Unlogged):
		return t.DeclRange, t.DeclRange
	case rule < len(t.Events):
		return t.Events[rule].NameRange, t.Events[rule].DeclRange
	}
	u := t.Unlogged[rule-len(t.Events)]
	return u.ActionRange, u.DeclRange
}

// What follows mirrors the types of package checker/internal/trace as JSON.
type (
	encodedFormula struct {
		ID   int          `json:"id"`
		Text string       `json:"text"`
		Expr *FormulaExpr `json:"expr"`
	}
	encodedBinding struct {
		Field string         `json:"field"`
		Value encodedFormula `json:"value"`
	}
	encodedRule struct {
		Event   string           `json:"event"`
		When    *encodedFormula  `json:"when,omitempty"`
		Actions []string         `json:"actions,omitempty"`
		Where   []encodedBinding `json:"where,omitempty"`
		Before  []encodedFormula `json:"before,omitempty"`
		Check   []encodedFormula `json:"check,omitempty"`
	}
	encodedUnlogged struct {
		Action string           `json:"action"`
		Max    int              `json:"max"`
		Events []string         `json:"events,omitempty"`
		When   *encodedFormula  `json:"when,omitempty"`
		Where  []encodedBinding `json:"where,omitempty"`
		Check  []encodedFormula `json:"check,omitempty"`
	}
)

// Encoded returns the block as an assembled program reads it.
func (t *Trace) Encoded() json.RawMessage {
	var m struct {
		Format   string            `json:"format"`
		Order    string            `json:"order,omitempty"`
		Rules    []encodedRule     `json:"rules"`
		Unlogged []encodedUnlogged `json:"unlogged,omitempty"`
	}
	m.Format, m.Order = t.Format.Value, t.Order.Value
	for _, e := range t.Events {
		m.Rules = append(m.Rules, encodedRule{e.Name, encodedOrNil(e.When), values(e.Actions), encodedFields(e.Where), encodedList(e.Before), encodedList(e.Check)})
	}
	for _, u := range t.Unlogged {
		m.Unlogged = append(m.Unlogged, encodedUnlogged{u.Action, u.Max.Value, values(u.Events), encodedOrNil(u.When), encodedFields(u.Where), encodedList(u.Check)})
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // texts, numbers and truth values only
	}
	return b
}

func values(a Attr[[]Text]) (out []string) {
	for _, t := range a.Value {
		out = append(out, t.Value)
	}
	return out
}

func encodedOrNil(f *Formula) *encodedFormula {
	if f == nil {
		return nil
	}
	return &encodedFormula{f.ID, f.Text, f.Expr}
}

func encodedList(fs []*Formula) (out []encodedFormula) {
	for _, f := range fs {
		out = append(out, *encodedOrNil(f))
	}
	return out
}

func encodedFields(fs []FieldFormula) (out []encodedBinding) {
	for _, f := range fs {
		out = append(out, encodedBinding{f.Field, *encodedOrNil(f.Value)})
	}
	return out
}
