package html

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// reportPage holds the values that assets/report.html shows, in its order.
type reportPage struct {
	folder string // of the page
	base   string // the folder that paths are relative to

	Title, System, When string

	Verdict, Line, Diagnostics string
	Facts                      [][2]string // what the verdict is worth

	Found      string // the headline above what was found
	Violations []violationLine
	Tables     []tablePart
	Whole      string // all that the text of the verb says; "" where the page has all of it

	Modules     []moduleLine
	Settings    [][2]string
	Interaction *interactionPart
	Accepted    []string

	Coverage []coverageLine
	Never    [][2]string // why, and the actions that never fired for this reason
	Actions  []actionLine
	// Instances says that the instances of actions were counted, as of walks.
	Instances bool
	Branches  string // those that were not taken
	Missed    string

	Strategy *strategyPart

	Charts  []template.HTML
	Figures [][2]string

	Environment [][2]string
	Files       []fileText
	Style       template.CSS
}

type moduleLine struct{ Module, Grain, Note string }

// coverageLine says how much of what was reached.
type coverageLine struct {
	What      string
	Taken, Of int
	Percent   int
}

type actionLine struct {
	Name, Module, Enabled, Fired, Distinct, Instances, Note string
	Bar                                                     int // percent of the largest
	Never                                                   bool
}

// strategyPart says by which strategy walks were taken and what that guarantees.
type strategyPart struct {
	Name       string
	Parameters [][3]string // name, value, meaning
	Facts      [][2]string
}

type violationLine struct {
	Name, Kind, Action, Found, Doc, Page, Trace string
	// File is the address of the trace from the page.
	File    string
	Why     []string // lines, with -explain
	Diagram template.HTML
}

type fileText struct{ Name, Text string }

// Limits of the diagrams that the page of a result holds. Others are on pages of their own.
const (
	mostDiagrams     = 3
	longestInDiagram = 200 // steps
)

// reportPageOf returns the page of an outcome in a folder. Traces are the pages of the
// counterexamples, by violation. Witnesses are those of the witnesses of differences.
func reportPageOf(d *result.Document, folder, base string, traces, witnesses []string) *reportPage {
	p := &reportPage{folder: folder, base: base, Title: cmp.Or(d.Spec, d.Verb), Found: "Violations", Style: template.CSS(diagram.Style)}
	for _, f := range d.Sources {
		p.Files = append(p.Files, fileText{f.File, f.Text})
	}
	if len(d.Diagnostics) > 0 {
		p.Diagnostics = text.Diagnostics{}.All(d.Diagnostics)
	}
	if o := d.Origin; o != nil {
		p.When = o.At
		p.Environment = [][2]string{{"command", o.Command}, {"multigrain", o.Version}, {"go", o.Go}, {"system", o.Platform},
			{"processors", fmt.Sprint(o.Processors)}, {"host", o.Host}}
	}
	if d.System == "" && d.Compared == nil {
		return p
	}
	if p.System = d.Verb; d.System != "" {
		p.System += ", system " + d.System
	}
	p.composition(d)
	if isReal(d) {
		p.real(d, traces)
		return p
	}
	if d.Interaction != nil {
		p.Interaction = interactionPartOf(d.Interaction, witnesses)
		p.Facts = append(p.Facts, [2]string{"composition", oneLine(p.Interaction.Summary)})
	}
	x := d.Exploration
	switch {
	case x == nil && d.Interaction != nil:
		p.Verdict = d.Interaction.Verdict
		if p.Verdict == verdicts.None {
			p.Line = verdicts.Find("interaction", verdicts.None, "").Head
		}
	case x == nil:
	case x.Stopped:
		p.Verdict, p.Line = verdicts.Undecided, text.Undecided(d.Verb, x.Reason, false)
	default:
		p.Verdict, p.Line = x.Verdict, text.Verdict(d)
		p.Facts = append(p.Facts, [2]string{"explored", exploredFact(x)}, [2]string{"checked", words.Plural(int64(len(x.Invariants)), "invariant") + ": " + words.ListOr(x.Invariants, "none")})
		if x.Liveness != nil {
			p.Facts = append(p.Facts, [2]string{"liveness", text.LivenessChecked(x.Liveness)})
		}
		p.found(x, traces)
		p.covered(x)
		p.figures(x)
	}
	return p
}

