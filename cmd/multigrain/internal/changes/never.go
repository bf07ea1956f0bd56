package changes

import (
	"fmt"
	"slices"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. Which of the actions that no walk with the code took the specification itself
// does not take. They say nothing about the code, and decide nothing.
//
// Why it is right. Constants of the composition make the guards of some actions false in every
// state: that is proved by the analysis of interaction. For another action the rule is that of
// branches, see file grown.go: it counts as one that can happen if a walk of the specification
// alone takes it. Such walks cost little, so there are many more of them than with the code, and
// as many again with doubled bounds. If one of all these walks takes the action, it stays one that
// no walk with the code took.
//
// What it costs. A second at best. For actions that no constant switches off, two sets of walks and
// a build.
const (
	aloneWalks = 20_000           // of the specification alone, with each bounds
	aloneTime  = 20 * time.Second // for each of these sets
)

// never takes the actions out of those that no walk took that the specification does not take.
func (o *observer) never() {
	passes := o.done
	if o.coded != nil {
		passes = []*pass{o.pass}
	}
	if len(o.out.Unfired) == 0 || len(passes) == 0 {
		return
	}
	off := slices.Clone(o.out.Unfired)
	for _, p := range passes {
		all := p.run.Off()
		off = slices.DeleteFunc(off, func(name string) bool { return p.has(name) && !slices.Contains(all, name) })
	}
	o.neverTakes(off, "options and bounds make their guards false")
	if o.coded == nil || len(o.out.Unfired) == 0 || o.run.Env.Soft.Err() != nil {
		return
	}
	walks, taken := o.takenAlone(o.pass, o.code.Program)
	rest := slices.DeleteFunc(slices.Clone(o.out.Unfired), func(name string) bool { return slices.Contains(taken, name) })
	if walks == 0 || len(rest) == 0 {
		return
	}
	p := o.roomy()
	if p == nil {
		return
	}
	program := p.run.Program(p.impl)
	if program == "" {
		return
	}
	more, taken := o.takenAlone(p, program)
	rest = slices.DeleteFunc(rest, func(name string) bool { return slices.Contains(taken, name) })
	if more > 0 {
		o.neverTakes(rest, fmt.Sprintf("none of %s of the specification alone takes them, half of these with doubled bounds", words.Plural(walks+more, "walk")))
	}
}

// neverTakes notes actions that the specification does not take.
func (o *observer) neverTakes(names []string, why string) {
	if len(names) > 0 {
		o.out.Never = append(o.out.Never, result.Never{Actions: names, Why: why})
		o.out.Unfired = slices.DeleteFunc(o.out.Unfired, func(name string) bool { return slices.Contains(names, name) })
		o.doc.Unfired = slices.DeleteFunc(slices.Clone(o.doc.Unfired), func(name string) bool { return slices.Contains(names, name) })
	}
}

// has reports whether the composition of a pass has an action.
func (p *pass) has(action string) bool {
	return slices.ContainsFunc(p.run.Composition.Chosen(), func(g *grains.GrainDecl) bool { return slices.Contains(g.Actions, action) })
}

// takenAlone takes walks of the specification alone. It returns how many came to their end, and the
// actions that they took; 0 if fewer than leastWalks did.
func (o *observer) takenAlone(p *pass, program string) (walks int64, taken []string) {
	number, seed := int64(aloneWalks), o.out.Seed+1
	req, diags := p.run.Simulation(session.Walks{Number: &number, Weighted: true}, session.Limits{Workers: o.by.Workers, Timeout: aloneTime, Seed: &seed}, false)
	if diags.HasErrors() {
		return 0, nil
	}
	req.Options.Stop = 0
	plain := *p.run.Composition // a walk must not end where an invariant is broken: one is enough
	if all := plain.Catalog.Invariants; len(all) > 0 {
		plain.Choice.Invariants = []string{all[0].ID}
	}
	req.Choice = plain.EncodedChoice()
	x, err := p.run.Env.Explore(program, req, false)
	if err != nil || x.Report == nil || x.Report.Simulation == nil || x.Report.Simulation.Walks < leastWalks {
		return 0, nil
	}
	for _, a := range x.Report.Actions {
		if a.Fired > 0 {
			taken = append(taken, a.Name)
		}
	}
	return x.Report.Simulation.Walks, taken
}

// roomy returns a pass with the bounds of all grains doubled; nil if none can be.
func (o *observer) roomy() *pass {
	a := compose.Alternative{}
	for _, g := range o.run.Composition.Chosen() {
		a.Touched = append(a.Touched, grains.Ref{Module: g.Covers[0], Grain: g.Name})
	}
	a.Grains = a.Touched
	grown, ok := o.first.Composition.Grown(a)
	if !ok {
		return nil
	}
	return o.composedPass(o.first, grown, false)
}
