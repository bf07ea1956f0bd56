package html

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/diagram"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// tablePart is a table of the page.
type tablePart struct {
	ID, Title string
	Head      []string
	Rows      [][]string
	Drawing   template.HTML // of what the table has; may be empty
}

// table adds a table that has rows.
func (p *reportPage) table(id, title string, head []string, rows [][]string) {
	if len(rows) > 0 {
		p.Tables = append(p.Tables, tablePart{ID: id, Title: title, Head: head, Rows: rows})
	}
}

func (p *reportPage) fact(name, value string) {
	if value != "" {
		p.Facts = append(p.Facts, [2]string{name, value})
	}
}

// real adds the result of a verb about a real system, or about several compositions.
func (p *reportPage) real(d *result.Document, traces []string) {
	p.Whole = Whole(d)
	word, which := d.Outcome()
	if word != verdicts.Done {
		row := verdicts.Find(d.Verb, word, which)
		p.Verdict = map[verdicts.Tone]string{verdicts.Good: verdicts.Holds, verdicts.Bad: verdicts.Violated, verdicts.Open: verdicts.Undecided}[row.Tone]
		p.Line = cmp.Or(lineWith(p.Whole, row.Head), strings.TrimSuffix(row.Head+": "+row.Means, ": "))
	}
	switch {
	case d.Conform != nil:
		p.conformed(d.Conform, traces)
	case d.Confirm != nil:
		p.confirmed(d.Confirm, traces)
	case d.Validation != nil:
		p.validated(d.Validation)
	case d.Monitor != nil:
		p.monitored(d.Monitor)
	case d.Selftest != nil:
		p.fact("tried", fmt.Sprintf("%s, %s, %s decided", words.Plural(d.Selftest.Tried.Behaviours, "behaviour"), words.Plural(d.Selftest.Tried.Events, "event"), words.Plural(d.Selftest.Tried.Decided, "message")))
		p.substituted(d.Selftest.Substitutions)
	case d.NodePlan != nil:
		p.substituted(d.NodePlan.Substitutions)
	case d.Ranking != nil:
		p.ranked(d.Ranking)
	case d.Compared != nil:
		p.compared(d.Compared)
	}
}

