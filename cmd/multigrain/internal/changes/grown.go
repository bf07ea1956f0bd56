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
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change"
)

// What it computes. Whether something of a change did not happen in the walks within their bounds:
// an action of a touched module, one of its branches, or a changed line. Then the budgets of these
// actions grow, and further walks are taken.
//
// Why it is right. A branch counts as reachable only if a walk of the specification alone took it.
// So an unreachable branch makes nothing undecided. As in decision 0160 bounds double until nothing
// is missing, or the budget of time ends.
//
// What it costs. As many walks of the specification alone as were taken with the code, and a build
// for each growth.
//
// Example. A change needs three restarts, and the walks allow one:
//
//	restarts = 1   line 12 did not run
//	restarts = 2   line 12 did not run
//	restarts = 4   line 12 ran

// Bounds of further walks.
const (
	mostGrowths = 2 // times that budgets are doubled
	mostSized   = 3 // compositions with other sizes
	// usualSized is how many walks are taken with each of these if there is time, and leastSized
	// how many a result needs. 40 of the 42 mutants show within so many.
	usualSized = 500
	leastSized = 250
)

// sizes returns the compositions with other sizes: those that the grains of a composition have, and
// other numbers of nodes. Each size is taken once.
func (o *observer) sizes(passes []*pass) (out []compose.Alternative) {
	seen := map[string]bool{}
	for _, p := range passes {
		if p.of == nil || p.doc.Switched {
			continue
		}
		had := settingsOf(p.of.Bounds)
		for _, a := range p.run.Composition.Sized(*p.of) {
			text := fmt.Sprint(slices.DeleteFunc(settingsOf(a.Bounds), func(s string) bool { return slices.Contains(had, s) }))
			if !seen[text] {
				seen[text] = true
				out = append(out, a)
			}
		}
	}
	for _, a := range out[min(mostSized, len(out)):] {
		o.notWalked(settingsOf(a.Bounds), fmt.Sprintf("%s with other sizes at most", words.Plural(mostSized, "composition")))
	}
	return out[:min(mostSized, len(out))]
}

func settingsOf(all []grains.Setting) (out []string) {
	for _, s := range all {
		out = append(out, s.Name+" = "+s.Value)
	}
	return out
}

// sized takes walks with other sizes, if nothing differs with those of the manifest. It reports
// whether a difference was found. If the code before the change differs there, too, or the adapter
// cannot follow the code, that composition is named and decides nothing.
func (o *observer) sized(manifest *session.Run, all []compose.Alternative) (over bool) {
	for k, a := range all {
		if o.out.Reason != "" || len(o.out.Found) > 0 || o.run.Env.Soft.Err() != nil {
			return true
		}
		if o.left() <= time.Nanosecond {
			o.short = append(o.short, fmt.Sprintf("the budget of %s ended before walks with %s", o.by.Budget, words.ListOr(settingsOf(a.Bounds), "")))
			continue
		}
		p := o.composedPass(manifest, a, true)
		if p == nil {
			continue
		}
		p.sized = true
		o.stands(p)
		o.pass, o.later = p, leastSized*int64(len(all)-k)
		if !o.build(false) {
			continue
		}
		o.done = append(o.done, p)
		places := slices.Clone(o.out.Places)
		over = o.walk(guidedWalks)
		if o.drop(p, places); over {
			return true
		}
	}
	return false
}

// grow takes walks with larger budgets as long as something is missing and time is left. It reports
// nothing: the passes are added to those that are done.
func (o *observer) grow(manifest *session.Run) {
	last := o.done[len(o.done)-1]
	for k := len(o.done) - 1; last.sized; k-- {
		last = o.done[k]
	}
	for range mostGrowths {
		if last.of == nil || o.out.Reason != "" || len(o.out.Found) > 0 || o.left() < o.by.Budget/4 || !o.lacks() {
			return
		}
		a, ok := o.first.Composition.Grown(*last.of)
		if !ok {
			return
		}
		p := o.composedPass(manifest, a, last.doc.Switched)
		if p == nil {
			return
		}
		p.further = true
		o.stands(p)
		o.pass, o.later = p, 0
		if !o.build(false) {
			return
		}
		o.done, last = append(o.done, p), p
		if over := o.walk(guidedWalks); over || o.rehearsing(p) {
			return
		}
	}
}

// rehearsedWalks is how many walks are taken at least if an action is missing: those that are
// chosen, and as many others.
const rehearsedWalks = 800

// leastRehearsal is the time without which nothing is rehearsed: half of it is for walks.
const leastRehearsal = 3 * time.Second

// rehearse takes walks in which an action of a touched module is taken that none had so far. The
// specification alone shows them, in the compositions with the sizes of the manifest.
func (o *observer) rehearse() {
	for _, p := range o.done {
		if !p.sized && len(o.out.Found) == 0 && o.rehearsing(p) {
			return
		}
	}
}

// rehearsing is rehearse for a composition. It reports whether a difference was found.
func (o *observer) rehearsing(p *pass) (over bool) {
	o.unfired()
	off := p.run.Off()
	if o.out.Reason != "" || p.doc.Reason != "" || o.left() <= leastRehearsal || !slices.ContainsFunc(o.out.Unfired, func(name string) bool {
		return p.has(name) && !slices.Contains(off, name)
	}) {
		return false
	}
	o.pass, o.later = p, 0
	seed, places := p.doc.Seed, slices.Clone(o.out.Places)
	over = o.walk(manner{rehearsed: rehearsedWalks})
	o.out.Seed, p.doc.Seed = seed, seed
	o.drop(p, places)
	return over
}

