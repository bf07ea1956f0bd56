package compose

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/compose/internal/assemble"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/modules"
)

// What it computes. The composition that a manifest describes: a grain for each module of the
// catalog, constants, budgets, and the properties to check. If the manifest is wrong, it computes
// all mistakes instead, each with its place and a remedy.
//
// Why it is right. A block picks a grain, and a grain covers modules. The stages of resolve check
// that each required module is covered exactly once, and that each grain has the grains, options
// and bounds that it needs. A stage that finds a mistake does not end the others. They skip what
// the mistake leaves open (failed), so one mistake is reported once. Grains are sorted by the
// catalog's order of modules: the order of the manifest's blocks does not change the composition.
//
// What it costs. The blocks and settings of the manifest times the declarations of the catalog.
// Only the warnings about settings without effect (effects) read code.
//
// Example. The catalog has election, discovery and synchronization. Grain coarse of election covers
// discovery, too.
//
//	module "election" { grain = "coarse" }          covers election and discovery
//	module "synchronization" { grain = "fine" }     covers synchronization
//	module "discovery" { grain = "baseline" }       MG104: discovery is covered twice

// resolver compares a manifest with a catalog and collects every mistake.
type resolver struct {
	c     *Composition
	m     *configs.Manifest
	cat   *grains.Catalog
	diags hcl.Diagnostics
	// chosen are the grains that blocks of the manifest pick, by position in the catalog's list.
	chosen []pick
	// failed are modules whose block names no grain: what that block would have covered is not
	// known.
	failed []string
}

// pick is a module block and the grain that it picks.
type pick struct {
	block *configs.Module
	grain *grains.GrainDecl
}

func (r *resolver) report(d *hcl.Diagnostic) { r.diags = append(r.diags, d) }

func (r *resolver) resolve() {
	r.system()
	r.renamedOptions()
	r.modules()
	r.coverage()
	r.requirements()
	r.targets()
	r.bounds()
	r.comparisonBounds()
	r.options()
	r.grainSettings()
	r.needs()
	r.meetings()
	r.properties()
	r.trace()
	r.symptoms()
	if !r.diags.HasErrors() {
		r.fitSets()
	}
}

func (r *resolver) system() {
	if have := r.m.System.Name; have != r.cat.System {
		r.report(configs.Errorf(CodeSystemName, "System has another name", r.m.System.NameRange,
			"The package %s declares the system %q, not %q. Write system %q.", r.cat.Package, r.cat.System, have, r.cat.System))
	}
}

func (r *resolver) module(name string) *grains.Module {
	for k := range r.cat.Modules {
		if r.cat.Modules[k].Name == name {
			return &r.cat.Modules[k]
		}
	}
	return nil
}

// modules finds the grain of every module block.
func (r *resolver) modules() {
	var names []string
	for _, m := range r.cat.Modules {
		names = append(names, m.Name)
	}
	for _, b := range r.m.Modules {
		if !b.Grain.IsSet() { // reported by configs
			r.failed = append(r.failed, b.Name)
			continue
		}
		if r.module(b.Name) == nil {
			r.report(configs.Errorf(CodeUnknownModule, "Unknown module", b.NameRange,
				"System %q has no module %q.%s", r.cat.System, b.Name, configs.Hint(b.Name, names)))
			continue
		}
		g, renamed := r.cat.Named(b.Name, b.Grain.Value)
		switch {
		case g != nil && g.IsPicked():
			r.namedSwitch(b, g)
		case renamed:
			r.report(renamedGrain(b.Grain, b.Name, g))
		}
		if g != nil && !g.IsPicked() {
			g = r.switched(b, g)
		}
		if g != nil {
			r.chosen = append(r.chosen, pick{b, g})
		} else {
			var offered []string
			for _, g := range r.cat.Grains {
				if g.Covers[0] == b.Name && !g.IsPicked() {
					offered = append(offered, g.Name)
				}
			}
			d := b.Grain.Errorf(CodeUnknownGrain, "Unknown grain", "Module %q has no grain %q.%s%s",
				b.Name, b.Grain.Value, configs.Hint(b.Grain.Value, offered), r.coveredElsewhere(b))
			r.report(configs.WithContext(d, b.DeclRange))
			r.failed = append(r.failed, b.Name)
		}
	}
	r.nodeGrains()
	slices.SortFunc(r.chosen, func(a, b pick) int { return r.order(a) - r.order(b) })
	for _, p := range r.chosen {
		r.c.Choice.Grains = append(r.c.Choice.Grains, grains.Ref{Module: p.grain.Covers[0], Grain: p.grain.Name})
	}
}