// exploredFact says whether all states were explored.
func exploredFact(x *result.Exploration) string {
	states := words.Plural(x.Distinct, "distinct state") + ", depth " + fmt.Sprint(x.Depth)
	switch {
	case x.Simulation != nil:
		return fmt.Sprintf("%s of at most %s: a sample of the behaviours", words.Plural(x.Simulation.Walks, "random walk"), words.Plural(int64(x.Simulation.Depth), "step"))
	case x.Complete():
		return "all states: " + states
	case len(x.Violations) > 0:
		return "not all states, the search ended at a violation: " + states
	}
	return "not all states: " + states
}

// composition adds the modules with their grains, the bounds and options, and what is accepted.
func (p *reportPage) composition(d *result.Document) {
	for _, m := range d.Modules {
		l := moduleLine{Module: m.Module, Grain: m.Grain}
		switch {
		case m.Target:
			l.Note = "target"
		case m.By != "":
			l.Note = "covered by " + m.By
		}
		p.Modules = append(p.Modules, l)
	}
	var bounds, options, replaced []string
	for _, s := range d.Set {
		replaced = append(replaced, s.Name+" = "+s.Value)
	}
	for _, b := range d.Bounds {
		bounds = append(bounds, b.Name+" = "+boundText(b.Value))
	}
	for _, o := range d.Options {
		options = append(options, o.Name+" = "+o.Value)
	}
	p.Settings = [][2]string{{"bounds", words.ListOr(bounds, "none")}, {"options", words.ListOr(options, "none")}}
	p.Facts = append(p.Facts, [2]string{"bounds", words.ListOr(bounds, "none")})
	if len(replaced) > 0 {
		p.Facts = append(p.Facts, [2]string{"set for this run", words.ListOr(replaced, "none")})
	}
	if i := d.Interaction; i != nil {
		for _, f := range i.Findings {
			if f.Accepted {
				p.Accepted = append(p.Accepted, words.Sentence(f.Message))
			}
		}
		if i.Comparison != nil {
			p.Accepted = append(p.Accepted, i.Comparison.Accepted...)
		}
		if i.Locked != nil {
			p.Accepted = append(p.Accepted, i.Locked.Accepted...)
		}
		p.Accepted = append(p.Accepted, i.Accepts...)
	}
	if x := d.Exploration; x != nil {
		if x.Masked > 0 {
			p.Accepted = append(p.Accepted, words.Sentence(strings.TrimSpace(text.MaskedText(x))))
		}
		for k := range x.Actions {
			if x.Actions[k].Unused {
				p.Accepted = append(p.Accepted, fmt.Sprintf("Action %s is never enabled.", x.Actions[k].Name))
			}
		}
	}
}

func boundText(n int) string {
	if n < 0 {
		return "no limit"
	}
	return fmt.Sprint(n)
}

// found adds the violations with their diagrams.
func (p *reportPage) found(x *result.Exploration, traces []string) {
	for k := range x.Violations {
		v := &x.Violations[k]
		l := violationLine{Name: v.Name(), Kind: v.Kind, Action: v.Action, Doc: v.Doc, Why: text.ReasonLines(v.Why),
			Found: fmt.Sprintf("counterexample of %s; %s", words.Plural(int64(v.Depth), "step"), text.FoundText(v))}
		if v.Trace != "" {
			l.Trace, l.File = filepath.Base(v.Trace), p.fileFrom(v.Trace)
		}
		if k < len(traces) {
			l.Page = traces[k]
		}
		if c := v.Counterexample; c != nil && k < mostDiagrams && len(c.Steps) <= longestInDiagram {
			l.Diagram = template.HTML(diagram.HTML(c.Diagram))
		}
		p.Violations = append(p.Violations, l)
	}
}

// fileFrom returns the address of a file from the page, "" where it is not known.
func (p *reportPage) fileFrom(file string) string {
	return fileFrom(p.folder, under(p.folder, p.base, file))
}

// under returns a path of a document as one that is relative to the working folder. Paths of a
// document are relative to the folder of the report if they are in it, and to base otherwise. For
// no base they are relative to the working folder.
func under(folder, base, file string) string {
	if base == "" || filepath.IsAbs(file) {
		return file
	}
	if in := filepath.Join(folder, file); filepath.IsLocal(file) {
		if _, err := os.Lstat(in); err == nil {
			return in
		}
	}
	return filepath.Join(base, file)
}

