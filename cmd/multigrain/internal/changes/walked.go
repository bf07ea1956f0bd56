package changes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. The compositions in which changed code is walked. First come those with the
// touched modules at the finest grain that models what changed: all of equal depth. Then comes one
// in which options and bounds are set that these modules or finer grains need.
//
// Why it is right. The adapter is asked which compositions it can follow, so no list of its grains
// is kept anywhere. What it refuses is named with its reason, and the next best composition is
// taken.
//
// What it costs. The program of the first composition opens an adapter for each of them. Those that
// differ in options and grains alone have one program: see compose.Code.Among.
//
// Example. A change of raft.Step under etcd.hcl, where PreVote is off:
//
//	election/fine-timeouts, the rest as in etcd.hcl
//	election/fine-timeouts, pre_vote = true, check_quorum = true, transfers = 4

// Bounds of what is walked.
const (
	mostEqual    = 3 // compositions of equal depth
	mostSwitched = 2 // compositions with other options
)

// pass is a composition in which the changed code is walked.
type pass struct {
	run  *session.Run // of the composition, with the bounds of walks
	impl *configs.Implementation
	doc  *result.Walked
	// code is the program after the change, base that before it. They are nil until they are built.
	// Unbuilt are the diagnostics of the former.
	code, base *compose.Built
	unbuilt    hcl.Diagnostics
	// undriven says which step could not be driven; "" for none.
	undriven string
	fired    []string       // actions of touched modules
	missing  []wire.Untaken // branches that no walk took
	shared   []result.Difference
	further  bool // others were walked before it
	sized    bool // it has other sizes than the manifest
	// of was composed for it; nil if the change touches no module.
	of *compose.Alternative
}

// usual returns how many walks are taken if there is time.
func (p *pass) usual() int64 {
	if p.sized {
		return usualSized
	}
	return leastWalks
}

// needed returns how many walks a result needs.
func (p *pass) needed() int64 {
	switch {
	case p.sized:
		return leastSized
	case p.further:
		return leastFurther
	}
	return leastWalks
}

