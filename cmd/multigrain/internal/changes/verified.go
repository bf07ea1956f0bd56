package changes

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/finer"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
)

// What it computes. The verdict of the model checker on the composition for a change, without the
// violations that the version before the change has, too.
//
// Why it is right. The specification of the version before the change has the options of the
// manifest without flags, and else the same grains and bounds. A violation of an invariant that it
// violates, too, says nothing of the change. So such an invariant is left out, and the others are
// checked. If no flag changes an option, both specifications are the same, and every violation is
// the earlier version's.
//
// A violation that is the change's own is followed in the fine composition: see package finer. It
// is none of the protocol if only coarse grains have it.
//
// What it costs. A check of the composition. For each of its violations, a check of that invariant
// in the specification before the change, and a check without it.
//
// Example. A repair is described by -var fix=pr-1993, and the manifest has fix = none:
//
//	check with pr-1993                violated: I-8
//	check of I-8 with none            violated: it is a known bug
//	check with pr-1993 without I-8    holds

// Explored is a composition that was model checked for a change.
type Explored struct {
	*session.Run
	// Known are the invariants that the specification of the version before the change violates,
	// too.
	Known []string
}

// Explore checks a composition for a change. Base is the run of the manifest.
func Explore(base, of *session.Run, l session.Limits, how session.Exploring) Explored {
	before, adapted := earlier(base, of)
	out, start := Explored{}, host.Now()
	for {
		r, comp := *of, *of.Composition
		comp.Choice.Except = append(slices.Clone(comp.Choice.Except), out.Known...)
		r.Composition = &comp
		r.Diagnostics = slices.Clone(of.Diagnostics)
		out.Run = &r
		limits := l
		if l.Timeout > 0 {
			limits.Timeout = max(l.Timeout-host.Since(start), time.Second)
		}
		r.Explore(r.Exploration(limits, false), how)
		name := violated(&r)
		if name == "" || adapted && (before == nil || !violates(before, name, limits)) {
			refine(&r, limits, how)
			return out
		}
		if out.Known = append(out.Known, name); !adapted {
			return out
		}
	}
}

// refine follows a counterexample in the fine composition. A violation that only coarse grains have
// is none of the change.
func refine(r *session.Run, l session.Limits, how session.Exploring) {
	finer.Refine(r, session.Comparing{Limits: l}, how.Traces, func() {
		again := l
		again.Stop = new(int)
		r.Explore(r.Exploration(again, false), how)
	})
}

// violated names the property that a run violates first; "" for none, and for a deadlock.
func violated(r *session.Run) string {
	if r.Report == nil || len(r.Report.Violations) == 0 {
		return ""
	}
	v := &r.Report.Violations[0]
	if v.Instance != "" {
		return v.Invariant + "." + v.Instance
	}
	return v.Invariant
}

// earlier returns the composition with the options that the manifest has without flags. Adapted
// says that an option differs. The run is nil if the manifest cannot do without flags.
func earlier(base, of *session.Run) (before *session.Run, adapted bool) {
	plain := base.Env.ResolveWith(base.Manifest.Path, configs.Options{Environ: base.Env.Environ})
	if plain.Composition == nil {
		return nil, !base.AsWritten
	}
	m := *of.Manifest
	m.Options = plain.Manifest.Options
	comp, diags := of.Composition.Under(&m)
	if diags.HasErrors() || comp == nil {
		return nil, true
	}
	if maps.Equal(optionsOf(comp), optionsOf(of.Composition)) {
		return nil, false
	}
	r := *of
	r.Manifest, r.Composition, r.Diagnostics = &m, comp, nil
	return &r, true
}

// optionsOf returns the constants that options set.
func optionsOf(c *compose.Composition) map[string]string {
	out := map[string]string{}
	for _, o := range c.Catalog.Options {
		out[o.Name] = c.Constants[o.Const]
	}
	return out
}

