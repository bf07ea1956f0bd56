package changes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/compose/noting"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction/change"
)

// What it computes. The verdict on a change: the changed code runs under the composed
// specification, step by step, and so does the code before the change along the walks that depart.
//
// Why it is right. A walk takes enabled steps of the specification. After each, what the adapter
// observes is compared. A difference that the code before the change shows on the same walk, at the
// same variable, is none of the change's. After a difference the implementation is the model: see
// conform.Follow. So a violation is one of the changed code. If all states are equal, the change is
// only stated to behave as the specification if every changed line ran, every operand of a changed
// condition was true and false, and every action of the touched modules was taken.
//
// What it costs. Two builds, and the budget at most.

// Walking says how the changed code is run.
type Walking struct {
	Budget  time.Duration // of all walks
	Seed    *uint64
	Workers int
	Traces  session.Traces
	Classes string // a folder or an archive with the changed code, compiled; "": it is compiled
}

// DefaultBudget is the time of all walks where none is asked for.
const DefaultBudget = 40 * time.Second

// leastWalks is how many walks are taken at least. Each mutant of docs/results/etcd-mutants.md
// shows within so many. They take a few seconds.
const leastWalks = 3000

// Runnable reports whether the changed code can be run: an adapter connects it, and the change has
// its lines.
func (x *Changed) Runnable() bool {
	return x.impl.Adapter.IsSet() && (!x.Coded() || x.codable())
}

// Alone reports whether the change touches no module, and functions that no grain models may run in
// walks nevertheless.
func (x *Changed) Alone() bool {
	return len(x.Touched) == 0 && slices.ContainsFunc(x.Unmodelled, func(u result.Unmodelled) bool {
		return (u.Kind == string(change.Function) || u.Kind == string(change.Method)) && u.How != string(change.Removed)
	})
}

// observer runs the code on both sides of a change.
type observer struct {
	x     *Changed
	run   *session.Run // of the composition that is walked
	by    Walking
	out   *result.Observed
	sides *change.Sides
	code  session.Code // after the change
	base  *session.Code
	coded *coded // nil for code that is compiled into the program
	start time.Time
}

// Observe runs the changed code under the composition of the manifest, and sets the verdict. Errors
// of the run that it returns say that the code does not compile, or what else is wrong.
func (x *Changed) Observe(base *session.Run, by Walking) *session.Run {
	run := *base
	run.Diagnostics = nil
	run.Walking(x.impl)
	o := &observer{x: x, run: &run, by: by}
	o.out = &result.Observed{Verdict: verdicts.Undecided, Modules: []result.Module{}, Places: []result.RanPlace{}, Unfired: []string{}, Found: []result.Difference{},
		Shared: []result.Difference{}, Broken: []result.BrokenInCode{}, Judged: []string{}, Unjudged: []wire.Unjudged{}, Compared: []string{}, Unobserved: []string{}}
	if run.Composition == nil {
		return &run
	}
	for _, m := range run.Composition.Modules {
		o.out.Modules = append(o.out.Modules, result.Module{Module: m.Module, Grain: m.Grain, Target: m.Target, By: m.By})
	}
	if o.build() {
		x.Observed = o.out
		if o.coded != nil {
			o.walkCoded()
		} else {
			o.walk()
		}
	}
	return &run
}

// build makes both sides and builds the changed one. It reports false where nothing can be run.
func (o *observer) build() bool {
	if o.x.Coded() {
		return o.buildCoded()
	}
	sides, err := change.WriteSides(o.x.how, sidesIn(o.run))
	if err != nil {
		o.run.Add(configs.Errorf(codes.Change, "Changed code cannot be made", hcl.Range{}, "%s", words.Sentence(err.Error())))
		return false
	}
	o.sides, o.out.Hash = sides, sides.Hash
	code, diags := o.run.BuildCode(o.x.impl, compose.Code{Dir: sides.After, Changed: o.lines()})
	o.code = code
	switch {
	case o.run.Stopped != "":
		o.x.Observed = o.out
		o.out.Reason = o.run.Stopped
		return false
	case diags.HasErrors() && code.Fits == compose.Unfit:
		o.x.Observed = o.out
		o.out.Reason = "the adapter does not compile with the changed code: " + firstError(diags)
		return false
	}
	o.run.Add(diags...)
	return !diags.HasErrors()
}

// lines returns the changed lines of declarations that differ in more than comments and layout.
func (o *observer) lines() map[string][]noting.Line {
	out := map[string][]noting.Line{}
	var all []result.Declaration
	for _, t := range o.x.Trails {
		all = append(all, t.Declaration)
	}
	for _, u := range o.x.Unmodelled {
		all = append(all, u.Declaration)
	}
	for file, lines := range o.sides.Lines {
		for _, l := range lines {
			if slices.ContainsFunc(all, func(d result.Declaration) bool {
				return d.File == file && d.How != string(change.Removed) && l.Number >= d.Line && l.Number <= d.Last
			}) {
				out[file] = append(out[file], noting.Line(l))
			}
		}
	}
	return out
}

