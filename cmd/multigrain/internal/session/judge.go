package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

// A program says holds if it was asked to find violations and found none. The run says less in five
// cases, in this order:
//
//   - Random walks found nothing. That says nothing about other behaviours.
//   - The composition is not preserved. The coarse grains may leave out what violates a property.
//   - The manifest states a level of interaction preservation, and that level is not decided.
//   - A finding that -strict makes an error, such as an action that is never enabled.
//   - The run looked at less than its verdict needs: see verdicts.Short.
//
// A violation stays a violation in all of them.

// judge replaces the verdict of the program by that of the run. Findings are those of vacuous.
func (r *Run) judge(findings hcl.Diagnostics) {
	rep := r.Report
	if rep.Verdict != verdicts.Holds {
		return
	}
	r.completed = true
	if rep.Simulation != nil {
		rep.Verdict = verdicts.NothingFound
	}
	switch x := r.Interaction; {
	case x != nil && (x.Verdict == verdicts.Broken || x.Locked != nil && x.Locked.Refused && x.Comparison == nil):
		rep.Verdict, rep.Reason = verdicts.Undecided, "not preserved: nothing is found, but the coarse grains may hide violations"
	case rep.Simulation == nil && r.levelOpen() != "":
		rep.Verdict, rep.Reason = verdicts.Undecided, r.levelOpen()
	case findings.HasErrors():
		rep.Verdict, rep.Reason = verdicts.Undecided, strictReason(findings)
	case r.short() != "":
		rep.Verdict, rep.Reason = verdicts.Undecided, r.short()
	}
}

// short returns what the run did not look at and its verdict needs; "" if there is nothing.
func (r *Run) short() string {
	verb := "check"
	if r.Report.Simulation != nil {
		verb = "simulate"
	}
	if n := verdicts.Short(verb, r.Report.Verdict, "", r.looked()); n != nil {
		return n.Lacks
	}
	return ""
}

// strictReason names the errors among findings by their summaries, each once.
func strictReason(findings hcl.Diagnostics) string {
	var said []string
	for _, d := range findings {
		summary := strings.ToLower(d.Summary[:1]) + d.Summary[1:]
		if d.Severity == hcl.DiagError && !slices.Contains(said, summary) {
			said = append(said, summary)
		}
	}
	return strings.Join(said, ", ") + ": the result says too little"
}

// unchecked reports whether a run compared its states with nothing: no invariant, no property and
// no search for deadlocks.
func (r *Run) unchecked() bool {
	rep := r.Report
	live := rep.Liveness != nil && len(rep.Liveness.Properties) > 0
	return len(rep.Invariants) == 0 && !live && !r.request.Options.Deadlock
}

// vacuous reports what makes a result say less than it seems to say, for runs that were completed.
// Findings are warnings, and errors with strict. Walks never cover all, so what they lack is
// reported with strict only.
func (r *Run) vacuous(strict bool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	rep := r.Report
	if rep.Verdict != verdicts.Holds {
		return nil
	}
	report := configs.Warnf
	if strict || r.Manifest.Check.Strict.Or(false) {
		report = configs.Errorf
	}
	if r.unchecked() {
		diags = append(diags, report(codes.NoInvariant, "Nothing was checked", r.Manifest.Check.DeclRange,
			"The composition selects no invariant and no property, so every behaviour is right. Select some in the check block, or offer some in the catalog."))
	}
	diags = append(diags, r.premises(report)...)
	if rep.Simulation != nil && !strict {
		return diags
	}
	states, remedy := "states", "Raise a bound"
	if rep.Simulation != nil {
		states, remedy = "states on the walks", "Take more walks or longer ones, raise a bound"
	}
	for _, a := range rep.Actions {
		declared, unused := r.unused(a.Name)
		if unused && a.Enabled > 0 {
			diags = append(diags, report(codes.NotUnused, "Action is not unused", declared,
				"The manifest says that action %s is unused, and it is enabled %d times. Take it out of the list.", a.Name, a.Enabled))
		}
		if r.missing(a) {
			diags = append(diags, report(codes.NeverEnabled, "Action never enabled", actionPlace(r, a.Name),
				"Action %s of module %s is enabled in none of the %s, so nothing is known about it. %s, or check its guard.",
				a.Name, a.Module, states, remedy))
		}
	}
	diags = append(diags, r.neverAsked(report, states, remedy)...)
	for _, t := range r.idle() {
		diags = append(diags, report(codes.IdleTarget, "Target never acted", r.targetPlace(t),
			"Module %s is under test, and none of its actions was taken in the %s, so nothing is known about it. %s, or put another module under test.",
			t, states, remedy))
	}
	for _, g := range rep.GoalsMissed {
		diags = append(diags, report(codes.GoalMissed, "Goal not reached", hcl.Range{},
			"None of the %s reaches the goal %s. %s, or check what prevents it.", states, g, remedy))
	}
	return diags
}

