package changes

import (
	"cmp"
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
	// Budget is the time of all walks. For code of Go, what they wait for processors does not
	// count.
	Budget  time.Duration
	Limit   time.Duration // of all walks, with what they wait; 0: ten times the budget
	Seed    *uint64
	Workers int
	Traces  session.Traces
	// Accept says that changed code which did not run does not make the result undecided.
	Accept  bool
	Classes string // a folder or an archive with the changed code, compiled; "": it is compiled
}

// DefaultBudget is the time of all walks where none is asked for.
const DefaultBudget = 40 * time.Second

// leastWalks is how many walks are taken in the first composition at least. Each mutant of
// docs/results/etcd-mutants.md shows within so many. They take a few seconds. A result needs fewer
// in a further composition: 41 of the 42 show within leastFurther.
const (
	leastWalks   = 3000
	leastFurther = 1000
)

// Runnable reports whether the changed code can be run: an adapter connects it, and the change has
// its lines.
func (x *Changed) Runnable() bool {
	return (x.impl.Adapter.IsSet() || x.impl.Driver.IsSet()) && (!x.Coded() || x.codable())
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
	*pass  // that is walked
	x      *Changed
	by     Walking
	out    *result.Observed
	sides  *change.Sides
	first  *session.Run          // of the manifest, which gets the diagnostics
	done   []*pass               // that were walked, with the present one
	spent  time.Duration         // by walks, without what they waited for processors
	lasted time.Duration         // of walks, with it
	rest   int                   // passes of coded that are still to be walked
	later  int64                 // walks that a result needs after the present pass
	among  []compose.Alternative // compositions that may be walked, which share a program
	asked  *pass                 // whose program was asked what the adapter follows
	// unsure says for differences why it is not known whether the code before the change has them,
	// too: a limit ended its walk. Sure says that there is another one, which that code lacks.
	unsure []string
	sure   bool
	places []string // that changed lines write and nothing observes
	// widened are types that differ in new fields alone, which nothing reads but changed functions.
	widened []string
	coded   *coded   // nil for code that is compiled into the program
	short   []string // what was not walked since the budget ended
}

// Observe runs the changed code under the compositions that passes returns, and sets the verdict.
// Errors of the run that it returns say that the code does not compile, or what else is wrong.
func (x *Changed) Observe(base *session.Run, by Walking) *session.Run {
	o := x.observer(base, by)
	run := o.first
	if run.Composition != nil && x.Coded() {
		o.observeCoded(base, run)
		return run
	}
	if run.Composition == nil || !o.write() {
		return run
	}
	passes := o.passes(base, run)
	o.out.Modules = passes[0].doc.Modules
	sizes := o.sizes(passes)
	over := false
	for k, p := range passes {
		o.pass, o.later = p, leastFurther*int64(len(passes)-k-1+len(sizes))
		p.further = k > 0
		if !o.build(k == 0) {
			if k == 0 {
				break
			}
			continue
		}
		x.Observed = o.out
		o.done = append(o.done, p)
		places := slices.Clone(o.out.Places)
		over = o.walk(guidedWalks)
		if o.drop(p, places); over {
			break
		}
	}
	if x.Observed != nil && len(o.done) > 0 {
		if last := o.pass; !over && !o.sized(base, sizes) {
			o.pass = last
		}
		o.rehearse()
		o.grow(base)
		o.untaken()
	}
	x.left = by.Budget - o.spent
	for _, p := range o.done {
		o.out.Walked = append(o.out.Walked, *p.doc)
	}
	if x.Observed != nil && len(o.done) > 0 && o.out.Reason == "" {
		o.decide()
	}
	return run
}

// observer returns what runs the code: the one that Inert has left, or a new one.
func (x *Changed) observer(base *session.Run, by Walking) *observer {
	if o := x.ready; o != nil {
		x.ready = nil
		return o
	}
	run := *base
	run.Diagnostics = nil
	run.Walking(x.impl)
	o := &observer{x: x, first: &run, by: by}
	o.out = &result.Observed{Verdict: verdicts.Undecided, Modules: []result.Module{}, Places: []result.RanPlace{},
		Unfired: []string{}, Found: []result.Difference{}, Shared: []result.Difference{}, Broken: []result.BrokenInCode{},
		Judged: []string{}, Unjudged: []wire.Unjudged{}, Compared: []string{}, Unobserved: []string{},
		Walked: []result.Walked{}, NotWalked: []result.Rejected{}, Untaken: []string{}}
	return o
}

