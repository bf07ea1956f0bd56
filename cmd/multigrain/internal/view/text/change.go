package text

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Change returns a change for people: what changed, where it leads, and what is chosen for it.
func Change(x *result.Change, paint Painter, verbose bool) string {
	var b strings.Builder
	title := x.Implementation
	if x.Version != "" {
		title += " " + x.Version
	}
	fmt.Fprintf(&b, "%s\n", paint.In(bold, "change of "+title))
	for k, t := range x.Trails {
		if k == 0 || x.Trails[k-1].Declaration != t.Declaration {
			b.WriteString("\n" + declarationTrails(x.Trails[k:], paint, verbose))
		}
	}
	if len(x.Unmodelled) > 0 {
		b.WriteString("\n" + paint.In(Yellow, "not modelled") + "\n")
		for _, u := range x.Unmodelled {
			fmt.Fprintf(&b, "  %s: %s\n", declarationText(u.Declaration), u.Reason)
		}
	}
	if len(x.Ignored) > 0 {
		b.WriteString("\nwithout effect\n")
		for _, i := range x.Ignored {
			fmt.Fprintf(&b, "  %s: %s\n", i.File, i.Reason)
		}
	}
	for _, d := range x.Doubts {
		fmt.Fprintf(&b, "\n%s: %s\n", paint.In(Yellow, "doubt"), d)
	}
	if len(x.Touched) == 0 {
		b.WriteString("\nThe change touches no module.\n")
		return b.String()
	}
	b.WriteString(composedText(x, paint))
	return b.String()
}

// declarationTrails returns the paths from the first trail's declaration to modelled functions: the
// shortest one to each set of grains, or all.
func declarationTrails(trails []result.Trail, paint Painter, verbose bool) string {
	var b strings.Builder
	d := trails[0].Declaration
	fmt.Fprintf(&b, "%s\n", declarationText(d))
	seen := map[string]bool{}
	more := int64(0)
	for _, t := range trails {
		if t.Declaration != d {
			break
		}
		var where []string
		for _, g := range t.Place.Grains {
			where = append(where, paint.In(bold, g.Module)+"/"+g.Grain)
		}
		to := strings.Join(where, ", ")
		if seen[to] && !verbose {
			more++
			continue
		}
		seen[to] = true
		b.WriteString(pathText(t))
		fmt.Fprintf(&b, "  modelled by %s (%s, listed at %s:%d)\n", to, t.Place.Name, words.ShortPath(t.Place.At.File), t.Place.At.Line)
	}
	if more > 0 {
		fmt.Fprintf(&b, "  and, shown by -v, %s that %s through another modelled function\n", words.Plural(more, "path"), map[bool]string{true: "leads", false: "lead"}[more == 1])
	}
	return b.String()
}

// pathText returns the functions between a declaration and the modelled one.
func pathText(t result.Trail) string {
	var b strings.Builder
	for k, s := range t.Path {
		verb := "called by"
		if k == 0 && t.Declaration.Kind != "function" && t.Declaration.Kind != "method" {
			verb = "used by"
		}
		fmt.Fprintf(&b, "  %s %s, %s:%d\n", verb, s.Name, s.File, s.Line)
	}
	return b.String()
}

func declarationText(d result.Declaration) string {
	return d.At() + "  " + d.What()
}

// composedText describes the composition for a change, with the reasons of its choices.
func composedText(x *result.Change, paint Painter) string {
	var b strings.Builder
	for _, r := range x.Rejected {
		fmt.Fprintf(&b, "\nnot allowed: %s\n  %s\n", strings.Join(r.Grains, ", "), r.Why)
	}
	if len(x.Choices) == 0 {
		return b.String()
	}
	b.WriteString("\nchosen\n")
	t := Table{Indent: "  "}
	for _, m := range x.Choices {
		note := ""
		if m.Target {
			note = "target"
		}
		t.Row(paint.In(bold, m.Module), m.Grain, note, m.Why)
	}
	b.WriteString(t.Text())
	if x.Plan != nil {
		b.WriteString("\nexamined for a check of at most " + words.Elapsed(x.Plan.Budget) + "\n" + coversText(x.Plan))
		b.WriteString("\n")
	}
	for _, equal := range x.Equal {
		fmt.Fprintf(&b, "  as fine: %s\n", strings.Join(equal, ", "))
	}
	for _, more := range x.LeftOut {
		fmt.Fprintf(&b, "  as fine, and left out since there are too many: %s\n", strings.Join(more, ", "))
	}
	if len(x.Dropped) > 0 {
		fmt.Fprintf(&b, "  left out of the check block, since the chosen grains do not know them: %s\n", strings.Join(x.Dropped, ", "))
	}
	version := x.Implementation
	if x.Version != "" {
		version += " " + x.Version
	}
	fmt.Fprintf(&b, "\nThe specification is that of %s with %s. Write there what the change does differently.\n", version,
		words.ListOr(x.Options, "the options' defaults"))
	b.WriteString("\nmanifest\n" + indentAll(x.Manifest, "  ") + "\n")
	return b.String()
}