// order returns the position of a pick's module in the catalog: actions run in the order of
// modules, whatever the manifest's.
func (r *resolver) order(p pick) int {
	return slices.IndexFunc(r.cat.Modules, func(m grains.Module) bool { return m.Name == p.grain.Covers[0] })
}

// coveredElsewhere says which grain of another module covers the block's module at the grain it
// asked for.
func (r *resolver) coveredElsewhere(b *configs.Module) string {
	for _, g := range r.cat.Grains {
		if g.Name == b.Grain.Value && slices.Contains(g.Covers[1:], b.Name) {
			return fmt.Sprintf(" Grain %q of module %q covers it: write that block, and none for %q.", g.Name, g.Covers[0], b.Name)
		}
	}
	return ""
}

// coverage checks that every module is covered exactly once and lists the modules.
func (r *resolver) coverage() {
	for _, m := range r.cat.Modules {
		var by []pick
		for _, p := range r.chosen {
			if slices.Contains(p.grain.Covers, m.Name) {
				by = append(by, p)
			}
		}
		switch {
		case len(by) > 1:
			d := configs.Errorf(CodeCoveredTwice, "Module covered twice", by[1].block.DeclRange,
				"Module %q is covered by grain %q of %q and by grain %q of %q. Remove one of the blocks.",
				m.Name, by[0].grain.Name, by[0].block.Name, by[1].grain.Name, by[1].block.Name)
			r.report(configs.WithRelated(d, by[0].block.DeclRange, "covered here too"))
		case len(by) == 1:
			c := ModuleChoice{Module: m.Name, Grain: by[0].grain.Name, Target: by[0].block.Target.Value}
			if by[0].block.Name != m.Name {
				c.By = by[0].block.Name
			}
			r.c.Modules = append(r.c.Modules, c)
		case !m.Optional && r.m.Module(m.Name) == nil && !r.mayBeCovered(m.Name):
			r.report(configs.Errorf(CodeNotCovered, "Module not covered", r.m.System.DeclRange,
				"No block picks a grain for module %q. Add: module %q { grain = ... }, with one of: %s.",
				m.Name, m.Name, strings.Join(r.grainsOf(m.Name), ", ")))
		}
	}
}

// mayBeCovered reports whether a block with an unknown grain may have been meant to cover the
// module.
func (r *resolver) mayBeCovered(module string) bool {
	return slices.ContainsFunc(r.cat.Grains, func(g grains.GrainDecl) bool {
		return slices.Contains(r.failed, g.Covers[0]) && slices.Contains(g.Covers, module)
	})
}

// grainsOf names the grains that cover a module.
func (r *resolver) grainsOf(module string) []string {
	var out []string
	for _, g := range r.cat.Grains {
		switch {
		case g.IsPicked():
		case g.Covers[0] == module:
			out = append(out, fmt.Sprintf("%q", g.Name))
		case slices.Contains(g.Covers, module):
			out = append(out, fmt.Sprintf("%q of module %q", g.Name, g.Covers[0]))
		}
	}
	return out
}

func (r *resolver) requirements() {
	for _, p := range r.chosen {
		for _, need := range p.grain.Requires {
			met := slices.ContainsFunc(r.chosen, func(q pick) bool {
				return r.cat.Fulfils(q.grain, need)
			})
			if !met {
				d := p.block.Grain.Errorf(CodeRequires, "Grain needs another grain",
					"Grain %q of module %q works only together with grain %q of module %q. Choose that one.",
					p.grain.Name, p.block.Name, need.Grain, need.Module)
				if other := r.m.Module(need.Module); other != nil {
					configs.WithRelated(d, other.Grain.Range, "grain %q is chosen here", other.Grain.Value)
				}
				r.report(d)
			}
		}
	}
}

