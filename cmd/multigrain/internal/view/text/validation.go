package text

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Validation writes the result of a validation.
type Validation struct {
	Paint   Painter
	Verbose bool
}

// shownCandidates and shownStates are how many are shown without -v.
const (
	shownCandidates = 12
	shownStates     = 1
)

// Text returns the result of a validation for people.
func (t Validation) Text(d *result.Document) string {
	v := d.Validation
	var b strings.Builder
	events := words.Plural(int64(v.Events), "event")
	word, which := d.Outcome()
	b.WriteString(verdicts.Find("trace", word, which).Line(t.Paint.tone, "names", Violated(d.Exploration), "reason", d.Reason,
		"events", events, "steps", words.Plural(int64(v.Steps), "step")) + "\n")
	if v.Broken == nil && word != verdicts.Holds {
		fmt.Fprintf(&b, "  longest matched prefix: %d of %s\n", v.Matched, events)
	}
	fmt.Fprintf(&b, "  %s visited in %.2f s", words.Plural(v.Visited, "state"), d.Seconds)
	if v.Skipped > 0 {
		fmt.Fprintf(&b, ", %s skipped", words.Plural(int64(v.Skipped), "line"))
	}
	if v.Cut {
		b.WriteString(", the last line is incomplete")
	}
	b.WriteString("\n")
	for _, log := range v.Each {
		t.each(&b, &log)
	}
	if t.Verbose {
		for _, name := range slices.Sorted(maps.Keys(v.Actions)) {
			fmt.Fprintf(&b, "  %6d %s\n", v.Actions[name], name)
		}
		b.WriteString(coverageText(v.Coverage))
	}
	if v.Broken != nil {
		t.broken(&b, v.Broken)
	}
	if v.Event != nil {
		t.mismatch(&b, d.Verdict, v)
	}
	if v.Windows != nil {
		t.windows(&b, v.Windows)
	}
	return b.String()
}

// each writes the verdict of one of several logs.
func (t Validation) each(b *strings.Builder, log *wire.TraceLog) {
	switch {
	case log.Line > 0:
		fmt.Fprintf(b, "  %s:%d  %s\n", words.ShortPath(log.File), log.Line, log.Verdict)
	case log.Reason != "":
		fmt.Fprintf(b, "  %s  %s: %s\n", words.ShortPath(log.File), log.Verdict, log.Reason)
	default:
		fmt.Fprintf(b, "  %s  %s, %s\n", words.ShortPath(log.File), log.Verdict, words.Plural(int64(log.Events), "event"))
	}
}

// windows writes the pass rate of each action, and the refused events.
func (t Validation) windows(b *strings.Builder, w *wire.TraceWindows) {
	fmt.Fprintf(b, "\nEach event on its own: %d passed, %d refused, %d not judged\n", w.Passed, w.Refused, w.Unknown)
	if w.Reason != "" {
		fmt.Fprintf(b, "  It ended early: %s\n", w.Reason)
	}
	for _, a := range w.Actions {
		all := a.Passed + a.Refused
		// rounded down, so that 100 % means that each event passed
		fmt.Fprintf(b, "  %5.1f %%  %d of %d  %s\n", math.Floor(1000*float64(a.Passed)/float64(all))/10, a.Passed, all, a.Action)
	}
	for k, r := range w.Refusals {
		if k == shownCandidates && !t.Verbose {
			fmt.Fprintf(b, "  %d more refused events; -v shows them\n", len(w.Refusals)-k)
			break
		}
		action := r.Action
		if action == "" {
			action = "no action"
		}
		fmt.Fprintf(b, "  refused: event %d, %s:%d: %s, as %s: %s\n", r.Event.Number, words.ShortPath(r.Event.File), r.Event.Line, eventText(&r.Event), action,
			refusalText(&r))
	}
}

func refusalText(r *wire.RefusedEvent) string {
	what := map[string]string{"when": "no block means it", "field": "its parameters do not fit", "before": "false before it", "guard": "not enabled",
		"effect": "its effect breaks off", "check": "false after it"}[r.Kind]
	if r.Text != "" {
		what += ": " + r.Text
	}
	if r.Found != "" {
		what += " (" + r.Found + ")"
	}
	return what
}

// coverageText says how many conditions of the specification had both values, and which functions
// were not run at all.
func coverageText(points []wire.PointCount) string {
	both, one := 0, 0
	run := map[string]bool{}
	for _, p := range points {
		switch {
		case p.Kind == "return": // constant
		case p.True > 0 && p.False > 0:
			both++
		case p.True > 0 || p.False > 0:
			one++
		}
		run[p.Func] = run[p.Func] || p.True+p.False > 0
	}
	var idle []string
	for _, f := range slices.Sorted(maps.Keys(run)) {
		if !run[f] {
			idle = append(idle, f)
		}
	}
	text := fmt.Sprintf("  conditions of the specification: %d were true and false, %d one of both\n", both, one)
	if len(idle) > 0 {
		text += indentAll(Wrap("functions whose conditions were never evaluated: "+strings.Join(idle, ", "), 110), "  ")
	}
	return text
}

func (t Validation) broken(b *strings.Builder, x *wire.TraceBroken) {
	fmt.Fprintf(b, "\n%s\n", x.Doc)
	if x.Event != nil {
		fmt.Fprintf(b, "It is false after event %d, %s:%d: %s\n", x.Event.Number, words.ShortPath(x.Event.File), x.Event.Line, eventText(x.Event))
	}
	b.WriteString(Reasons(x.Why, "  "))
}