// lineWith returns the first line that begins with a word; "" if there is none.
func lineWith(whole, word string) string {
	for line := range strings.Lines(whole) {
		if word != "" && strings.HasPrefix(line, word) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// shown adds something that was found, with its trace, its page and its diagram.
func (p *reportPage) shown(l violationLine, trace string, traces []string, b *result.Behaviour) {
	k := len(p.Violations)
	if trace != "" {
		l.Trace, l.File = filepath.Base(trace), p.fileFrom(trace)
	}
	if k < len(traces) {
		l.Page = traces[k]
	}
	if b != nil && k < mostDiagrams && len(b.Steps) <= longestInDiagram {
		l.Diagram = template.HTML(diagram.HTML(b.Diagram))
	}
	p.Violations = append(p.Violations, l)
}

// conformed adds the result of conform or replay.
func (p *reportPage) conformed(d *result.Conformance, traces []string) {
	p.fact("implementation", strings.TrimSpace(d.Implementation+" "+d.Version))
	p.fact("done", fmt.Sprintf("%s, %s compared with the implementation: a sample of the behaviours", words.Plural(d.Traces, "walk"), words.Plural(d.Steps, "step")))
	p.fact("compared", strings.Join(d.Observed, ", "))
	p.fact("not compared", strings.Join(d.Unobserved, ", "))
	p.Found = "Differences"
	for k := range d.Found {
		x := &d.Found[k]
		l := violationLine{Name: x.Name(), Kind: x.Kind, Action: x.Action, Doc: x.Line(),
			Found: fmt.Sprintf("after %s of walk %d; %s end so", words.Plural(int64(x.Step), "step"), x.Walk, words.Plural(max(x.Count, 1), "walk")), Why: valueLines(x.Values)}
		for _, f := range x.Frames {
			l.Why = append(l.Why, "in "+f)
		}
		p.shown(l, x.Trace, traces, x.Counterexample)
	}
	for k := range d.Broken {
		x := &d.Broken[k]
		p.shown(violationLine{Name: x.Invariant, Kind: x.Kind, Doc: x.Doc, Found: fmt.Sprintf("the implementation breaks it after %s", words.Plural(int64(x.Depth), "step")),
			Why: append(valueLines(x.Values), x.Frames...)}, x.Trace, traces, x.Counterexample)
	}
	fired, rows := 0, [][]string{}
	for _, a := range d.Actions {
		if a.Fired > 0 {
			fired++
		}
		rows = append(rows, []string{a.Name, a.Module, words.Count(a.Fired), fmt.Sprintf("%d of %d", a.Instances.Fired, a.Instances.Of)})
	}
	p.coverage("actions that fired", fired, len(d.Actions))
	if b := d.Branches; b != nil {
		p.coverage("branches of guards, effects and rules", b.Taken, b.Of)
	}
	p.table("fired", "Actions", []string{"action", "module", "fired", "instances fired"}, rows)
	if len(d.Coverage) > 1 {
		p.Charts = append(p.Charts, conformedChart(d.Coverage))
	}
	rows = nil
	for _, a := range d.Accepted {
		rows = append(rows, []string{a.Name, a.Action, a.Variable, a.Why, words.Count(a.Walks)})
	}
	p.table("known", "Known differences", []string{"name", "action", "variable", "why", "walks"}, rows)
	p.Strategy = strategyPartOf(d.Strategy)
	p.Figures = [][2]string{{"time", words.Elapsed(d.Seconds) + " with " + words.Plural(int64(d.Workers), "worker")}, {"longest walk", words.Plural(int64(d.Longest), "step")}, {"seed", strconv.FormatUint(d.Seed, 10)}}
}

// valueLines says what the specification and the implementation have.
func valueLines(all []result.Differing) (out []string) {
	for _, v := range all {
		out = append(out, fmt.Sprintf("%s: specification %s, implementation %s", v.Path, cmp.Or(v.SpecificationText, "has none"), cmp.Or(v.ImplementationText, "has none")))
	}
	return out
}

// conformedChart draws how many instances of actions were taken after each number of walks.
func conformedChart(all []wire.Conformed) template.HTML {
	c := newChart("instances of actions taken, by walks")
	lastWalk, most := float64(max(all[len(all)-1].Traces, 1)), float64(max(all[len(all)-1].Instances, 1))
	c.WriteString(`<polyline points="`)
	for _, x := range all {
		fmt.Fprintf(c, "%.1f,%.1f ", chartLeft+float64(x.Traces)/lastWalk*chartAcross, chartBottom-float64(x.Instances)/most*chartHeight2)
	}
	c.WriteString(`"/>`)
	return c.axes(words.Count(int64(most)), words.Count(int64(most/2)), words.Count(int64(lastWalk)), "walks")
}

// confirmed adds the result of confirm.
func (p *reportPage) confirmed(d *result.Confirmation, traces []string) {
	p.fact("implementation", strings.TrimSpace(d.Implementation+" "+d.Version))
	p.fact("variant of the specification", d.Variant)
	if d.Distinct > 0 {
		p.fact("explored", words.Plural(d.Distinct, "distinct state"))
	}
	var symptoms []string
	for _, s := range d.Symptoms {
		symptoms = append(symptoms, s.Word)
	}
	p.fact("symptoms", strings.Join(symptoms, ", "))
	p.Found = "Schedule"
	if d.Length > 0 {
		p.shown(violationLine{Name: d.Property, Found: words.Plural(int64(d.Length), "step") + " that violate it in the specification"}, d.Trace, traces, d.Counterexample)
	}
	var rows [][]string
	for _, a := range d.Attempts {
		kind, seen := "run", []string{a.Message}
		if a.Control {
			kind = "control"
		}
		for _, s := range a.Sightings {
			seen = append(seen, fmt.Sprintf("%s: %s", s.Word, cmp.Or(s.Text, map[bool]string{true: "seen", false: "not seen"}[s.Seen])))
		}
		at := ""
		if a.Step > 0 {
			at = fmt.Sprintf("step %d, %s", a.Step, a.Action)
		}
		rows = append(rows, []string{kind, a.Outcome, words.Count(int64(a.Steps)), at, strings.Trim(strings.Join(seen, "; "), "; "), words.Elapsed(a.Seconds)})
	}
	p.table("attempts", "Attempts", []string{"kind", "outcome", "steps done", "ended at", "what was seen", "time"}, rows)
}

// validated adds the result of trace.
func (p *reportPage) validated(v *result.Validation) {
	p.fact("logs", strings.Join(v.Logs, ", "))
	if v.Validation == nil {
		return
	}
	if events := words.Plural(int64(v.Events), "event"); v.Matched < v.Events {
		p.fact("longest matched prefix", fmt.Sprintf("%d of %s", v.Matched, events))
	} else {
		p.fact("matched", fmt.Sprintf("%s by %s", events, words.Plural(int64(v.Steps), "step")))
	}
	p.fact("visited", words.Plural(v.Visited, "pair")+" of a position and a state")
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(v.Actions)) {
		rows = append(rows, []string{name, words.Count(int64(v.Actions[name]))})
	}
	p.table("taken", "Actions of the match", []string{"action", "taken"}, rows)
	rows = nil
	for _, s := range v.Last {
		rows = append(rows, []string{s.Call})
	}
	p.table("before", "Actions before the event that was not matched", []string{"action"}, rows)
	p.explained(v)
	if w := v.Windows; w != nil {
		p.fact("windows", fmt.Sprintf("%d passed, %d refused, %d not judged", w.Passed, w.Refused, w.Unknown))
		rows = nil
		for _, a := range w.Actions {
			rows = append(rows, []string{a.Action, words.Count(int64(a.Passed)), words.Count(int64(a.Refused))})
		}
		p.table("windows", "Events that were judged by themselves", []string{"action", "passed", "refused"}, rows)
	}
}

// monitored adds the result of monitor.
func (p *reportPage) monitored(d *result.Monitor) {
	st := &d.Stats
	p.fact("node", strconv.Itoa(d.Node))
	p.fact("stream", fmt.Sprintf("%s: %s received, %s sent, %s, %s lost", words.Plural(st.Events, "event"), words.Count(st.In), words.Count(st.Out), words.Plural(st.Restarts, "restart"), words.Count(st.Lost)))
	p.fact("judged", fmt.Sprintf("%s decided, %s undecided", words.Plural(st.Decided, "message"), words.Count(st.Undecided)))
	if a := d.Alarm; a != nil {
		p.fact("alarm", fmt.Sprintf("at event %d: %s", a.Position, a.Message.Line()))
		p.table("expected", "What would have been allowed", []string{"message"}, lines(a.Expected))
		p.table("last", "Events before the alarm", []string{"event"}, lines(a.Last))
	}
	var rows [][]string
	for _, x := range st.Causes {
		rows = append(rows, []string{fmt.Sprintf("%d to %d", x.From, x.To), words.Count(x.Out), x.Cause})
	}
	p.table("undecided", "Parts of the stream in which nothing is decided", []string{"events", "messages", "cause"}, rows)
	rows = nil
	for _, f := range d.Finer {
		rows = append(rows, []string{f.Occasion, fmt.Sprint(f.At), strings.Join(f.Modules, ", "), strings.Join(f.Grains, ", "), f.Verdict, f.Reason})
	}
	p.table("finer", "Judged again with finer grains", []string{"occasion", "event", "modules", "grains", "verdict", "reason"}, rows)
	p.substituted(d.Substitutions)
	p.Figures = [][2]string{{"time", words.Elapsed(d.Seconds)}, {"searches", words.Count(st.Searches)}, {"states explored", words.Count(st.Explored)}, {"largest search", words.Plural(int64(st.Largest), "state")}}
}

func lines(all []result.Shown) (rows [][]string) {
	for k := range all {
		rows = append(rows, []string{all[k].Line()})
	}
	return rows
}

// substituted adds how the composition next to a node differs from the manifest's.
func (p *reportPage) substituted(all []result.Substitution) {
	var rows [][]string
	for _, s := range all {
		rows = append(rows, []string{s.What, s.From, s.To, s.Why})
	}
	p.table("substitutions", "What differs from the manifest next to a node", []string{"what", "in the manifest", "next to a node", "why"}, rows)
}

// ranked adds the result of rank.
func (p *reportPage) ranked(d *result.Ranking) {
	head := []string{"rank"}
	for _, a := range d.Grid {
		head = append(head, a.Name)
	}
	var rows [][]string
	for _, c := range d.Configurations {
		rank := "not ranked"
		if c.Rank > 0 {
			rank = strconv.Itoa(c.Rank)
		}
		rows = append(rows, append(append([]string{rank}, c.Values...), fmt.Sprintf("%d of %d", c.Branches.Taken, c.Branches.Of), strconv.Itoa(c.Events.Actions),
			strconv.Itoa(c.Depth), words.Count(c.Walks), words.Count(c.Distinct)))
	}
	p.table("ranking", "Configurations", append(head, "branches", "actions", "longest walk", "walks", "distinct states"), rows)
	p.Figures = [][2]string{{"time", words.Elapsed(d.Seconds) + " with " + words.Plural(int64(d.Workers), "worker")}, {"seed", strconv.FormatUint(d.Seed, 10)}}
}

// compared adds the result of compare.
func (p *reportPage) compared(all []result.Compared) {
	var rows [][]string
	for k := range all {
		d := all[k].Result
		row := []string{all[k].Manifest, d.Found(), "", "", ""}
		if x := d.Exploration; x != nil && !x.Stopped {
			row[2], row[3], row[4] = words.Count(x.Distinct), strconv.Itoa(x.Depth), words.Elapsed(x.Seconds)
			for j := range x.Violations {
				v := &x.Violations[j]
				p.shown(violationLine{Name: v.Name(), Action: v.Action, Doc: v.Doc, Found: d.Spec + ": counterexample of " + words.Plural(int64(v.Depth), "step")}, v.Trace, nil, v.Counterexample)
			}
		}
		rows = append(rows, row)
	}
	p.table("compositions", "Compositions", []string{"manifest", "found", "distinct states", "depth", "time"}, rows)
}

// realTraces adds a page of each counterexample that such a document holds, and returns their
// names in the order of what was found.
func realTraces(d *result.Document, report string, pages map[string]string) (names []string, failed error) {
	add := func(name, about string, b *result.Behaviour) {
		if b == nil {
			names = append(names, "")
			return
		}
		file := fmt.Sprintf("%s-%d-%s.html", strings.TrimSuffix(report, ".html"), len(names)+1, words.FileName(name))
		page, err := Trace(About{Title: d.Spec + ": " + name, Lines: []string{about}, Report: report}, b)
		names, failed, pages[file] = append(names, file), cmp.Or(failed, err), page
	}
	if x := d.Conform; x != nil {
		for k := range x.Found {
			add(x.Found[k].Name(), x.Found[k].Line(), x.Found[k].Counterexample)
		}
		for k := range x.Broken {
			add(x.Broken[k].Invariant, x.Broken[k].Doc, x.Broken[k].Counterexample)
		}
	}
	if x := d.Confirm; x != nil && x.Length > 0 {
		add(x.Property, "The schedule that was tried on "+x.Implementation+".", x.Counterexample)
	}
	return names, failed
}

// Stem returns the name of a report's files without the ending: the name of the manifest. For verbs
// about real systems the verb follows, so that several reports of a manifest fit into one folder.
func Stem(d *result.Document) string {
	switch d.Verb {
	case "conform", "replay", "confirm", "trace", "monitor", "rank":
		return words.FileName(d.Spec + "-" + d.Verb)
	case "compare":
		return d.Verb
	}
	return words.FileName(d.Spec)
}

// isReal reports whether a document is that of a verb about a real system, or about several
// compositions.
func isReal(d *result.Document) bool { return Whole(d) != "" }

// Whole returns all that the text of a verb about a real system, or about several compositions,
// can say; "" for documents of other verbs.
func Whole(d *result.Document) string {
	switch {
	case d.Conform != nil:
		return text.Conformance{Verbose: true}.Text(d)
	case d.Confirm != nil:
		return text.Confirmation{Verbose: true}.Text(d)
	case d.Validation != nil && d.Exploration != nil && !d.Stopped:
		return text.Validation{Verbose: true}.Text(d)
	case d.Monitor != nil:
		return text.Monitor(d.Monitor, false)
	case d.Selftest != nil:
		return text.Selftest(d.Selftest, false)
	case d.NodePlan != nil:
		return text.NodePlan(d.NodePlan)
	case d.Ranking != nil:
		return text.Ranked(d.Ranking, false)
	case d.Compared != nil:
		return text.Compared(d.Compared, false)
	}
	return ""
}
