package html

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// reportPage holds the values that assets/report.html shows.
type reportPage struct {
	Title, System, When, Verdict, Reason, Diagnostics, Missed string
	Figures, Environment                                      [][2]string
	Interaction                                               *interactionPart
	Modules                                                   []result.Module
	Actions                                                   []actionLine
	Violations                                                []violationLine
	Charts                                                    []template.HTML
	Files                                                     []fileText
}

type actionLine struct {
	Name, Module, Enabled, Fired, Distinct, Note string
	Never                                        bool
}

type violationLine struct {
	Name, Action, Depth, At, Count, Doc, Page string
	Why                                       []string // lines, with -explain
}

type fileText struct{ Name, Text string }

// reportPageOf is the page of an outcome. Traces are the pages of the counterexamples, by
// violation. Witnesses are those of the witnesses of differences.
func reportPageOf(d *result.Document, traces, witnesses []string) *reportPage {
	p := &reportPage{Title: d.Spec}
	for _, f := range d.Sources {
		p.Files = append(p.Files, fileText{f.File, f.Text})
	}
	if len(d.Diagnostics) > 0 {
		p.Diagnostics = text.Diagnostics{}.All(d.Diagnostics)
	}
	if o := d.Origin; o != nil {
		p.When = o.At
		p.Environment = [][2]string{{"multigrain", o.Version}, {"go", o.Go}, {"system", o.Platform},
			{"processors", fmt.Sprint(o.Processors)}, {"host", o.Host}, {"command", o.Command}}
	}
	if d.System == "" {
		return p
	}
	p.System = "system " + d.System
	for _, m := range d.Modules {
		p.Modules = append(p.Modules, result.Module{Module: m.Module, Grain: m.Grain, Target: m.Target})
	}
	if d.Interaction != nil {
		p.Interaction = interactionPartOf(d.Interaction, witnesses)
	}
	if x := d.Exploration; x != nil && x.Stopped {
		p.Verdict, p.Reason = verdicts.Undecided, x.Reason
	} else if x != nil {
		p.result(x, traces)
	}
	return p
}

func (p *reportPage) result(r *result.Exploration, traces []string) {
	p.Verdict, p.Missed = r.Verdict, strings.Join(r.GoalsMissed, ", ")
	switch r.Verdict {
	case verdicts.Violated:
		p.Reason = text.Violated(r)
	case verdicts.Undecided:
		p.Reason = r.Reason
	default:
		if r.Unchecked {
			p.Reason = "nothing was checked"
		}
	}
	p.Figures = [][2]string{
		{"distinct states", words.Count(r.Distinct)}, {"generated", words.Count(r.Generated)}, {"depth", fmt.Sprint(r.Depth)},
		{"time", words.Elapsed(r.Seconds) + " with " + words.Plural(int64(r.Workers), "worker") + ", " + words.Rate(r.Distinct, r.Seconds) + " distinct"},
		{"memory", words.Size(r.Memory)}, {"bytes of a state", fmt.Sprint(r.StateBytes)}, {"digest", r.Digest},
		{"probability of a collision", fmt.Sprintf("%.1e", r.Collision)}, {"invariants", strings.Join(r.Invariants, ", ")},
	}
	if r.Spared > 0 {
		p.Figures = append(p.Figures, [2]string{"of these not made, since others lead to the same states", words.Count(r.Spared)})
	}
	if r.Disk > 0 {
		p.Figures = append(p.Figures, [2]string{"on disk", words.Size(r.Disk)})
	}
	if s := r.Sliced; len(s) > 0 {
		p.Figures = append(p.Figures, [2]string{"left out of the state", strings.Join(s, ", ")})
	}
	if r.Masked > 0 {
		p.Figures = append(p.Figures, [2]string{"masked", strings.TrimSpace(text.MaskedText(r))})
	}
	if r.Liveness != nil {
		p.Figures = append(p.Figures, [2]string{"liveness", text.LivenessChecked(r.Liveness)})
	}
	if text := text.ReductionsText(r); text != "" {
		p.Figures = append(p.Figures, [2]string{"reductions", strings.TrimSpace(text)})
	}
	for k := range r.Actions {
		a := &r.Actions[k]
		l := actionLine{Name: a.Name, Module: a.Module, Enabled: words.Count(a.Enabled), Fired: words.Count(a.Fired), Distinct: words.Count(a.Distinct)}
		l.Note = text.WhyNever(r, a)
		l.Never = l.Note == text.NeverEnabled
		p.Actions = append(p.Actions, l)
	}
	for k := range r.Violations {
		v := &r.Violations[k]
		l := violationLine{Name: v.Name(), Action: v.Action, Depth: fmt.Sprint(v.Depth), At: words.Count(v.At), Count: words.Count(v.Count), Doc: v.Doc, Why: text.ReasonLines(v.Why)}
		if k < len(traces) {
			l.Page = traces[k]
		}
		p.Violations = append(p.Violations, l)
	}
	if len(r.Levels) > 1 {
		var points [][2]float64
		for k, n := range r.Levels {
			points = append(points, [2]float64{float64(k), float64(n)})
		}
		p.Charts = append(p.Charts, chart("new states at each depth", "depth", points))
	}
	if len(r.Progress) > 1 {
		var states, memory [][2]float64
		for _, x := range r.Progress {
			states = append(states, [2]float64{x.Seconds, float64(x.Distinct)})
			memory = append(memory, [2]float64{x.Seconds, float64(x.Memory) / (1 << 20)})
		}
		p.Charts = append(p.Charts, chart("distinct states over time", "s", states), chart("memory in MiB over time", "s", memory))
	}
}

