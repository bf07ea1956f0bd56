package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// levelMeans says what a level is good for. Preserved is never printed without it.
var levelMeans = map[string]string{
	"L0": "footprints, for all sizes; behaviours are not compared",
	"L1": "views of the target's steps, within the bounds compared",
	"L2": "observations of the target, within the bounds compared",
	"L3": "observations and mutants of the target, within the bounds compared",
}

// Examined returns the result of the verb interaction. Verbose shows all witnesses step by step.
func Examined(d *result.Document, paint Painter, verbose bool) string {
	return Mutants(d.Interaction, paint, verbose) + Composition(d, paint) + Outcome(d.Interaction, paint, verbose)
}

// Composition shows what was composed, with the kinds of its variables.
func Composition(d *result.Document, paint Painter) string {
	return Head(d, paint) + Variables(d.Interaction) + "\n"
}

// Outcome shows what each module keeps and drops, and the results of all levels.
func Outcome(d *result.Interaction, paint Painter, verbose bool) string {
	text := Grains(d, paint) + Obligations(d) + InteractionSummary(d, paint) + "\n"
	if d.Comparison != nil {
		text += "\n" + Preservation{Paint: paint, Verbose: verbose}.Text(d.Comparison)
	}
	return text
}

// paragraph is a part of a summary. A verdict is one line, whatever its length.
type paragraph struct {
	text    string
	verdict bool
}

// InteractionSummary returns the verdict in a line, and below it what the lock file says and what
// the manifest accepts.
func InteractionSummary(d *result.Interaction, paint Painter) string {
	var lines []string
	for k, p := range summary(d, paint) {
		switch {
		case k == 0:
			lines = append(lines, p.text)
		case p.verdict:
			lines = append(lines, "  "+p.text)
		default:
			lines = append(lines, strings.TrimRight(indentAll(Wrap(p.text, 96), "  "), "\n"))
		}
	}
	return strings.Join(lines, "\n")
}

// SummaryLines returns the same with a line for each paragraph, for pages.
func SummaryLines(d *result.Interaction) (out []string) {
	for _, p := range summary(d, false) {
		out = append(out, p.text)
	}
	return out
}

func summary(d *result.Interaction, paint Painter) (out []paragraph) {
	switch d.Verdict {
	case verdicts.None, verdicts.Skipped:
		row := verdicts.Find("interaction", d.Verdict, "")
		return []paragraph{{row.Line(paint.tone), true}}
	}
	row := verdicts.Find("interaction", d.Verdict, "")
	verdict := paint.tone(row.Tone, row.Head)
	against := ""
	if d.Comparison != nil && d.Level != "L0" && len(d.Comparison.Against) > 0 {
		against = " against " + strings.Join(d.Comparison.Against, " and ")
	}
	text := fmt.Sprintf("interaction: %s at level %s%s (%s)", verdict, d.Level, against, levelMeans[d.Level])
	if d.Level == "L0" && d.Comparison != nil && len(d.Comparison.Findings) > 0 {
		// What was compared shows it, though not both inclusions of a level are decided.
		text = fmt.Sprintf("interaction: %s, found by comparing behaviours; no level above L0 is decided whole", verdict)
	}
	notes, accepted := 0, 0
	for _, f := range d.Findings {
		if f.Accepted {
			accepted++
		} else if f.Severity == "note" && d.Level == "L0" {
			notes++
		}
	}
	if accepted > 0 {
		text += ", " + words.Plural(int64(accepted), "accepted gap")
	}
	if notes > 0 {
		text += ", " + words.Plural(int64(notes), "obligation") + " left to other levels"
	}
	out = append(out, paragraph{text, true})
	if d.Locked != nil {
		out = append(out, lockedText(d.Locked, paint)...)
	} else if s := d.Stored; s != nil {
		out = append(out, storedText(s, paint)...)
	}
	out = append(out, covered(d)...)
	if d.Comparison == nil {
		for _, a := range d.Accepts {
			out = append(out, paragraph{"the manifest accepts, and these sources and bounds were not compared yet: " + a, false})
		}
	}
	return out
}

// covered says how the selected properties are covered. Each that is not preserved has a line. The
// others share one with those that are covered in the same way.
func covered(d *result.Interaction) (out []paragraph) {
	same := map[string][]string{}
	for _, c := range d.Coverage {
		if c.How == result.NotPreserved {
			out = append(out, paragraph{c.Property + ": " + c.Text, false})
			continue
		}
		same[c.How] = append(same[c.How], c.Property)
	}
	for _, how := range []struct{ word, text string }{
		{result.OnSteps, "judged on steps that both compositions have, or that stand for these"},
		{result.OnValues, "judged on values that both compositions reach"},
		{result.OnEndings, "compared in both compositions"},
		{result.NotCompared, "left to levels L1 and L2"},
	} {
		if names := same[how.word]; len(names) > 0 {
			out = append(out, paragraph{how.text + ": " + words.ListFew(names), false})
		}
	}
	return out
}

// Variables returns a table of the variables by modules.
func Variables(d *result.Interaction) string {
	t := Table{Indent: "  "}
	t.Row(append([]string{"variable"}, append(slices.Clone(d.Modules), "")...)...)
	unused := 0
	for _, v := range d.Variables {
		if len(v.Modules) == 0 && !v.Kept {
			unused++
			continue
		}
		row := []string{v.Name}
		for _, m := range d.Modules {
			text := "."
			if k := slices.IndexFunc(v.Modules, func(c result.Cell) bool { return c.Module == m }); k >= 0 {
				text = CellText(v.Modules[k])
			}
			row = append(row, text)
		}
		kept := "droppable"
		if v.Kept {
			kept = "kept"
		}
		t.Row(append(row, kept)...)
	}
	text := t.Text() + "\n" + indentAll(Marks, "  ")
	if unused > 0 {
		text += fmt.Sprintf("  %s that no module here uses left out\n", words.Plural(int64(unused), "variable"))
	}
	return text
}

