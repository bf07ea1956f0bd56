package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// mostInput is how many bytes of the standard input are kept: 1 GiB, as of a file.
const mostInput = 1 << 30

// keptInput returns a file with what the standard input holds. It fails with the cause of ctx if
// ctx is done before the input ends.
func (e *Env) keptInput(ctx context.Context) (string, error) {
	f, err := host.CreateTemp("", "standard-input-*.ndjson")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, files.Until(ctx, files.Bounded(e.Input, mostInput)))
	if err = cmp.Or(err, f.Close()); err != nil {
		host.Remove(f.Name())
	}
	return f.Name(), err
}

// ValidateLogs assembles the instrumented program of a composition and has it validate logs. With
// windows each event is judged, also after a mismatch.
func (r *Run) ValidateLogs(logs []string, l Limits, strict, windows bool) {
	if r.Manifest.Trace == nil {
		r.Add(configs.Errorf(codes.NoTrace, "Missing trace block", r.Manifest.System.DeclRange,
			"%s does not say what the events of a log stand for. Write trace { format = \"ndjson\" ... event \"Name\" { action = [\"Action\"] } }.", r.Manifest.Path))
		return
	}
	program := r.assembled(r.Composition.AssembleInstrumented)
	if program == "" {
		return
	}
	req := wire.Request{Verb: "trace", Choice: r.Composition.EncodedChoice(), Options: wire.Options{
		MaxStates: l.MaxStates, Timeout: l.Timeout, Validate: &wire.Validate{Mapping: r.Manifest.Trace.Encoded(), Windows: windows},
	}}
	var names []string // of the logs, for people
	began := host.Now()
	reading, cancel := r.Env.Reading(l.Timeout, "the log")
	defer cancel()
	for _, log := range logs {
		name := words.ShortPath(log)
		// requests come on the program's own standard input
		if log == "-" || log == "/dev/stdin" {
			file, err := r.Env.keptInput(reading)
			if err != nil && reading.Err() != nil {
				r.Stopped = context.Cause(reading).Error()
				return
			}
			if err != nil {
				r.Add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "The standard input: %v.", err))
				return
			}
			defer host.Remove(file)
			log = file
		}
		names = append(names, name)
		if abs, err := filepath.Abs(log); err == nil {
			log = abs
		}
		req.Options.Validate.Logs = append(req.Options.Validate.Logs, log)
	}
	if l.Timeout > 0 { // reading counts, too; 0 is no limit
		req.Options.Timeout = max(1, l.Timeout-host.Since(began))
	}
	report, err := r.Env.ask(program, req, nil)
	var fault *wire.Error
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.ErrorSystem:
		r.Add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "%s", words.Sentence(fault.Message)))
		return
	case err != nil:
		r.Failed(err, NextToManifest)
		return
	}
	for k, log := range req.Options.Validate.Logs {
		report.Reason = strings.ReplaceAll(report.Reason, log+":", names[k]+":")
		for n := range report.Validation.Each {
			if x := &report.Validation.Each[n]; x.File == log {
				x.File, x.Reason = names[k], strings.ReplaceAll(x.Reason, log+":", names[k]+":")
			}
		}
	}
	r.request, r.Report = req, report
	r.traceDiagnostics(strict)
}