func (t Validation) mismatch(b *strings.Builder, verdict string, v *result.Validation) {
	e, what := v.Event, "Not matched"
	if verdict == verdicts.Undecided {
		what = "The search was at"
	}
	fmt.Fprintf(b, "\n%s: event %d, %s:%d: %s\n  %s\n", what, e.Number, words.ShortPath(e.File), e.Line, eventText(e), e.Fields)
	if len(v.Last) > 0 {
		b.WriteString("\nThe steps before it:\n")
		for _, s := range v.Last {
			note := ""
			if s.Unlogged {
				note = ", not logged"
			}
			fmt.Fprintf(b, "  line %d %s: %s%s\n", s.Line, s.Event, s.Call, note)
		}
	}
	t.explanations(b, v)
	if len(v.Candidates) == 0 { // the search ended before all were tried
		return
	}
	fmt.Fprintf(b, "\nWhat it could have been (%s reached there):\n", words.Plural(int64(v.Reached), "state"))
	shown, said := 0, ""
	for _, c := range v.Candidates {
		if c.State > 0 && !t.Verbose || c.Kind == "when" && !t.Verbose {
			continue
		}
		if shown++; shown > shownCandidates && !t.Verbose {
			b.WriteString("  ... more with -v\n")
			break
		}
		var text strings.Builder
		t.candidate(&text, v, c)
		b.WriteString(text.String())
		said += text.String()
	}
	t.states(b, v.Shown, said)
}

// explanations writes the graph of how the last events can have happened: a line for each step,
// with the states that it leads from and to.
func (t Validation) explanations(b *strings.Builder, v *result.Validation) {
	g := v.Explanations
	if g == nil {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", Explained(v))
	shown := len(g.Steps)
	if !t.Verbose {
		shown = min(shown, shownCandidates)
	}
	rows := Table{Indent: "  "}
	for k := range shown {
		rows.Row(ExplainedStep(v, k)...)
	}
	b.WriteString(rows.Text())
	if left := len(g.Steps) - shown; left > 0 {
		fmt.Fprintf(b, "  %s more with -v\n", words.Plural(int64(left), "step"))
	}
}

// Explained says how many explanations the last events have, and between which states.
func Explained(v *result.Validation) string {
	g := v.Explanations
	ends := "state"
	if len(g.Ends) > 1 {
		ends = "states"
	}
	for k, end := range g.Ends {
		ends += []string{" ", ", "}[min(k, 1)] + fmt.Sprint(end)
	}
	last := "event"
	if n := v.Matched - g.From; n > 1 {
		last = words.Plural(int64(n), "event")
	}
	return fmt.Sprintf("The last %s can have happened in %s, from state 0 to %s", last, words.Plural(int64(g.Ways), "way"), ends)
}

// ExplainedStep returns the states, the event and the actions of a step of the explanations.
func ExplainedStep(v *result.Validation, k int) []string {
	s := &v.Explanations.Steps[k]
	note := ""
	if s.Unlogged {
		note = ", not logged"
	}
	return []string{fmt.Sprintf("%d -> %d", s.From, s.To), fmt.Sprintf("line %d %s", s.Line, s.Event), v.Calls[k] + note}
}

// states shows the first state that is reached, or all; without -v only the variables that the
// candidates mention.
func (t Validation) states(b *strings.Builder, states [][]result.Value, said string) {
	for k, s := range states {
		if k >= shownStates && !t.Verbose {
			fmt.Fprintf(b, "\n%s more with -v or -json\n", words.Plural(int64(len(states)-k), "state"))
			break
		}
		rows, left := Table{Indent: "  "}, 0
		for _, x := range s {
			if t.Verbose || words.Mentions(said, x.Name) || strings.Contains(said, "."+x.Name) {
				rows.Row(x.Name, x.Value)
			} else {
				left++
			}
		}
		if len(rows.rows) > 0 {
			fmt.Fprintf(b, "\nState %d there:\n%s", k, rows.Text())
		}
		if left > 0 {
			fmt.Fprintf(b, "  (%s that this is not about: -v)\n", words.Plural(int64(left), "variable"))
		}
	}
}

func (t Validation) candidate(b *strings.Builder, v *result.Validation, c result.Candidate) {
	name := "no action"
	if c.Action != "" {
		name = c.Call
	}
	place := ""
	if c.Rule >= 0 {
		place = fmt.Sprintf("  [%s]", v.Places[fmt.Sprint(c.Rule)])
	}
	fmt.Fprintf(b, "  %s%s\n", name, place)
	switch c.Kind {
	case "guard":
		if c.Text != "" {
			fmt.Fprintf(b, "    is not enabled: %s\n", c.Text)
			return
		}
		if len(c.Why) == 0 {
			b.WriteString("    is not enabled\n")
			return
		}
		b.WriteString("    is not enabled:\n" + Reasons(c.Why, "      "))
	case "effect":
		fmt.Fprintf(b, "    breaks off: %s\n", c.Text)
	case "check", "before", "when":
		where := map[string]string{"check": "after it", "before": "before it", "when": "for this event"}[c.Kind]
		fmt.Fprintf(b, "    false %s: %s", where, c.Text)
		if c.Found != "" {
			fmt.Fprintf(b, "  (%s)", c.Found)
		}
		b.WriteString("\n")
	default:
		fmt.Fprintf(b, "    %s\n", c.Text)
	}
}

func eventText(e *wire.LoggedEvent) string {
	if e.Node == "" {
		return e.Name
	}
	return e.Name + " of node " + e.Node
}