// violates reports whether a composition violates an invariant within limits.
func violates(before *session.Run, invariant string, l session.Limits) bool {
	r, comp := *before, *before.Composition
	comp.Choice.Invariants, comp.Choice.Except, comp.Choice.Properties = []string{invariant}, nil, nil
	r.Composition, r.Diagnostics = &comp, nil
	r.Explore(r.Exploration(l, false), session.Exploring{Traces: session.NoTraces})
	return violated(&r) == invariant
}

// Verify checks the composition for a change whose code behaves as the specification, and notes
// what that says.
func (x *Changed) Verify(base *session.Run, l session.Limits, how session.Exploring) {
	o := x.Observed
	if o == nil || o.Verdict != verdicts.Behaves || x.Outcome == nil {
		return
	}
	e, missing := x.roomy(base, l, how)
	c := &result.Checked{Verdict: verdicts.Undecided, Known: append([]string{}, e.Known...)}
	o.Checked = c
	rep := e.Report
	switch {
	case rep == nil:
		if c.Reason = e.Stopped; c.Reason == "" {
			c.Reason = firstError(e.Diagnostics)
		}
		return
	case len(rep.Violations) > 0 && slices.Contains(e.Known, violated(e.Run)):
		c.Reason = fmt.Sprintf("the specification of the version before the change violates %s", words.ListOr(e.Known, ""))
	case len(rep.Violations) > 0:
		v := &rep.Violations[0]
		c.Verdict, c.Invariant, c.Kind = verdicts.Violated, nameOf(v), v.Kind
		c.Trace, c.Finer = e.TraceOf(0), e.Finer
		o.Verdict = verdicts.Violated
	default:
		c.Verdict, c.Reason, c.Finer = rep.Verdict, rep.Reason, e.Finer
		switch {
		case c.Verdict == verdicts.Holds && len(missing) > 0:
			c.Verdict, c.Reason = verdicts.Undecided, "it holds within bounds in which no state takes "+words.ListFew(missing)
		case c.Verdict == verdicts.Holds && len(o.Accepted) == 0:
			o.Verdict = verdicts.Verified
		}
	}
	c.Distinct, c.Seconds = rep.Distinct, rep.Seconds
}

// mostRooms bounds how often the bounds of the check are raised.
const mostRooms = 3

// roomy checks the composition for a change within the manifest's bounds. If no state takes an
// action of a touched module, the bounds of that action are raised by one and the composition is
// checked again. It returns the check within the largest bounds that was decided, and the actions
// that no state takes there.
func (x *Changed) roomy(base *session.Run, l session.Limits, how session.Exploring) (e Explored, missing []string) {
	of, start := *x.Outcome, host.Now()
	for k := range mostRooms + 1 {
		limits := l
		limits.Timeout = max(l.Timeout-host.Since(start), time.Second)
		next := Explore(base, &of, limits, how)
		if k > 0 && (next.Report == nil || next.Report.Verdict == verdicts.Undecided) {
			return e, missing
		}
		e = next
		if missing = x.untakenIn(e.Report); len(missing) == 0 || e.Report.Verdict != verdicts.Holds {
			return e, missing
		}
		comp := of.Composition.Roomier(missing)
		if comp == nil {
			return e, missing
		}
		of.Composition = comp
	}
	return e, missing
}

// untakenIn returns the actions of touched modules that no state takes.
func (x *Changed) untakenIn(rep *wire.Report) (out []string) {
	if rep == nil {
		return nil
	}
	for _, a := range rep.Actions {
		if a.Fired == 0 && !a.Environment && slices.ContainsFunc(x.Touched, func(t result.Touched) bool { return t.Module == a.Module }) {
			out = append(out, a.Name)
		}
	}
	return out
}

// nameOf names the property of a violation.
func nameOf(v *wire.Violation) string {
	switch {
	case v.Invariant == "":
		return v.Kind
	case v.Instance == "":
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}

// Left returns what the walks left of the budget.
func (x *Changed) Left() time.Duration { return max(x.left, time.Second) }