// Observed shows how changed code ran under the composed specification.
type Observed struct {
	Paint   Painter
	Verbose bool
	whole   bool // the code is an implementation's own, without a change
}

// code names the code that was run.
func (t Observed) code() string {
	if t.whole {
		return "implementation"
	}
	return "changed code"
}

// Text returns it for people. The verdict is the first line.
func (t Observed) Text(o *result.Observed) string {
	var b strings.Builder
	b.WriteString("\n" + t.verdict(o) + "\n")
	fmt.Fprintf(&b, "  %s, %s done and compared, %s; seed %d, change %s\n", words.Plural(o.Walks, "walk"), words.Plural(o.Steps, "step"), words.Elapsed(o.Seconds), o.Seed, o.Hash)
	b.WriteString(within(o) + t.walked(o) + t.checked(o.Checked))
	b.WriteString(t.places(o))
	for k := range o.Broken {
		b.WriteString("\n" + t.broken(&o.Broken[k], k == 0))
	}
	for k := range o.Found {
		b.WriteString("\n" + t.difference(&o.Found[k], len(o.Broken) == 0 && k == 0))
	}
	for k := range o.Shared {
		fmt.Fprintf(&b, "\n%s %s\n", t.Paint.In(Yellow, "before the change, too:"), o.Shared[k].Line())
	}
	if len(o.Unjudged) > 0 && len(o.Found) > 0 {
		var names []string
		for _, u := range o.Unjudged {
			names = append(names, fmt.Sprintf("%s (reads %s)", u.Invariant, u.Variable))
		}
		b.WriteString("\n" + indentAll(Wrap("not judged after the difference, since the adapter does not observe what they read: "+strings.Join(names, ", "), 96), "  "))
	}
	b.WriteString("\n" + indentAll(Wrap("not compared: "+words.ListOr(o.Unobserved, "none"), 96), "  "))
	return b.String()
}

// ObservedLine returns the verdict on changed code in a line.
func ObservedLine(o *result.Observed) string { return Observed{}.verdict(o) }

func (t Observed) verdict(o *result.Observed) string {
	which, names := brokenNames(o.Broken)
	difference := ""
	if len(o.Found) > 0 {
		difference = o.Found[0].Line()
	}
	if o.Verdict == verdicts.Behaves && len(o.Accepted) > 0 {
		which = verdicts.Accepted
	}
	if c := o.Checked; c != nil && c.Invariant != "" {
		which, names = c.Kind, strings.TrimPrefix(names+", "+c.Invariant, ", ")
	}
	return verdicts.Find("change", o.Verdict, which).Line(t.Paint.tone, "walks", words.Plural(o.Walks, "walk")+variedText(o), "places", placesText(o),
		"names", names, "difference", difference, "reason", o.Reason, "accepted", acceptedText(o), "checked", checkedText(o.Checked))
}

// brokenNames returns the kind of the first thing that changed code breaks, and the names of all.
func brokenNames(broken []result.BrokenInCode) (which, names string) {
	var all []string
	for k := range broken {
		all = append(all, broken[k].Invariant)
	}
	if len(all) > 0 {
		which = broken[0].Kind
	}
	return which, strings.Join(all, ", ")
}

// acceptedText counts the changed lines and conditions that walks did not cover.
func acceptedText(o *result.Observed) string {
	n := placesOf(o)
	var parts []string
	if left := n.lines - n.ran; left > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s did not run", left, words.Plural(int64(n.lines), "changed line")))
	}
	if left := n.operands - n.both; left > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s not both true and false", left, words.Plural(int64(n.operands), "operand")))
	}
	return strings.Join(parts, ", ")
}

// placesText counts the changed lines and conditions that walks covered.
func placesText(o *result.Observed) string {
	n := placesOf(o)
	text := fmt.Sprintf("%d of %s ran", n.ran, words.Plural(int64(n.lines), "changed line"))
	if n.operands > 0 {
		text += fmt.Sprintf(", %d of %s true and false", n.both, words.Plural(int64(n.operands), "operand"))
	}
	if n.same > 0 {
		text += fmt.Sprintf(", %d more as before the change", n.same)
	}
	return text
}

