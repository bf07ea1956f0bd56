// Package confirm checks a manifest, does its counterexample on an implementation, and judges
// whether the symptoms of the bug were seen there.
package confirm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// Asked says what a run of confirm has to do.
type Asked struct {
	session.Limits
	Runs, Controls int
	// Trace is the path of a trace that is done instead of the counterexample that check finds; ""
	// if check has to find one.
	Trace  string
	Traces session.Traces // where traces go
}

// Run searches for the counterexample, unless a trace is given, and attempts it on the
// implementation as often as asked. It looks for the symptoms after each attempt. The result is nil
// if errors among the diagnostics of r say why there is none. The counts are those of the search.
func Run(r *session.Run, impl *configs.Implementation, asked Asked) (*result.Confirmation, verdicts.Looked) {
	d := &result.Confirmation{Implementation: impl.Name, Version: impl.Version.Value, Symptoms: []wire.Symptom{}, Attempts: []wire.Attempt{}}
	var looked verdicts.Looked
	if !ready(r, impl) {
		return nil, looked
	}
	symptoms, diags := symptomsOf(impl)
	comp, variant, more := r.Composition.ForVersion(impl)
	if r.Add(append(diags, more...)...); r.Diagnostics.HasErrors() {
		return nil, looked
	}
	r.Composition, d.Variant, d.Symptoms = comp, variant, symptoms
	trace, looked := search(r, asked, d)
	if trace == nil {
		if r.Diagnostics.HasErrors() {
			return nil, looked
		}
		return d, looked
	}
	d.Length, d.Counterexample = len(trace.Steps), narrate.BehaviourOf(trace, narrate.KnownOf(r.Composition.Catalog), false)
	attempt(r, impl, trace, asked, d)
	if r.Diagnostics.HasErrors() {
		return nil, looked
	}
	return d, looked
}

// ready reports whether the manifest says what is looked for, and on which version.
func ready(r *session.Run, impl *configs.Implementation) bool {
	if impl.Version.Value == "" {
		r.Add(configs.Errorf(codes.FlagValue, "No version", hcl.Range{},
			"A bug is confirmed on a version of %s. Name one, as in -impl %[1]s@VERSION.", impl.Name))
	}
	if version := impl.Version.Value; len(impl.SymptomsOn(version)) == 0 {
		of := ""
		if len(impl.Symptoms) > 0 {
			of = fmt.Sprintf(" in version %s", version)
		}
		r.Add(configs.Errorf(codes.NoSymptom, "Manifest without symptom", impl.DeclRange,
			`The implementation block %q does not say what is seen of the bug%s. Add a block symptom "word" { }, with a word of the adapter %s.`,
			impl.Name, of, impl.Adapter.Value))
	}
	return !r.Diagnostics.HasErrors()
}

// symptomsOf returns the symptoms of an implementation block that its version shows, as a program
// takes them.
func symptomsOf(impl *configs.Implementation) (out []wire.Symptom, diags hcl.Diagnostics) {
	for _, s := range impl.SymptomsOn(impl.Version.Value) {
		one := wire.Symptom{Word: s.Word, Settings: map[string]string{}}
		for _, x := range s.Settings {
			v, err := convert.Convert(x.Value, cty.String)
			if err != nil || v.IsNull() {
				diags = append(diags, x.Errorf(configs.CodeWrongType, "Wrong type of value",
					"The setting %q of symptom %q is a text, a number or a truth value.", x.Name, s.Word))
				continue
			}
			one.Settings[x.Name] = v.AsString()
		}
		out = append(out, one)
	}
	return out, diags
}

// search finds the counterexample, or reads the trace that was given. It returns nil where nothing
// can be tried, and then d says why, or an error does. The counts are those of the search.
func search(r *session.Run, asked Asked, d *result.Confirmation) (*wire.Trace, verdicts.Looked) {
	if asked.Trace != "" {
		meta, trace, err := session.ReadTrace(asked.Trace)
		if err != nil {
			r.Add(configs.Errorf(codes.Trace, "Not a trace", hcl.Range{}, "%v.", err))
			return nil, verdicts.Looked{}
		}
		if meta.Change != nil {
			r.Add(configs.Errorf(codes.OfChange, "Trace of changed code", hcl.Range{},
				"%s was done on the changed code of change %s. A bug is confirmed on a version of %s, which is without that change. Do the trace once more with: multigrain replay %[1]s",
				asked.Trace, meta.Change.Hash, d.Implementation))
			return nil, verdicts.Looked{}
		}
		d.Property, d.Trace = named(meta.Invariant, meta.Instance, meta.Kind), asked.Trace
		return trace, verdicts.Looked{}
	}
	one := 1
	asked.Stop = &one
	r.Check(asked.Limits, session.Exploring{Traces: asked.Traces}, false)
	var doc result.Document
	r.Describe(&doc)
	switch x := doc.Exploration; {
	case r.Diagnostics.HasErrors() || x == nil:
		return nil, doc.Looked
	case len(x.Violations) > 0 && r.Report.Violations[0].Trace != nil:
		v := &x.Violations[0]
		d.Property, d.Trace, d.Distinct = named(v.Invariant, v.Instance, v.Kind), v.Trace, x.Distinct
		return r.Report.Violations[0].Trace, doc.Looked
	case x.Verdict == verdicts.Holds:
		d.Verdict, d.Distinct = verdicts.Holds, x.Distinct
	default:
		d.Verdict, d.Distinct = verdicts.Undecided, x.Distinct
		d.Reason = "nothing was driven: no counterexample was found before the search ended: " + strings.TrimSuffix(x.Reason, ".")
	}
	return nil, doc.Looked
}

