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

// Text returns the result of a conformance run for people.
func (t Conformance) Text(doc *result.Document) string {
	d := doc.Conform
	var b strings.Builder
	b.WriteString(Head(doc, t.Paint))
	b.WriteString(t.verdict(doc.Verb, d))
	fmt.Fprintf(&b, "  %s done and compared, the longest walk of %s\n", words.Plural(d.Steps, "step"), words.Plural(int64(d.Longest), "step"))
	if d.Depth > 0 && d.Half < d.Traces {
		fmt.Fprintf(&b, "  %s of %d or more steps\n", words.Plural(d.Half, "walk"), (d.Depth+1)/2)
	}
	if d.Short > 0 {
		fmt.Fprintf(&b, "  %s ended earlier, with no step to take\n", words.Plural(d.Short, "walk"))
	}
	if d.Refused > 0 {
		fmt.Fprintf(&b, "  %s drawn and not taken: out of the state constraints, or, %s of them, for want of capacity\n", words.Plural(d.Refused, "step"), words.Count(d.Exceeded))
	}
	b.WriteString(coveredText(d.Covered) + t.limits(d) + seedsText(doc.Seeds))
	if d.Strategy != nil {
		b.WriteString(strategyText(d.Strategy))
	}
	b.WriteString(indentAll(Wrap("compared: "+strings.Join(d.Observed, ", "), 96), "  "))
	b.WriteString(indentAll(Wrap("not compared: "+words.ListOr(d.Unobserved, "none"), 96), "  "))
	if d.Ghost != "" {
		b.WriteString(indentAll(Wrap(d.Judged+" also reads "+d.Ghost+", which is not observed: it has the values of the specification's steps", 96), "  "))
	}
	fmt.Fprintf(&b, "  %s with %s, %s steps; seed %d\n\n", words.Elapsed(d.Seconds), words.Plural(int64(d.Workers), "worker"), words.Rate(d.Steps, d.Seconds), d.Seed)
	b.WriteString(t.coverage(d) + "\n" + t.actions(d) + branchTable("guards, effects and rules", d.Branches, fewBranches, t.Verbose))
	for k := range d.Found {
		b.WriteString("\n" + t.difference(d, k))
	}
	for k := range d.Broken {
		b.WriteString("\n" + Observed{Paint: t.Paint, whole: d.Change == ""}.broken(&d.Broken[k], k == 0))
	}
	return b.String()
}

func (t Conformance) verdict(verb string, d *result.Conformance) string {
	what := strings.TrimSpace(d.Implementation + " " + d.Version)
	if d.Change != "" {
		what += " with change " + d.Change
	}
	which, names := brokenNames(d.Broken)
	if d.Judged != "" && d.Verdict == verdicts.Holds {
		which = verdicts.Judged
	}
	walks := fmt.Sprintf("%s of at most %s", words.Plural(d.Traces, "walk"), words.Plural(int64(d.Depth), "step"))
	switch {
	case d.Covered != nil:
		cover := "cover"
		if d.Traces == 1 {
			cover = "covers"
		}
		walks = fmt.Sprintf("%s that %s %s of %s", words.Plural(d.Traces, "walk"), cover, words.Count(int64(d.Covered.Done)), words.Plural(int64(d.Covered.Targets), strings.TrimSuffix(d.Covered.Kind, "s")))
	case verb == "replay":
		walks = "one trace"
	case d.Depth == 0: // no walk was planned
		walks = words.Plural(d.Traces, "walk")
	}
	if d.Ended > 0 {
		walks += fmt.Sprintf(" (%s ended in a known difference)", words.Count(d.Ended))
	}
	return verdicts.Find(verb, d.Verdict, which).Line(t.Paint.tone, "what", what, "walks", walks, "reason", d.Reason, "names", names,
		"differences", words.Plural(d.Differences, "difference"), "judged", d.Judged, "how", howDone(d)) + "\n"
}

// howDone says how far the implementation did what a trace says.
func howDone(d *result.Conformance) string {
	if len(d.Found) == 0 {
		return "does each step as the specification does"
	}
	x := &d.Found[0]
	return fmt.Sprintf("differs from the specification after step %d, %s", x.Step, x.Action)
}

// coveredText says what walks were planned to cover and what they did.
func coveredText(c *wire.Covered) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("  graph: %s and %s; %s of %s cover it, and at least %s needed\n", words.Plural(int64(c.States), "state"), words.Plural(int64(c.Edges), "edge"),
		words.Plural(int64(c.Walks), "walk"), words.Plural(int64(c.Steps), "step"), map[bool]string{true: "1 is", false: words.Count(int64(c.Least)) + " are"}[c.Least == 1])
	if c.Beyond > 0 {
		text += fmt.Sprintf("  %s of them need longer walks than -depth allows\n", words.Count(int64(c.Beyond)))
	}
	return text
}