// Pages are the page of a result and one of each counterexample, by the names of their files.
func Pages(d *result.Document) (map[string]string, error) {
	pages, links := map[string]string{}, []string{}
	var failed error
	if d.Exploration != nil {
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
			page, err := Trace(d.Spec+": "+v.Name(), about, v.Why, v.Counterexample)
			pages[name], links[k], failed = page, name, cmp.Or(failed, err)
		}
	}
	witnesses := []string{}
	if d.Interaction != nil && d.Interaction.Comparison != nil {
		x := d.Interaction.Comparison
		for k, w := range x.Witnesses {
			name := fmt.Sprintf("%s-%s-%d.html", words.FileName(d.Spec), differenceName(x.Differences[k].Missed), k+1)
			page, err := Trace(d.Spec+": "+differenceName(x.Differences[k].Missed)+" behaviour", []string{words.Sentence(x.Findings[k].Message)}, nil, w)
			pages[name], witnesses, failed = page, append(witnesses, name), cmp.Or(failed, err)
		}
	}
	var report strings.Builder
	failed = cmp.Or(failed, templates.ExecuteTemplate(&report, "report.html", reportPageOf(d, links, witnesses)))
	pages[words.FileName(d.Spec)+".html"] = report.String()
	return pages, failed
}

// chart draws a line through points, whose first coordinates grow.
func chart(title, unit string, points [][2]float64) template.HTML {
	const width, height, left, top = 330.0, 170.0, 8.0, 24.0
	mostX, mostY := points[len(points)-1][0], 0.0
	for _, p := range points {
		mostY = max(mostY, p[1])
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f"><text x="%.0f" y="15">%s, at most %s</text><polyline fill="none" stroke-width="1.5" points="`,
		width, height, width, height, left, template.HTMLEscapeString(title), words.Count(int64(mostY)))
	for _, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", left+p[0]/max(mostX, 1e-9)*(width-2*left), height-20-p[1]/max(mostY, 1e-9)*(height-20-top))
	}
	fmt.Fprintf(&b, `"/><text x="%.0f" y="%.0f">0</text><text x="%.0f" y="%.0f" text-anchor="end">%.4g %s</text></svg>`,
		left, height-5, width-left, height-5, mostX, unit)
	return template.HTML(b.String())
}
