package changes

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction"
	"github.com/multigrain/multigrain/interaction/change"
)

// Changed is a change with what was composed for it.
type Changed struct {
	*result.Change
	Outcome *session.Run // of the composed manifest; nil without one

	impl *configs.Implementation
	how  change.Options // how the change was read
	of   Source         // how it was asked for
	// renamed are names that have another one after the change.
	renamed map[change.Name]string
	// uncalled are functions that are gone and that no code which is left called.
	uncalled []change.Uncalled
	// grown are types that differ in new exported fields alone.
	grown []change.Grown

	ready *observer             // with the compiled code, for Observe
	left  time.Duration         // of the budget, after the walks
	equal []compose.Alternative // that are as fine as the composed one

	kept *result.Comparison // of Outcome, from the lock file; nil if it has none
}

// allowed is an alternative that may be taken.
type allowed struct {
	of      compose.Alternative
	run     *session.Run
	text    string             // of its manifest
	dropped []string           // from its check block
	kept    *result.Comparison // from the lock file; nil if it has none
}

// analysisOf returns an analysis as the document has it.
func analysisOf(a *change.Analysis) result.ChangeAnalysis {
	out := result.ChangeAnalysis{Files: a.Files, Trails: []result.Trail{}, Unmodelled: []result.Unmodelled{}, Ignored: []result.Ignored{}, Doubts: a.Doubts, Missing: a.Missing}
	of := func(d change.Declaration) result.Declaration {
		return result.Declaration{Name: d.Name, Kind: string(d.Kind), How: string(d.How), File: d.File, Line: d.Line, Last: d.Last, Followed: d.Followed}
	}
	for _, t := range a.Trails {
		doc := result.Trail{Declaration: of(t.Declaration), Place: (*result.Modelled)(t.Place)}
		if t.Path != nil {
			doc.Path = []result.Caller{}
		}
		for _, s := range t.Path {
			doc.Path = append(doc.Path, result.Caller(s))
		}
		out.Trails = append(out.Trails, doc)
	}
	for _, u := range a.Unmodelled {
		out.Unmodelled = append(out.Unmodelled, result.Unmodelled{Declaration: of(u.Declaration), Reason: u.Reason, Policy: string(u.Policy)})
	}
	for _, i := range a.Ignored {
		out.Ignored = append(out.Ignored, result.Ignored(i))
	}
	return out
}

// Open says why a change that violates nothing is not known to be safe; "" where it is all
// modelled.
func Open(x *result.Change) string {
	var parts []string
	if n := len(x.Unmodelled); n > 0 {
		var names []string
		for _, u := range x.Unmodelled {
			if !slices.Contains(names, u.Name) {
				names = append(names, u.Name)
			}
		}
		parts = append(parts, "no grain models "+words.ListFew(names))
	}
	if f := failed(x); f != "" {
		parts = append(parts, f)
	}
	if len(x.Doubts) > 0 {
		parts = append(parts, words.ListFew(x.Doubts))
	}
	return strings.Join(parts, "; ")
}

// failed names what the manifest fails changes of; "" for nothing.
func failed(x *result.Change) string {
	var names []string
	for _, u := range x.Unmodelled {
		if u.Policy == string(change.Fail) && !slices.Contains(names, u.Name) {
			names = append(names, u.Name)
		}
	}
	if names == nil {
		return ""
	}
	return "the manifest fails changes of " + words.ListFew(names)
}

// Choose composes the first alternative that is allowed for the modules that the change touches
// or, with a plan, the finest one of the same grains of these that fits. It sets the outcome, and
// the alternatives that were rejected with the reason. If none is allowed, base gets an error. The
// path out is that of the manifest to be written; "" for none.
func (x *Changed) Choose(base *session.Run, out string, how *Planning) {
	touched := x.grainsOfAll()
	for _, m := range base.Composition.Catalog.Modules {
		if gs := touched[m.Name]; gs != nil {
			x.Touched = append(x.Touched, result.Touched{Module: m.Name, Grains: gs, Lines: x.linesOf(m.Name)})
		}
	}
	if len(touched) == 0 {
		return
	}
	all, lacking := base.Composition.Alternatives(touched)
	for k, a := range all {
		o, why := x.composed(base, a, out)
		if why != "" {
			x.Rejected = append(x.Rejected, result.Rejected{Grains: coarseOf(base.Composition, a), Why: why})
			continue
		}
		if how != nil {
			o = x.finest(base, o, all[k+1:], out, how)
		}
		x.take(o)
		x.unmodelled(lacking)
		x.explain(lacking)
		x.notEqual(o.of, all)
		return
	}
	detail := "No composition has the modules that the change touches at a fine grain."
	if len(x.Rejected) > 0 {
		detail = "None of the compositions for the change is allowed: " + x.Rejected[len(x.Rejected)-1].Why + "."
	}
	base.Add(configs.Errorf(codes.Change, "Change cannot be composed", hcl.Range{}, "%s", detail))
}