// explained reports whether the manifest, an option or a budget of 0 says why an action is never
// taken.
func (r *Run) explained(action string) bool {
	_, unused := r.unused(action)
	return unused || r.off(action) || slices.ContainsFunc(r.Report.Actions, func(a wire.Action) bool { return a.Name == action && a.Spent })
}

// missing reports whether an action was never enabled, and nothing in the manifest explains that.
func (r *Run) missing(a wire.Action) bool {
	_, unused := r.unused(a.Name)
	return a.Enabled == 0 && !a.Spent && !unused && !r.off(a.Name)
}

// idle returns the modules under test of whose actions none was taken, unless the manifest says
// that all of them are unused. An action that a constraint or a masked assertion ended counts as
// taken.
func (r *Run) idle() (targets []string) {
	for _, m := range r.Composition.Modules {
		if !m.Target {
			continue
		}
		actions := r.actionsOf(m.Module)
		acted := func(a wire.Action) bool { return slices.Contains(actions, a.Name) && a.Fired > 0 }
		used := func(name string) bool { _, unused := r.unused(name); return !unused }
		if slices.ContainsFunc(actions, used) && !slices.ContainsFunc(r.Report.Actions, acted) {
			targets = append(targets, m.Module)
		}
	}
	return targets
}

// actionsOf returns the actions of the chosen grain that covers a module.
func (r *Run) actionsOf(module string) []string {
	for _, g := range r.Composition.Chosen() {
		if slices.Contains(g.Covers, module) {
			return g.Actions
		}
	}
	return nil
}

// targetPlace returns where the manifest says that a module is under test.
func (r *Run) targetPlace(module string) hcl.Range {
	if b := r.Manifest.Module(module); b != nil {
		return b.Target.Range
	}
	return hcl.Range{}
}

// NotConformed returns the result of a comparison that did not begin.
func NotConformed(impl *configs.Implementation, reason string) *result.Conformance {
	return &result.Conformance{Implementation: impl.Name, Verdict: verdicts.Undecided, Reason: reason, Actions: []result.ConformedAction{},
		Coverage: []wire.Conformed{}, Observed: []string{}, Unobserved: []string{}, LeftOut: []wire.LeftOut{},
		Accepted: []result.Accepted{}, Found: []result.Difference{}}
}

// premises reports the liveness properties that a completed search says nothing about. A premise
// that is true in no state is reported as other findings are: the property was not judged. A
// premise whose conclusion is true in the same state, always, is a warning: the property was
// judged, and no behaviour had to lead anywhere.
func (r *Run) premises(report func(configs.Code, string, hcl.Range, string, ...any) *hcl.Diagnostic) (diags hcl.Diagnostics) {
	l := r.Report.Liveness
	if l == nil {
		return nil
	}
	at := r.Manifest.Check.Properties.Range
	for k, p := range l.Premises {
		switch name := l.Properties[k]; {
		case p.True == 0:
			diags = append(diags, report(codes.NoPremise, "Premise never true", at,
				"The premise of the liveness property %s is true in no explored state, so the property was not judged. Raise a bound, or check the function From.", name))
		case p.Open == 0:
			diags = append(diags, configs.Warnf(codes.MetAtOnce, "Conclusion always true with the premise", at,
				"In each explored state where the premise of the liveness property %s is true, its conclusion is true, too, so no behaviour had to lead from one to the other. "+
					"Check the functions From and To, or declare an invariant instead.", name))
		}
	}
	return diags
}