// lacks reports whether an action of a touched module or a part of the changed code is missing.
func (o *observer) lacks() bool {
	o.unfired()
	return len(o.out.Unfired) > 0 || slices.ContainsFunc(o.out.Places, func(p result.RanPlace) bool { return !p.Covered() })
}

// untaken sets the branches of touched actions that the specification can take, and that no walk
// with the code took. Where walks of the specification alone took one, walks with the code are
// taken that are drawn in the same way.
func (o *observer) untaken() {
	for _, p := range o.done {
		if p.sized { // the branches are those of other sizes
			continue
		}
		taken := o.alone(p)
		if taken == nil {
			continue
		}
		steps := p.run.Composition.Steps(o.actionsOf(p.run.Composition))
		open := func(m wire.Untaken) bool { return !hasBranch(taken.Missing, m) && steps(m.Function) }
		if slices.ContainsFunc(p.missing, open) && o.left() > time.Second {
			o.pass, o.later = p, 0
			seed, number := p.doc.Seed, p.doc.Walks
			over := o.walk(manner{plain: number})
			if o.out.Seed, p.doc.Seed = seed, seed; over {
				return
			}
		}
		for _, m := range p.missing {
			text := fmt.Sprintf("%s:%d: %s was never %t in the walks with the code", m.File, m.Line, m.Condition, m.Value)
			if open(m) && !slices.Contains(o.out.Untaken, text) {
				o.out.Untaken = append(o.out.Untaken, text)
			}
		}
	}
}

// hasBranch reports whether branches have one, whether its condition was evaluated or not.
func hasBranch(all []wire.Untaken, m wire.Untaken) bool {
	m.Evaluated = false
	return slices.ContainsFunc(all, func(x wire.Untaken) bool {
		x.Evaluated = false
		return x == m
	})
}

// alone takes walks of the specification alone, and returns the branches of its steps; nil without
// an answer. It takes as many as were taken with the code, within a quarter of the time that is
// left.
func (o *observer) alone(p *pass) *wire.Branches {
	if len(p.missing) == 0 || p.doc.Walks == 0 {
		return nil
	}
	number, seed := p.doc.Walks, p.doc.Seed+1
	limits := session.Limits{Workers: o.by.Workers, Timeout: max(o.left()/4, time.Second), Seed: &seed}
	req, diags := p.run.Simulation(session.Walks{Number: &number, Weighted: true}, limits, false)
	if diags.HasErrors() {
		return nil
	}
	req.Options.Stop, req.Settings = 0, p.code.Settings
	start := host.Now()
	defer func() { o.spend(start, nil) }()
	x, err := p.run.Env.Explore(p.code.Program, req, false)
	if err != nil || x.Report == nil {
		return nil
	}
	return x.Report.Branches
}

// actionsOf returns the actions of touched modules.
func (o *observer) actionsOf(c *compose.Composition) (out []string) {
	for _, g := range c.Chosen() {
		if slices.ContainsFunc(o.x.Touched, func(t result.Touched) bool { return slices.Contains(g.Covers, t.Module) }) {
			out = append(out, g.Actions...)
		}
	}
	return out
}

// drop takes back what a composition with other options says, if the code before the change differs
// from the specification there, too. The composition is named. Places are those that ran before it.
func (o *observer) drop(p *pass, places []result.RanPlace) {
	if !p.doc.Switched || len(p.shared) == 0 || len(o.out.Found) > 0 {
		return
	}
	p.doc.Reason = "the code before the change differs from the specification here, too: " + p.shared[0].Line()
	p.fired, p.missing, o.out.Places = nil, nil, places
	o.out.Shared = o.out.Shared[:len(o.out.Shared)-len(p.shared)]
}

// unasked notes why walks have no result. Compositions after the first one are named, and decide
// nothing.
func (o *observer) unasked(why string) (over bool) {
	if strings.HasPrefix(why, session.NotFollowed) {
		why += o.lost()
	}
	if len(o.done) > 1 {
		if o.doc.Reason = why; why == "" {
			o.doc.Reason = firstError(o.run.Diagnostics)
		}
		return false
	}
	o.doc.Reason, o.out.Reason = why, why
	if o.run != o.first {
		o.first.Add(o.run.Diagnostics...)
	}
	return true
}

// ran adds what ran of the changed code in the walks of a composition.
func (o *observer) ran(c *wire.Conformance) {
	out := o.out
	if len(out.Places) == 0 {
		for _, p := range o.code.Places {
			out.Places = append(out.Places, result.RanPlace{File: p.File, Line: p.Line, Column: p.Column, Func: p.Func, Text: p.Text, Kind: string(p.Kind)})
		}
	}
	for k := range out.Places {
		p, ran := &out.Places[k], &c.Followed.Ran[k]
		p.False, p.True = p.False || ran.False, p.True || ran.True
	}
}

// keep writes a trace and a log. The names of files are those of the user's manifest.
func (o *observer) keep(write func(r *session.Run, name string) (trace, log string)) (trace, log string) {
	run := *o.first
	run.Composition = o.run.Composition
	trace, log = write(&run, o.impl.Name+"-change-"+o.out.Hash+"-")
	o.first.Diagnostics = run.Diagnostics
	return trace, log
}

func grainsIn(modules []result.Module) (out []string) {
	for _, m := range modules {
		out = append(out, m.Module+"/"+m.Grain)
	}
	return out
}

// write makes both sides. It reports false where nothing can be run.
func (o *observer) write() bool {
	sides, err := change.WriteSides(o.x.how, sidesIn(o.first))
	if err != nil {
		o.first.Add(configs.Errorf(codes.Change, "Changed code cannot be made", hcl.Range{}, "%s", words.Sentence(err.Error())))
		return false
	}
	o.sides, o.out.Hash = sides, sides.Hash
	o.first.OfChange(o.named(), "")
	return true
}
