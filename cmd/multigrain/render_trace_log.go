package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// validationText writes the result of a validation.
type validationText struct {
	paint   painter
	verbose bool
}

// shownCandidates and shownStates are how many are shown without -v.
const (
	shownCandidates = 12
	shownStates     = 1
)

func (t validationText) text(d *document) string {
	v := d.Validation
	var b strings.Builder
	events := words.Plural(int64(v.Events), "event")
	switch {
	case v.Broken != nil:
		fmt.Fprintf(&b, "%s: the log matches and breaks %s\n", t.paint.in(red, "violated"), v.Broken.Invariant)
	case d.Verdict == "holds":
		fmt.Fprintf(&b, "%s: %s matched by %s\n", t.paint.in(green, "holds"), events, words.Plural(int64(v.Steps), "step"))
	default:
		fmt.Fprintf(&b, "%s: %s\n", t.paint.in(red, d.Verdict), d.Reason)
		fmt.Fprintf(&b, "  longest matched prefix: %d of %s\n", v.Matched, events)
	}
	fmt.Fprintf(&b, "  %s visited in %.2f s", words.Plural(v.Visited, "state"), d.Seconds)
	if v.Skipped > 0 {
		fmt.Fprintf(&b, ", %s skipped", words.Plural(int64(v.Skipped), "line"))
	}
	if v.Cut {
		b.WriteString(", the last line is cut off")
	}
	b.WriteString("\n")
	if t.verbose {
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
	return b.String()
}

// coverageText says how many conditions of the specification had both values, and which functions were not run at all.
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
		text += indentAll(wrap("functions whose conditions were never evaluated: "+strings.Join(idle, ", "), 110), "  ")
	}
	return text
}

func (t validationText) broken(b *strings.Builder, x *wire.TraceBroken) {
	fmt.Fprintf(b, "\n%s\n", x.Doc)
	if x.Event != nil {
		fmt.Fprintf(b, "It is false behind event %d, %s:%d: %s\n", x.Event.Number, words.ShortPath(x.Event.File), x.Event.Line, eventText(x.Event))
	}
	b.WriteString(reasonText(x.Why, "  "))
}

func (t validationText) mismatch(b *strings.Builder, verdict string, v *validationDoc) {
	e, what := v.Event, "Not matched"
	if verdict == "undecided" {
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
	if len(v.Candidates) == 0 { // the search ended before all were tried
		return
	}
	fmt.Fprintf(b, "\nWhat it could have been (%s reached there):\n", words.Plural(int64(v.Reached), "state"))
	shown, said := 0, ""
	for _, c := range v.Candidates {
		if c.State > 0 && !t.verbose || c.Kind == "when" && !t.verbose {
			continue
		}
		if shown++; shown > shownCandidates && !t.verbose {
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

// states shows the first state that is reached, or all; without -v only the variables that were said something of.
func (t validationText) states(b *strings.Builder, states [][]valueDoc, said string) {
	for k, s := range states {
		if k >= shownStates && !t.verbose {
			fmt.Fprintf(b, "\n%s more with -v or -json\n", words.Plural(int64(len(states)-k), "state"))
			break
		}
		rows, left := table{indent: "  "}, 0
		for _, x := range s {
			if t.verbose || mentions(said, x.Name) || strings.Contains(said, "."+x.Name) {
				rows.row(x.Name, x.Value)
			} else {
				left++
			}
		}
		if len(rows.rows) > 0 {
			fmt.Fprintf(b, "\nState %d there:\n%s", k, rows.text())
		}
		if left > 0 {
			fmt.Fprintf(b, "  (%s that this is not about: -v)\n", words.Plural(int64(left), "variable"))
		}
	}
}

func (t validationText) candidate(b *strings.Builder, v *validationDoc, c candidateDoc) {
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
		b.WriteString("    is not enabled:\n" + reasonText(c.Why, "      "))
	case "effect":
		fmt.Fprintf(b, "    breaks off: %s\n", c.Text)
	case "check", "before", "when":
		where := map[string]string{"check": "behind it", "before": "before it", "when": "for this event"}[c.Kind]
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

// reasonText is why a guard or an invariant is false: the operand that decided, then those in functions that it calls, each with the values
// that it read.
func reasonText(why []wire.Reason, indent string) string {
	var b strings.Builder
	for k := range why {
		r := &why[k]
		prefix := ""
		if k > 0 {
			prefix = "because "
		}
		fmt.Fprintf(&b, "%s%s%s  (%s:%d)\n", indent, prefix, reasonSentence(r), words.ShortPath(r.File), r.Line)
		t := table{indent: indent + "    "}
		for _, o := range r.Operands {
			t.row(o.Text, "= "+o.Value)
		}
		b.WriteString(t.text())
	}
	return b.String()
}

// reasonSentence says what a condition is, and for which servers or values.
func reasonSentence(r *wire.Reason) string {
	if r.Kind == reasonRaised {
		return r.Text
	}
	is := "is false"
	if r.Kind == "return" {
		is = "holds"
		if strings.HasPrefix(r.Text, "return ") {
			is = "is reached"
		}
	} else if r.Value {
		is = "is true"
	}
	text := r.Text + " " + is
	if len(r.Locals) > 0 {
		var parts []string
		for _, n := range slices.Sorted(maps.Keys(r.Locals)) {
			parts = append(parts, n+" = "+r.Locals[n])
		}
		text += " for " + strings.Join(parts, ", ")
	}
	return text
}

// reasonLines is reasonText in lines without their indentation, for pages.
func reasonLines(why []wire.Reason) []string {
	if len(why) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(reasonText(why, ""), "\n"), "\n")
}
