package plan

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// What it computes. The compositions that put the modules under test at their grains and each other
// module at each grain that level L0 and the lock file allow, with a prediction of what exploring
// each of them takes.
//
// Why it is right. compose.Alternatives meets each choice of grains once. Whether one is preserved
// is decided as check decides it. A prediction follows from the levels of a short exploration: see
// Of. Where that exploration ended by itself, it is no prediction.
//
// What it costs. A program and a short exploration for each composition, some seconds each.

// asked says what is planned.
type asked struct {
	Probing
	targets []string // modules under test; nil: those of the manifest
	most    int      // compositions that are examined
	out     string   // the file with the manifest; "": none is written
}

// planner makes the plan of one manifest.
type planner struct {
	asked
	base *session.Run
	note func(format string, args ...any)
	d    *result.Plan
	init int64 // initial states that were explored
}

// candidate is a composition as it is examined.
type candidate struct {
	result.Cover
	of   compose.Alternative
	run  *session.Run
	text string
}

// plan returns the plan. It is nil if errors among the diagnostics of base say why.
func (x *planner) plan() *result.Plan {
	touched, ok := x.underTest()
	if !ok {
		return nil
	}
	all, _ := x.base.Composition.Alternatives(touched)
	x.d = &result.Plan{Verdict: verdicts.Undecided, Budget: x.Budget.Seconds(), Targets: x.targets, Covers: []result.Cover{}, Rejected: []result.Rejected{}}
	var found []candidate
	for _, a := range all {
		if len(found) == x.most {
			x.d.Omitted++
			continue
		}
		if c, ok := x.candidate(a, nil); ok {
			found = append(found, c)
		}
	}
	for k := range found {
		if x.base.Env.Soft.Err() != nil {
			x.d.Reason = "interrupted before all compositions were examined"
			break
		}
		x.examine(&found[k])
	}
	if x.base.Diagnostics.HasErrors() {
		return nil
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Or(Finer(&a.of, &b.of), cmp.Compare(b.States, a.States)) })
	found = append(found, x.smaller(found)...)
	x.choose(found)
	return x.d
}

// Finer orders compositions from fine to coarse: by their actions, and of equally many by the
// number of coarse grains.
func Finer(a, b *compose.Alternative) int {
	return cmp.Or(len(b.Actions)-len(a.Actions), a.Coarse-b.Coarse)
}

// underTest returns the modules under test, each with its grain in the manifest.
func (x *planner) underTest() (map[string][]string, bool) {
	c := x.base.Composition
	if x.targets == nil {
		x.targets = c.Targets()
	}
	if len(x.targets) == 0 {
		x.wrong("The manifest has no module under test. Name modules with -target, such as -target %s, or write target = true into their blocks.", c.Modules[0].Module)
		return nil, false
	}
	touched := map[string][]string{}
	for _, name := range x.targets {
		k := slices.IndexFunc(c.Modules, func(m compose.ModuleChoice) bool { return m.Module == name })
		if k < 0 {
			x.wrong("The manifest has no module %q. It has %s.", name, words.ListOr(namesOf(c), "none"))
			return nil, false
		}
		touched[name] = []string{c.Modules[k].Grain}
	}
	return touched, true
}

func namesOf(c *compose.Composition) (names []string) {
	for _, m := range c.Modules {
		names = append(names, m.Module)
	}
	return names
}

func (x *planner) wrong(format string, args ...any) {
	x.base.Add(configs.Errorf(codes.FlagValue, "Nothing to plan", hcl.Range{}, format, args...))
}

