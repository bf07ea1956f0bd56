package session

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
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// keptInput is a file with what the standard input holds.
func (e *Env) keptInput() (string, error) {
	f, err := os.CreateTemp("", "standard-input-*.ndjson")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, e.Input)
	return f.Name(), cmp.Or(err, f.Close())
}

// ValidateLogs assembles the instrumented program of a composition and has it validate logs.
func (o *Run) ValidateLogs(logs []string, l Limits, strict bool) {
	if o.Manifest.Trace == nil {
		o.Add(configs.Errorf(codes.NoTrace, "Missing trace block", o.Manifest.System.DeclRange,
			"%s does not say what the events of a log stand for. Write trace { format = \"ndjson\" ... event \"Name\" { action = [\"Action\"] } }.", o.Manifest.Path))
		return
	}
	program := o.assembled(o.Composition.AssembleInstrumented)
	if program == "" {
		return
	}
	req := wire.Request{Verb: "trace", Choice: o.Composition.EncodedChoice(), Options: wire.Options{
		MaxStates: l.MaxStates, Timeout: l.Timeout, Validate: &wire.Validate{Mapping: o.Manifest.Trace.Encoded()},
	}}
	for _, log := range logs {
		if log == "-" || log == "/dev/stdin" { // the program's own standard input is what it is asked by
			file, err := o.Env.keptInput()
			if err != nil {
				o.Add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "The standard input: %v.", err))
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
	report, err := o.Env.ask(program, req, nil)
	var fault *wire.Error
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.ErrorSystem:
		o.Add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "%s", words.Sentence(fault.Message)))
		return
	case err != nil:
		o.Failed(err, ".")
		return
	}
	o.request, o.Report = req, report
	o.traceDiagnostics(strict)
}

// traceDiagnostics reports what is wrong with the mapping or with a line of a log.
func (o *Run) traceDiagnostics(strict bool) {
	v, t := o.Report.Validation, o.Manifest.Trace
	if b := v.BadLine; b != nil {
		pos := hcl.Pos{Line: b.Line, Column: 1}
		o.Add(configs.Errorf(codes.Trace, "Not an event", hcl.Range{Filename: words.ShortPath(b.File), Start: pos, End: pos},
			"The line is none of the format %q: %s. Only a last line may be cut off.", t.Format.Value, b.Message))
		o.Report = nil
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
		o.Add(configs.WithContext(configs.Errorf(code, summary, label, "%s%s", p.Message, configs.Hint(p.Name, p.Names)), whole))
	}
	if len(v.Problems) > 0 {
		o.Report = nil
		return
	}
	for _, x := range v.Candidates {
		if x.Capacity > 0 {
			o.Add(configs.Errorf(codes.Capacity, "Capacity exceeded", hcl.Range{}, "%s.%s", x.Text, remedyOf(o, &wire.Error{Capacity: x.Capacity})))
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
		o.Add(report(codes.NeverDecided, "Condition never decided", f.Range,
			"No event of the log has what %s asks for, so it was not checked. Check the names of the fields.", f.Text))
	}
}

func actionDocs(o *Run) []result.Action {
	out := []result.Action{}
	for _, a := range o.Report.Actions {
		out = append(out, result.Action{Name: a.Name, Module: a.Module, Environment: a.Environment, Fired: a.Fired})
	}
	return out
}

func brokenDoc(o *Run) result.Violation {
	b := o.Report.Validation.Broken
	d := result.Violation{Invariant: b.Invariant, Kind: b.Kind, Doc: b.Doc, Count: 1, Why: b.Why}
	for _, p := range o.Composition.Selected() {
		if p.Instance != "" && p.ID+"."+p.Instance == b.Invariant {
			d.Invariant, d.Instance = p.ID, p.Instance
		}
	}
	if b.Event != nil {
		d.Depth, d.At = b.Event.Number, o.Report.Validation.Visited
	}
	return d
}

func validationOf(o *Run) *result.Validation {
	d := &result.Validation{Validation: o.Report.Validation, Places: map[string]string{}}
	for _, l := range o.request.Options.Validate.Logs {
		d.Logs = append(d.Logs, words.ShortPath(l))
	}
	for _, s := range o.Report.Validation.Last {
		d.Last = append(d.Last, result.LoggedStep{LoggedStep: s, Call: s.Action + narrate.ParamsOrNone(s.Params)})
	}
	for _, s := range o.Report.Validation.States {
		d.Shown = append(d.Shown, narrate.Values(s))
	}
	for _, c := range o.Report.Validation.Candidates {
		call := ""
		if c.Action != "" {
			call = c.Action + narrate.ParamsOrNone(c.Params)
		}
		d.Candidates = append(d.Candidates, result.Candidate{TraceCandidate: c, Call: call})
		if c.Rule >= 0 {
			label, _ := o.Manifest.Trace.Place(c.Rule)
			d.Places[fmt.Sprint(c.Rule)] = fmt.Sprintf("%s:%d", words.ShortPath(label.Filename), label.Start.Line)
		}
	}
	return d
}

// DescribeValidation fills a document with what was found of logs.
func (o *Run) DescribeValidation(d *result.Document) {
	o.Named(d)
	if o.Composition != nil {
		CompositionOf(d, o.Composition)
		d.Interaction = o.Interaction
	}
	switch {
	case o.Report != nil:
		d.Exploration = &result.Exploration{Verdict: o.Report.Verdict, Reason: o.Report.Reason, Distinct: o.Report.Validation.Visited, Seconds: o.Report.Seconds,
			Workers: 1, Actions: actionDocs(o), Violations: []result.Violation{}, Invariants: o.Report.Invariants}
		d.Validation = validationOf(o)
		if o.Report.Validation.Broken != nil {
			d.Violations = []result.Violation{brokenDoc(o)}
		}
	case o.Stopped != "":
		d.Exploration = &result.Exploration{Verdict: "undecided", Stopped: true, Reason: o.Stopped, Actions: []result.Action{}, Violations: []result.Violation{}}
	}
}