// Marks explains the marks of the table.
const Marks = "D: a guard of the module depends on it. w, r: the module only writes it, or only reads it.\n" +
	"I: modules interact through it. Two depend on it, one writes what another depends on, or\n" +
	"another's dependency variable is computed from it. internal: no other module uses it.\n"

// CellText returns the marks of a variable for a module.
func CellText(c result.Cell) string {
	mark := ""
	switch {
	case c.Dependency:
		mark = "D"
	case c.Reads && c.Writes:
		mark = "rw"
	case c.Reads:
		mark = "r"
	case c.Writes:
		mark = "w"
	}
	if c.Interaction {
		mark += " I"
	}
	if c.Internal {
		mark += " internal"
	}
	return mark
}

// Grains returns the verdicts of the coarse grains, with what each keeps and drops and why.
func Grains(d *result.Interaction, paint Painter) string {
	var b strings.Builder
	for _, g := range d.Grains {
		style := map[string]string{verdicts.Preserved: green, verdicts.Gap: Yellow}[g.Verdict]
		fmt.Fprintf(&b, "%s, covering %s, for target %s: %s at level %s\n", paint.In(bold, g.Grain), strings.Join(g.Covers, " and "),
			words.ListOr(g.Targets, "none"), paint.In(cmp.Or(style, red), g.Verdict), g.Level)
		b.WriteString(keptText(d, g.Keeps) + droppedText(d, g.Drops))
	}
	if len(d.Grains) > 0 && len(d.Whole) > 0 {
		b.WriteString(Wrap(fmt.Sprintf("Not coarse, so nothing is dropped: %s.", strings.Join(d.Whole, ", ")), 98) + "\n")
	}
	for _, g := range d.Uncompared {
		b.WriteString(Wrap(g.Text(), 98) + "\n")
	}
	return b.String()
}

// keptText lists the variables that a grain must keep. Each has the first link of the chain that is
// the reason.
func keptText(d *result.Interaction, names []string) string {
	if len(names) == 0 {
		return "  must keep nothing\n"
	}
	t := Table{Indent: "    "}
	for _, name := range names {
		text := ""
		if l := d.Why(name); l != nil {
			text = l.Text
			if l.File != "" {
				text += fmt.Sprintf("  (%s:%d)", words.ShortPath(l.File), l.Line)
			}
		}
		t.Row(name, text)
	}
	return "  must keep\n" + t.Text()
}

// droppedText lists the variables that a grain drops. Those with one reason stand together.
func droppedText(d *result.Interaction, names []string) string {
	if len(names) == 0 {
		return "  drops nothing\n"
	}
	text := "  drops\n"
	for _, group := range d.Together(names) {
		text += indentAll(Wrap(strings.Join(group.Variables, ", "), 94), "    ")
		if group.Why != "" {
			text += indentAll(Wrap(group.Why, 90), "      ")
		}
	}
	return text
}

// Obligations name what another level must decide, since footprints cannot: a sentence each.
func Obligations(d *result.Interaction) string {
	var b strings.Builder
	for _, line := range ObligationLines(d) {
		b.WriteString(indentAll(Wrap(line, 96), "  "))
	}
	return b.String()
}

// ObligationLines returns them with a line for each.
func ObligationLines(d *result.Interaction) (out []string) {
	for _, f := range d.Findings {
		if f.Severity != "note" || f.Accepted {
			continue
		}
		state := "left to level L2"
		if d.Level >= "L2" {
			state = "compared at level L2"
		}
		out = append(out, fmt.Sprintf("obligation, %s: %s", state, f.Message))
	}
	return out
}

// Why returns the chain that keeps a variable, or the reason why it may be dropped.
func Why(w *result.Why) string {
	var b strings.Builder
	if !w.Kept {
		why := "no module here uses it"
		if len(w.Chain) > 0 {
			why = w.Chain[0].Text
		}
		fmt.Fprintf(&b, "%s may be dropped: %s.\n", w.Variable, why)
		return b.String()
	}
	fmt.Fprintf(&b, "%s is kept:\n", w.Variable)
	for _, l := range w.Chain {
		b.WriteString("  " + l.Text)
		if l.File != "" {
			fmt.Fprintf(&b, "  (%s:%d)", words.ShortPath(l.File), l.Line)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Dot returns the modules and the variables between them, in the language of Graphviz. Variables of
// one module only are left out. A solid line is a dependency, a dashed one a use without.
func Dot(d *result.Interaction, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "graph %q {\n  label=\"box: module (coarse grains as what they coarsen)   ellipse: variable, bold if modules interact through it\\lsolid line: a guard of the module depends on it   dashed: used without\\l\";\n  labeljust=l;\n  fontname=\"Helvetica\";\n  rankdir=LR;\n  node [fontname=\"Helvetica\"];\n", name)
	for _, m := range d.Modules {
		fmt.Fprintf(&b, "  %q [shape=box];\n", "module "+m)
	}
	for _, v := range d.Variables {
		if len(v.Modules) < 2 {
			continue
		}
		style := ""
		if slices.ContainsFunc(v.Modules, func(c result.Cell) bool { return c.Interaction }) {
			style = ", style=bold"
		}
		fmt.Fprintf(&b, "  %q [shape=ellipse%s];\n", v.Name, style)
		for _, c := range v.Modules {
			style := "dashed"
			if c.Dependency {
				style = "solid"
			}
			fmt.Fprintf(&b, "  %q -- %q [style=%s];\n", "module "+c.Module, v.Name, style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}
