package refine

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/modules"
)

// text returns the composition, and the result with the verdict first.
func (x *comparer) text(doc *result.Document, paint text.Painter) string {
	var b strings.Builder
	d := doc.Refinement
	fmt.Fprintf(&b, "%s  system %s, from %s\n\n", doc.Spec, doc.System, doc.Manifest)
	t := text.Table{Indent: "  "}
	for _, m := range doc.Modules {
		t.Row(m.Module, m.Grain)
	}
	b.WriteString(t.Text())
	b.WriteString("\n" + Line(d, x.abstract.Manifest.Name(), paint) + "\n")
	if verdicts.Word(d.Verdict) == verdicts.Holds {
		b.WriteString(text.BoundsText(doc.Bounds))
	}
	fmt.Fprintf(&b, "  abstract: system %s, from %s\n", d.System, d.Abstract)
	if len(d.Shared) > 0 {
		var parts []string
		for _, s := range d.Shared {
			parts = append(parts, fmt.Sprintf("%s=%d", s.Name, s.Value))
		}
		fmt.Fprintf(&b, "  bounds of the abstract composition that are the concrete one's: %s\n", strings.Join(parts, " "))
	}
	c, a := d.Sides[0], d.Sides[1]
	fmt.Fprintf(&b, "  %s at depths up to %d, mapped to %s; %s with their observations, at most %s at once\n", words.Plural(c.States, "concrete state"), c.Depth,
		words.Plural(int64(d.Values), "value"), words.Plural(a.States, "abstract state"), words.Count(int64(d.Largest)))
	fmt.Fprintf(&b, "  %s that can be observed, %s, %s, %s\n", words.Plural(d.Visible, "step"), words.Plural(d.Silent, "silent step"), words.Plural(int64(d.Pairs), "pair"), words.Elapsed(d.Seconds))
	for _, t := range d.Taken {
		fmt.Fprintf(&b, "  observed as %s: %s\n", t.Action, words.Plural(t.Count, "step"))
	}
	if d.Raised > 0 {
		fmt.Fprintf(&b, "  not compared: %s that raise an assertion\n", words.Plural(d.Raised, "step"))
	}
	if d.Walks > 0 {
		fmt.Fprintf(&b, "  %s past the limit, with %s\n", words.Plural(d.Walks, "random walk"), words.Plural(d.Steps, "step"))
		if d.Ended != "" {
			fmt.Fprintf(&b, "  the walks ended early: %s\n", d.Ended)
		}
		if d.Waypoints > 0 {
			fmt.Fprintf(&b, "  at most %d of %s met by a walk; %s met all of them, and only such walks are compared\n",
				d.Met, words.Plural(int64(d.Waypoints), "waypoint"), words.Plural(d.Followed, "walk"))
		}
	}
	b.WriteString("  liveness is not compared\n")
	if d.Difference != nil {
		x.difference(&b, d, paint)
	}
	return b.String()
}

// Line returns the verdict about an abstract composition with a name.
func Line(d *result.Refinement, abstract string, paint text.Painter) string {
	row := verdicts.Find("refine", d.Verdict, "")
	return row.Line(paint.Tone, "abstract", abstract, "reason", d.Reason)
}

// difference shows both behaviours.
func (x *comparer) difference(b *strings.Builder, d *result.Refinement, paint text.Painter) {
	w := d.Difference
	fmt.Fprintf(b, "\nThe concrete behaviour, with what its states are mapped to and the number of abstract states%s:\n\n", map[bool]string{true: " (a random walk found it)"}[w.Walked])
	fmt.Fprintf(b, "    0  initial state  %s  %s\n", mappedText(nil, &w.Mapped[0]), setText(w.Sets[0]))
	for k := range w.Concrete.Steps {
		s := &w.Concrete.Steps[k]
		fmt.Fprintf(b, "  %3d  %s%s", k+1, s.Action, narrate.ParamsText(s.Params))
		if !w.Silent[k] {
			fmt.Fprintf(b, "  %s  %s", mappedText(&w.Mapped[k], &w.Mapped[k+1]), setText(w.Sets[k+1]))
		}
		b.WriteString("\n")
	}
	last := len(w.Concrete.Steps)
	if last == 0 {
		b.WriteString("\nNo initial state of the abstract composition has these values.\n")
	} else {
		fmt.Fprintf(b, "\nThe abstract composition cannot do step %d. ", last)
		if len(w.Could) == 0 {
			b.WriteString("It can do nothing there that is observed.\n")
		} else {
			fmt.Fprintf(b, "It can do there: %s.\n", shortened(w.Could))
		}
	}
	if w.Abstract != nil {
		b.WriteString("\nAn abstract behaviour up to there:\n\n")
		b.WriteString(text.Behaviour{Paint: paint, Full: x.verbose}.Text(narrate.BehaviourOf(w.Abstract, narrate.KnownOf(x.abstract.Composition.Catalog), true)))
	}
	if x.verbose {
		b.WriteString("\nThe concrete behaviour, state by state:\n\n")
		b.WriteString(text.Behaviour{Paint: paint, Full: true}.Text(narrate.BehaviourOf(w.Concrete, narrate.KnownOf(x.concrete.Composition.Catalog), true)))
	}
	for _, t := range []string{d.ConcreteTrace, d.AbstractTrace} {
		if t != "" {
			fmt.Fprintf(b, "  trace: %s\n", words.ShortPath(t))
		}
	}
}

func setText(n int) string {
	if n == 0 {
		return "[no abstract state]"
	}
	return fmt.Sprintf("[%s]", words.Plural(int64(n), "abstract state"))
}

// mostShown bounds how many steps are listed.
const mostShown = 8

func shortened(all []string) string {
	if len(all) <= mostShown {
		return strings.Join(all, ", ")
	}
	return strings.Join(all[:mostShown], ", ") + fmt.Sprintf(" and %d more", len(all)-mostShown)
}

// mappedText returns the mapped values of a state, or those that a step changes.
func mappedText(before, after *modules.View) string {
	var parts []string
	for k, name := range after.Names {
		now := itf.Text(after.Elems[k])
		if before == nil || itf.Text(before.Elems[k]) != now {
			parts = append(parts, name+" = "+now)
		}
	}
	if len(parts) == 0 {
		return "unchanged"
	}
	return strings.Join(parts, ", ")
}