func (r *resolver) targets() {
	coarse, targets := (*pick)(nil), 0
	for k, p := range r.chosen {
		if p.grain.Coarsens {
			coarse = &r.chosen[k]
		}
		if !p.block.Target.Value {
			continue
		}
		targets++
		switch {
		case r.module(p.block.Name).Environment:
			r.report(p.block.Target.Errorf(CodeTarget, "Environment cannot be a target",
				"Module %q is part of the environment, which is the same in every composition. Remove target.", p.block.Name))
		case p.grain.Coarsens:
			r.report(p.block.Target.Errorf(CodeTarget, "Target has a coarse grain",
				"A module under test keeps its steps, and grain %q of module %q leaves some out. Choose a finer grain, or remove target.",
				p.grain.Name, p.block.Name))
		}
	}
	if coarse != nil && targets == 0 {
		r.report(configs.Errorf(CodeTarget, "No module under test", coarse.block.DeclRange,
			"Module %q has the coarse grain %q, which is right for some modules under test and wrong for others. Mark them with target = true.",
			coarse.block.Name, coarse.grain.Name))
	}
}

func (r *resolver) bounds() {
	r.c.Choice.Budgets = map[string]int{}
	byName := map[string]*grains.Bound{}
	for k := range r.cat.Bounds {
		b := &r.cat.Bounds[k]
		byName[b.Name] = b
		r.c.set(b, b.Default)
	}
	for _, s := range r.m.Bounds {
		if n, ok := r.bound(s, byName); ok {
			r.c.set(byName[s.Name], n)
		}
	}
}

// unknown returns an error about the name of a setting.
func unknown(s configs.Setting, code configs.Code, summary, format string, args ...any) *hcl.Diagnostic {
	return configs.WithContext(configs.Errorf(code, summary, s.NameRange, format, args...), s.Range)
}

// bound returns the value that a setting gives to a bound. It reports what is wrong with it.
func (r *resolver) bound(s configs.Setting, byName map[string]*grains.Bound) (int, bool) {
	b := byName[s.Name]
	if b == nil {
		r.report(unknown(s, CodeUnknownBound, "Unknown bound", "System %q has no bound %q.%s",
			r.cat.System, s.Name, configs.Hint(s.Name, slices.Collect(maps.Keys(byName)))))
		return 0, false
	}
	n, ok := s.Int()
	if !ok || n < b.Min || n > b.Max {
		r.report(s.Errorf(CodeBoundRange, "Bound out of range", "Bound %q is %s. It can be %d to %d: %s",
			s.Name, text(s.Value), b.Min, b.Max, b.Doc))
		return 0, false
	}
	return n, true
}

// text returns a value as a manifest writes it, as far as it is short.
func text(v cty.Value) string {
	switch {
	case v.IsNull():
		return "null"
	case v.Type() == cty.Number:
		return v.AsBigFloat().Text('f', -1)
	case v.Type() == cty.String:
		return strconv.Quote(v.AsString())
	case v.Type() == cty.Bool:
		return strconv.FormatBool(v.True())
	}
	return "a " + v.Type().FriendlyName()
}

// set gives a bound its value: as a constant, as the limit of a budget, or both.
func (c *Composition) set(b *grains.Bound, n int) {
	if b.Const != "" {
		c.Constants[b.Const] = strconv.Itoa(n)
	}
	c.Choice.Budgets[b.Name] = n
}

// renamedOptions gives options that the manifest sets under names of before their names of today,
// so that all that reads the manifest afterwards finds them. Doing it twice changes nothing.
func (r *resolver) renamedOptions() {
	for k, s := range r.m.Options {
		o, renamed := r.cat.OptionNamed(s.Name)
		switch {
		case !renamed:
			continue
		case r.m.Options.Has(o.Name):
			r.report(s.Errorf(CodeRenamed, "Option is set twice",
				"Option %q is called %q today, and the manifest sets that, too. Remove this line.", s.Name, o.Name))
			continue
		}
		r.report(configs.Warnf(CodeRenamed, "Option has another name", s.NameRange,
			"Option %q is called %q today. The manifest sets that option. Write the new name.", s.Name, o.Name))
		r.m.Options = slices.Clone(r.m.Options)
		r.m.Options[k].Name = o.Name
	}
}

