package configs

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// Implementation is a real system that conforms, or is to conform, to the
// specification.
type Implementation struct {
	Name      string
	NameRange hcl.Range
	// Adapter is the Go package that connects it: an import path, or a path
	// relative to Dir. Where Sources is nil, exactly one of Adapter and Driver is set.
	Adapter Attr[string]
	// Driver is the command of the process that connects it, with its arguments. It runs in Dir.
	Driver Attr[[]Text]
	// Requires names programs, and Python packages as name==version, that the driver needs.
	Requires Attr[[]Text]
	// DriverBuild is the command that builds the driver; it runs in Dir.
	DriverBuild Attr[[]Text]
	// Names are the driver's names of actions and variables, by those of the specification, where
	// they differ. No two have one name.
	Names map[string]string
	// Dir is the folder of the file in which Adapter or Driver is written.
	Dir string
	// Version is the version of the implementation that is meant.
	Version Attr[string]
	// Settings are handed to the adapter.
	Settings Settings
	// Bounds replace those of the manifest during walks for the implementation. They can be larger
	// than any exploration could handle.
	Bounds Settings
	// Walks are those that conform takes where no flag says otherwise. What it does not set is as
	// in the manifest's simulate block. It is nil where the block has none.
	Walks *Simulate
	// Differences are known differences of the implementation, which conform accepts.
	Differences []*ImplementationDifference
	// Symptoms describe the bug that the manifest is about as users of the
	// implementation see it, in words of the adapter. All of them have to be seen.
	Symptoms []*Symptom
	// Schedule puts steps into the counterexample, so that users see what it
	// does. It is nil where the block says nothing of that.
	Schedule *Control
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

// ImplementationDifference is a difference that is known and explained. A walk ends in it.
type ImplementationDifference struct {
	Name string
	// Action is the step after which it shows. Variables are those that may differ, without index:
	// "error" for an error of the adapter. They are of attribute variable or of variables.
	Action    Attr[string]
	Variables []string
	// When says after which of these steps: see package checker/conform, type Acceptance.
	When *Formula
	// Ticket is the known bug of the implementation, Deviation where the specification says that it
	// differs. Exactly one of them is set.
	Ticket, Deviation Attr[string]
	// Versions are those of the implementation that have it; not set: all.
	Versions  Attr[[]Text]
	DeclRange hcl.Range
}

// Why returns the ticket or the deviation.
func (x *ImplementationDifference) Why() string {
	if x.Ticket.IsSet() {
		return x.Ticket.Value
	}
	return "deviation in " + x.Deviation.Value
}

// Encoded returns the difference as an assembled program reads it: see type Acceptance of package
// checker/conform.
func (x *ImplementationDifference) Encoded() json.RawMessage {
	b, err := json.Marshal(struct {
		Name      string          `json:"name"`
		Action    string          `json:"action"`
		Variables []string        `json:"variables"`
		When      *encodedFormula `json:"when"`
		Versions  []string        `json:"versions,omitempty"`
	}{x.Name, x.Action.Value, x.Variables, encodedOrNil(x.When), values(x.Versions)})
	if err != nil {
		panic(err) // texts, numbers and truth values only
	}
	return b
}

var implementationSchema = &schema{
	labels: []string{"the name of an implementation"},
	attrs:  []string{"adapter", "driver", "requires", "version", "lines", "packages", "ignore", "build", "classes", "constraints"},
	blocks: map[string]*schema{
		"settings": {free: true}, "names": {free: true}, "models": {free: true}, "bounds": {free: true}, "symptom": symptomSchema,
		"schedule": scheduleSchema, "control": controlSchema, "walks": simulateSchema,
		"unmodelled": {labels: []string{"a pattern of functions or files"}, patterns: true, attrs: []string{"policy"}},
		"difference": {labels: []string{"the name of a difference"},
			attrs: []string{"action", "variable", "variables", "when", "ticket", "deviation", "versions"}},
	},
}

// difference decodes a difference block.
func (d *decoder) difference(b *block, sources map[string]*hcl.File) *ImplementationDifference {
	x := &ImplementationDifference{
		Name: b.labels[0], Ticket: d.text(b, "ticket"), Deviation: d.text(b, "deviation"), Versions: d.texts(b, "versions"), DeclRange: b.header,
	}
	if d.require(b, "action", "the step after which it shows") {
		x.Action = d.text(b, "action")
	}
	if x.Variables = values(d.texts(b, "variables")); len(x.Variables) == 0 && d.require(b, "variable", "the variable that differs, without index") {
		x.Variables = []string{d.text(b, "variable").Value}
	}
	if d.require(b, "when", "a condition on the step") {
		f := &formulas{decoder: d, sources: sources, trace: &Trace{}}
		x.When = f.one(b, "when")
	}
	if x.Ticket.IsSet() == x.Deviation.IsSet() {
		d.report(WithContext(Errorf(CodeMissingAttribute, "Difference without a reason", b.header,
			"%s needs either \"ticket\", a known bug of the implementation, or \"deviation\", where the specification says that it differs.",
			sentence(b.String())), b.header))
	}
	return x
}

// implementation decodes an implementation block.
func (d *decoder) implementation(b *block, sources map[string]*hcl.File) *Implementation {
	impl := &Implementation{
		Name:        b.labels[0],
		NameRange:   b.labelRanges[0],
		Version:     d.text(b, "version"),
		Settings:    d.settings(b.first("settings")),
		Bounds:      d.bounds(b.first("bounds")),
		Walks:       d.simulate(b.first("walks"), sources),
		Control:     d.control(b.first("control")),
		Schedule:    d.control(b.first("schedule")),
		Constraints: d.texts(b, "constraints"),
		Names:       d.names(b),
		DeclRange:   b.header,
	}
	for _, s := range b.of("symptom") {
		impl.Symptoms = append(impl.Symptoms, d.symptom(s))
	}
	for _, n := range b.of("difference") {
		impl.Differences = append(impl.Differences, d.difference(n, sources))
	}
	impl.Sources = d.implementationSources(b)
	if b.attrs["driver"] != nil {
		d.driver(b, impl)
		return impl
	}
	if b.attrs["requires"] != nil {
		d.report(Errorf(CodeBadValue, "Requirements without a driver", b.attrs["requires"].Range(),
			"The attribute requires says what a driver needs, and %s has none.", b))
	}
	if impl.Sources != nil && b.attrs["adapter"] == nil {
		return impl
	}
	if d.require(b, "adapter", "the import path of the package that connects it, or a path relative to this file; or \"driver\", the command of a process") {
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
	// Versions are those of the implementation that show it; not set: all.
	Versions Attr[[]Text]
	// Settings say more about the symptom. The vocabulary lists them.
	Settings  Settings
	DeclRange hcl.Range
}

var symptomSchema = &schema{labels: []string{"a symptom in words of the adapter"}, attrs: []string{"versions"}, free: true}

// symptom decodes a symptom block.
func (d *decoder) symptom(b *block) *Symptom {
	s := &Symptom{Word: b.labels[0], WordRange: b.labelRanges[0], Versions: d.texts(b, "versions"), DeclRange: b.header}
	s.Settings = slices.DeleteFunc(d.settings(b), func(x Setting) bool { return x.Name == "versions" })
	return s
}

// SymptomsOn returns the symptoms that a version shows.
func (x *Implementation) SymptomsOn(version string) (on []*Symptom) {
	for _, s := range x.Symptoms {
		if !s.Versions.IsSet() || slices.Contains(values(s.Versions), version) {
			on = append(on, s)
		}
	}
	return on
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

var scheduleSchema = &schema{attrs: []string{"insert", "before"}}

var controlSchema = &schema{attrs: []string{"without", "insert", "before"}}

// control decodes a control or schedule block; nil if there is none.
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
	if b.attrs["without"] == nil && b.attrs["insert"] == nil && b.attrs["before"] == nil {
		d.report(Errorf(CodeMissingAttribute, "Missing attribute", b.header,
			"%s changes the steps of the counterexample. Give it the attributes insert and before, or, in a control, without.", sentence(b.String())))
	}
	return c
}

// names decodes a driver's names of actions and variables. An adapter has none.
func (d *decoder) names(impl *block) map[string]string {
	b := impl.first("names")
	if b == nil {
		return nil
	}
	if impl.attrs["driver"] == nil {
		d.report(WithContext(Errorf(CodeBadValue, "Names without a driver", b.header,
			"The block names says how a driver calls actions and variables, and %s has no driver. Remove the block.", impl), impl.header))
	}
	names, first := map[string]string{}, map[string]string{}
	for _, own := range b.names {
		x := d.text(b, own)
		if other, twice := first[x.Value]; twice && x.IsSet() {
			d.report(x.Errorf(CodeBadValue, "Name is used twice",
				"%s is %q here, as %s is. Give each action and variable a name of its own.", own, x.Value, other))
		} else if x.IsSet() {
			first[x.Value], names[own] = own, x.Value
		}
	}
	return names
}

// driver decodes how the process of a driver is started, and what it needs.
func (d *decoder) driver(b *block, impl *Implementation) {
	impl.Driver, impl.Requires = d.texts(b, "driver"), d.texts(b, "requires")
	impl.Dir = impl.Driver.Dir()
	if b.attrs["adapter"] != nil {
		d.report(WithContext(Errorf(CodeBadValue, "Adapter and driver", b.attrs["driver"].Range(),
			"%s has both an adapter, a Go package, and a driver, a process. Exactly one of them connects the implementation: remove the other.", sentence(b.String())), b.header))
	}
	if impl.Driver.IsSet() && len(impl.Driver.Value) == 0 {
		d.report(impl.Driver.Errorf(CodeBadValue, "Command without a program",
			"The attribute driver is a list of a program and its arguments, such as [\"python3\", \"driver.py\"]."))
	}
	if b.attrs["classes"] == nil {
		impl.DriverBuild = d.texts(b, "build")
		if impl.DriverBuild.IsSet() && len(impl.DriverBuild.Value) == 0 {
			d.report(impl.DriverBuild.Errorf(CodeBadValue, "Command without a program",
				"The attribute build is a list of a program and its arguments, such as [\"cargo\", \"build\"]."))
		}
	}
}