// Covered counts the changed lines and conditions that walks covered.
func Covered(o *result.Observed) string { return placesText(o) }

// coveredPlaces counts changed lines, those that ran, operands, and those with both values.
// Lines that did not run and do all as before the change are counted apart.
type coveredPlaces struct{ lines, ran, operands, both, same int }

func placesOf(o *result.Observed) (n coveredPlaces) {
	for k := range o.Places {
		switch p := &o.Places[k]; {
		case p.Same && !p.Covered():
			n.same++
		case p.Kind == "line":
			n.lines++
			if p.Covered() {
				n.ran++
			}
		default:
			n.operands++
			if p.Covered() {
				n.both++
			}
		}
	}
	return n
}

// places lists the changed lines and conditions that walks did not cover; with Verbose all.
func (t Observed) places(o *result.Observed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n", placesText(o))
	for k := range o.Places {
		p := &o.Places[k]
		switch missing := p.Missing(); {
		case missing != "":
			fmt.Fprintf(&b, "    %s\n", missing)
		case t.Verbose:
			fmt.Fprintf(&b, "    %s:%d ran: %s\n", p.File, p.Line, p.Text)
		}
	}
	if o.Held != nil {
		b.WriteString(indentAll(Wrap(o.Held.String(), 96), "  "))
	}
	if len(o.Unfired) > 0 {
		b.WriteString(indentAll(Wrap("actions of touched modules that no walk took: "+strings.Join(o.Unfired, ", "), 96), "  "))
	}
	if len(o.Rests) > 0 {
		b.WriteString(indentAll(Wrap("left out is code for what the specification does not have: "+strings.Join(o.Rests, "; "), 96), "  "))
	}
	for _, n := range o.Never {
		b.WriteString(indentAll(Wrap("the specification does not take "+strings.Join(n.Actions, ", ")+" here: "+n.Why, 96), "  "))
	}
	return b.String()
}

// broken shows an invariant that the changed code breaks, with the walk that leads there if asked
// for.
func (t Observed) broken(x *result.BrokenInCode, whole bool) string {
	var b strings.Builder
	if x.Kind == verdicts.Panic {
		fmt.Fprintf(&b, "%s %s\n", t.Paint.In(red, "the "+t.code()+" panics:"), x.Doc)
		for _, f := range x.Frames {
			b.WriteString("  in " + f + "\n")
		}
	} else {
		fmt.Fprintf(&b, "%s\n%s", t.Paint.In(red, "The "+t.code()+" violates "+x.Invariant), indentAll(Wrap(x.Doc, 96), "  "))
	}
	if x.Departed == 0 {
		fmt.Fprintf(&b, "  it does all %s as the specification does; the states are those of the implementation\n", words.Plural(int64(x.Depth), "step"))
	} else {
		fmt.Fprintf(&b, "  it departs from the specification in step %d of %d; the states are those of the implementation\n", x.Departed, x.Depth)
	}
	b.WriteString(t.valuesText(x.Values))
	if x.Message != "" {
		b.WriteString(indentAll(Wrap(x.Message, 96), "  "))
	}
	if whole || t.Verbose {
		b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(x.Counterexample) + "\n")
	}
	if x.Trace != "" {
		fmt.Fprintf(&b, "  trace: %s\n  log:   %s\n", x.Trace, x.Log)
	}
	return b.String()
}

// valuesText shows what differs between the specification and the code.
func (t Observed) valuesText(all []result.Differing) string {
	values := Table{Indent: "  "}
	for _, v := range all {
		values.Row(v.Path, "specification "+cmp.Or(v.SpecificationText, "has none"), t.code()+" "+cmp.Or(v.ImplementationText, "has none"))
	}
	return values.Text()
}

// difference shows where the changed code departs, with the walk that leads there if asked for.
func (t Observed) difference(x *result.Difference, whole bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", t.Paint.In(red, "difference:"), x.Line())
	b.WriteString(t.valuesText(x.Values))
	for _, f := range x.Frames {
		b.WriteString("  in " + f + "\n")
	}
	if whole || t.Verbose {
		b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(x.Counterexample))
	}
	if x.Trace != "" {
		fmt.Fprintf(&b, "  trace: %s\n  log:   %s\n", x.Trace, x.Log)
	}
	return b.String()
}