// passes returns what is walked. Run is that of the manifest, with the bounds of walks.
func (o *observer) passes(manifest, run *session.Run) (out []*pass) {
	own := &pass{run: run, impl: o.x.impl, doc: newWalked(run)}
	touched := o.x.grainsOfAll()
	if len(touched) == 0 {
		return []*pass{own}
	}
	c := run.Composition
	plain, _ := c.Walked(touched, false, false)
	both, _ := c.Walked(touched, true, true)
	options, _ := c.Walked(touched, true, false)
	o.among = slices.Concat(plain, both, options)
	for _, switched := range []bool{false, true} {
		all, most := plain, mostEqual
		if switched {
			all, most = both, mostSwitched
		}
		follows := o.followed(manifest, own, all, most)
		if switched && len(follows) == 0 {
			follows = o.followed(manifest, own, options, most)
		}
		for _, a := range follows {
			p := own
			if !isOwn(c, a) {
				p = o.passOf(manifest, a, switched)
			} else {
				p.of = &a
			}
			if p != nil {
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 { // the walks will say why
		out = append(out, own)
	}
	for _, p := range out {
		o.stands(p)
	}
	return out
}

func newWalked(run *session.Run) *result.Walked {
	w := &result.Walked{Modules: []result.Module{}, Options: []result.Setting{}, Bounds: []result.Setting{}, Within: []result.Setting{}, Stands: []result.Stands{}, Unfired: []string{}, LeftOut: []wire.LeftOut{}}
	for _, m := range run.Composition.Modules {
		w.Modules = append(w.Modules, result.Module{Module: m.Module, Grain: m.Grain, Target: m.Target, By: m.By})
	}
	for _, b := range run.Composition.Catalog.Bounds {
		if n, limited := run.Composition.Choice.Budgets[b.Name]; limited && n >= 0 {
			w.Within = append(w.Within, result.Setting{Name: b.Name, Value: strconv.Itoa(n)})
		}
	}
	return w
}

// isOwn reports whether an alternative is the composition itself.
func isOwn(c *compose.Composition, a compose.Alternative) bool {
	return len(a.Options) == 0 && len(a.Bounds) == 0 && slices.Equal(a.Grains, c.Choice.Grains)
}

// followed returns the alternatives that are walked: of those that are equal in depth, one for each
// choice of options and of grains for the touched modules. The others are noted with the reason.
func (o *observer) followed(manifest *session.Run, own *pass, all []compose.Alternative, most int) (out []compose.Alternative) {
	if len(all) == 0 || len(all) == 1 && isOwn(own.run.Composition, all[0]) {
		return all
	}
	answers := o.answers(manifest, own, all)
	var seen, refused []compose.Alternative
	same := func(a, b compose.Alternative) bool {
		return slices.Equal(a.Touched, b.Touched) && slices.Equal(a.Options, b.Options)
	}
	equal := func(of []compose.Alternative, a compose.Alternative) bool {
		return slices.ContainsFunc(of, func(x compose.Alternative) bool { return same(x, a) })
	}
	depth := -1
	for k, a := range all {
		if equal(seen, a) || depth >= 0 && a.Fine > depth {
			continue
		}
		if answers[k] != "" {
			if last := !slices.ContainsFunc(all[k+1:], func(b compose.Alternative) bool { return same(a, b) }); last && !equal(refused, a) {
				refused = append(refused, a)
				o.notWalked(refsOf(a.Touched), "the adapter cannot follow it: "+answers[k])
			}
			continue
		}
		seen, depth = append(seen, a), a.Fine
		out = append(out, a)
	}
	out, rest := diverse(out, most)
	for _, a := range rest {
		o.notWalked(append(refsOf(a.Touched), settingsOf(a.Options)...), fmt.Sprintf("as fine as what was walked, which is %s at most", words.Plural(int64(most), "composition")))
	}
	return out
}

// diverse returns at most so many alternatives: the first one, and then the one that has the most
// touched grains and options which those before it lack. So an option has each of its values even
// if there are several grains. Rest are the others.
func diverse(all []compose.Alternative, most int) (chosen, rest []compose.Alternative) {
	had := map[string]bool{}
	of := func(a compose.Alternative) []string { return append(refsOf(a.Touched), settingsOf(a.Options)...) }
	lacking := func(a compose.Alternative) (n int) {
		for _, x := range of(a) {
			if !had[x] {
				n++
			}
		}
		return n
	}
	for rest = slices.Clone(all); len(chosen) < most && len(rest) > 0; {
		best := 0
		for k := range rest {
			if lacking(rest[k]) > lacking(rest[best]) {
				best = k
			}
		}
		for _, x := range of(rest[best]) {
			had[x] = true
		}
		chosen, rest = append(chosen, rest[best]), slices.Delete(rest, best, best+1)
	}
	return chosen, rest
}

// notWalked notes a composition that is not walked. Of several with one reason it notes the grains
// that they share, or else those of the first one.
func (o *observer) notWalked(grains []string, why string) {
	for k := range o.out.NotWalked {
		if r := &o.out.NotWalked[k]; r.Why == why {
			shared := slices.DeleteFunc(slices.Clone(r.Grains), func(g string) bool { return !slices.Contains(grains, g) })
			if len(shared) > 0 {
				r.Grains = shared
			}
			return
		}
	}
	o.out.NotWalked = append(o.out.NotWalked, result.Rejected{Grains: grains, Why: why})
}

// answers asks the adapter about alternatives, in the program for the first one with the changed
// code, which is most often walked. If that does not answer, the program without a change does.
// Without an answer the walks will show what the adapter cannot follow.
func (o *observer) answers(manifest *session.Run, own *pass, all []compose.Alternative) []string {
	var actions [][]string
	for _, a := range all {
		actions = append(actions, a.Actions)
	}
	if o.coded != nil {
		if answers := own.run.FollowsIn(*o.code, o.x.impl, actions); answers != nil {
			return answers
		}
		return make([]string, len(all))
	}
	if o.asked == nil {
		if o.asked = own; !isOwn(own.run.Composition, all[0]) {
			if p := o.passOf(manifest, all[0], false); p != nil {
				o.asked = p
			}
		}
	}
	if code, diags := o.built(o.asked); !diags.HasErrors() && o.asked.run.Stopped == "" {
		if answers := o.asked.run.FollowsIn(code, o.asked.impl, actions); answers != nil {
			return answers
		}
		if answers := own.run.Follows(o.x.impl, actions); answers != nil {
			return answers
		}
	}
	return make([]string, len(all))
}

// passOf is composedPass, once for an alternative.
func (o *observer) passOf(manifest *session.Run, a compose.Alternative, switched bool) *pass {
	if p := o.asked; p != nil && p.of != nil && !switched && slices.Equal(p.of.Grains, a.Grains) && slices.Equal(p.of.Options, a.Options) && slices.Equal(p.of.Bounds, a.Bounds) {
		return p
	}
	return o.composedPass(manifest, a, switched)
}

func refsOf(refs []grains.Ref) (out []string) {
	for _, r := range refs {
		out = append(out, r.Module+"/"+r.Grain)
	}
	return out
}

// composedPass resolves an alternative as a manifest that extends the user's. It returns nil, and
// notes why, if that is not possible.
func (o *observer) composedPass(manifest *session.Run, a compose.Alternative, switched bool) *pass {
	a.Implementation = o.x.impl.Name
	refuse := func(why string) *pass {
		o.notWalked(refsOf(a.Touched), why)
		return nil
	}
	comment := fmt.Sprintf("# Walked by multigrain change: what is changed of %s, at %s.\n\n", o.x.Implementation, words.ListOr(refsOf(a.Touched), ""))
	r, text := walkedWith(manifest, a, comment)
	if r.Composition == nil {
		return refuse(firstError(r.Diagnostics))
	}
	impl := r.Composition.ImplementationNamed(o.x.impl.Name)
	r.Diagnostics = nil // warnings are about what the command wrote
	if r.Walking(impl); r.Composition == nil {
		return refuse(firstError(r.Diagnostics))
	}
	r.Diagnostics = nil
	p := &pass{run: r, impl: impl, doc: newWalked(r), of: &a}
	p.doc.Manifest, p.doc.Switched = string(text), switched
	for _, s := range a.Options {
		p.doc.Options = append(p.doc.Options, result.Setting(s))
	}
	for _, s := range a.Bounds {
		p.doc.Bounds = append(p.doc.Bounds, result.Setting(s))
	}
	return p
}

// stands notes the modules whose grain in walks stands for the coarse one that is composed.
func (o *observer) stands(p *pass) {
	if o.x.Outcome == nil {
		return
	}
	for _, m := range o.x.Outcome.Composition.Modules {
		k := slices.IndexFunc(p.doc.Modules, func(w result.Module) bool { return w.Module == m.Module })
		touched := slices.ContainsFunc(o.x.Touched, func(t result.Touched) bool { return t.Module == m.Module })
		if k >= 0 && !touched && p.doc.Modules[k].Grain != m.Grain {
			p.doc.Stands = append(p.doc.Stands, result.Stands{Module: m.Module, Grain: p.doc.Modules[k].Grain, For: m.Grain})
		}
	}
}

// touchedActions returns the actions of a pass that belong to modules that the change touches, as
// they are reported.
func (o *observer) touchedActions(rep *wire.Report) (out []wire.Action) {
	for _, a := range rep.Actions {
		if !a.Environment && slices.ContainsFunc(o.x.Touched, func(t result.Touched) bool { return t.Module == a.Module }) {
			out = append(out, a)
		}
	}
	return out
}

// unfired sets the actions of touched modules that no walk took in any composition.
func (o *observer) unfired() {
	o.out.Unfired = o.out.Unfired[:0]
	for _, of := range o.done {
		for _, name := range of.doc.Unfired {
			fired := slices.ContainsFunc(o.done, func(p *pass) bool { return slices.Contains(p.fired, name) })
			if !fired && !slices.Contains(o.out.Unfired, name) {
				o.out.Unfired = append(o.out.Unfired, name)
			}
		}
	}
}

// apart names modules without a grain that models all of their changed functions, with these
// functions; "" for none.
func (x *Changed) apart() string {
	var parts []string
	for _, t := range x.Touched {
		var names []string
		for _, tr := range x.Trails {
			if tr.Place.Touches(t.Module) && !slices.Contains(names, tr.Place.Name) {
				names = append(names, tr.Place.Name)
			}
		}
		if !slices.ContainsFunc(t.Grains, func(g string) bool { return !x.leavesOut(t.Module, g) }) {
			parts = append(parts, fmt.Sprintf("no single grain of %s models %s", t.Module, words.ListFew(names)))
		}
	}
	return strings.Join(parts, "; ")
}

// guided returns the strategy of walks: guided to the actions of touched modules and to the changed
// code. Half of the walks are random from the start.
func (o *observer) guided() *wire.AskedStrategy {
	asked := &wire.AskedStrategy{Name: "guided", Parameters: map[string]float64{"fresh": 0.5, "branches": 1}}
	asked.Aims = o.actionsOf(o.run.Composition)
	return asked
}