// candidate composes an alternative. It reports false, and notes why, if that is not allowed.
func (x *planner) candidate(a compose.Alternative, bounds []result.Setting) (c candidate, ok bool) {
	c = candidate{of: a, Cover: result.Cover{Grains: names(a.Grains), Bounds: bounds}}
	dir := filepath.Dir(cmp.Or(x.out, x.base.Manifest.Path))
	path := cmp.Or(x.out, filepath.Join(dir, x.base.Manifest.Name()+"-planned.hcl"))
	text, _ := x.base.Composition.Write(a, dir, fmt.Sprintf("# Written by multigrain plan: %s under test.\n\n", words.ListOr(x.targets, "nothing")))
	if len(bounds) > 0 {
		text = fmt.Appendf(text, "\nbounds {\n  %s\n}\n", strings.Join(settings(bounds), "\n  "))
	}
	c.text = string(text)
	c.run = x.base.Env.ResolveWith(path, configs.Options{Environ: x.base.Env.Environ, ReadFile: func(name string) ([]byte, error) {
		if name == path {
			return text, nil
		}
		return files.Read(name)
	}})
	why := ""
	if c.run.Composition == nil {
		why = firstError(c.run.Diagnostics)
	} else if c.run.Preserve(false); c.run.Diagnostics.HasErrors() {
		why = firstError(c.run.Diagnostics)
	} else if kept, diags := c.run.Kept(x.base.Manifest.Path); kept != nil && !diags.HasErrors() {
		c.Level = fmt.Sprintf("%s %s", kept.Level, kept.Verdict)
		if kept.Verdict == verdicts.Broken || slices.ContainsFunc(kept.Findings, func(f result.Finding) bool { return !f.Accepted }) {
			why = fmt.Sprintf("level %s is %s (%s), from multigrain.lock", kept.Level, kept.Verdict, kept.Bounds)
		}
	}
	if why != "" {
		x.d.Rejected = append(x.d.Rejected, result.Rejected{Grains: c.Grains, Why: why})
	}
	return c, why == ""
}

func names(refs []grains.Ref) (out []string) {
	for _, r := range refs {
		out = append(out, r.Module+"/"+r.Grain)
	}
	return out
}

// firstError returns the first error in one line.
func firstError(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			first, _, _ := strings.Cut(d.Detail, "\n")
			return fmt.Sprintf("%s [%s]: %s", d.Summary, configs.CodeOf(d), strings.TrimSuffix(first, "."))
		}
	}
	return "it cannot be composed"
}

// examine explores a part of a composition and predicts the rest.
func (x *planner) examine(c *candidate) {
	x.note("%s", strings.Join(append(c.Grains, settings(c.Bounds)...), ", "))
	x.init += x.Predict(c.run, &c.Cover)
}

func settings(all []result.Setting) (out []string) {
	for _, s := range all {
		out = append(out, s.Name+" = "+s.Value)
	}
	return out
}

// smaller examines the finest composition whose states could be counted, if it does not fit, with
// each bound of a budget one smaller.
func (x *planner) smaller(all []candidate) (out []candidate) {
	for len(all) > 0 && all[0].Explored == 0 {
		all = all[1:]
	}
	if len(all) == 0 || all[0].Fits || x.base.Env.Soft.Err() != nil {
		return nil
	}
	c := x.base.Composition
	for _, b := range c.Catalog.Bounds {
		n, ok := c.Choice.Budgets[b.Name]
		if !ok || n < 1 || n-1 < b.Min {
			continue
		}
		x.d.Bounds = append(x.d.Bounds, result.Setting{Name: b.Name, Value: strconv.Itoa(n)})
		s, ok := x.candidate(all[0].of, []result.Setting{{Name: b.Name, Value: strconv.Itoa(n - 1)}})
		if !ok || x.base.Env.Soft.Err() != nil {
			continue
		}
		// With as many states the bound makes no difference here, and the times differ by chance.
		if x.examine(&s); s.Fits && s.States < all[0].States {
			out = append(out, s)
		}
	}
	return out
}

// choose takes the finest composition that fits, with the manifest's own bounds if there is one.
func (x *planner) choose(all []candidate) {
	for k := range all {
		x.d.Covers = append(x.d.Covers, all[k].Cover)
	}
	best := x.d.Best()
	switch {
	case x.d.Reason != "":
	case best != nil:
		k := slices.IndexFunc(all, func(c candidate) bool {
			return slices.Equal(c.Grains, best.Grains) && slices.Equal(c.Bounds, best.Bounds)
		})
		x.d.Verdict, x.d.Manifest = verdicts.Planned, all[k].text
	case len(all) == 0:
		x.d.Reason = "no composition with these modules under test is allowed"
	default:
		x.d.Reason = fmt.Sprintf("no composition is expected to end within %s", words.Elapsed(x.Budget.Seconds()))
	}
}