// build builds the changed code. It reports false where nothing can be run.
func (o *observer) build(first bool) bool {
	code, diags := o.built(o.pass)
	switch {
	case !first && (o.run.Stopped != "" || diags.HasErrors()): // the same code compiled before
		why := o.run.Stopped
		if why == "" {
			why = firstError(diags)
		}
		o.notWalked(grainsIn(o.doc.Modules), why)
		return false
	case o.run.Stopped != "":
		o.x.Observed = o.out
		o.out.Reason = o.run.Stopped
		return false
	case diags.HasErrors() && code.Fits == compose.Unfit:
		o.x.Observed = o.out
		o.out.Reason = "the adapter does not compile with the changed code: " + firstError(diags)
		return false
	}
	o.first.Add(inCode(diags, o.sides.After)...)
	return !diags.HasErrors()
}

// built returns the program of a pass with the changed code. It is built once.
func (o *observer) built(p *pass) (compose.Built, hcl.Diagnostics) {
	if p.code == nil {
		side := sideIn(o.sides.After)
		side.Changed, side.Among, side.Before, side.Gone = o.lines(), o.among, o.sides.Before, o.sides.Gone
		code, diags := p.run.BuildCode(p.impl, side)
		code.Settings = o.x.settings(code.Settings)
		p.code, p.unbuilt = &code, diags
	}
	return *p.code, p.unbuilt
}

// lines returns the changed lines of declarations that differ in more than comments and layout.
func (o *observer) lines() map[string][]compose.Line {
	out := map[string][]compose.Line{}
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
				out[file] = append(out[file], compose.Line(l))
			}
		}
	}
	return out
}

// manner says how the steps of walks are drawn.
type manner struct {
	// Plain is a number of random walks, with the seed of walks of the specification alone; 0:
	// walks are guided.
	plain int64
	// Rehearsed says that walks come first which the specification alone has shown to cover most,
	// and actions of touched modules first of all. There are this many of them at least; 0: none.
	rehearsed int64
}

// guidedWalks are guided to touched actions and changed code, from random walks on.
var guidedWalks = manner{}

// walk takes walks until they say enough, and compares what they show with the code before the
// change. It reports whether no further composition is walked: a difference decides.
func (o *observer) walk(by manner) (over bool) {
	var shared []wire.Departure
	o.first.OfChange(o.named(), "")
	for {
		rep, why := o.ask(shared, by)
		if rep == nil {
			return o.unasked(why)
		}
		o.took(rep)
		fresh := o.compare(rep)
		switch {
		case len(o.out.Found) > 0:
			for k := range rep.Conformance.Followed.Violations {
				o.broken(&rep.Conformance.Followed.Violations[k])
			}
			return true
		case len(rep.Conformance.Found) == 0 || len(fresh) == 0:
			return false
		}
		shared = append(shared, fresh...)
		o.first.OfChange(o.named(shared...), "")
	}
}

// left returns the rest of the budget, at least a nanosecond: 0 would be no limit.
func (o *observer) left() time.Duration {
	return max(min(o.by.Budget-o.spent, o.wall()), time.Nanosecond)
}

// wall returns how long walks may last, with the time in which they wait for processors. It is at
// least a nanosecond.
func (o *observer) wall() time.Duration {
	return max(cmp.Or(o.by.Limit, mostWaits*o.by.Budget)-o.lasted, time.Nanosecond)
}

// mostWaits says for how many times the budget walks last at most, on a machine under load.
const mostWaits = 10

// ask takes walks with the changed code: see walk.
func (o *observer) ask(shared []wire.Departure, by manner) (*wire.Report, string) {
	req, ok := o.request(shared, by)
	if !ok {
		return nil, ""
	}
	start := host.Now()
	rep, why := o.run.AskCode(o.impl, o.code.Program, req, o.by.Traces)
	o.spend(start, rep)
	return rep, why
}

// spend takes the time since the start of walks from the budget, without that in which they waited
// for processors.
func (o *observer) spend(start time.Time, rep *wire.Report) {
	took := host.Since(start)
	if o.lasted += took; rep != nil && rep.Conformance != nil {
		took -= time.Duration(rep.Conformance.Waited * float64(time.Second))
	}
	o.spent += max(took, 0)
}