// walk takes walks until they say enough, and compares what they show with the code before the
// change.
func (o *observer) walk() {
	o.start = host.Now()
	var shared []wire.Departure
	for {
		rep := o.ask(shared)
		if rep == nil {
			return
		}
		o.took(rep)
		fresh := o.compare(rep)
		if len(rep.Conformance.Found) == 0 || len(o.out.Found) > 0 || len(fresh) == 0 {
			o.decide(rep)
			return
		}
		shared = append(shared, fresh...)
	}
}

// left returns the rest of the budget.
func (o *observer) left() time.Duration { return max(o.by.Budget-host.Since(o.start), time.Second) }

// ask takes walks with the changed code.
func (o *observer) ask(shared []wire.Departure) *wire.Report {
	r := o.run
	r.Manifest.Simulate = o.x.impl.Walks.Or(r.Manifest.Simulate)
	number := int64(0)
	req, diags := r.Simulation(session.Walks{Number: &number, Weighted: true}, session.Limits{Workers: o.by.Workers, Timeout: o.left(), Seed: o.by.Seed}, false)
	actions, seen, more := r.Composition.Footprints()
	if r.Add(append(diags, more...)...); r.Diagnostics.HasErrors() {
		return nil
	}
	walks := req.Options.Simulate
	req.Options.Stop = 0
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform = &wire.Conform{Depth: walks.Depth, Weights: walks.Weights, Follow: &wire.Follow{Least: leastWalks, Shared: shared}}
	rep, why := r.AskCode(o.x.impl, o.code.Program, req, o.by.Traces)
	if rep == nil {
		o.out.Reason = why
	}
	return rep
}

// took notes what walks did.
func (o *observer) took(rep *wire.Report) {
	c, out := rep.Conformance, o.out
	if c.Followed == nil { // the changed code ended its process
		c.Followed = &wire.Followed{Judged: []string{}, Unjudged: []wire.Unjudged{}, Ran: make([]wire.RanPlace, len(o.code.Places))}
	}
	out.Seed, out.Walks, out.Steps, out.Departs = c.Seed, out.Walks+c.Traces, out.Steps+c.Steps, c.Followed.Departed
	out.Seconds += rep.Seconds
	out.Judged, out.Unjudged, out.Compared, out.Unobserved = c.Followed.Judged, c.Followed.Unjudged, c.Observed, append([]string{}, c.Unobserved...)
	out.Places = out.Places[:0]
	for k, p := range o.code.Places {
		out.Places = append(out.Places, result.RanPlace{File: p.File, Line: p.Line, Column: p.Column, Func: p.Func, Text: p.Text, Kind: string(p.Kind),
			False: c.Followed.Ran[k].False, True: c.Followed.Ran[k].True})
	}
	out.Unfired = out.Unfired[:0]
	for _, a := range rep.Actions {
		if a.Fired == 0 && !a.Environment && !a.Spent && slices.ContainsFunc(o.x.Touched, func(t result.Touched) bool { return t.Module == a.Module }) {
			out.Unfired = append(out.Unfired, a.Name)
		}
	}
}

// compare does each difference with the code before the change. It returns those that both have and
// that were not known to be shared.
func (o *observer) compare(rep *wire.Report) (fresh []wire.Departure) {
	for k := range rep.Conformance.Found {
		f := &rep.Conformance.Found[k]
		d := o.difference(f)
		if !o.shared(f) {
			o.out.Found = append(o.out.Found, o.kept(d, f))
			continue
		}
		o.out.Shared = append(o.out.Shared, d)
		if len(f.Values) > 0 {
			fresh = append(fresh, wire.Departure{Action: d.Action, Variable: variableOf(f)})
		}
	}
	return fresh
}

// variableOf returns the variable that differs first, whatever its index.
func variableOf(f *wire.Discrepancy) string {
	name := f.Values[0].Path
	if k := strings.IndexAny(name, "[."); k >= 0 {
		name = name[:k]
	}
	return name
}