// named returns the name of what is violated.
func named(invariant, instance, kind string) string {
	switch {
	case invariant == "":
		return kind
	case instance == "":
		return invariant
	}
	return invariant + "." + instance
}

// attempt does the trace on the implementation and judges the attempts.
func attempt(r *session.Run, impl *configs.Implementation, trace *wire.Trace, asked Asked, d *result.Confirmation) {
	req := r.Exploration(asked.Limits, false)
	req.Verb = "conform"
	c := &wire.Confirm{Runs: asked.Runs, Controls: asked.Controls, Symptoms: d.Symptoms}
	c.Schedule, c.Control = edit(impl.Schedule), edit(impl.Control)
	if c.Schedule != nil {
		d.Length += len(c.Schedule.Insert)
	}
	req.Options.Conform = &wire.Conform{Replay: trace, States: true, Confirm: c}
	r.Report = nil
	r.Conform(impl, req, 1, false, asked.Traces)
	switch {
	case r.Report != nil && r.Report.Conformance != nil:
		f := r.Report.Conformance
		d.Version, d.Attempts, d.Seconds = f.Version, f.Attempts, r.Report.Seconds
		d.Runs, d.Controls = result.Count(d.Attempts, false), result.Count(d.Attempts, true)
		judge(d, asked.Runs)
	case r.Stopped != "":
		d.Verdict, d.Reason = verdicts.Undecided, r.Stopped
	}
}

// edit returns a block schedule or control as a program takes it.
func edit(x *configs.Control) *wire.Control {
	if x == nil {
		return nil
	}
	return &wire.Control{Without: texts(x.Without.Value), Insert: texts(x.Insert.Value), Before: x.Before.Value}
}

func texts(all []configs.Text) (out []string) {
	for _, t := range all {
		out = append(out, t.Value)
	}
	return out
}

// judge gives the verdict. A symptom that the control has, too, says nothing of the fault. One
// attempt that shows the symptom confirms the bug; the counts say how the others ended. Runs is how
// many were asked for.
func judge(d *result.Confirmation, runs int) {
	first := func(outcomes ...string) *wire.Attempt {
		k := slices.IndexFunc(d.Attempts, func(a wire.Attempt) bool { return !a.Control && slices.Contains(outcomes, a.Outcome) })
		if k < 0 {
			return nil
		}
		return &d.Attempts[k]
	}
	d.Verdict = verdicts.Undecided
	switch {
	case d.Controls.Shown > 0:
		d.Reason = fmt.Sprintf("the control shows the symptoms, too, in %d of %s", d.Controls.Shown, words.Plural(int64(d.Controls.Begun()), "run"))
	case d.Runs.Shown > 0:
		d.Verdict = verdicts.Confirmed
	case d.Runs.Departed > 0:
		a := first("departed")
		d.Verdict, d.Reason = verdicts.Departs, fmt.Sprintf("at step %d of %d, %s: %s", a.Step, d.Length, a.Action, a.Message)
	case d.Runs.Undriven > 0:
		a := first("undriven")
		d.Reason = fmt.Sprintf("not driven to the end: step %d of %d, %s: %s", a.Step, d.Length, a.Action, firstLine(a.Message))
	case d.Runs.Absent+d.Runs.Unjudged > 0:
		a := first("absent", "unjudged")
		k := slices.IndexFunc(a.Sightings, func(s wire.Sighting) bool { return !s.Seen })
		d.Reason = fmt.Sprintf("driven to the end, and the symptom %s was not seen: %s", a.Sightings[k].Word, a.Sightings[k].Text)
	case d.Runs.Spoilt > 0:
		d.Reason = "not driven: " + firstLine(first("spoilt").Message)
	default:
		d.Reason = "interrupted before the first run ended"
		if runs == 0 {
			d.Reason = "no run was asked for"
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, ".")
}