// looked counts what a run looked at.
func (r *Run) looked() verdicts.Looked {
	l := verdicts.Looked{}
	r.lookedCompared(&l)
	if r.Report != nil {
		r.explored(&l)
	}
	return l
}

// explored counts what an exploration or random walks looked at.
func (r *Run) explored(l *verdicts.Looked) {
	rep := r.Report
	if s := rep.Simulation; s != nil {
		l.Walks, l.Steps = s.Walks, s.Steps
	} else if len(rep.Levels) > 0 {
		l.Initial = rep.Levels[0]
		l.Beyond = rep.Distinct - l.Initial
	}
	if l.Beyond == 0 {
		l.Closed = r.closed(l.Initial)
	}
	l.Judged = r.judged(l.Initial+l.Walks > 0)
}

// closed returns how many of the initial states need no state beyond them: see verdicts.Looked.
// With a state constraint or a masked assertion, steps may have ended outside of what is explored,
// so that enabled steps do not count.
func (r *Run) closed(initial int64) int64 {
	rep := r.Report
	unused := func(a wire.Action) bool { _, listed := r.unused(a.Name); return listed }
	if !slices.ContainsFunc(rep.Actions, func(a wire.Action) bool { return !unused(a) }) {
		return max(initial, 1)
	}
	back := r.taken() && rep.Masked == 0 && len(r.Composition.Choice.Constraints) == 0
	if rep.Simulation == nil && (back || r.request.Options.Deadlock) {
		return initial
	}
	return 0
}

// taken reports whether an action was taken.
func (r *Run) taken() bool {
	return slices.ContainsFunc(r.Report.Actions, func(a wire.Action) bool { return a.Fired > 0 })
}

// judged counts the properties that were evaluated. Explored says that a state was.
func (r *Run) judged(explored bool) (n int64) {
	if !explored {
		return 0
	}
	for _, p := range r.Composition.Selected() {
		if p.Kind == modules.KindState || r.taken() {
			n++
		}
	}
	if l := r.Report.Liveness; l != nil {
		for _, p := range l.Premises {
			n += min(p.True, 1)
		}
	}
	if r.request.Options.Deadlock {
		n++
	}
	return n
}

// lookedCompared counts what an examination of interaction preservation looked at.
func (r *Run) lookedCompared(l *verdicts.Looked) {
	if r.Analysis != nil {
		l.Grains = int64(len(r.Analysis.Grains))
	}
	if r.Interaction != nil && r.Interaction.Comparison != nil {
		l.Views = observed(&r.Interaction.Comparison.Preservation)
	}
	if r.Interaction != nil && r.Interaction.Mutants != nil {
		l.Mutants = int64(r.Interaction.Mutants.Found)
	}
}

// question is something that a run never asked: a property, or a condition of an invariant with a
// value.
type question struct {
	name string // as the list "vacuous" of the check block has it
	text string // what was found, as a sentence
}

// neverAsked reports what the run did not ask, and the manifest does not declare as vacuous. It
// also warns of declarations of what was asked, which hide nothing.
func (r *Run) neverAsked(report func(configs.Code, string, hcl.Range, string, ...any) *hcl.Diagnostic, states, remedy string) (diags hcl.Diagnostics) {
	open := r.questions(states)
	for _, q := range open {
		if !r.declared(q.name) {
			diags = append(diags, report(codes.NeverAsked, "Property never asked", r.Manifest.Check.DeclRange,
				"%s. %s, choose a finer grain, leave the property out, or declare it in the check block: vacuous = [%q].", q.text, remedy, q.name))
		}
	}
	for _, t := range r.Manifest.Check.Vacuous.Value {
		if !slices.ContainsFunc(open, func(q question) bool { return q.name == t.Value }) && r.knowsBranches() {
			diags = append(diags, configs.Warnf(codes.NotVacuous, "Property is not vacuous", t.Range,
				"The manifest says that %q is never asked, and the run asks it, or the composition has no such property or condition. Take it out of the list.", t.Value))
		}
	}
	return diags
}

