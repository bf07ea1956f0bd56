package configs

import "github.com/hashicorp/hcl/v2"

// Implementation is a real system that conforms, or is to conform, to the
// specification.
type Implementation struct {
	Name      string
	NameRange hcl.Range
	// Adapter is the Go package that connects it: an import path, or a path
	// relative to Dir. It is set wherever Sources is nil.
	Adapter Attr[string]
	// Dir is the folder of the file in which Adapter is written.
	Dir string
	// Version is the version of the implementation that is meant.
	Version Attr[string]
	// Settings are handed to the adapter.
	Settings Settings
	// Bounds replace those of the manifest while walks are taken for the
	// implementation: they can be as large as no exploration could bear.
	Bounds Settings
	// Symptoms describe the bug that the manifest is about as users of the
	// implementation see it, in words of the adapter. All of them have to be seen.
	Symptoms []*Symptom
	// Control changes the counterexample into a schedule without the fault. It
	// is nil where the block says nothing of that.
	Control *Control
	// Constraints are added to those of the check block when a counterexample
	// is searched for the implementation: they leave out behaviours that it
	// cannot be brought to.
	Constraints Attr[[]Text]
	// Sources says where the code is that the specification models, for judging
	// changes of it. It is nil where the block says nothing of that.
	Sources   *ImplementationSources
	DeclRange hcl.Range
}

var implementationSchema = &schema{
	labels: []string{"the name of an implementation"},
	attrs:  []string{"adapter", "version", "lines", "packages", "ignore", "constraints"},
	blocks: map[string]*schema{
		"settings": {free: true}, "models": {free: true}, "bounds": {free: true}, "symptom": symptomSchema, "control": controlSchema,
	},
}

// implementation decodes an implementation block.
func (d *decoder) implementation(b *block) *Implementation {
	impl := &Implementation{
		Name:        b.labels[0],
		NameRange:   b.labelRanges[0],
		Version:     d.text(b, "version"),
		Settings:    d.settings(b.first("settings")),
		Bounds:      d.bounds(b.first("bounds")),
		Control:     d.control(b.first("control")),
		Constraints: d.texts(b, "constraints"),
		DeclRange:   b.header,
	}
	for _, s := range b.of("symptom") {
		impl.Symptoms = append(impl.Symptoms, d.symptom(s))
	}
	impl.Sources = d.implementationSources(b)
	if impl.Sources != nil && b.attrs["adapter"] == nil {
		return impl
	}
	if d.require(b, "adapter", "the import path of the package that connects it, or a path relative to this file") {
		impl.Adapter = d.text(b, "adapter")
		impl.Dir = impl.Adapter.Dir()
	}
	return impl
}

// Symptom describes a bug as a user of an implementation sees it.
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