// request returns the request of ask. It reports false where there is none.
func (o *observer) request(shared []wire.Departure, by manner) (wire.Request, bool) {
	r := o.run
	r.Manifest.Simulate = o.impl.Walks.Or(r.Manifest.Simulate)
	limits := session.Limits{Workers: o.by.Workers, Timeout: o.left(), Seed: o.by.Seed}
	if by != guidedWalks {
		limits.Seed = new(o.doc.Seed + 1)
		limits.Timeout = max(limits.Timeout/2, time.Nanosecond)
	}
	req, diags := r.Simulation(session.Walks{Number: &by.plain, Weighted: true}, limits, false)
	actions, seen, more := r.Composition.Footprints()
	if r.Add(append(diags, more...)...); r.Diagnostics.HasErrors() {
		return req, false
	}
	walks := req.Options.Simulate
	req.Options.Stop = 0
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform = &wire.Conform{Depth: walks.Depth, Weights: walks.Weights, Strategy: o.guided(), Most: o.wall(), Follow: &wire.Follow{Least: o.usual(), Shared: shared}}
	follow := req.Options.Conform.Follow
	switch {
	case by.plain > 0:
		req.Options.Conform.Number, req.Options.Conform.Strategy, follow.Least = by.plain, nil, by.plain
	case by.rehearsed > 0:
		follow.Rehearse, follow.Least, follow.Share = rehearsed, by.rehearsed, limits.Timeout
	case o.later > 0:
		follow.Share = o.share()
	}
	req.Settings = o.code.Settings
	return req, true
}

// share returns the part of the rest of the budget that the present composition has. The parts are
// in proportion to the walks that a result needs of each.
func (o *observer) share() time.Duration {
	own := float64(o.needed())
	return time.Duration(float64(o.left()) * own / (own + float64(o.later)))
}

// took notes what walks did.
func (o *observer) took(rep *wire.Report) {
	c, out := rep.Conformance, o.out
	if c.Followed == nil { // the changed code ended its process
		c.Followed = &wire.Followed{Judged: []string{}, Unjudged: []wire.Unjudged{}, Ran: make([]wire.RanPlace, len(o.code.Places))}
	}
	out.Seed, out.Walks, out.Steps, out.Departs = c.Seed, out.Walks+c.Traces, out.Steps+c.Steps, out.Departs+c.Followed.Departed
	out.Seconds += rep.Seconds
	out.Judged, out.Unjudged, out.Compared, out.Unobserved = c.Followed.Judged, c.Followed.Unjudged, c.Observed, append([]string{}, c.Unobserved...)
	o.ran(c)
	doc := o.doc
	doc.Seed, doc.Walks, doc.Steps, doc.Departs, doc.Seconds = c.Seed, doc.Walks+c.Traces, doc.Steps+c.Steps, doc.Departs+c.Followed.Departed, doc.Seconds+rep.Seconds
	doc.LeftOut = append([]wire.LeftOut{}, c.LeftOut...)
	if doc.Unfired = doc.Unfired[:0]; c.Branches != nil {
		if o.missing == nil {
			o.missing = c.Branches.Missing
		}
		o.missing = slices.DeleteFunc(slices.Clone(o.missing), func(m wire.Untaken) bool { return !hasBranch(c.Branches.Missing, m) })
		doc.Branches, doc.Of = c.Branches.Of-len(o.missing), c.Branches.Of
	}
	for _, a := range o.touchedActions(rep) {
		if a.Fired > 0 {
			o.fired = append(o.fired, a.Name)
		} else if !slices.Contains(o.fired, a.Name) {
			doc.Unfired = append(doc.Unfired, a.Name)
		}
	}
	if o.undriven = ""; c.Undriven > 0 {
		o.undriven = c.UndrivenAt
	}
}

