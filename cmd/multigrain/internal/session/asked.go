package session

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/modules"
)

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
// not taken, unless the manifest or its bounds explain that, and an assertion that no action can
// raise. It is also a condition of an invariant with a value that the fine composition reaches, as
// a comparison found, and the run did not.
func (r *Run) questions(states string) (out []question) {
	if r.Analysis != nil {
		for _, p := range r.Analysis.Properties {
			taken := func(a wire.Action) bool { return a.Fired > 0 && slices.Contains(p.By, a.Name) }
			switch {
			case p.On != "" && !slices.ContainsFunc(p.By, r.explained) && !slices.ContainsFunc(r.Report.Actions, taken):
				out = append(out, question{p.Name, fmt.Sprintf("Property %s is about the steps of %s, and none of the %s has a step on which it is judged (%s)",
					p.Name, p.On, states, words.ListOr(p.By, "no action"))})
			case p.Kind == modules.KindAssert && len(p.By) == 0:
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
