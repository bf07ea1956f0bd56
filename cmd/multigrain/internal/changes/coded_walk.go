package changes

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// askedCode returns the request's part for code.
func (o *observer) askedCode(path string) *wire.Code {
	if o.coded == nil {
		return nil
	}
	code := &wire.Code{Path: path}
	if path == o.coded.after {
		code.Lines = o.coded.lines
	}
	return code
}

// keptIn is the folder of the cache for what adapters keep.
func keptIn(r *session.Run) string { return filepath.Join(sidesIn(r), "kept") }

// walkCoded takes walks in a composition until one departs, and does it again on both sides. If
// the difference is the change's own, further walks begin like it and show what follows. Otherwise
// new ones are taken. It reports whether no further composition is walked. The first of several
// gets two thirds of the time, the others equal parts of the rest.
func (o *observer) walkCoded(most bool) (over bool) {
	c, before := o.coded, *o.out
	defer func() { o.tellWalked(&before) }()
	c.until = time.Time{}
	share := o.remaining() / time.Duration(o.rest)
	if most {
		share = o.remaining() * 2 / 3
	}
	c.until = host.Now().Add(share)
	var shared []wire.Departure
	for {
		rep := o.askCoded(shared, nil)
		if rep == nil {
			return false
		}
		o.tookCoded(rep)
		c.proven = nil
		o.breaks(rep, shared)
		shared = append(shared, o.compareCoded(rep, shared)...)
		o.first.OfChange(o.named(shared...), "")
		if len(o.out.Found)+len(o.out.Broken) > 0 {
			o.consequences(rep, shared)
			return true
		}
		if len(rep.Conformance.Found) == 0 || o.remaining() < leastAsked || o.run.Env.Soft.Err() != nil {
			return o.run.Env.Soft.Err() != nil
		}
	}
}

// coveredCoded says what ran in walks before any difference, if no difference is the change's.
func (o *observer) coveredCoded() {
	for k := range o.out.Places {
		if p := &o.out.Places[k]; len(o.out.Found) == 0 && k < len(o.coded.equal) {
			p.False, p.True = o.coded.equal[k].False, o.coded.equal[k].True
		}
	}
}

// tellWalked notes what walks did in the composition. Before is the result of those before it.
func (o *observer) tellWalked(before *result.Observed) {
	d, out := o.doc, o.out
	d.Seed, d.Walks, d.Steps, d.Departs = out.Seed, out.Walks-before.Walks, out.Steps-before.Steps, out.Departs-before.Departs
	d.Seconds = out.Seconds - before.Seconds
}

// statesAhead bounds the search for a violation that follows from a difference.
const statesAhead = 20_000

// rehearsed is how many walks of the specification are taken to choose those that servers do first.
const rehearsed = 4000

// mostConsequences bounds the walks that begin like one that departed.
const mostConsequences = 10

// leastAsked is the least time for which walks are asked for.
const leastAsked = 15 * time.Second

// remaining returns the rest of the budget without the part that is reserved, and of that the part
// of the composition.
func (o *observer) remaining() time.Duration {
	left := o.by.Budget - o.by.Budget/reserved - host.Since(o.coded.start)
	if !o.coded.until.IsZero() {
		left = min(left, o.coded.until.Sub(host.Now()))
	}
	return left
}

// askCoded takes walks with the changed code. With begin most of them begin like that one.
func (o *observer) askCoded(shared []wire.Departure, begin *wire.Trace) *wire.Report {
	r, c := o.run, o.coded
	r.Manifest.Simulate = o.impl.Walks.Or(r.Manifest.Simulate)
	number := int64(0)
	limit := max(o.remaining(), leastAsked)
	if begin != nil {
		limit = max(o.by.Budget-host.Since(o.coded.start), leastAsked)
	}
	req, diags := r.Simulation(session.Walks{Number: &number, Weighted: true}, session.Limits{Workers: o.by.Workers, Timeout: limit, Seed: o.by.Seed}, false)
	actions, seen, more := r.Composition.Footprints()
	if r.Add(append(diags, more...)...); r.Diagnostics.HasErrors() {
		return nil
	}
	if c.asked == 0 {
		o.out.Seed = req.Options.Seed
	}
	req.Options.Seed = o.out.Seed + c.asked
	c.asked++
	walks := req.Options.Simulate
	req.Options.Stop = 0
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform = &wire.Conform{Depth: walks.Depth, Weights: walks.Weights, Strategy: o.guided(), Code: o.askedCode(c.after), Keep: keptIn(r),
		Follow: &wire.Follow{Least: o.least(), Shared: shared, First: begin == nil, Begin: begin, Ahead: statesAhead, Rehearse: rehearsed}}
	if begin != nil {
		req.Options.Conform.Number, req.Options.Conform.Follow.Rehearse = mostConsequences, 0
	}
	rep, why := r.AskCode(o.impl, o.code.Program, req, o.by.Traces)
	if rep == nil {
		o.doc.Reason = why
		if o.run == o.first {
			o.out.Reason = why
		}
	}
	return rep
}