// compare does each difference with the code before the change. It returns those that both have and
// that were not known to be shared.
func (o *observer) compare(rep *wire.Report) (fresh []wire.Departure) {
	for k := range rep.Conformance.Found {
		f := &rep.Conformance.Found[k]
		d := o.difference(f)
		if n := len(o.unsure); !o.isShared(f) {
			o.sure = o.sure || len(o.unsure) == n
			o.out.Found = append(o.out.Found, o.kept(d, f))
			continue
		}
		o.out.Shared, o.shared = append(o.out.Shared, d), append(o.shared, d)
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

// isShared reports whether the code before the change differs on the same walk at the same
// variable. If that code cannot be run, the difference counts as the change's, with a warning. If a
// limit or an interrupt ended its walk, nothing is decided.
func (o *observer) isShared(f *wire.Discrepancy) bool {
	if f.Trace == nil {
		return false
	}
	g := o.onBase(f)
	if g.Unknown != "" {
		o.first.Add(configs.Warnf(codes.Change, "Code before the change not run", hcl.Range{},
			"%s Whether that code differs, too, is not known.", words.Sentence(g.Unknown)))
		if g.Ended {
			o.unsure = append(o.unsure, g.Unknown)
		}
		return false
	}
	if g.Kind != f.Kind || g.Steps != len(f.Trace.Steps) {
		return false
	}
	return len(f.Values) == 0 || g.Variable == variableOf(f)
}

// difference returns a difference as the document has it.
func (o *observer) difference(f *wire.Discrepancy) result.Difference {
	return session.DifferenceOf(f, narrate.KnownOf(o.run.Composition.Catalog))
}

// kept writes the trace and the log of a difference.
func (o *observer) kept(d result.Difference, f *wire.Discrepancy) result.Difference {
	d.Trace, d.Log = o.keep(func(r *session.Run, name string) (string, string) {
		return r.KeepBehaviour(o.by.Traces, name+d.Name(), o.impl.Name, words.Sentence(d.Line()), f.Trace, f.Log)
	})
	return d
}

// decide sets the verdict.
func (o *observer) decide() {
	out := o.out
	if o.coded == nil {
		o.unfired()
	}
	if len(out.Broken)+len(out.Found) == 0 {
		o.never()
		if o.coded == nil {
			o.places = o.unobserved()
		}
	}
	switch {
	case len(o.unsure) > 0 && !o.sure:
		out.Reason = "the changed code departs from the specification, and it is not known whether the code before the change does, too: " + o.unsure[0]
	case len(out.Broken) > 0:
		out.Verdict = verdicts.Violated
	case len(out.Found) > 0:
		out.Verdict = verdicts.Differs
	default:
		if out.Reason = o.open(); out.Reason == "" {
			out.Verdict = verdicts.Behaves
		}
	}
}

// broken adds an invariant that the implementation breaks.
func (o *observer) broken(v *wire.Broken) {
	known := narrate.KnownOf(o.run.Composition.Catalog)
	b := session.BrokenOf(v, known)
	b.Trace, b.Log = o.keep(func(r *session.Run, name string) (string, string) {
		return r.KeepBroken(o.by.Traces, name+v.Invariant, o.impl, v)
	})
	o.out.Broken = append(o.out.Broken, b)
}

// open says why walks in which all states are equal do not show that the change behaves as the
// specification; "" where they do.
func (o *observer) open() string {
	var parts []string
	if why := o.early(); why != "" && o.coded == nil {
		parts = append(parts, why)
	}
	if o.coded != nil {
		parts = o.openCoded()
	}
	for _, p := range o.done {
		if p.code != nil && p.code.Unnoted != "" {
			parts = append(parts, "the operands of changed operations were not noted: "+p.code.Unnoted)
		}
		if p.undriven != "" {
			parts = append(parts, "a step could not be driven: "+p.undriven)
		}
		if least := p.needed(); len(parts) == 0 && p.doc.Reason == "" && p.doc.Walks < least {
			text := fmt.Sprintf("the budget ended after %d of %s", p.doc.Walks, words.Plural(least, "walk"))
			if p.sized {
				text += " with " + words.ListOr(settingsOf(p.of.Bounds), "")
			}
			parts = append(parts, text)
		}
	}
	parts = append(parts, o.short...)
	if text := o.x.apart(); text != "" {
		parts = append(parts, text)
	}
	places := o.places
	if o.coded != nil {
		places = o.writtenCoded()
	}
	if lines := o.uncovered(); len(lines) > 0 {
		parts = append(parts, words.ListFew(lines))
	}
	if len(o.out.Places) == 0 {
		parts = append(parts, o.placeless())
	}
	if len(places) > 0 {
		parts = append(parts, words.ListFew(places))
	}
	if len(o.out.Unfired) > 0 && !o.idle() {
		parts = append(parts, "no walk took "+words.ListFew(o.out.Unfired))
	}
	if len(o.out.Untaken) > 0 {
		parts = append(parts, "the specification takes branches that no walk took: "+words.ListFew(o.out.Untaken))
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

// idle reports whether nothing that changed reaches a place which outlives a call: compiled classes
// were compared, and all changed lines do as before. Walks show that they do not fail. An action
// that no walk took decides nothing then.
func (o *observer) idle() bool {
	return o.coded != nil && o.coded.written && len(o.out.Written) == 0 && len(o.out.Places) > 0 &&
		!slices.ContainsFunc(o.out.Places, func(p result.RanPlace) bool { return !p.Same })
}

// unseen names the changed declarations that have no line to run: types, constants, variables, and
// functions that are gone. Those that show in other changed lines are left out.
func (o *observer) unseen() (names []string) {
	note := func(d result.Declaration) {
		function := d.Kind == string(change.Function) || d.Kind == string(change.Method)
		if d.Kind == string(change.Import) || d.Followed || slices.Contains(o.widened, d.Name) || function && d.How != string(change.Removed) || slices.Contains(names, d.Name) {
			return
		}
		if o.coded != nil && o.coded.written && (function || d.Kind == string(change.Lines) && d.Name != d.File) {
			return // classes are compared as a whole
		}
		// A field that one side lacks shows in the methods that use it. Another declaration of a
		// field is named.
		variable := d.Kind == string(change.Var) || d.Kind == string(change.Const)
		if o.coded != nil && o.coded.written && variable && slices.Contains(o.sides.Compiled, d.File) {
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
