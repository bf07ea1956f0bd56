package result

import (
	"encoding/json"
	"io"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/grains"
)

// Document is the JSON that -json prints. The names of its fields are fixed, and fields that do
// not apply are absent. The tag verbs names the verbs whose documents may have a field; without
// it all may.
type Document struct {
	FormatVersion string `json:"format_version" enum:"1"`
	Verb          string `json:"verb"`

	// Spec is the name of the manifest that the result is about, and Manifest its path.
	Spec     string `json:"spec,omitempty" verbs:"validate interaction check simulate rank plan refine change conform replay confirm driver-check trace monitor show explore build"`
	Manifest string `json:"manifest,omitempty" verbs:"validate interaction check simulate rank plan refine change conform replay confirm driver-check trace monitor explore build"`

	// System is the system of the manifest, and Modules are its modules with their grains.
	System  string   `json:"system,omitempty" verbs:"validate interaction check simulate rank plan refine change conform replay confirm driver-check trace monitor show explore build"`
	Modules []Module `json:"modules,omitempty" verbs:"validate interaction check simulate rank plan refine change conform replay confirm driver-check trace monitor show explore build"`
	// Bounds and Options are the values that the composition has: those of the manifest, of its
	// grains, or the defaults. A bound of -1 is no limit.
	Bounds  []Bound   `json:"bounds,omitempty" verbs:"validate interaction check simulate rank plan refine change conform replay confirm driver-check trace monitor explore build"`
	Options []Setting `json:"options,omitempty" verbs:"validate interaction check simulate rank plan refine change conform replay confirm driver-check trace monitor explore build"`

	// Set are the bounds, options and attributes of the check block that -set replaced for this
	// run.
	Set []Setting `json:"set,omitempty"`

	Diagnostics []Diagnostic `json:"diagnostics"`

	Interaction  *Interaction `json:"interaction,omitempty" verbs:"interaction check simulate change trace build"`
	*Exploration `verbs:"interaction check simulate change trace build"`

	// Looked counts what the run looked at. The verdict follows from these counts: see
	// docs/reference/verdicts.md.
	Looked verdicts.Looked `json:"looked,omitzero" verbs:"interaction check simulate compare rank plan refine test run change conform replay confirm trace monitor fmt"`

	// Valid reports whether the manifest is valid.
	Valid *bool  `json:"valid,omitempty" verbs:"validate"`
	Files []File `json:"files,omitempty" verbs:"fmt"`
	// Systems are catalogs.
	Systems []*grains.Catalog `json:"systems,omitempty" verbs:"list"`
	// Why is the chain that keeps a variable, with -why.
	Why *Why `json:"why,omitempty" verbs:"interaction"`
	// Suggestions name the variables that coarse grains may leave out, with -suggest.
	Suggestions []Suggestion `json:"suggestions,omitempty" verbs:"interaction"`
	// Locks are the entries of lock files, with -stale.
	Locks    *Locks     `json:"locks,omitempty" verbs:"interaction"`
	Tests    []Test     `json:"tests,omitempty" verbs:"test"`
	Fleet    *Fleet     `json:"fleet,omitempty" verbs:"run"`
	Compared []Compared `json:"compared,omitempty" verbs:"compare"`
	Ranking  *Ranking   `json:"ranking,omitempty" verbs:"rank"`
	Plan     *Plan      `json:"plan,omitempty" verbs:"plan"`
	// Refinement is the comparison with an abstract composition.
	Refinement *Refinement `json:"refinement,omitempty" verbs:"refine"`
	// Skipped are manifests without a result. Test skips files that are parts of others,
	// compare those that an interrupt left.
	Skipped []string `json:"skipped,omitempty" verbs:"test run compare"`
	// Interrupted says that not all manifests have a result.
	Interrupted bool        `json:"interrupted,omitempty" verbs:"test run compare"`
	Validation  *Validation `json:"validation,omitempty" verbs:"trace"`
	// Seeds has the result of each seed, with -seeds.
	Seeds []Seeded `json:"seeds,omitempty" verbs:"simulate conform"`
	// Likely has the estimates for the steps of a trace, with -from TRACE:each.
	Likely  *Likely       `json:"likely,omitempty" verbs:"simulate"`
	Trace   *Trace        `json:"trace,omitempty" verbs:"show"`
	Change  *Change       `json:"change,omitempty" verbs:"change"`
	Conform *Conformance  `json:"conform,omitempty" verbs:"conform replay"`
	Confirm *Confirmation `json:"confirm,omitempty" verbs:"confirm"`
	// Program is the path of the program, and Requests are the requests that it answers.
	Program  string         `json:"program,omitempty" verbs:"build"`
	Requests []wire.Request `json:"requests,omitempty" verbs:"build"`
	Version  string         `json:"version,omitempty" verbs:"version"`
	// Usage is the text of help.
	Usage   string   `json:"usage,omitempty" verbs:"help completion"`
	Monitor *Monitor `json:"monitor,omitempty" verbs:"monitor"`
	// NodePlan explains the composition that runs next to a node.
	NodePlan *NodePlan `json:"at_node,omitempty" verbs:"monitor"`
	// Selftest is the result of testing the runtime on random behaviours.
	Selftest *Selftest `json:"selftest,omitempty" verbs:"monitor"`
	// Clean lists removed files.
	Clean *Clean `json:"clean,omitempty" verbs:"clean"`
	// Created is the new system that was written.
	Created *Created `json:"created,omitempty" verbs:"new"`
	// Diff is in what two results differ.
	Diff *Diff `json:"diff,omitempty" verbs:"diff"`
	// Transcript has the lines of a script for explore -terminal, with their answers.
	Transcript []Answered `json:"transcript,omitempty" verbs:"explore"`
	// Explanations are the texts of codes, or their titles.
	Explanations []Explanation `json:"explanations,omitempty" verbs:"explain"`

	// Origin says when, where and by what the result was made, and Sources are the texts of
	// the manifest's files. Both are there where a report is asked for.
	Origin  *Origin  `json:"origin,omitempty" verbs:"interaction check simulate compare rank change conform replay confirm trace monitor"`
	Sources []Source `json:"sources,omitempty" verbs:"interaction check simulate compare rank change conform replay confirm trace monitor"`
}

