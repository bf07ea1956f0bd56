package sarif

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// The parts of a SARIF 2.1.0 log (OASIS Standard, 27 March 2020) that are written; comments name
// its sections.
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID    string       `json:"id"`
		Short sarifMessage `json:"shortDescription"`
	}
	sarifMessage struct { // 3.11
		Text string `json:"text"`
	}
	sarifInvocation struct { // 3.20
		Successful bool `json:"executionSuccessful"`
		ExitCode   int  `json:"exitCode"`
	}
	sarifResult struct { // 3.27
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Kind         string             `json:"kind"`
		Level        string             `json:"level"`
		Message      sarifMessage       `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifLocation struct { // 3.28
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct { // 3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // 3.4
		URI string `json:"uri"`
	}
	sarifRegion struct { // 3.30
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
	}
	sarifSuppression struct { // 3.35
		Kind          string `json:"kind"`
		Justification string `json:"justification,omitempty"`
	}
)

// Rules of results that are no diagnostic and no invariant.
const (
	ruleUndecided  = verdicts.Undecided
	ruleUnmodelled = "unmodelled-change"
	ruleDiffers    = "changed-code-differs"
	ruleUncovered  = "changed-code-not-covered"
)

// sarif makes a log of what a document holds.
type sarif struct {
	rules   []sarifRule
	results []sarifResult
}

// Info describes the run in a log.
type Info struct {
	Manifest   string // the file that violations are about
	Version    string // of this command
	ExitCode   int
	Successful bool // whether the run did what it was asked
}

// Of returns the SARIF log of a document.
func Of(d *result.Document, about Info) []byte {
	s := &sarif{rules: []sarifRule{}, results: []sarifResult{}}
	for _, x := range d.Diagnostics {
		s.diagnostic(x)
	}
	if d.Interaction != nil {
		for _, f := range d.Interaction.Findings {
			s.finding(f)
		}
	}
	if d.Change != nil {
		for _, u := range d.Change.Unmodelled {
			r := s.add(ruleUnmodelled, "Changed code that no grain models", "fail", "warning", fmt.Sprintf("%s %s is %s, and nothing is known of it: %s.", u.Kind, u.Name, u.How, u.Reason))
			r.Locations = located(u.File, u.Line, 0)
			if len(r.Locations) > 0 && r.Locations[0].Physical.Region != nil {
				r.Locations[0].Physical.Region.EndLine = max(u.Last, u.Line)
			}
		}
	}
	if d.Change != nil && d.Change.Observed != nil {
		s.observed(d.Change.Observed, about.Manifest)
	}
	if d.Exploration != nil {
		s.explored(d, about.Manifest)
	} else if i := d.Interaction; i != nil && i.Mutants != nil && i.Mutants.Verdict == verdicts.Undecided {
		s.add(ruleUndecided, "Level L3 was not decided", "open", "none", words.Sentence(i.Mutants.Reason)).Locations = located(about.Manifest, 1, 0)
	}
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{{
		Tool:        sarifTool{sarifDriver{"multigrain", about.Version, "https://github.com/multigrain/multigrain", s.rules}},
		Invocations: []sarifInvocation{{Successful: about.Successful, ExitCode: about.ExitCode}},
		Results:     s.results,
	}}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(log); err != nil {
		panic(err) // strings and numbers only
	}
	return []byte(terminal.Visible(b.String()))
}

// add adds a result. A rule is described by its first result.
func (s *sarif) add(rule, about, kind, level, text string) *sarifResult {
	k := slices.IndexFunc(s.rules, func(r sarifRule) bool { return r.ID == rule })
	if k < 0 {
		k = len(s.rules)
		s.rules = append(s.rules, sarifRule{rule, sarifMessage{about}})
	}
	s.results = append(s.results, sarifResult{RuleID: rule, RuleIndex: k, Kind: kind, Level: level, Message: sarifMessage{text}})
	return &s.results[len(s.results)-1]
}

func (s *sarif) diagnostic(x result.Diagnostic) {
	r := s.add(string(x.Code), x.Summary, "fail", x.Severity, x.Detail)
	r.Locations = located(x.File, x.Line, x.Column)
	for _, rel := range x.Related {
		for _, l := range located(rel.File, rel.Line, rel.Column) {
			l.Message = &sarifMessage{rel.Message}
			r.Related = append(r.Related, l)
		}
	}
}

// finding adds what is known of interaction and is no diagnostic: obligations, and gaps that the
// manifest accepts.
func (s *sarif) finding(f result.Finding) {
	if f.Severity != "note" || f.Code == "" {
		return
	}
	r := s.add(f.Code, strings.ReplaceAll(f.Kind, "-", " "), "fail", "note", words.Sentence(f.Message))
	r.Locations = located(f.File, f.Line, 0)
	if f.Accepted {
		r.Suppressions = []sarifSuppression{{Kind: "external", Justification: "The manifest accepts this gap."}}
	}
}

// observed adds what changed code did, at the first changed line that ran, and the lines that did
// not.
func (s *sarif) observed(o *result.Observed, manifest string) {
	at := located(manifest, 1, 0)
	for k := range o.Places {
		if p := &o.Places[k]; p.True || p.False {
			at = located(p.File, p.Line, p.Column)
			break
		}
	}
	if c := o.Checked; c != nil && c.Invariant != "" {
		s.add(c.Invariant, c.Invariant, "fail", "error",
			fmt.Sprintf("The changed code behaves as the specification, and the specification violates %s. %s", c.Invariant, c.Trace)).Locations = at
	}
	for k := range o.Broken {
		b := &o.Broken[k]
		s.add(b.Invariant, cmp.Or(b.Doc, b.Invariant), "fail", "error",
			fmt.Sprintf("The changed code breaks %s after %s. It departs from the specification in step %d. %s", b.Invariant, words.Plural(int64(b.Depth), "step"), b.Departed, b.Trace)).Locations = at
	}
	for k := range o.Found {
		f := &o.Found[k]
		s.add(ruleDiffers, "Changed code behaves differently", "fail", "error", words.Sentence(f.Line())+" "+f.Trace).Locations = at
	}
	for k := range o.Places {
		if p := &o.Places[k]; !p.Covered() {
			kind, level := "open", "none"
			if len(o.Accepted) > 0 {
				kind, level = "fail", "note"
			}
			r := s.add(ruleUncovered, "Changed code that walks did not cover", kind, level, words.Sentence(p.Missing()))
			if r.Locations = located(p.File, p.Line, p.Column); len(o.Accepted) > 0 {
				r.Suppressions = []sarifSuppression{{Kind: "external", Justification: "The flag -accept-uncovered accepts it."}}
			}
		}
	}
	if o.Verdict == verdicts.Undecided {
		s.add(ruleUndecided, "The check was not completed", "open", "none", words.Sentence(o.Reason)).Locations = at
	}
}

// explored adds violations, or that nothing is decided.
func (s *sarif) explored(d *result.Document, manifest string) {
	for _, v := range d.Violations {
		name := v.Name()
		says := fmt.Sprintf("%s is violated by a counterexample of %s", name, words.Plural(int64(v.Depth), "step"))
		if v.Trace != "" {
			says += ": " + v.Trace
		}
		says += "."
		if len(v.Why) > 0 {
			says += "\n" + strings.TrimSpace(text.Reasons(v.Why, ""))
		}
		about := v.Doc
		if about == "" {
			about = name
		}
		s.add(name, about, "fail", "error", says).Locations = located(manifest, 1, 0)
	}
	if d.Verdict == verdicts.Undecided {
		s.add(ruleUndecided, "The check was not completed", "open", "none", words.Sentence(d.Reason)).Locations = located(manifest, 1, 0)
	}
}

// located returns a place as a list of one location; empty without a file.
func located(file string, line, column int) []sarifLocation {
	if file == "" {
		return nil
	}
	u := url.URL{Path: filepath.ToSlash(words.ShortPath(file))}
	if filepath.IsAbs(words.ShortPath(file)) {
		u.Scheme = "file"
	}
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{u.String()}}}
	if line > 0 {
		l.Physical.Region = &sarifRegion{StartLine: line, StartColumn: column}
	}
	return []sarifLocation{l}
}
