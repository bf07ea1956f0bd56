package html

import (
	"cmp"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/terminal"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// reviewPage holds the values that assets/change.html shows, in its order.
type reviewPage struct {
	Title, System, When string

	Class, Line, Diagnostics string
	Facts                    [][2]string
	Open                     []string // what makes the result undecided, or was accepted

	// Violated are violations of the composition, which the model checker found.
	Violated []departureLine
	Broken   []departureLine
	Found    []departureLine
	Shared   []string // differences of the code before the change, too

	Files  []filePart
	Counts [][2]string // mark and how many changed lines have it

	Touched      [][2]string // module, and the places of what changed
	Planned      string      // the budget of the plan; "" without one
	Covers       []coverLine
	Declarations []declarationPart
	Choices      []result.Choice
	Rejected     []result.Rejected
	Dropped      string
	Ignored      []result.Ignored
	Doubts       []string

	NotJudged [][2]string // invariant, and what it reads
	Lists     [][2]string // what was judged, compared and not compared

	Repeat, Manifest string
	Environment      [][2]string
	Style            template.CSS
}

// departureLine is a difference or a violation of changed code.
type departureLine struct {
	Name, Doc, Found, Page, Trace, File, Again string
	Finer                                      []string // what became of it without coarse grains
	Frames                                     []string
	Diagram                                    template.HTML
}

// coverLine is a composition of the plan.
type coverLine struct {
	Cells  [5]string
	Grains string
	Reason string
}

// filePart is a changed file.
type filePart struct {
	Name, Note string
	Lines      []linePart
	Quiet      bool // nothing of it can matter
}

// linePart is a line of the diff. Sign and Label stand for its kind and its mark.
type linePart struct {
	result.ChangedLine
	Sign, Label string
}

// declarationPart is a changed declaration with where it leads.
type declarationPart struct{ What, At, To, Why string }

// marks are the marks of changed lines with their labels, in the order of the legend.
var marks = [][2]string{
	{"ran", "ran"}, {"partly", "ran in part"}, {"missed", "did not run"}, {"quiet", "cannot matter"}, {"unmodelled", "not modelled"}, {"unseen", "nothing to run"},
}

// ChangeName is the file of the page about a change.
const ChangeName = "change.html"

// longestStem bounds what the name of a page has of a property's name, in bytes.
const longestStem = 100

// changePages adds the page about a change, and those of its traces. Traces are the pages of the
// counterexamples of the composition, by violation.
func changePages(d *result.Document, folder, base string, traces []string, pages map[string]string) (failed error) {
	p := &reviewPage{Title: "change of " + strings.TrimSpace(d.Change.Implementation+" "+d.Change.Version), Style: template.CSS(diagram.Style)}
	if d.System != "" {
		p.System = d.Spec + ", system " + d.System
	}
	if len(d.Diagnostics) > 0 {
		p.Diagnostics = text.Diagnostics{}.All(d.Diagnostics)
	}
	if o := d.Origin; o != nil {
		p.When = o.At
		p.Environment = [][2]string{{"multigrain", o.Version}, {"go", o.Go}, {"system", o.Platform}, {"processors", fmt.Sprint(o.Processors)}, {"host", o.Host}}
	}
	p.verdict(d)
	p.checked(d, folder, base, traces)
	if d.Change.Observed != nil {
		failed = p.observed(d, folder, base, pages)
	}
	p.diff(d.Change)
	p.static(d.Change)
	var page strings.Builder
	failed = cmp.Or(failed, templates.ExecuteTemplate(&page, "change.html", p))
	pages[ChangeName] = terminal.Visible(page.String())
	return failed
}

// verdict adds the first line, and its class of colours.
func (p *reviewPage) verdict(d *result.Document) {
	word, _ := d.Outcome()
	failed := false
	for _, x := range d.Diagnostics {
		failed = failed || x.Severity == "error"
	}
	switch x := d.Exploration; {
	case d.Change.Observed != nil:
		p.Line = text.ObservedLine(d.Change.Observed)
	case x != nil && x.Stopped:
		p.Line = text.Undecided(d.Verb, x.Reason, false)
	case x != nil:
		p.Line = text.Verdict(d)
	case failed:
		p.Line = "error: see the diagnostics"
	default:
		p.Line = "The change touches no module."
	}
	switch {
	case failed && d.Change.Observed == nil, word == verdicts.Violated, word == verdicts.Differs:
		p.Class = verdicts.Violated
	case word == verdicts.Undecided:
		p.Class = verdicts.Undecided
	default:
		p.Class = verdicts.Holds
	}
}

// checked adds what the model checker did and found.
func (p *reviewPage) checked(d *result.Document, folder, base string, traces []string) {
	if o := d.Change.Observed; o != nil {
		if o.Checked == nil {
			return
		}
		p.Facts = append(p.Facts, [2]string{"composition", text.CheckedLine(o.Checked)})
		if c := o.Checked; c.Invariant != "" || c.Finer != nil {
			l := departureLine{Name: cmp.Or(c.Invariant, "no violation of the change"), Finer: text.FinerLines(c.Finer)}
			l.of(c.Trace, folder, base)
			p.Violated = append(p.Violated, l)
		}
		return
	}
	x := d.Exploration
	if x == nil || x.Stopped {
		return
	}
	var bounds []string
	for _, b := range d.Bounds {
		bounds = append(bounds, b.Name+" = "+boundText(b.Value))
	}
	p.Facts = append(p.Facts, [][2]string{{"explored", exploredFact(x)}, {"bounds", words.ListOr(bounds, "none")},
		{"checked", words.Plural(int64(len(x.Invariants)), "invariant") + ": " + words.ListOr(x.Invariants, "none")}}...)
	for k := range x.Violations {
		v := &x.Violations[k]
		l := departureLine{Name: v.Name(), Doc: v.Doc, Found: fmt.Sprintf("counterexample of %s; %s", words.Plural(int64(v.Depth), "step"), text.FoundText(v)), Finer: text.FinerLines(x.Finer)}
		l.of(v.Trace, folder, base)
		if k < len(traces) {
			l.Page = traces[k]
		}
		p.Violated = append(p.Violated, l)
	}
	if len(x.Violations) == 0 && x.Finer != nil {
		p.Violated = append(p.Violated, departureLine{Name: x.Finer.Property + " is not violated without coarse grains, as far as was examined", Finer: text.FinerLines(x.Finer)})
	}
}

// of adds the file of a trace, and the command that does it again; "" is none.
func (l *departureLine) of(trace, folder, base string) {
	if trace != "" {
		l.Trace, l.File, l.Again = filepath.Base(trace), fileFrom(folder, under(folder, base, trace)), "multigrain replay "+words.Shell(under(folder, base, trace))
	}
}

// observed adds what the changed code did, and the pages of its traces.
func (p *reviewPage) observed(d *result.Document, folder, base string, pages map[string]string) (failed error) {
	o := d.Change.Observed
	p.Facts = append(p.Facts, [][2]string{{"change", o.Hash}, {"walks", fmt.Sprintf("%s, %s done and compared, %s; seed %d", words.Plural(o.Walks, "walk"), words.Plural(o.Steps, "step"), words.Elapsed(o.Seconds), o.Seed)},
		{"covered", text.Covered(o)}}...)
	var modules []string
	for _, m := range o.Modules {
		modules = append(modules, m.Module+"/"+m.Grain)
	}
	p.Facts = append(p.Facts, [2]string{"walked composition", strings.Join(modules, ", ")})
	for k := range o.Places {
		if m := o.Places[k].Missing(); m != "" {
			p.Open = append(p.Open, m)
		}
	}
	if len(o.Unfired) > 0 {
		p.Open = append(p.Open, "actions of touched modules that no walk took: "+strings.Join(o.Unfired, ", "))
	}
	add := func(name, doc, trace string, b *result.Behaviour, frames []string, shown bool) departureLine {
		l := departureLine{Name: name, Doc: doc, Frames: frames}
		l.of(trace, folder, base)
		if b == nil {
			return l
		}
		stem := words.FileName(name)
		stem = "change-" + stem[:min(len(stem), longestStem)]
		l.Page = stem + ".html"
		for k := 2; pages[l.Page] != ""; k++ {
			l.Page = fmt.Sprintf("%s-%d.html", stem, k)
		}
		page, err := Trace(About{Title: p.Title + ": " + name, Lines: []string{doc}, Report: ChangeName}, b)
		pages[l.Page], failed = page, cmp.Or(failed, err)
		if b.Diagram != nil && shown && len(b.Steps) <= longestInDiagram {
			l.Diagram = template.HTML(diagram.HTML(b.Diagram))
		}
		return l
	}
	for k := range o.Broken {
		b := &o.Broken[k]
		l := add(b.Invariant, b.Doc, b.Trace, b.Counterexample, b.Frames, k < mostDiagrams-1)
		l.Found = fmt.Sprintf("%s; the code departs from the specification in step %d, and the states after it are those of the code", words.Plural(int64(b.Depth), "step"), b.Departed)
		p.Broken = append(p.Broken, l)
	}
	for k := range o.Found {
		f := &o.Found[k]
		l := add(f.Name(), words.Sentence(f.Line()), f.Trace, f.Counterexample, f.Frames, k == 0)
		l.Found = fmt.Sprintf("%s; walk %d, shown by %s", words.Plural(int64(f.Step), "step"), f.Walk, words.Plural(f.Count, "walk"))
		p.Found = append(p.Found, l)
	}
	for k := range o.Shared {
		p.Shared = append(p.Shared, o.Shared[k].Line())
	}
	for _, u := range o.Unjudged {
		p.NotJudged = append(p.NotJudged, [2]string{u.Invariant, u.Variable})
	}
	p.Lists = [][2]string{{"judged after a difference", words.ListOr(o.Judged, "none")}, {"compared", words.ListOr(o.Compared, "none")}, {"not compared", words.ListOr(o.Unobserved, "none")}}
	if o.Held != nil {
		p.Lists = append(p.Lists, [2]string{"no variable", o.Held.String()})
	}
	if len(o.Rests) > 0 {
		p.Lists = append(p.Lists, [2]string{"left out", "code for what the specification does not have: " + strings.Join(o.Rests, "; ")})
	}
	for _, n := range o.Never {
		p.Lists = append(p.Lists, [2]string{"not taken", "the specification does not take " + strings.Join(n.Actions, ", ") + " here: " + n.Why})
	}
	return failed
}

// diff adds the changed lines with their marks, and counts them.
func (p *reviewPage) diff(x *result.Change) {
	counts := map[string]int{}
	signs, labels := map[string]string{"removed": "-", "added": "+", "omitted": "⋯"}, map[string]string{}
	for _, m := range marks {
		labels[m[0]] = m[1]
	}
	for k := range x.Diff {
		f := &x.Diff[k]
		out := filePart{Name: f.Path(), Note: f.Note, Quiet: true}
		if f.Old != "" && f.New != "" && f.Old != f.New {
			out.Name = f.Old + " → " + f.New
		}
		for _, l := range f.Lines {
			if l.Mark != "" {
				counts[l.Mark]++
				out.Quiet = out.Quiet && l.Mark == "quiet"
			}
			l.Text = strings.ReplaceAll(l.Text, "\t", "    ")
			out.Lines = append(out.Lines, linePart{l, signs[l.Kind], labels[l.Mark]})
		}
		p.Files = append(p.Files, out)
	}
	for _, m := range marks {
		if n := counts[m[0]]; n > 0 {
			p.Counts = append(p.Counts, [2]string{m[0], fmt.Sprintf("%s: %d", m[1], n)})
		}
	}
}

// static adds what is known without a run.
func (p *reviewPage) static(x *result.Change) {
	for _, t := range x.Touched {
		p.Touched = append(p.Touched, [2]string{t.Module, words.ListOr(t.Lines, "none")})
	}
	if x.Plan != nil {
		p.Planned = words.Elapsed(x.Plan.Budget)
		for k := range x.Plan.Covers {
			c := &x.Plan.Covers[k]
			p.Covers = append(p.Covers, coverLine{Cells: text.CoverCells(c), Grains: strings.Join(c.Grains, ", "), Reason: c.Reason})
		}
	}
	for _, t := range x.Trails {
		var grains, path []string
		for _, g := range t.Place.Grains {
			grains = append(grains, g.Module+"/"+g.Grain)
		}
		for _, c := range t.Path {
			path = append(path, c.Name)
		}
		why := "modelled as " + t.Place.Name
		if len(path) > 0 {
			why += ", which reaches it: " + strings.Join(path, " ← ")
		}
		p.Declarations = append(p.Declarations, declarationPart{t.Declaration.What(), t.Declaration.At(), strings.Join(grains, ", "), why})
	}
	for k := range x.Unmodelled {
		u := &x.Unmodelled[k]
		p.Declarations = append(p.Declarations, declarationPart{u.What(), u.At(), "not modelled", u.Reason})
	}
	p.Choices, p.Rejected, p.Dropped = x.Choices, x.Rejected, strings.Join(x.Dropped, ", ")
	p.Ignored, p.Doubts, p.Repeat, p.Manifest = x.Ignored, x.Doubts, x.Repeat, x.Manifest
}
