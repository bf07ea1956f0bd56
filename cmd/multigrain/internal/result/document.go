package result

import (
	"encoding/json"
	"io"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/grains"
)

// Document is what -json prints. The names of its fields are fixed; fields that do not apply to a verb are absent.
type Document struct {
	FormatVersion string `json:"format_version"`
	Verb          string `json:"verb"`
	Spec          string `json:"spec,omitempty"`
	// Manifest is the path of the manifest that the result is about.
	Manifest    string       `json:"manifest,omitempty"`
	System      string       `json:"system,omitempty"`
	Modules     []Module     `json:"modules,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Interaction *Interaction `json:"interaction,omitempty"`
	*Exploration

	Valid       *bool             `json:"valid,omitempty"`       // validate
	Files       []File            `json:"files,omitempty"`       // fmt
	Systems     []*grains.Catalog `json:"systems,omitempty"`     // list
	Why         *Why              `json:"why,omitempty"`         // interaction
	Suggestions []Suggestion      `json:"suggestions,omitempty"` // interaction -suggest
	Tests       []Test            `json:"tests,omitempty"`       // test
	Compared    []Compared        `json:"compared,omitempty"`    // compare
	Skipped     []string          `json:"skipped,omitempty"`     // test: files that are part of a manifest; compare: those that an interrupt left
	Validation  *Validation       `json:"validation,omitempty"`  // trace
	Trace       *Trace            `json:"trace,omitempty"`       // show
	Change      *Change           `json:"change,omitempty"`      // change
	Conform     *Conformance      `json:"conform,omitempty"`     // conform, replay
	Program     string            `json:"program,omitempty"`     // build: where it was written
	Requests    []wire.Request    `json:"requests,omitempty"`    // build: what the program is asked with
	Version     string            `json:"version,omitempty"`
	Usage       string            `json:"usage,omitempty"` // help

	Explanations []Explanation `json:"explanations,omitempty"` // explain

	Monitor *Monitor `json:"monitor,omitempty"` // monitor

	// Origin says when, where and by what the result was made, and Sources are the texts of the
	// manifest's files. Both are there where a report is asked for.
	Origin  *Origin  `json:"origin,omitempty"`
	Sources []Source `json:"sources,omitempty"`
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

type Module struct {
	Module string `json:"module"`
	Grain  string `json:"grain"`
	Target bool   `json:"target"`
	By     string `json:"by,omitempty"` // the module whose block picked the grain, where it is another one
}

// Found is what a document says was found, in the words of an expect block.
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

func (d *Document) Write(w io.Writer) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	// The document is made of types that JSON can hold. A reader that is gone needs no more of it.
	_ = enc.Encode(d)
}