// traceDiagnostics reports what is wrong with the mapping or with a line of a log.
func (r *Run) traceDiagnostics(strict bool) {
	v, t := r.Report.Validation, r.Manifest.Trace
	if b := v.BadLine; b != nil {
		pos := hcl.Pos{Line: b.Line, Column: 1}
		r.Add(configs.Errorf(codes.Trace, "Not an event", hcl.Range{Filename: words.ShortPath(b.File), Start: pos, End: pos},
			"The line is none of the format %q: %s. Only the last line may be incomplete.", t.Format.Value, b.Message))
		r.Report = nil
		return
	}
	for _, p := range v.Problems {
		label, whole := t.Place(p.Rule)
		if p.Formula >= 0 && p.Formula < len(t.Formulas) {
			label = t.Formulas[p.Formula].Range
		}
		code := map[string]configs.Code{"action": codes.TraceAction, "type": codes.TraceType, "event": codes.TraceEvent}[p.Kind]
		if code == "" {
			code = codes.TraceName
		}
		summary := map[string]string{"action": "Unknown action", "field": "Unknown parameter", "name": "Unknown name",
			"function": "Unknown function", "type": "Formula does not fit", "event": "Event without a block"}[p.Kind]
		if p.File != "" {
			p.Message = fmt.Sprintf("%s:%d: %s", words.ShortPath(p.File), p.Line, p.Message)
		}
		r.Add(configs.WithContext(configs.Errorf(code, summary, label, "%s%s", p.Message, configs.Hint(p.Name, p.Names)), whole))
	}
	if len(v.Problems) > 0 {
		r.Report = nil
		return
	}
	for _, x := range v.Candidates {
		if x.Capacity > 0 {
			r.Add(configs.Errorf(codes.Capacity, "Capacity exceeded", hcl.Range{}, "%s.%s", x.Text, remedyOf(r, &wire.Error{Capacity: x.Capacity})))
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
		r.Add(report(codes.NeverDecided, "Condition never decided", f.Range,
			"No event of the log has what %s asks for, so it was not checked. Check the names of the fields.", f.Text))
	}
}

func actionDocs(r *Run) []result.Action {
	out := []result.Action{}
	for _, a := range r.Report.Actions {
		out = append(out, result.Action{Name: a.Name, Module: a.Module, Environment: a.Environment, Fired: a.Fired})
	}
	return out
}

func brokenDoc(r *Run) result.Violation {
	b := r.Report.Validation.Broken
	d := result.Violation{Invariant: b.Invariant, Kind: b.Kind, Doc: b.Doc, Count: 1, Why: b.Why}
	for _, p := range r.Composition.Selected() {
		if p.Instance != "" && p.ID+"."+p.Instance == b.Invariant {
			d.Invariant, d.Instance = p.ID, p.Instance
		}
	}
	if b.Event != nil {
		d.Depth, d.At = b.Event.Number, r.Report.Validation.Visited
	}
	return d
}

func validationOf(r *Run) *result.Validation {
	d := &result.Validation{Validation: r.Report.Validation, Places: map[string]string{}}
	for _, l := range r.request.Options.Validate.Logs {
		d.Logs = append(d.Logs, words.ShortPath(l))
	}
	known := narrate.KnownOf(r.Composition.Catalog)
	for _, s := range r.Report.Validation.Last {
		d.Last = append(d.Last, result.LoggedStep{LoggedStep: s, Call: s.Action + known.ParamsOrNone(s.Params)})
	}
	if g := r.Report.Validation.Explanations; g != nil {
		for _, s := range g.Steps {
			calls := []string{}
			for _, a := range s.Actions {
				calls = append(calls, a.Action+known.ParamsOrNone(a.Params))
			}
			d.Calls = append(d.Calls, cmp.Or(strings.Join(calls, ", "), "no action"))
		}
	}
	for _, s := range r.Report.Validation.States {
		d.Shown = append(d.Shown, narrate.Values(known.Brief(s)))
	}
	for _, c := range r.Report.Validation.Candidates {
		call := ""
		if c.Action != "" {
			call = c.Action + known.ParamsOrNone(c.Params)
		}
		d.Candidates = append(d.Candidates, result.Candidate{TraceCandidate: c, Call: call})
		if c.Rule >= 0 {
			label, _ := r.Manifest.Trace.Place(c.Rule)
			d.Places[fmt.Sprint(c.Rule)] = fmt.Sprintf("%s:%d", words.ShortPath(label.Filename), label.Start.Line)
		}
	}
	return d
}

// DescribeValidation fills a document with what was found of logs.
func (r *Run) DescribeValidation(d *result.Document) {
	r.Named(d)
	if r.Composition != nil {
		CompositionOf(d, r.Composition)
		d.Interaction = r.Interaction
	}
	switch {
	case r.Report != nil:
		d.Exploration = &result.Exploration{Verdict: r.Report.Verdict, Reason: r.Report.Reason, Distinct: r.Report.Validation.Visited, Seconds: r.Report.Seconds,
			Workers: 1, Actions: actionDocs(r), Violations: []result.Violation{}, Invariants: r.Report.Invariants}
		d.Validation = validationOf(r)
		if r.Report.Validation.Broken != nil {
			d.Verdict, d.Violations = verdicts.Violated, []result.Violation{brokenDoc(r)}
		}
		if v := r.Report.Validation; v.Steps > 0 {
			d.Looked.Events = int64(v.Matched)
		}
		d.Settle()
	case r.Stopped != "":
		d.Exploration = result.Unexplored(r.Stopped)
	}
}