// tookCoded adds what walks did.
func (o *observer) tookCoded(rep *wire.Report) {
	c, out, f := o.coded, o.out, rep.Conformance
	if f.Followed == nil {
		f.Followed = &wire.Followed{Judged: []string{}, Unjudged: []wire.Unjudged{}}
	}
	out.Walks, out.Steps, out.Departs, out.Seconds = out.Walks+f.Traces, out.Steps+f.Steps, out.Departs+f.Followed.Departed, out.Seconds+rep.Seconds
	out.Judged, out.Unjudged, out.Compared, out.Unobserved = f.Followed.Judged, f.Followed.Unjudged, f.Observed, append([]string{}, f.Unobserved...)
	if f.Undriven > 0 {
		c.open = append(c.open, "a step could not be driven: "+firstLine(f.UndrivenAt))
	}
	for k, p := range f.Followed.Places {
		if k == len(out.Places) {
			out.Places = append(out.Places, result.RanPlace{File: p.File, Line: p.Line, Column: p.Column, Func: p.Func, Text: p.Text, Kind: p.Kind})
			c.equal = append(c.equal, wire.RanPlace{})
		}
		if k < len(f.Followed.Ran) {
			out.Places[k].False, out.Places[k].True = out.Places[k].False || f.Followed.Ran[k].False, out.Places[k].True || f.Followed.Ran[k].True
		}
		if k == len(c.here) {
			c.here = append(c.here, wire.RanPlace{})
		}
		if k < len(f.Followed.Equal) {
			c.here[k].False, c.here[k].True = c.here[k].False || f.Followed.Equal[k].False, c.here[k].True || f.Followed.Equal[k].True
			c.equal[k].False, c.equal[k].True = c.equal[k].False || f.Followed.Equal[k].False, c.equal[k].True || f.Followed.Equal[k].True
		}
	}
	if c.fired == nil {
		c.fired = map[string]bool{}
	}
	o.doc.Unfired = o.doc.Unfired[:0]
	for _, a := range rep.Actions {
		c.fired[a.Name] = c.fired[a.Name] || a.Fired > 0
		if !c.fired[a.Name] && !a.Environment && !a.Spent && slices.ContainsFunc(o.x.Touched, func(t result.Touched) bool { return t.Module == a.Module }) {
			o.doc.Unfired = append(o.doc.Unfired, a.Name)
		}
	}
	out.Unfired = slices.Clone(o.doc.Unfired)
}

// firstLine returns a text up to the end of its first line.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// consequences takes walks that begin like the first one that departs by the change, if no
// invariant is broken yet, and adds those that they break.
func (o *observer) consequences(rep *wire.Report, shared []wire.Departure) {
	if len(o.out.Broken) > 0 || o.by.Budget-host.Since(o.coded.start) < leastAsked || o.run.Env.Soft.Err() != nil {
		return
	}
	if more := o.askCoded(shared, rep.Conformance.Found[0].Trace); more != nil {
		o.tookCoded(more)
		o.breaks(more, shared)
	}
}

// breaks adds the invariants that walks broke, as far as that is the change's.
func (o *observer) breaks(rep *wire.Report, shared []wire.Departure) {
	for k := range rep.Conformance.Followed.Violations {
		if v := &rep.Conformance.Followed.Violations[k]; len(o.out.Broken) < mostBroken && o.ownBroken(v, shared) {
			o.broken(v)
			o.coded.proven = append(o.coded.proven, v.Walk)
		}
	}
}

// mostBroken is how many broken invariants are examined and shown at most.
const mostBroken = 4

// compareCoded does each difference again, on the changed code and on the code before it. It
// returns those that both have and that were not known to be shared.
func (o *observer) compareCoded(rep *wire.Report, shared []wire.Departure) (fresh []wire.Departure) {
	for k := range rep.Conformance.Found {
		f := &rep.Conformance.Found[k]
		d := o.difference(f)
		if f.Trace == nil || !o.baseCoded() {
			o.coded.open = append(o.coded.open, "the code before the change cannot be run, so that it is not known whose the difference is: "+d.Line())
			continue
		}
		if slices.Contains(o.coded.proven, f.Walk) {
			o.out.Found = append(o.out.Found, o.kept(d, f))
			continue
		}
		once := &wire.Follow{Shared: shared, First: true}
		after, base := o.both(f.Trace, once,
			func(rep *wire.Report) bool { return sameDeparture(rep, f) },
			func(rep *wire.Report) bool { return sameDeparture(rep, f) || followed(rep, f.Trace) })
		if !sameDeparture(after, f) {
			o.coded.open = append(o.coded.open, fmt.Sprintf("a difference of one walk did not show again (%s)%s", d.Line(), where(o.kept(d, f))))
			continue
		}
		switch {
		case sameDeparture(base, f):
			o.out.Shared = append(o.out.Shared, d)
			if len(f.Values) > 0 {
				fresh = append(fresh, wire.Departure{Action: d.Action, Variable: variableOf(f)})
			}
		case followed(base, f.Trace):
			o.out.Found = append(o.out.Found, o.kept(d, f))
		default:
			o.coded.open = append(o.coded.open, fmt.Sprintf("the code before the change does not follow the walk to the difference (%s)", d.Line()))
		}
	}
	return fresh
}

