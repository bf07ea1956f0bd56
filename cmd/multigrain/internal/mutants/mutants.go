// Package mutants decides level L3 of interaction preservation: whether the mixed composition finds
// the mistakes of the modules under test that the fine one finds.
//
// Each mutant is explored in both, the mixed one first, up to its first violation. Its outcome is
// kept in the cache, so a run that is interrupted continues where it was.
package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/compose"
)

// Options say which mutants are explored, and how far.
type Options struct {
	// Limits of states, time and memory are those of each exploration of a mutant.
	session.Comparing
	Most int    // mutants that are drawn, at least 1
	Seed uint64 // of the draw
}

// Most is the number of mutants that are drawn without an option, and Seed their seed.
const (
	Most = 40
	Seed = 1
)

// patience bounds an exploration without another limit: a loop in mutated code need not end.
const patience = 2 * time.Minute

// The sides of a comparison.
const (
	fine  = 0
	mixed = 1
)

// Run explores the mutants of a composition, which level L2 has compared before. The result is in
// the interaction part of the document, and mutants that are lost or false are errors. It does
// nothing where no coarse grain is compared.
func Run(r *session.Run, opt Options) {
	m, diags := r.Composition.Mutants(opt.Most, opt.Seed)
	r.Add(diags...)
	if m == nil || diags.HasErrors() {
		return
	}
	x := &runner{run: r, opt: opt, m: m, d: &result.Mutants{
		Bounds: session.BoundsOf(m.Comparison), Seed: opt.Seed, Sites: m.Sites, Drawn: len(m.List), Apart: m.Apart, List: []result.Mutant{},
	}}
	x.states, x.timeout = r.LimitsOf(opt.Comparing)
	if x.timeout == 0 {
		x.timeout = patience
	}
	why := x.all()
	if x.failed {
		return
	}
	x.d.Count(why)
	r.Interaction.Mutants = x.d
	settle(r.Interaction)
	if x.d.Verdict == verdicts.Undecided && !x.interrupted() && x.d.Undecided > 0 && why == "" {
		x.d.Reason += "; raise -max-states or -timeout, or lower a bound in the manifest's interaction block"
	}
	r.Add(x.report()...)
}

// settle makes the verdict of mutants that of the composition. Level L3 is reached if level L2 is,
// and all mutants are kept. A mutant that is lost or false decides it, too.
func settle(i *result.Interaction) {
	switch i.Mutants.Verdict {
	case verdicts.Broken:
		i.Verdict, i.Level = verdicts.Broken, "L3"
	case verdicts.Preserved:
		if i.Level == "L2" && i.Verdict != verdicts.Broken {
			i.Level = "L3"
		}
	}
}

type runner struct {
	run      *session.Run
	opt      Options
	m        *compose.Mutants
	d        *result.Mutants
	states   int64
	timeout  time.Duration
	programs [2]string
	failed   bool // a program cannot be built; diagnostics say why
}

// all explores the specification and the mutants. It returns why it ended early; "" if it did not.
func (x *runner) all() string {
	if len(x.m.List) == 0 {
		return ""
	}
	for side := range 2 {
		program, interrupted, diags := x.run.Env.Assemble(func(ctx context.Context) (string, hcl.Diagnostics) { return x.m.Assemble(ctx, side) })
		if interrupted {
			return session.InterruptedBuild
		}
		if x.run.Add(diags...); diags.HasErrors() || program == "" {
			x.failed = true
			return ""
		}
		x.programs[side] = program
	}
	if why := x.untouched(); why != "" {
		return why
	}
	for k := range x.m.List {
		o := x.known(k)
		if o == nil {
			if o = x.mutant(k); o == nil {
				return fmt.Sprintf("an interrupt came after %d of %d mutants", k, len(x.m.List))
			}
			x.keep(k, o)
		}
		x.d.List = append(x.d.List, *o)
	}
	return ""
}

// untouched explores the specification itself. It returns why nothing follows from mutants.
func (x *runner) untouched() string {
	o := x.known(-1)
	if o == nil {
		o = new(result.Mutant)
		for side, to := range []*result.Searched{&o.Fine, &o.Mixed} {
			*to, _ = x.explore(side, 0)
			if x.interrupted() {
				return "an interrupt came before the first mutant"
			}
		}
		x.keep(-1, o)
	}
	x.d.Fine, x.d.Mixed = o.Fine, o.Mixed
	for _, s := range []struct {
		name string
		*result.Searched
	}{{"fine", &o.Fine}, {"mixed", &o.Mixed}} {
		if s.Bad() {
			return fmt.Sprintf("the %s composition violates %s without a mutant, so nothing follows from mutants; lower a bound, or select other properties", s.name, s.Property)
		}
	}
	return ""
}

func (x *runner) interrupted() bool { return x.run.Env.Soft.Err() != nil }

// mutant explores a mutant in both compositions; nil after an interrupt.
func (x *runner) mutant(k int) *result.Mutant {
	o := &result.Mutant{}
	x.name(k, o)
	var traces [2]*wire.Trace
	for _, side := range []int{mixed, fine} {
		to := []*result.Searched{&o.Fine, &o.Mixed}[side]
		*to, traces[side] = x.explore(side, k+1)
		if x.interrupted() {
			return nil
		}
		if side == mixed && to.Verdict == verdicts.Undecided {
			break // whatever the fine one does, the mutant stays undecided
		}
	}
	x.judge(o)
	if o.Outcome == result.MutantLost || o.Outcome == result.MutantFalse {
		x.show(k, o, traces)
	}
	return o
}