// take makes an alternative the composition for the change.
func (x *Changed) take(o *allowed) {
	x.Outcome, x.Manifest, x.Dropped, x.kept = o.run, o.text, o.dropped, o.kept
}

// linesOf returns the places of the changed declarations that lead to a module, as file:line or
// file:first-last.
func (x *Changed) linesOf(module string) (out []string) {
	for _, t := range x.Trails {
		if at := t.Declaration.At(); t.Place.Touches(module) && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// grainsOfAll returns the touched modules with the grains that model every changed function of the
// module or, where there is none, any of them.
func (x *Changed) grainsOfAll() map[string][]string {
	// The grains of each module, and how many functions each of them models.
	all, of := map[string][]string{}, map[string]map[string]int{}
	functions := map[string]int{}
	var seen []*result.Modelled
	for _, t := range x.Trails {
		if slices.Contains(seen, t.Place) {
			continue
		}
		seen = append(seen, t.Place)
		var modules []string
		for _, g := range t.Place.Grains {
			if !slices.Contains(modules, g.Module) {
				modules = append(modules, g.Module)
				functions[g.Module]++
			}
			if of[g.Module] == nil {
				of[g.Module] = map[string]int{}
			}
			if of[g.Module][g.Grain]++; of[g.Module][g.Grain] == 1 {
				all[g.Module] = append(all[g.Module], g.Grain)
			}
		}
	}
	for m, gs := range all {
		every := slices.DeleteFunc(slices.Clone(gs), func(g string) bool { return of[m][g] < functions[m] })
		if len(every) > 0 {
			all[m] = every
		}
	}
	return all
}

// leavesOut reports whether a grain of a module does not model a changed function that another
// grain of the module models.
func (x *Changed) leavesOut(module, grain string) bool {
	return slices.ContainsFunc(x.Trails, func(t result.Trail) bool { return t.Place.Touches(module) && !t.Place.Has(module, grain) })
}

// unmodelled names the functions that grains model and that none of the chosen ones does.
func (x *Changed) unmodelled(lacking []compose.Lacking) {
	var seen []string
	for _, t := range x.Trails {
		if slices.Contains(seen, t.Place.Name) || slices.ContainsFunc(x.Outcome.Composition.Modules, func(m compose.ModuleChoice) bool { return t.Place.Has(m.Module, m.Grain) }) {
			continue
		}
		seen = append(seen, t.Place.Name)
		var other []string
		for _, g := range t.Place.Grains {
			text := g.Module + "/" + g.Grain
			for _, l := range lacking {
				if l.Grain == g {
					text += ", which needs " + l.Need
				}
			}
			other = append(other, text)
		}
		x.Unmodelled = append(x.Unmodelled, result.Unmodelled{Declaration: t.Declaration, Policy: string(change.Report),
			Reason: fmt.Sprintf("no chosen grain models %s, only %s", t.Place.Name, words.ListOr(other, ""))})
	}
}

// composed resolves and examines an alternative. Why is empty where it is allowed.
func (x *Changed) composed(base *session.Run, a compose.Alternative, path string) (out *allowed, why string) {
	written := path != ""
	if !written {
		path = filepath.Join(filepath.Dir(base.Manifest.Path), base.Manifest.Name()+"-change.hcl")
	}
	comment := fmt.Sprintf("# Composed by multigrain change: %s under test, what is changed of %s.\n\n", words.ListOr(a.Targets, "nothing"), x.Implementation)
	text, dropped := base.Composition.Write(a, filepath.Dir(path), comment)
	o := base.Env.ResolveWith(path, configs.Options{Environ: base.Env.Environ, ReadFile: func(name string) ([]byte, error) {
		if name == path {
			return text, nil
		}
		return files.Read(name)
	}})
	if o.Composition == nil {
		return nil, firstError(o.Diagnostics)
	}
	o.Preserve(false)
	kept, diags := o.Kept(base.Manifest.Path)
	o.Add(diags...)
	switch {
	case o.Diagnostics.HasErrors():
		return nil, firstError(o.Diagnostics)
	case kept != nil && !tolerable(kept):
		return nil, fmt.Sprintf("level %s is %s (%s), from %s", kept.Level, kept.Verdict, kept.Bounds, locks.Name)
	}
	if l := o.Interaction.Locked; l != nil && l.Reason != "" && !written {
		l.Reason += ", once -out has written that manifest"
	}
	return &allowed{of: a, run: o, text: string(text), dropped: dropped, kept: kept}, ""
}

// tolerable reports whether a result allows a composition: no false behaviour, and every
// gap accepted.
func tolerable(d *result.Comparison) bool {
	return d.Verdict != verdicts.Broken && !slices.ContainsFunc(d.Findings, func(f result.Finding) bool { return !f.Accepted })
}

// firstError returns the first error in one line.
func firstError(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			first, _, _ := strings.Cut(d.Detail, "\n")
			return fmt.Sprintf("%s [%s]: %s", d.Summary, configs.CodeOf(d), strings.TrimSuffix(first, "."))
		}
	}
	return ""
}