// shared reports whether the code before the change differs on the same walk at the same variable.
// If that code cannot be run, the difference counts as the change's.
func (o *observer) shared(f *wire.Discrepancy) bool {
	if o.base == nil {
		code, diags := o.run.BuildCode(o.x.impl, compose.Code{Dir: o.sides.Before})
		if o.base = &code; diags.HasErrors() {
			o.run.Add(configs.Warnf(codes.Change, "Code before the change not run", hcl.Range{}, "It does not compile with the adapter: %s.", firstError(diags)))
		}
	}
	if o.base.Program == "" || f.Trace == nil {
		return false
	}
	req := o.run.Exploration(session.Limits{Timeout: o.left()}, false)
	req.Options.Conform = &wire.Conform{Replay: f.Trace}
	rep, _ := o.run.AskCode(o.x.impl, o.base.Program, req, session.NoTraces)
	if rep == nil || len(rep.Conformance.Found) == 0 {
		return false
	}
	g := &rep.Conformance.Found[0]
	if g.Kind != f.Kind || len(g.Trace.Steps) != len(f.Trace.Steps) {
		return false
	}
	return len(f.Values) == 0 || variableOf(g) == variableOf(f)
}

// difference returns a difference as the document has it.
func (o *observer) difference(f *wire.Discrepancy) result.Difference {
	return session.DifferenceOf(f, narrate.KnownOf(o.run.Composition.Catalog))
}

// kept writes the trace and the log of a difference.
func (o *observer) kept(d result.Difference, f *wire.Discrepancy) result.Difference {
	d.Trace, d.Log = o.run.KeepBehaviour(o.by.Traces, o.x.impl.Name+"-change-"+o.out.Hash+"-"+d.Name(), o.x.impl.Name, words.Sentence(d.Line()), f.Trace, f.Log)
	return d
}

// decide sets the verdict.
func (o *observer) decide(rep *wire.Report) {
	out := o.out
	if len(out.Found) > 0 && o.coded == nil {
		for k := range rep.Conformance.Followed.Violations {
			o.broken(&rep.Conformance.Followed.Violations[k])
		}
	}
	switch why := o.open(rep); {
	case len(out.Broken) > 0:
		out.Verdict = verdicts.Violated
	case len(out.Found) > 0:
		out.Verdict = verdicts.Differs
	case why != "":
		out.Reason = why
	default:
		out.Verdict = verdicts.Behaves
	}
}

// broken adds an invariant that the implementation breaks.
func (o *observer) broken(v *wire.Broken) {
	known := narrate.KnownOf(o.run.Composition.Catalog)
	b := result.BrokenInCode{Invariant: v.Invariant, Kind: v.Kind, Doc: v.Doc, Depth: len(v.Trace.Steps), Departed: v.Departed, Walk: v.Walk, Length: v.Length,
		Minimal: v.Minimal, Count: v.Count, Counterexample: narrate.BehaviourOf(v.Trace, known, false), Frames: v.Frames}
	b.Trace, b.Log = o.run.KeepBehaviour(o.by.Traces, o.x.impl.Name+"-change-"+o.out.Hash+"-"+v.Invariant, o.x.impl.Name, v.Doc, v.Trace, v.Log)
	o.out.Broken = append(o.out.Broken, b)
}

// open says why walks in which all states are equal do not show that the change behaves as the
// specification; "" where they do.
func (o *observer) open(rep *wire.Report) string {
	var parts []string
	c := rep.Conformance
	if o.coded != nil {
		parts = o.openCoded()
	}
	if c.Undriven > 0 && o.coded == nil {
		parts = append(parts, "a step could not be driven: "+c.UndrivenAt)
	}
	var lines []string
	for k := range o.out.Places {
		if p := &o.out.Places[k]; !p.Covered() {
			lines = append(lines, p.Missing())
		}
	}
	if len(lines) > 0 {
		parts = append(parts, words.ListFew(lines))
	}
	if len(o.out.Places) == 0 {
		parts = append(parts, "no changed line is one that can run")
	}
	if len(o.out.Unfired) > 0 {
		parts = append(parts, "no walk took "+words.ListFew(o.out.Unfired))
	}
	if names := o.unseen(); len(names) > 0 {
		parts = append(parts, fmt.Sprintf("whether it matters that %s changed is not observed", words.ListFew(names)))
	}
	if len(o.out.Shared) > 0 && o.coded == nil {
		parts = append(parts, "the code before the change differs from the specification, too")
	}
	if f := failed(o.x.Change); f != "" {
		parts = append(parts, f)
	}
	if reason := Open(o.x.Change); len(parts) == 0 && len(o.x.Doubts) > 0 {
		parts = append(parts, reason)
	}
	return strings.Join(parts, "; ")
}

// unseen names the changed declarations that have no line to run: types, constants, variables, and
// functions that are gone.
func (o *observer) unseen() (names []string) {
	note := func(d result.Declaration) {
		function := d.Kind == string(change.Function) || d.Kind == string(change.Method)
		if d.Kind == string(change.Import) || function && d.How != string(change.Removed) || slices.Contains(names, d.Name) {
			return
		}
		names = append(names, d.Name)
	}
	for _, t := range o.x.Trails {
		note(t.Declaration)
	}
	for _, u := range o.x.Unmodelled {
		note(u.Declaration)
	}
	return names
}
