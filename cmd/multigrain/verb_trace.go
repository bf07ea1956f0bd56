package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var traceVerb = verb{
	name: "trace", args: "MANIFEST LOG...", summary: "hold logs of a running system against a composition", least: 2, most: -1,
	about: `Several files are read one after the other as one log of the events of all nodes. The trace block of the manifest says what
events stand for: which actions with which parameters, and what must hold in the states before and behind them. A behaviour that
matches all events is searched depth first. - is the standard input. The formats are etcd-raft, ccf-raft and ndjson; docs/trace-validation.md has an example of each.

The verdict is holds where some behaviour matches, violated where none does (exit code 30), and undecided where a limit came first.
A log that is matched no further shows the longest matched prefix, the event behind it, the states that are reached there, and for each
action that the event could have been the first condition that refused it, with its place in the specification or the manifest.
A match that breaks an invariant of the composition ends with the exit code of the invariant. A log without events, or whose events stand for
no action, is no match. -strict makes conditions an error that no event decides.
`,
	flags: func(fs *flag.FlagSet, o *options) {
		stateLimit(fs, o, "end undecided after `N` pairs of a position in the log and a state")
		timeLimit(fs, o, "end undecided after a `duration` of searching, such as 90s or 10m")
		fs.BoolVar(&o.strict, "strict", false, "treat conditions that no event decides as errors")
		fs.BoolVar(&o.verbose, "v", false, "show all states and candidates, however many, and how often each action was taken")
	},
	run: runTrace,
}

func runTrace(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(c.args[0])
	if o.comp != nil {
		own := *c
		own.opt.allowBroken = true // what the log does is judged, not the composition
		own.preserve(o)
		c.validateLog(o, c.args[1:], in)
	}
	named(&c.doc, o)
	if o.comp != nil {
		compositionOf(&c.doc, o.comp)
		c.doc.Interaction = o.static
	}
	switch {
	case o.report != nil:
		c.doc.Exploration = &result.Exploration{Verdict: o.report.Verdict, Reason: o.report.Reason, Distinct: o.report.Validation.Visited, Seconds: o.report.Seconds,
			Workers: 1, Actions: actionDocs(o), Violations: []result.Violation{}, Invariants: o.report.Invariants}
		c.doc.Validation = validationOf(o)
		if o.report.Validation.Broken != nil {
			c.doc.Violations = []result.Violation{brokenDoc(o)}
		}
		c.print(text.Validation{Paint: c.painter(c.outWidth), Verbose: c.opt.verbose}.Text(&c.doc))
	case o.stopped != "":
		c.doc.Exploration = &result.Exploration{Verdict: "undecided", Stopped: true, Reason: o.stopped, Actions: []result.Action{}, Violations: []result.Violation{}}
		c.print("undecided: " + o.stopped + "\n")
	}
	c.report(o.diags, o.manifest.Sources)
	return traceExit(o)
}

// traceExit is the exit code of a validation.
func traceExit(o *outcome) int {
	if code := shell.ExitOf(o.diags); code != shell.OK {
		return code
	}
	switch {
	case o.report == nil || o.report.Verdict == "undecided":
		return shell.Undecided
	case o.report.Validation.Broken != nil:
		return shell.ExitOfKind(o.report.Validation.Broken.Kind)
	case o.report.Verdict != "holds":
		return shell.Mismatch
	}
	return shell.OK
}

// keptInput is a file with what the standard input holds.
func keptInput() (string, error) {
	f, err := os.CreateTemp("", "standard-input-*.ndjson")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, os.Stdin)
	return f.Name(), cmp.Or(err, f.Close())
}

// validateLog assembles the instrumented program of a composition and has it validate logs.
func (c *call) validateLog(o *outcome, logs []string, in shell.Interrupts) {
	if o.manifest.Trace == nil {
		o.add(configs.Errorf(codes.NoTrace, "Missing trace block", o.manifest.System.DeclRange,
			"%s does not say what the events of a log stand for. Write trace { format = \"ndjson\" ... event \"Name\" { action = [\"Action\"] } }.", o.manifest.Path))
		return
	}
	program, diags := o.comp.AssembleInstrumented(in.Soft)
	if in.Soft.Err() != nil {
		o.stopped = "interrupted while the program was built"
		return
	}
	o.add(diags...)
	if diags.HasErrors() {
		return
	}
	req := wire.Request{Verb: "trace", Choice: o.comp.EncodedChoice(), Options: wire.Options{
		MaxStates: c.opt.maxStates, Timeout: c.opt.timeout, Validate: &wire.Validate{Mapping: o.manifest.Trace.Encoded()},
	}}
	for _, l := range logs {
		if l == "-" || l == "/dev/stdin" { // the program's own standard input is what it is asked by
			file, err := keptInput()
			if err != nil {
				o.add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "The standard input: %v.", err))
				return
			}
			defer os.Remove(file)
			l = file
		}
		if abs, err := filepath.Abs(l); err == nil {
			l = abs
		}
		req.Options.Validate.Logs = append(req.Options.Validate.Logs, l)
	}
	p := wire.Program{Path: program, Stop: in.Soft.Done()}
	bar := c.progress(req)
	if bar != nil {
		p.Progress = bar.Show
	}
	report, err := p.Run(in.Hard, req)
	bar.End()
	var fault *wire.Error
	switch {
	case errors.As(err, &fault) && fault.Kind == wire.ErrorSystem:
		o.add(configs.Errorf(codes.Trace, "Log cannot be read", hcl.Range{}, "%s", words.Sentence(fault.Message)))
		return
	case err != nil:
		c.failed(o, err)
		return
	}
	o.request, o.report = req, report
	c.traceDiagnostics(o)
}

// traceDiagnostics reports what is wrong with the mapping or with a line of a log.
func (c *call) traceDiagnostics(o *outcome) {
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
	if c.opt.strict {
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
