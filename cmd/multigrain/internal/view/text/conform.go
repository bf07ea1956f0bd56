package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Conformance is the result of a conformance run.
type Conformance struct {
	Paint   Painter
	Verbose bool
}

func (t Conformance) Text(doc *result.Document) string {
	d := doc.Conform
	var b strings.Builder
	b.WriteString(Head(doc, t.Paint))
	b.WriteString(t.verdict(doc.Verb, d))
	fmt.Fprintf(&b, "  %s done and compared, the longest walk of %s\n", words.Plural(d.Steps, "step"), words.Plural(int64(d.Longest), "step"))
	if d.Short > 0 {
		fmt.Fprintf(&b, "  %s ended earlier, with no step to take\n", words.Plural(d.Short, "walk"))
	}
	if d.Refused > 0 {
		fmt.Fprintf(&b, "  %s drawn and not taken: out of the state constraints, or, %s of them, for want of capacity\n", words.Plural(d.Refused, "step"), words.Count(d.Exceeded))
	}
	b.WriteString(t.limits(d))
	b.WriteString(indentAll(Wrap("compared: "+strings.Join(d.Observed, ", "), 96), "  "))
	b.WriteString(indentAll(Wrap("not compared: "+words.ListOr(d.Unobserved, "none"), 96), "  "))
	fmt.Fprintf(&b, "  %s with %s, %s steps; seed %d\n\n", words.Elapsed(d.Seconds), words.Plural(int64(d.Workers), "worker"), words.Rate(d.Steps, d.Seconds), d.Seed)
	b.WriteString(t.coverage(d) + "\n" + t.actions(d) + branchTable("guards, effects and rules", d.Branches, fewBranches, t.Verbose))
	for k := range d.Found {
		b.WriteString("\n" + t.difference(d, k))
	}
	return b.String()
}

func (t Conformance) verdict(verb string, d *result.Conformance) string {
	what := strings.TrimSpace(d.Implementation + " " + d.Version)
	walks := fmt.Sprintf("%s of at most %s", words.Plural(d.Traces, "walk"), words.Plural(int64(d.Depth), "step"))
	if d.Depth == 0 {
		walks = "one trace"
	}
	if d.Ended > 0 {
		walks += fmt.Sprintf(" (%s ended in a known difference)", words.Count(d.Ended))
	}
	return verdicts.Find(verb, d.Verdict, "").Line(t.Paint.tone, "what", what, "walks", walks, "reason", d.Reason,
		"differences", words.Plural(d.Differences, "difference")) + "\n"
}

// limits says what walks did without and where they ended before their time.
func (t Conformance) limits(d *result.Conformance) string {
	var b strings.Builder
	if d.Undriven > 0 {
		fmt.Fprintf(&b, "  %s ended before a step that did not come to its end\n", words.Plural(d.Undriven, "more walk"))
	}
	for _, l := range d.LeftOut {
		b.WriteString(indentAll(Wrap(fmt.Sprintf("left out: %s, drawn %s: %s", l.Action, words.Plural(l.Count, "time"), l.Reason), 96), "  "))
	}
	if d.Ended > 0 {
		fmt.Fprintf(&b, "  %s ended in a known difference: the specification does not say what follows it\n", words.Plural(d.Ended, "walk"))
	}
	for _, a := range d.Accepted {
		fmt.Fprintf(&b, "  known: %s, %s after %s, on %s: %s\n", a.Name, a.Variable, a.Action, words.Plural(a.Walks, "walk"), a.Why)
	}
	return b.String()
}

// coverage shows the coverage after 1, 10, 100, ... walks and at the end; all points where
// verbose.
func (t Conformance) coverage(d *result.Conformance) string {
	rows := Table{Indent: "  ", right: map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true}}
	head := []string{"walks", "steps", "actions", "instances", "branches", "time"}
	show := func(row []string) {
		if d.Branches == nil {
			row = slices.Delete(row, 4, 5)
		}
		rows.Row(row...)
	}
	show(head)
	for k, p := range d.Coverage {
		if !t.Verbose && k < len(d.Coverage)-1 && strings.Trim(strconv.FormatInt(p.Traces, 10), "0") != "1" {
			continue
		}
		show([]string{words.Count(p.Traces), words.Count(p.Steps), strconv.Itoa(p.Actions), strconv.Itoa(p.Instances), strconv.Itoa(p.Branches), words.Elapsed(p.Seconds)})
	}
	return rows.Text()
}

// How many branches that were not taken are shown without -v, of steps and of invariants.
const (
	fewBranches          = 20
	fewInvariantBranches = 5
)

// branchTable counts the branches of a part of the specification, and lists those that were not
// taken. Conditions that had the other value come first.
func branchTable(of string, x *wire.Branches, few int, verbose bool) string {
	if x == nil {
		return ""
	}
	text := fmt.Sprintf("\n  branches of %s: %d of %d taken\n", of, x.Taken, x.Of)
	missing := slices.Clone(x.Missing)
	slices.SortStableFunc(missing, func(a, b wire.Untaken) int {
		switch {
		case a.Evaluated == b.Evaluated:
			return 0
		case a.Evaluated:
			return -1
		}
		return 1
	})
	rows := Table{Indent: "  "}
	for k, m := range missing {
		if k == few && !verbose {
			break
		}
		never := fmt.Sprintf("never %t", m.Value)
		if !m.Evaluated {
			both := func(x wire.Untaken) bool {
				return !x.Value && x.File == m.File && x.Line == m.Line && x.Column == m.Column
			}
			if m.Value && slices.ContainsFunc(missing, both) {
				continue // one row for both
			}
			never = "never asked"
		}
		rows.Row(fmt.Sprintf("%s:%d", m.File, m.Line), never, m.Condition, "in "+m.Function)
	}
	text += rows.Text()
	if len(missing) > few && !verbose {
		text += fmt.Sprintf("  and %d more; see all with -v\n", len(missing)-few)
	}
	return text
}

func (t Conformance) actions(d *result.Conformance) string {
	rows := Table{Indent: "  ", right: map[int]bool{2: true, 3: true, 4: true}}
	rows.Row("action", "module", "steps", "instances", "of")
	for _, a := range d.Actions {
		rows.Row(a.Name, a.Module, words.Count(a.Fired), strconv.Itoa(a.Instances.Fired), strconv.Itoa(a.Instances.Of))
	}
	return rows.Text()
}

// difference tells one difference with the trace that leads to it.
func (t Conformance) difference(d *result.Conformance, k int) string {
	x := &d.Found[k]
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", t.Paint.In(red, "difference:"), x.Line())
	values := Table{Indent: "  "}
	for _, v := range x.Values {
		values.Row(v.Path, "specification "+cmp.Or(v.SpecificationText, "has none"), "implementation "+cmp.Or(v.ImplementationText, "has none"))
	}
	b.WriteString(values.Text())
	for _, f := range x.Frames {
		b.WriteString("  in " + f + "\n")
	}
	if x.Walk > 0 {
		fmt.Fprintf(&b, "  shrunk from the %s of walk %s", words.Plural(int64(x.Length), "step"), words.Count(x.Walk))
		if x.Minimal {
			b.WriteString(", no step can be left out")
		}
		if x.Count > 1 {
			fmt.Fprintf(&b, "; %s end in its like", words.Plural(x.Count, "walk"))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(x.Counterexample))
	if x.Trace != "" {
		fmt.Fprintf(&b, "\n  trace: %s\n  log:   %s\n", x.Trace, x.Log)
	}
	return b.String()
}