// fileFrom returns the address of a file from a page in a folder, "" where it is not known.
func fileFrom(folder, file string) string {
	from, failed := filepath.Abs(folder)
	to, err := filepath.Abs(file)
	if err = cmp.Or(failed, err); err != nil {
		return ""
	}
	if file, err = filepath.Rel(from, to); err != nil { // on another volume
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(to)}).String()
	}
	return (&url.URL{Path: filepath.ToSlash(file)}).String()
}

// covered adds what was reached, and what never happened.
func (p *reportPage) covered(x *result.Exploration) {
	fired, of, most := 0, 0, int64(1)
	for k := range x.Actions {
		most = max(most, x.Actions[k].Fired)
	}
	for k := range x.Actions {
		a := &x.Actions[k]
		l := actionLine{Name: a.Name, Module: a.Module, Enabled: words.Count(a.Enabled), Fired: words.Count(a.Fired), Distinct: words.Count(a.Distinct),
			Note: text.WhyNever(x, a)}
		if a.Instances != nil {
			p.Instances, l.Instances = true, fmt.Sprintf("%d of %d", a.Instances.Fired, a.Instances.Of)
		}
		if l.Never = l.Note == text.NeverEnabled; a.Fired > 0 {
			fired++
			l.Bar = max(1, int(100*math.Log1p(float64(a.Fired))/math.Log1p(float64(most))))
		} else {
			p.never(cmp.Or(l.Note, "enabled and never fired"), a.Name)
		}
		if !a.Spent && !a.Off { // it can fire
			of++
		}
		p.Actions = append(p.Actions, l)
	}
	p.coverage("actions that fired", fired, of)
	if b := x.Branches; b != nil {
		p.coverage("branches of invariants that were taken", b.Taken, b.Of)
		p.Branches = text.Untaken(b)
	}
	p.Missed = strings.Join(x.GoalsMissed, ", ")
}

func (p *reportPage) coverage(what string, taken, of int) {
	if of > 0 {
		p.Coverage = append(p.Coverage, coverageLine{what, taken, of, 100 * taken / of})
	}
}

// never notes an action that never fired, by the reason.
func (p *reportPage) never(why, action string) {
	for k := range p.Never {
		if p.Never[k][0] == why {
			p.Never[k][1] += ", " + action
			return
		}
	}
	p.Never = append(p.Never, [2]string{why, action})
}

// strategyPartOf returns the part about a strategy; nil where weights alone drew the steps.
func strategyPartOf(s *wire.Strategy) *strategyPart {
	if s == nil {
		return nil
	}
	p := &strategyPart{Name: s.Name}
	for _, x := range s.Parameters {
		p.Parameters = append(p.Parameters, [3]string{x.Name, strconv.FormatFloat(x.Value, 'g', -1, 64), x.Meaning})
	}
	if len(s.Heuristic) > 0 {
		p.Name += " (heuristic)"
	}
	add := func(name string, values ...string) {
		for _, v := range values {
			p.Facts = append(p.Facts, [2]string{name, v})
		}
	}
	if s.Space != "" {
		add("sample space", s.Space+" "+s.SpaceOf)
	}
	if s.Guarantee != "" {
		add("guarantee", s.Guarantee)
	}
	add("heuristic", s.Heuristic...)
	add("note", s.Notes...)
	return p
}