// coarseOf returns the coarse grains of an alternative or, where it has none, all.
func coarseOf(comp *compose.Composition, a compose.Alternative) (out []string) {
	for _, r := range a.Grains {
		for _, g := range comp.Catalog.Grains {
			if g.Name == r.Grain && g.Covers[0] == r.Module && g.Coarsens {
				out = append(out, r.Module+"/"+r.Grain)
			}
		}
	}
	if out == nil {
		for _, r := range a.Grains {
			out = append(out, r.Module+"/"+r.Grain)
		}
	}
	return out
}

// explain says why each module has its grain.
func (x *Changed) explain(lacking []compose.Lacking) {
	o := x.Outcome
	for _, m := range o.Composition.Modules {
		x.Choices = append(x.Choices, result.Choice{Module: m.Module, Grain: m.Grain, Target: m.Target, Why: x.why(m, lacking)})
	}
	for _, opt := range o.Composition.Catalog.Options {
		if _, ok := o.Manifest.Options.Get(opt.Name); ok {
			x.Options = append(x.Options, opt.Name+" = "+strings.Trim(o.Composition.Constants[opt.Const], `"`))
		}
	}
}

func (x *Changed) why(m compose.ModuleChoice, lacking []compose.Lacking) string {
	comp := x.Outcome.Composition
	g := comp.Chosen()[slices.IndexFunc(comp.Chosen(), func(g *grains.GrainDecl) bool { return slices.Contains(g.Covers, m.Module) })]
	if k := slices.IndexFunc(x.Touched, func(t result.Touched) bool { return t.Module == m.Module }); k >= 0 {
		text := "the change touches it; the finest grain that models what changed"
		if x.leavesOut(m.Module, m.Grain) {
			text = "the change touches it; no grain models all that changed"
		}
		var needs []string
		for _, l := range lacking {
			if l.Grain.Module == m.Module {
				needs = append(needs, l.Grain.Grain+" needs "+l.Need)
			}
		}
		if len(needs) > 0 {
			text += ", of those that options and bounds allow (" + strings.Join(needs, "; ") + ")"
		}
		return text
	}
	if g.Coarsens {
		return x.whyCoarse(g) + x.whyPlanned(m)
	}
	for _, other := range comp.Chosen() {
		for _, need := range other.Requires {
			if need.Module == m.Module && need.Grain == g.Name && other != g {
				return fmt.Sprintf("%s/%s needs it", other.Covers[0], other.Name)
			}
		}
	}
	for _, d := range comp.Catalog.Modules {
		if d.Name == m.Module && d.Environment {
			return "the environment, as in the manifest"
		}
	}
	if why := x.whyPlanned(m); why != "" {
		return "not touched" + why
	}
	return "not touched; no coarser grain is allowed"
}

// whyCoarse says how far it is known that a coarse grain may stand for a module.
func (x *Changed) whyCoarse(g *grains.GrainDecl) string {
	text := "not touched"
	for _, r := range x.Outcome.Analysis.Grains {
		if r.Module == g.Covers[0] && r.Grain == g.Name && r.Verdict == interaction.Preserved {
			text += fmt.Sprintf("; level L0 is preserved: it keeps %s and drops %d", words.Plural(int64(len(r.Keeps)), "variable"), len(r.Drops))
		}
	}
	if k := x.kept; k != nil {
		return text + fmt.Sprintf("; level %s: %s (%s), from %s", k.Level, k.Verdict, k.Bounds, locks.Name)
	}
	return text + fmt.Sprintf("; %s has no result of L1 or L2", locks.Name)
}
