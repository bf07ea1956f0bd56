package configs

import "github.com/hashicorp/hcl/v2"

// Symptom is what a user of an implementation sees of a bug.
type Symptom struct {
	// Word is one of the adapter's vocabulary.
	Word      string
	WordRange hcl.Range
	// Settings say more about the symptom. The vocabulary lists them.
	Settings  Settings
	DeclRange hcl.Range
}

var symptomSchema = &schema{labels: []string{"a symptom in words of the adapter"}, free: true}

// symptom decodes a symptom block.
func (d *decoder) symptom(b *block) *Symptom {
	return &Symptom{Word: b.labels[0], WordRange: b.labelRanges[0], Settings: d.settings(b), DeclRange: b.header}
}

// Control makes a schedule without the fault from a counterexample. Steps are
// written as check prints them. Of equal steps the last one is meant. A step
// that is no longer possible after the change is left out.
type Control struct {
	// Without are the steps that are left out.
	Without Attr[[]Text]
	// Insert are steps that are put in before the step Before, which is set
	// with it.
	Insert    Attr[[]Text]
	Before    Attr[string]
	DeclRange hcl.Range
}

var controlSchema = &schema{attrs: []string{"without", "insert", "before"}}

// control decodes a control block; nil if there is none.
func (d *decoder) control(b *block) *Control {
	if b == nil {
		return nil
	}
	c := &Control{Without: d.texts(b, "without"), Insert: d.texts(b, "insert"), Before: d.text(b, "before"), DeclRange: b.header}
	if c.Insert.IsSet() {
		d.require(b, "before", "the step before which steps are put in")
	}
	if c.Before.IsSet() {
		d.require(b, "insert", "the steps that are put in before that step")
	}
	if len(c.Without.Value) == 0 && len(c.Insert.Value) == 0 && b.attrs["without"] == nil && b.attrs["insert"] == nil {
		d.report(Errorf(CodeMissingAttribute, "Missing attribute", b.header,
			"A control leaves steps of the counterexample out or puts steps in. Give it the attribute without, or insert and before."))
	}
	return c
}