func (r *resolver) options() {
	byName := map[string]*grains.Option{}
	for k := range r.cat.Options {
		o := &r.cat.Options[k]
		byName[o.Name] = o
		r.c.Constants[o.Const] = constant(o, o.Default)
	}
	for _, s := range r.m.Options {
		o := byName[s.Name]
		if o == nil {
			if _, renamed := r.cat.OptionNamed(s.Name); renamed {
				continue // set twice, which renamedOptions reports
			}
			r.report(unknown(s, CodeUnknownOption, "Unknown option", "System %q has no option %q.%s",
				r.cat.System, s.Name, configs.Hint(s.Name, slices.Collect(maps.Keys(byName)))))
			continue
		}
		allowed, given := o.Allowed(), written(o, s)
		if !slices.Contains(allowed, given) {
			r.report(s.Errorf(CodeOptionValue, "Value not allowed", "Option %q cannot be %s. It is one of: %s.%s",
				s.Name, text(s.Value), strings.Join(allowed, ", "), meant(given, allowed)))
			continue
		}
		r.c.Constants[o.Const] = constant(o, given)
	}
}

// written returns the value that a setting gives to an option, as a manifest writes it without
// quotes.
func written(o *grains.Option, s configs.Setting) string {
	if s.Value.Type() == cty.String && !s.Value.IsNull() && len(o.Values) > 0 {
		return s.Value.AsString()
	}
	return text(s.Value)
}

// needs checks the options and bounds that chosen grains need.
func (r *resolver) needs() {
	for _, p := range r.chosen {
		excluded, value := r.c.excludes(p.grain)
		option, bound := r.c.lacks(p.grain)
		switch {
		case excluded != nil:
			d := p.block.Grain.Errorf(CodeNeeds, "Grain does not model this value",
				"Grain %q of module %q does not model %s = %q, because %s. Set another value, or choose another grain.",
				p.grain.Name, p.block.Name, excluded.Option, value, excluded.Why)
			if s, ok := r.m.Options.Get(excluded.Option); ok {
				configs.WithRelated(d, s.Range, "the option is set here")
			}
			r.report(d)
		case option != nil:
			d := p.block.Grain.Errorf(CodeNeeds, "Grain needs another option",
				"Grain %q of module %q works only with the option %s = %q. Set it, or choose another grain.",
				p.grain.Name, p.block.Name, option.Option, option.Value)
			if s, ok := r.m.Options.Get(option.Option); ok {
				configs.WithRelated(d, s.Range, "the option is set here")
			}
			r.report(d)
		case bound != nil:
			d := p.block.Grain.Errorf(CodeNeeds, "Grain needs a larger bound",
				"Grain %q of module %q works only with the bound %s of at least %d. Raise it, or choose another grain.",
				p.grain.Name, p.block.Name, bound.Bound, bound.Least)
			if s, ok := r.m.Bounds.Get(bound.Bound); ok {
				configs.WithRelated(d, s.Range, "the bound is set here")
			}
			r.report(d)
		}
	}
}

// meetings checks that quorums that must have a member in common do, with the constants of the
// composition. A kind of quorum that not even all members make up is refused, too: nothing that
// waits for it would ever happen.
func (r *resolver) meetings() {
	if r.diags.HasErrors() { // constants may be missing
		return
	}
	for _, m := range r.cat.Meetings {
		a, known := assemble.QuorumOf(r.cat, &m.A, r.c.Constants)
		b, also := assemble.QuorumOf(r.cat, &m.B, r.c.Constants)
		x, y, apart := grains.Apart(a, b)
		switch {
		case !known || !also:
			r.quorums(m, "Numbers of quorums unknown", "The numbers of %s and %s are not constants from 0 on, of at most %d members. Write constant expressions.",
				m.A.Var, m.B.Var, modules.LargestSet)
		case !grains.Reachable(a):
			r.quorums(m, "No quorum", "All %d members together are no quorum of %s, which needs %d. %s", a.Members, m.A.Var, a.Least, remedyOfQuorums)
		case !grains.Reachable(b):
			r.quorums(m, "No quorum", "All %d members together are no quorum of %s, which needs %d. %s", b.Members, m.B.Var, b.Least, remedyOfQuorums)
		case apart:
			r.quorums(m, "Quorums without common member", "Members %s are a quorum of %s and members %s one of %s, with no member in common. %s",
				membersOf(x), m.A.Var, membersOf(y), m.B.Var, remedyOfQuorums)
		}
	}
}

const remedyOfQuorums = "Change the bounds and options that set their sizes."