// where names the files of a difference, which say what the servers did; "" without files.
func where(d result.Difference) string {
	if d.Log == "" {
		return ""
	}
	return ": its log is " + d.Log
}

// both does a trace again on the changed code and on the code before it, at the same time. What
// does not show is done twice: servers under load may fail to do a step once.
func (o *observer) both(t *wire.Trace, follow *wire.Follow, shows, holds func(rep *wire.Report) bool) (after, before *wire.Report) {
	var two sync.WaitGroup
	for _, x := range []struct {
		path string
		is   func(rep *wire.Report) bool
		rep  **wire.Report
	}{{o.coded.after, shows, &after}, {o.coded.before, holds, &before}} {
		two.Go(func() {
			for range 2 {
				if *x.rep = o.redo(x.path, t, follow); *x.rep != nil && x.is(*x.rep) {
					return
				}
			}
		})
	}
	two.Wait()
	return after, before
}

// redo does a trace on other code, with the implementation as the model. Nil: it was not done.
func (o *observer) redo(path string, t *wire.Trace, follow *wire.Follow) *wire.Report {
	if o.run.Env.Soft.Err() != nil {
		return nil
	}
	actions, seen, diags := o.run.Composition.Footprints()
	if diags.HasErrors() {
		return nil
	}
	run, env := *o.run, *o.run.Env
	env.Watch = func(wire.Request) (func(wire.Progress), func()) { return nil, func() {} }
	run.Env, run.Diagnostics = &env, nil
	req := run.Exploration(session.Limits{Workers: 1, Timeout: retraceTime}, false)
	req.Options.Footprints = &wire.Footprints{Actions: actions, Seen: seen}
	req.Options.Conform = &wire.Conform{Replay: t, Code: o.askedCode(path), Follow: follow, Keep: keptIn(&run)}
	rep, _ := run.AskCode(o.impl, o.code.Program, req, session.NoTraces)
	if rep != nil && rep.Conformance.Followed == nil { // a step could not be driven
		rep.Conformance.Followed = &wire.Followed{}
	}
	return rep
}

// sameDeparture reports whether a trace that was done again ends in the difference.
func sameDeparture(rep *wire.Report, f *wire.Discrepancy) bool {
	if rep == nil || len(rep.Conformance.Found) == 0 {
		return false
	}
	g := &rep.Conformance.Found[0]
	return g.Kind == f.Kind && len(g.Trace.Steps) == len(f.Trace.Steps) && (len(f.Values) == 0 || variableOf(g) == variableOf(f))
}

// followed reports whether a trace was done to its end and shows no difference.
func followed(rep *wire.Report, t *wire.Trace) bool {
	return rep != nil && len(rep.Conformance.Found) == 0 && rep.Conformance.Undriven == 0 && rep.Conformance.Steps == int64(len(t.Steps))
}

// ownBroken reports whether a violation is the change's. The changed code must break the invariant
// again. The code before the change must do the walk to where the changed code departs, and then as
// far as it can. It must break the invariant in none of its states.
func (o *observer) ownBroken(v *wire.Broken, shared []wire.Departure) bool {
	if !o.baseCoded() {
		return false
	}
	shows := func(rep *wire.Report) bool { return departsAt(rep) == v.Departed && breaksAgain(rep, v.Invariant) }
	holds := func(rep *wire.Report) bool {
		at := departsAt(rep)
		return rep.Conformance.Undriven == 0 && (at == 0 || at > v.Departed) && rep.Conformance.Steps >= int64(v.Departed) && !breaksAgain(rep, v.Invariant)
	}
	after, before := o.both(v.Trace, &wire.Follow{Shared: shared, Always: true}, shows, holds)
	return after != nil && before != nil && shows(after) && holds(before)
}

// departsAt returns the number of the step at which a trace that was done again differs; 0 for
// none.
func departsAt(rep *wire.Report) int {
	if len(rep.Conformance.Found) == 0 {
		return 0
	}
	return len(rep.Conformance.Found[0].Trace.Steps)
}

// breaksAgain reports whether a trace that was done again breaks an invariant.
func breaksAgain(rep *wire.Report, invariant string) bool {
	return slices.ContainsFunc(rep.Conformance.Followed.Violations, func(v wire.Broken) bool { return v.Invariant == invariant })
}

// openCoded says what else keeps walks that show no difference from a verdict.
func (o *observer) openCoded() (parts []string) {
	if o.run.Env.Soft.Err() != nil {
		parts = append(parts, "interrupted")
	}
	if o.doc.Walks < o.least() {
		parts = append(parts, fmt.Sprintf("%s of at least %d came to the end within the time of -budget", words.Plural(o.doc.Walks, "walk"), o.least()))
	}
	return append(parts, o.coded.open...)
}