// figures adds the figures of the run and the plots.
func (p *reportPage) figures(r *result.Exploration) {
	p.Figures = [][2]string{
		{"distinct states", words.Count(r.Distinct)}, {"generated", words.Count(r.Generated)}, {"depth", fmt.Sprint(r.Depth)},
		{"time", words.Elapsed(r.Seconds) + " with " + words.Plural(int64(r.Workers), "worker") + ", " + words.Rate(r.Distinct, r.Seconds) + " distinct"},
		{"memory", words.Size(r.Memory)}, {"bytes of a state", fmt.Sprint(r.StateBytes)}, {"digest", r.Digest},
		{"probability of a collision", fmt.Sprintf("%.1e", r.Collision)},
	}
	add := func(name, value string) {
		if value != "" {
			p.Figures = append(p.Figures, [2]string{name, value})
		}
	}
	if r.Pruned > 0 {
		add("pruned, since other orders lead to the same states", words.Count(r.Pruned))
	}
	if r.Disk > 0 {
		add("on disk", words.Size(r.Disk))
	}
	add("left out of the state", strings.Join(r.Sliced, ", "))
	add("reductions", strings.TrimSpace(text.ReductionsText(r)))
	if s := r.Simulation; s != nil {
		p.Strategy = strategyPartOf(s.Strategy)
		add("walks", fmt.Sprintf("%s, %s, seed %d", words.Plural(s.Walks, "walk"), words.Plural(s.Steps, "step"), s.Seed))
	}
	if len(r.Levels) > 1 {
		p.Charts = append(p.Charts, levelsChart(r.Levels))
	}
	if len(r.Progress) > 1 {
		p.Charts = append(p.Charts,
			timeChart("distinct states and levels over time", r.Progress, func(x wire.Progress) float64 { return float64(x.Distinct) },
				func(n float64) string { return words.Count(int64(n)) }),
			timeChart("memory over time", r.Progress, func(x wire.Progress) float64 { return float64(x.Memory) },
				func(n float64) string { return words.Size(int64(n)) }))
	}
}

// Pages returns the page of a result and one of each counterexample, by the names of their files in
// a folder. Base is the folder that paths of the document are relative to; "" is the working
// folder. An error is a mistake in a template.
func Pages(d *result.Document, folder, base string) (map[string]string, error) {
	pages, links, report := map[string]string{}, []string{}, Stem(d)+".html"
	var failed error
	if isReal(d) {
		links, failed = realTraces(d, report, pages)
	}
	if d.Exploration != nil && !isReal(d) {
		for k := range d.Violations {
			v := &d.Violations[k]
			links = append(links, "")
			if v.Counterexample == nil {
				continue
			}
			name := words.FileName(d.Spec) + "-" + words.FileName(v.Name()) + ".html"
			if pages[name] != "" { // another one of the same invariant
				name = fmt.Sprintf("%s-%s-%d.html", words.FileName(d.Spec), words.FileName(v.Name()), k+1)
			}
			about := []string{v.Doc}
			if v.Counterexample.Loop != nil {
				about = append(about, "It "+text.LoopText(v.Counterexample)+".")
			}
			page, err := Trace(About{Title: d.Spec + ": " + v.Name(), Lines: about, Why: v.Why, Report: report}, v.Counterexample)
			pages[name], links[k], failed = page, name, cmp.Or(failed, err)
		}
	}
	if x := d.Likely; x != nil && x.Behaviour != nil && len(x.Steps) > 0 {
		page, err := Trace(About{Title: d.Spec + ": when " + x.Property + " became likely", Lines: []string{text.JumpsText(x)}, Report: report, Plot: likelyChart(x)}, x.Behaviour)
		pages[words.FileName(d.Spec)+LikelyName], failed = page, cmp.Or(failed, err)
	}
	witnesses := []string{}
	if d.Interaction != nil && d.Interaction.Comparison != nil {
		x := d.Interaction.Comparison
		for k, w := range x.Witnesses {
			name := fmt.Sprintf("%s-%s-%d.html", words.FileName(d.Spec), differenceName(x.Differences[k].Missed), k+1)
			page, err := Trace(About{Title: d.Spec + ": " + differenceName(x.Differences[k].Missed) + " behaviour",
				Lines: []string{words.Sentence(x.Findings[k].Message)}, Report: report}, w)
			pages[name], witnesses, failed = page, append(witnesses, name), cmp.Or(failed, err)
		}
	}
	if d.Change != nil {
		failed = cmp.Or(failed, changePages(d, folder, base, links, pages))
	}
	var page strings.Builder
	failed = cmp.Or(failed, templates.ExecuteTemplate(&page, "report.html", reportPageOf(d, folder, base, links, witnesses)))
	pages[report] = terminal.Visible(page.String())
	return pages, failed
}

// LikelyName ends the name of the page of a trace with the probabilities of its steps.
const LikelyName = "-likely.html"

// oneLine returns the lines of a summary as one, for a table.
func oneLine(summary string) string {
	var parts []string
	for line := range strings.Lines(summary) {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.TrimPrefix(strings.Join(parts, "; "), "interaction: ")
}