// quorums reports a mistake of a pair of quorums where the manifest sets their sizes, or at the
// block of the system.
func (r *resolver) quorums(m grains.MeetingDecl, summary, format string, args ...any) {
	var at []hcl.Range
	for _, s := range slices.Concat(r.m.Bounds, r.m.Options) {
		if c := r.constantOf(s.Name); c != "" && (m.A.Mentions(c) || m.B.Mentions(c)) {
			at = append(at, s.Range)
		}
	}
	if len(at) == 0 {
		at = []hcl.Range{r.m.System.DeclRange}
	}
	d := configs.Errorf(CodeQuorums, summary, at[0], format, args...)
	for _, other := range at[1:] {
		configs.WithRelated(d, other, "this sets a size of them, too")
	}
	r.report(configs.WithRelated(d, rangeOf(m.Place), "the catalog declares here that they meet"))
}

// constantOf returns the constant that a bound or an option sets, "" where it sets none.
func (r *resolver) constantOf(setting string) string {
	for _, b := range r.cat.Bounds {
		if b.Name == setting {
			return b.Const
		}
	}
	for _, o := range r.cat.Options {
		if o.Name == setting {
			return o.Const
		}
	}
	return ""
}

// membersOf writes a list as "0, 1 and 2".
func membersOf(list []int) string {
	var b strings.Builder
	for k, n := range list {
		switch {
		case k > 0 && k == len(list)-1:
			b.WriteString(" and ")
		case k > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// excludes returns the value of an option that a grain does not model and the composition has; nil
// where there is none.
func (c *Composition) excludes(g *grains.GrainDecl) (*grains.Exclusion, string) {
	for k := range g.Excludes {
		at := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == g.Excludes[k].Option })
		if at < 0 {
			continue
		}
		for _, v := range g.Excludes[k].Values {
			if c.Constants[c.Catalog.Options[at].Const] == constant(&c.Catalog.Options[at], v) {
				return &g.Excludes[k], v
			}
		}
	}
	return nil, ""
}

// lacks returns an option's value or a bound that a grain needs and the composition does not have;
// nil where it has all.
func (c *Composition) lacks(g *grains.GrainDecl) (*grains.OptionValue, *grains.LeastBound) {
	for k, need := range g.Needs {
		at := slices.IndexFunc(c.Catalog.Options, func(o grains.Option) bool { return o.Name == need.Option })
		if slices.Contains(g.Sets, grains.Setting{Name: need.Option, Value: need.Value}) {
			continue
		}
		if at >= 0 && c.Constants[c.Catalog.Options[at].Const] != constant(&c.Catalog.Options[at], need.Value) {
			return &g.Needs[k], nil
		}
	}
	for k, need := range g.NeedsBounds {
		if n, ok := c.Choice.Budgets[need.Bound]; ok && n < need.Least {
			return nil, &g.NeedsBounds[k]
		}
	}
	return nil, nil
}

// meant returns a sentence with the allowed value that is most like the given one, if any is.
func meant(given string, allowed []string) string {
	if s := configs.Suggest(given, allowed); s != "" {
		return fmt.Sprintf(" Did you mean %q?", s)
	}
	return ""
}

// constant returns the Go expression of an option's value.
func constant(o *grains.Option, value string) string {
	if len(o.Values) == 0 {
		return value
	}
	return strconv.Quote(value)
}

// fitSets chooses the size of sets from the number of identities that the composition's constants
// give: see assemble.Identities.
func (r *resolver) fitSets() {
	var p assemble.Program
	r.c.describe(&p)
	n, diags := p.Identities()
	if r.diags = append(r.diags, diags...); diags.HasErrors() {
		return
	}
	if n.Type != "" {
		r.report(configs.Errorf(CodeBoundRange, "Too many identities", r.m.System.Source.Range,
			"With the manifest's bounds there are %d values of type %s, which holds %d from 0 on. Declare it with more bytes, or lower the bounds that set their number.",
			n.Have, n.Type, n.Holds))
		return
	}
	if n.InSets > modules.LargestSet {
		r.report(configs.Errorf(CodeBoundRange, "Too many identities", r.m.System.Source.Range,
			"With the manifest's bounds a set would have to distinguish %d identities. %d is the most. Lower the bounds that set their number.", n.InSets, modules.LargestSet))
		return
	}
	wide, diag := r.c.source.ForIdentities(n.InSets)
	if diag != nil {
		r.report(diag)
	} else if wide != r.c.source {
		r.c.source, r.c.loaded = wide, &lastLoad{listing: new(interaction.Listing)}
	}
}