// Origin says when, where and by what a result was made.
type Origin struct {
	At         string `json:"at"` // date and time, local
	Version    string `json:"version"`
	Go         string `json:"go"`
	Platform   string `json:"platform"` // operating system/architecture
	Processors int    `json:"processors"`
	Host       string `json:"host"`
	Command    string `json:"command"`
}

// Source is a file of a manifest.
type Source struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// Answered is a line of a script with its answer. The line is "" for what is shown at the
// beginning.
type Answered struct {
	Line string `json:"line,omitempty"`
	Text string `json:"text"`
}

// Setting is the value of an option.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Module is a module of a composition with its grain.
type Module struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target"`
	// the module whose block picked the grain, where it is another one
	By string `json:"by,omitempty"`
}

// Found returns what was found in the words of an expect block.
func (d *Document) Found() string {
	switch x := d.Exploration; {
	case x != nil && len(x.Violations) > 0:
		return "violated " + x.Violations[0].Name()
	case x != nil:
		return x.Verdict
	}
	for _, diag := range d.Diagnostics {
		if diag.Severity == "error" {
			return "error " + diag.Code
		}
	}
	if d.Interaction != nil {
		return "interaction " + d.Interaction.Verdict
	}
	return "nothing"
}

// Start begins the document of a verb.
func (d *Document) Start(verb string) {
	*d = Document{FormatVersion: "1", Verb: verb, Diagnostics: []Diagnostic{}}
}

// Write writes the document as JSON.
func (d *Document) Write(w io.Writer) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	// The document is made of types that JSON can hold. A reader that is gone needs no more
	// of it.
	_ = enc.Encode(d)
}