// declared reports whether the manifest says that something is never asked.
func (r *Run) declared(name string) bool {
	return slices.ContainsFunc(r.Manifest.Check.Vacuous.Value, func(t configs.Text) bool { return t.Value == name })
}

// vacuousHere returns what the manifest declares as vacuous and the run did not ask.
func (r *Run) vacuousHere() (out []string) {
	for _, q := range r.questions("states") {
		if r.declared(q.name) {
			out = append(out, q.name)
		}
	}
	return out
}

// questions returns what the run did not ask. That is a property of the steps of an action that was
// not taken, unless the manifest or its bounds explain that. It is an assertion that no action can
// raise, if the fine composition can raise it or the manifest names it: otherwise options and
// repairs may rule it out. It is also a condition of an invariant with a value that the fine
// composition reaches, as a comparison found, and the run did not.
func (r *Run) questions(states string) (out []question) {
	if r.Analysis != nil {
		for _, p := range r.Analysis.Properties {
			taken := func(a wire.Action) bool { return a.Fired > 0 && slices.Contains(p.By, a.Name) }
			switch {
			case p.On != "" && !slices.ContainsFunc(p.By, r.explained) && !slices.ContainsFunc(r.Report.Actions, taken):
				out = append(out, question{p.Name, fmt.Sprintf("Property %s is about the steps of %s, and none of the %s has a step on which it is judged (%s)",
					p.Name, p.On, states, words.ListOr(p.By, "no action"))})
			case p.Kind == modules.KindAssert && len(p.By) == 0 && p.Fine:
				out = append(out, question{p.Name, fmt.Sprintf("Assertion %s can be raised by no action of the composition, and by actions of the fine one. A violation there is hidden", p.Name)})
			case p.Kind == modules.KindAssert && len(p.By) == 0 && r.namedInCheck(p.Name):
				out = append(out, question{p.Name, fmt.Sprintf("Assertion %s can be raised by no action of the composition", p.Name)})
			}
		}
	}
	for _, text := range r.unasked() {
		out = append(out, question{text, fmt.Sprintf("The fine composition has states in which a condition of an invariant is evaluated with a value that it never has in the %s: %s. A violation there is hidden",
			states, text)})
	}
	return out
}

// namedInCheck reports whether the check block names a property. A pattern names none.
func (r *Run) namedInCheck(property string) bool {
	id, _, _ := strings.Cut(property, ".")
	return slices.ContainsFunc(r.Manifest.Check.Invariants.Value, func(t configs.Text) bool { return t.Value == property || t.Value == id })
}

// knowsBranches reports whether it is known which branches of invariants only the fine composition
// takes. Without coarse grains there are none.
func (r *Run) knowsBranches() bool {
	x := r.Interaction
	return x == nil || x.Coverage == nil || x.Comparison != nil || x.Locked != nil && x.Locked.Status == result.Decided
}

// unasked returns the branches of invariants that only the fine composition takes, as the lock file
// or a comparison has them, and that this run did not take either.
func (r *Run) unasked() (out []string) {
	x := r.Interaction
	if x == nil {
		return nil
	}
	var known []string
	switch {
	case x.Comparison != nil:
		known = comparedIn(x.Comparison).Unasked
	case x.Locked != nil && x.Locked.Status == result.Decided:
		known = x.Locked.Unasked
	}
	for _, text := range known {
		b := r.Report.Branches
		if b == nil || slices.ContainsFunc(b.Missing, func(u wire.Untaken) bool { return locks.TextOf(u) == text }) {
			out = append(out, text)
		}
	}
	return out
}