// limits says what walks did without and where they ended before their time.
func (t Conformance) limits(d *result.Conformance) string {
	var b strings.Builder
	if d.Undriven > 0 {
		fmt.Fprintf(&b, "  %s ended before a step that did not come to its end\n", words.Plural(d.Undriven, "more walk"))
		if d.Reason == "" {
			first, _, _ := strings.Cut(d.UndrivenAt, "\n")
			b.WriteString(indentAll(Wrap("the first: "+first, 96), "  "))
		}
		for _, next := range d.UndrivenNext {
			b.WriteString(indentAll(Wrap("another: "+next, 96), "  "))
		}
	}
	if d.Repeated > 0 {
		fmt.Fprintf(&b, "  %s done once more after such a step\n", words.Plural(d.Repeated, "walk"))
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

// Untaken lists the branches that were not taken.
func Untaken(x *wire.Branches) string {
	_, list, _ := strings.Cut(branchTable("", x, 0, true), "taken\n")
	return list
}

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
		if x.Length == x.Step {
			fmt.Fprintf(&b, "  the whole of walk %s", words.Count(x.Walk))
		} else {
			fmt.Fprintf(&b, "  shrunk from the %s of walk %s", words.Plural(int64(x.Length), "step"), words.Count(x.Walk))
		}
		if x.Minimal {
			b.WriteString(", no step can be left out")
		}
		if x.Count > 1 {
			fmt.Fprintf(&b, "; %s end in its like", words.Plural(x.Count, "walk"))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(x.Counterexample))
	if len(x.Places) > 0 {
		b.WriteString("\n  where the implementation stands:\n")
	}
	for _, line := range x.Places {
		b.WriteString("    " + line + "\n")
	}
	if x.Trace != "" {
		fmt.Fprintf(&b, "\n  trace: %s\n  log:   %s\n", x.Trace, x.Log)
	}
	return b.String()
}

// Confirmation is the result of trying to see a bug on an implementation.
type Confirmation struct {
	Paint   Painter
	Verbose bool // show all attempts, and the counterexample
}

// Text returns the result as text. Its verdict is the line after the table of modules.
func (t Confirmation) Text(doc *result.Document) string {
	d := doc.Confirm
	var b strings.Builder
	b.WriteString(Head(doc, t.Paint))
	what := strings.TrimSpace(d.Implementation + " " + d.Version)
	row := verdicts.Find(doc.Verb, d.Verdict, "")
	b.WriteString(row.Line(t.Paint.tone, "what", what, "property", d.Property, "reason", d.Reason,
		"shown", fmt.Sprint(d.Runs.Shown), "runs", words.Plural(int64(d.Runs.Begun()), "run")) + "\n")
	if verdicts.Word(d.Verdict) == verdicts.Holds {
		b.WriteString(BoundsText(doc.Bounds))
	}
	if d.Distinct > 0 {
		variant := ""
		if d.Variant != "" {
			variant = "variant " + d.Variant + ", "
		}
		fmt.Fprintf(&b, "  specification: %s%s\n", variant, words.Plural(d.Distinct, "distinct state"))
	}
	if d.Length > 0 {
		fmt.Fprintf(&b, "  schedule: %s that end in a violation of %s\n", words.Plural(int64(d.Length), "step"), d.Property)
	}
	t.attempts(&b, "runs", d.Runs)
	t.attempts(&b, "controls", d.Controls)
	for k := range d.Attempts {
		t.attempt(&b, d, k)
	}
	if d.Counterexample != nil && t.Verbose {
		b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(d.Counterexample))
	}
	if d.Trace != "" {
		fmt.Fprintf(&b, "\n  trace: %s\n", d.Trace)
	}
	if d.Folder != "" {
		fmt.Fprintf(&b, "  handed on in the folder %s; its README.md has the command\n", d.Folder)
	}
	return b.String()
}

// attempts counts attempts of one kind; nothing where there was none.
func (t Confirmation) attempts(b *strings.Builder, kind string, n result.Attempts) {
	if n.Begun()+n.Spoilt == 0 {
		return
	}
	driven := n.Shown + n.Absent + n.Unjudged
	fmt.Fprintf(b, "  %s: %d of %d driven to the end, the symptom seen in %d", kind, driven, n.Begun(), n.Shown)
	for _, x := range []struct {
		count int
		what  string
	}{
		{n.Unjudged, "not judged"}, {n.Departed, "departed"}, {n.Undriven, "not driven to the end"},
		{n.Spoilt, "spoilt before the first step and repeated"},
	} {
		if x.count > 0 {
			fmt.Fprintf(b, "; %d %s", x.count, x.what)
		}
	}
	b.WriteString("\n")
}

// attempt shows an attempt, without Verbose the first of each kind and outcome.
func (t Confirmation) attempt(b *strings.Builder, d *result.Confirmation, k int) {
	a := &d.Attempts[k]
	number := 1
	for _, before := range d.Attempts[:k] {
		if before.Control != a.Control {
			continue
		}
		if number++; !t.Verbose && before.Outcome == a.Outcome {
			return
		}
	}
	kind := "run"
	if a.Control {
		kind = "control"
	}
	fmt.Fprintf(b, "\n  %s %d, %s after %s, %s\n", kind, number, a.Outcome, words.Plural(int64(a.Steps), "step"), words.Elapsed(a.Seconds))
	if a.Message != "" {
		fmt.Fprintf(b, "    step %d, %s: %s\n", a.Step, a.Action, strings.ReplaceAll(a.Message, "\n", "\n    "))
	}
	for _, x := range a.Sightings {
		came := "not seen"
		switch {
		case !x.Judged:
			came = "not judged"
		case x.Seen:
			came = "seen"
		}
		fmt.Fprintf(b, "    %s, %s: %s\n", x.Word, came, x.Text)
	}
	for _, line := range a.Log {
		fmt.Fprintf(b, "    %s\n", line)
	}
}
