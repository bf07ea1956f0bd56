package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// keptInput is a file with what the standard input holds.
func (e *env) keptInput() (string, error) {
	f, err := os.CreateTemp("", "standard-input-*.ndjson")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, e.input)
	return f.Name(), cmp.Or(err, f.Close())
}

// validateLogs assembles the instrumented program of a composition and has it validate logs.
func (o *outcome) validateLogs(logs []string, l limits, strict bool) {
	if o.manifest.Trace == nil {
		o.add(configs.Errorf(codes.NoTrace, "Missing trace block", o.manifest.System.DeclRange,
			"%s does not say what the events of a log stand for. Write trace { format = \"ndjson\" ... event \"Name\" { action = [\"Action\"] } }.", o.manifest.Path))
		return
	}
	program := o.assembled(o.comp.AssembleInstrumented)
	if program == "" {
		return
	}
	req := wire.Request{Verb: "trace", Choice: o.comp.EncodedChoice(), Options: wire.Options{
		MaxStates: l.maxStates, Timeout: l.timeout, Validate: &wire.Validate{Mapping: o.manifest.Trace.Encoded()},
	}}
	for _, log := range logs {
		if log == "-" || log == "/dev/stdin" { // the program's own standard input is what it is asked by
			file, err := o.env.keptInput()
			if err != nil {
				o.add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "The standard input: %v.", err))
				return
			}
			defer os.Remove(file)
			log = file
		}
		if abs, err := filepath.Abs(log); err == nil {
			log = abs
		}
		req.Options.Validate.Logs = append(req.Options.Validate.Logs, log)
	}
	report, err := o.env.ask(program, req, nil)
	var fault *wire.Error
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.ErrorSystem:
		o.add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "%s", words.Sentence(fault.Message)))
		return
	case err != nil:
		o.failed(err, ".")
		return
	}
	o.request, o.report = req, report
	o.traceDiagnostics(strict)
}

// traceDiagnostics reports what is wrong with the mapping or with a line of a log.
func (o *outcome) traceDiagnostics(strict bool) {
	v, t := o.report.Validation, o.manifest.Trace
	if b := v.BadLine; b != nil {
		pos := hcl.Pos{Line: b.Line, Column: 1}
		o.add(configs.Errorf(codes.Trace, "Not an event", hcl.Range{Filename: words.ShortPath(b.File), Start: pos, End: pos},
			"The line is none of the format %q: %s. Only a last line may be cut off.", t.Format.Value, b.Message))
		o.report = nil
		return
	}
	for _, p := range v.Problems {
		label, whole := t.Place(p.Rule)
		if p.Formula >= 0 && p.Formula < len(t.Formulas) {
			label = t.Formulas[p.Formula].Range
		}
		code := map[string]configs.Code{"action": codes.TraceAction, "type": codes.TraceType}[p.Kind]
		if code == "" {
			code = codes.TraceName
		}
		summary := map[string]string{"action": "Unknown action", "field": "Unknown parameter", "name": "Unknown name",
			"function": "Unknown function", "type": "Formula does not fit"}[p.Kind]
		o.add(configs.WithContext(configs.Errorf(code, summary, label, "%s%s", p.Message, configs.Hint(p.Name, p.Names)), whole))
	}
	if len(v.Problems) > 0 {
		o.report = nil
		return
	}
	for _, x := range v.Candidates {
		if x.Capacity > 0 {
			o.add(configs.Errorf(codes.Capacity, "Capacity exceeded", hcl.Range{}, "%s.%s", x.Text, remedyOf(o, &wire.Error{Capacity: x.Capacity})))
			break
		}
	}
	report := configs.Warnf
	if strict {
		report = configs.Errorf
	}
	seen := map[hcl.Range]bool{}
	for _, id := range v.Undecided {
		f := t.Formulas[id]
		if seen[f.Range] || slices.ContainsFunc(t.Formulas, func(g *configs.Formula) bool { return g.Range == f.Range && !slices.Contains(v.Undecided, g.ID) }) {
			continue // decided for another event
		}
		seen[f.Range] = true
		o.add(report(codes.NeverDecided, "Condition never decided", f.Range,
			"No event of the log has what %s asks for, so it was not checked. Check the names of the fields.", f.Text))
	}
}

func actionDocs(o *outcome) []result.Action {
	out := []result.Action{}
	for _, a := range o.report.Actions {
		out = append(out, result.Action{Name: a.Name, Module: a.Module, Environment: a.Environment, Fired: a.Fired})
	}
	return out
}

func brokenDoc(o *outcome) result.Violation {
	b := o.report.Validation.Broken
	d := result.Violation{Invariant: b.Invariant, Kind: b.Kind, Doc: b.Doc, Count: 1, Why: b.Why}
	for _, p := range o.comp.Selected() {
		if p.Instance != "" && p.ID+"."+p.Instance == b.Invariant {
			d.Invariant, d.Instance = p.ID, p.Instance
		}
	}
	if b.Event != nil {
		d.Depth, d.At = b.Event.Number, o.report.Validation.Visited
	}
	return d
}

func validationOf(o *outcome) *result.Validation {
	d := &result.Validation{Validation: o.report.Validation, Places: map[string]string{}}
	for _, l := range o.request.Options.Validate.Logs {
		d.Logs = append(d.Logs, words.ShortPath(l))
	}
	for _, s := range o.report.Validation.Last {
		d.Last = append(d.Last, result.LoggedStep{LoggedStep: s, Call: s.Action + paramsOrNone(s.Params)})
	}
	for _, s := range o.report.Validation.States {
		d.Shown = append(d.Shown, values(s))
	}
	for _, c := range o.report.Validation.Candidates {
		call := ""
		if c.Action != "" {
			call = c.Action + paramsOrNone(c.Params)
		}
		d.Candidates = append(d.Candidates, result.Candidate{TraceCandidate: c, Call: call})
		if c.Rule >= 0 {
			label, _ := o.manifest.Trace.Place(c.Rule)
			d.Places[fmt.Sprint(c.Rule)] = fmt.Sprintf("%s:%d", words.ShortPath(label.Filename), label.Start.Line)
		}
	}
	return d
}

// describeValidation fills a document with what was found of logs.
func (o *outcome) describeValidation(d *result.Document) {
	o.named(d)
	if o.comp != nil {
		compositionOf(d, o.comp)
		d.Interaction = o.static
	}
	switch {
	case o.report != nil:
		d.Exploration = &result.Exploration{Verdict: o.report.Verdict, Reason: o.report.Reason, Distinct: o.report.Validation.Visited, Seconds: o.report.Seconds,
			Workers: 1, Actions: actionDocs(o), Violations: []result.Violation{}, Invariants: o.report.Invariants}
		d.Validation = validationOf(o)
		if o.report.Validation.Broken != nil {
			d.Violations = []result.Violation{brokenDoc(o)}
		}
	case o.stopped != "":
		d.Exploration = &result.Exploration{Verdict: "undecided", Stopped: true, Reason: o.stopped, Actions: []result.Action{}, Violations: []result.Violation{}}
	}
}