// name fills in what the mutant is.
func (x *runner) name(k int, o *result.Mutant) {
	m := &x.m.List[k]
	o.Name, o.File, o.Line = m.String(), filepath.Base(m.File), m.Line
}

// judge gives a mutant its outcome.
func (x *runner) judge(o *result.Mutant) {
	f, c := &o.Fine, &o.Mixed
	switch {
	case f.Bad() && c.Bad():
		o.Outcome, o.Note = result.MutantKept, kept(f, c)
	case f.Full || c.Full:
		o.Outcome, o.Note = result.MutantUndecided, fmt.Sprintf("only one composition exceeds a capacity: %s%s", f.Reason, c.Reason)
	case c.Verdict == verdicts.Undecided:
		o.Outcome, o.Note = result.MutantUndecided, "the mixed composition: "+c.Reason
	case f.Verdict == verdicts.Undecided:
		o.Outcome, o.Note = result.MutantUndecided, "the fine composition: "+f.Reason
	case f.Bad():
		o.Outcome = result.MutantLost
	case c.Bad():
		o.Outcome = result.MutantFalse
	default:
		o.Outcome = result.MutantEqual
		if f.Digest == x.d.Fine.Digest && c.Digest == x.d.Mixed.Digest {
			o.Note = "both compositions have the states of the specification itself"
		}
	}
}

// kept returns the note about a mutant that both compositions find; "" for none.
func kept(f, c *result.Searched) string {
	switch {
	case f.Full && c.Full:
		return "both compositions exceed a capacity, which check reports as an error: " + f.Reason
	case f.Property != c.Property:
		return fmt.Sprintf("the fine composition ends with %s, and the mixed one with %s", f.Property, c.Property)
	}
	return ""
}

// explore explores one composition with a mutant, 0 for none, and returns the trace of a violation.
func (x *runner) explore(side, number int) (s result.Searched, t *wire.Trace) {
	req := wire.Request{Verb: "check", Choice: x.m.Sides[side].EncodedChoice(), Options: wire.Options{
		Workers: x.opt.Workers, Stop: 1, Deadlock: x.run.Manifest.Check.Deadlock.Value, MaxStates: x.states, Timeout: x.timeout,
		Memory: x.opt.Memory, Mutant: number,
	}}
	e, err := x.run.Env.Explore(x.programs[side], req, false)
	if err != nil {
		return failure(err)
	}
	rep := e.Report
	s = result.Searched{Verdict: rep.Verdict, Reason: rep.Reason, States: rep.Distinct, Depth: rep.Depth, Seconds: rep.Seconds}
	if rep.Verdict == verdicts.Holds {
		s.Digest = rep.Digest
	}
	if len(rep.Violations) > 0 {
		v := &rep.Violations[0]
		s.Property, t = nameOf(v), v.Trace
	}
	return s, t
}

// nameOf returns the name of what a violation violates.
func nameOf(v *wire.Violation) string {
	switch {
	case v.Invariant == "":
		return v.Kind
	case v.Instance == "":
		return v.Invariant
	}
	return v.Invariant + "." + v.Instance
}

// failure returns the result of an exploration that ended with an error. Check reports a panic and
// a capacity that is exceeded as errors, so both count as found.
func failure(err error) (s result.Searched, t *wire.Trace) {
	var fault *wire.Error
	if !errors.As(err, &fault) || fault.Kind != wire.ErrorSpec && fault.Kind != wire.ErrorCapacity {
		return result.Searched{Verdict: verdicts.Undecided, Reason: err.Error()}, nil
	}
	s = result.Searched{Verdict: result.Fails, Property: "a failure", Reason: fault.Message, Full: fault.Capacity > 0}
	if s.Full {
		s.Property = "a capacity"
	}
	return s, fault.Trace
}

// show adds the counterexample of a mutant that is lost or false, and how far the other composition
// follows it.
func (x *runner) show(k int, o *result.Mutant, traces [2]*wire.Trace) {
	known := narrate.KnownOf(x.run.Composition.Catalog)
	for side, s := range []*result.Searched{&o.Fine, &o.Mixed} {
		if t := traces[side]; t != nil {
			s.Counterexample = narrate.BehaviourOf(t, known, false)
			s.Trace = x.run.KeepWitness(x.opt.Traces, fmt.Sprintf("%s-%d", o.Outcome, k+1), "mutant", o.Name, t)
		}
	}
	x.follow(k, o, traces)
}

// limits returns the limits of an exploration, as a part of the key of an undecided outcome.
func (x *runner) limits() string {
	return fmt.Sprintf("%d %s %d", x.states, x.timeout, x.opt.Memory)
}

// known returns the outcome of a mutant in an earlier run; nil if that is not known, or must be
// found again.
func (x *runner) known(k int) *result.Mutant {
	if x.opt.Again {
		return nil
	}
	for _, limits := range []string{"", x.limits()} {
		o := new(result.Mutant)
		if text := x.m.Outcome(k, limits); text == nil || json.Unmarshal(text, o) != nil {
			continue
		}
		shown := o.Outcome == result.MutantLost || o.Outcome == result.MutantFalse
		if shown && (o.Followed == nil || x.opt.Traces != session.NoTraces) {
			return nil // an earlier version kept it, or its trace is asked for
		}
		if k >= 0 {
			x.name(k, o)
		}
		return o
	}
	return nil
}

// keep keeps the outcome of a mutant. An undecided one is about these limits only.
func (x *runner) keep(k int, o *result.Mutant) {
	limits := ""
	if o.Outcome == result.MutantUndecided || k < 0 {
		limits = x.limits()
	}
	if text, err := json.Marshal(o); err == nil {
		x.m.StoreOutcome(k, limits, text)
	}
}