// walked lists the compositions in which changed code was walked, and those in which it was not.
func (t Observed) walked(o *result.Observed) string {
	var b strings.Builder
	for k := range o.Walked {
		w := &o.Walked[k]
		var parts []string
		for _, m := range w.Modules {
			if m.By == "" || m.By == m.Module {
				parts = append(parts, m.Module+"/"+m.Grain)
			}
		}
		text := "walked: " + strings.Join(parts, ", ")
		if with := settingsText(w); with != "" {
			text += ", with " + with
		}
		text += "; " + words.Plural(w.Walks, "walk")
		if w.Of > 0 {
			text += fmt.Sprintf(", %d of %d branches", w.Branches, w.Of)
		}
		if w.Reason != "" {
			text += "; " + w.Reason
		}
		b.WriteString(indentAll(Wrap(text, 96), "  "))
		for _, s := range w.Stands {
			fmt.Fprintf(&b, "    %s of %s stands for %s\n", s.Grain, s.Module, s.For)
		}
		for _, l := range w.LeftOut {
			fmt.Fprintf(&b, "    the adapter cannot drive %s: %s\n", l.Action, l.Reason)
		}
	}
	for _, r := range o.NotWalked {
		b.WriteString(indentAll(Wrap("not walked: "+strings.Join(r.Grains, ", ")+": "+r.Why, 96), "  "))
	}
	return b.String()
}

// ranges returns the least and the largest value of each bound of the walks that decide something,
// in their order.
func ranges(o *result.Observed) (names []string, of map[string][2]int) {
	of = map[string][2]int{}
	for k := range o.Walked {
		w := &o.Walked[k]
		if w.Reason != "" || w.Walks == 0 {
			continue
		}
		for _, s := range w.Within {
			n, _ := strconv.Atoi(s.Value)
			r, known := of[s.Name]
			if !known {
				names, r = append(names, s.Name), [2]int{n, n}
			}
			of[s.Name] = [2]int{min(r[0], n), max(r[1], n)}
		}
	}
	return names, of
}

func rangeText(name string, r [2]int) string {
	if r[0] == r[1] {
		return fmt.Sprintf("%s = %d", name, r[0])
	}
	return fmt.Sprintf("%s = %d to %d", name, r[0], r[1])
}

// variedText names the bounds with several values in the walks; "" for none.
func variedText(o *result.Observed) string {
	var parts []string
	names, of := ranges(o)
	for _, name := range names {
		if r := of[name]; r[0] != r[1] {
			parts = append(parts, rangeText(name, r))
		}
	}
	if parts == nil {
		return ""
	}
	return " with " + words.ListOr(parts, "")
}

// within names the bounds of all walks together.
func within(o *result.Observed) string {
	var parts []string
	names, of := ranges(o)
	for _, name := range names {
		if r := of[name]; r[1] > 0 {
			parts = append(parts, rangeText(name, r))
		}
	}
	if parts == nil {
		return ""
	}
	return indentAll(Wrap("within "+strings.Join(parts, ", "), 96), "  ")
}

// settingsText returns the options and bounds that walks have and the manifest has not.
func settingsText(w *result.Walked) string {
	var parts []string
	for _, all := range [][]result.Setting{w.Options, w.Bounds} {
		for _, s := range all {
			parts = append(parts, s.Name+" = "+s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// checkedText says for the first line what the check of the composition leaves open; "" for
// nothing.
func checkedText(c *result.Checked) string {
	switch {
	case c == nil:
		return ""
	case c.Verdict == verdicts.Undecided:
		return "; whether that specification holds is undecided: " + c.Reason
	case len(c.Known) > 0:
		return "; apart from " + strings.Join(c.Known, ", ") + ", which the specification of the version before the change violates, too"
	}
	return ""
}

// checked tells of the check of the composition.
func (t Observed) checked(c *result.Checked) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("model checked: %s, %s, %s", c.Verdict, words.Plural(c.Distinct, "state"), words.Elapsed(c.Seconds))
	if c.Invariant != "" {
		text += fmt.Sprintf("; the changed code behaves as the specification, and the specification violates %s", c.Invariant)
	}
	text = indentAll(Wrap(text+checkedText(c), 96), "  ")
	if c.Trace != "" {
		text += "    trace: " + c.Trace + "\n"
	}
	if c.Finer != nil {
		text += finerText(c.Finer)
	}
	return text
}

// CheckedLine says what the check of the composition for a change found.
func CheckedLine(c *result.Checked) string {
	return strings.Join(strings.Fields(Observed{}.checked(&result.Checked{Verdict: c.Verdict, Reason: c.Reason, Distinct: c.Distinct, Seconds: c.Seconds, Invariant: c.Invariant, Kind: c.Kind, Known: c.Known})), " ")
}

// FinerLines says what became of a counterexample in the fine composition, a line for each thing.
func FinerLines(f *result.FinerAnswer) []string {
	if f == nil {
		return nil
	}
	return finerLines(f)
}
