package text

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// Observed is what changed code did under the composed specification.
type Observed struct {
	Paint   Painter
	Verbose bool
}

// Text returns it for people. The verdict is the first line.
func (t Observed) Text(o *result.Observed) string {
	var b strings.Builder
	b.WriteString("\n" + t.verdict(o) + "\n")
	fmt.Fprintf(&b, "  %s, %s done and compared, %s; seed %d, change %s\n", words.Plural(o.Walks, "walk"), words.Plural(o.Steps, "step"), words.Elapsed(o.Seconds), o.Seed, o.Hash)
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

func (t Observed) verdict(o *result.Observed) string {
	which, names, difference := "", []string{}, ""
	for k := range o.Broken {
		if k == 0 {
			which = o.Broken[k].Kind
		}
		names = append(names, o.Broken[k].Invariant)
	}
	if len(o.Found) > 0 {
		difference = o.Found[0].Line()
	}
	return verdicts.Find("change", o.Verdict, which).Line(t.Paint.tone, "walks", words.Plural(o.Walks, "walk"), "places", placesText(o),
		"names", strings.Join(names, ", "), "difference", difference, "reason", o.Reason)
}

// placesText counts the changed lines and conditions that walks covered.
func placesText(o *result.Observed) string {
	lines, ran, conditions, both := 0, 0, 0, 0
	for k := range o.Places {
		switch p := &o.Places[k]; {
		case p.Kind == "line":
			lines++
			if p.Covered() {
				ran++
			}
		default:
			conditions++
			if p.Covered() {
				both++
			}
		}
	}
	text := fmt.Sprintf("%d of %s ran", ran, words.Plural(int64(lines), "changed line"))
	if conditions > 0 {
		text += fmt.Sprintf(", %d of %s true and false", both, words.Plural(int64(conditions), "operand"))
	}
	return text
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
	if len(o.Unfired) > 0 {
		b.WriteString(indentAll(Wrap("actions of touched modules that no walk took: "+strings.Join(o.Unfired, ", "), 96), "  "))
	}
	return b.String()
}

// broken shows an invariant that the changed code breaks, with the walk that leads there if asked
// for.
func (t Observed) broken(x *result.BrokenInCode, whole bool) string {
	var b strings.Builder
	if x.Kind == verdicts.Panic {
		fmt.Fprintf(&b, "%s %s\n", t.Paint.In(red, "the changed code panics:"), x.Doc)
		for _, f := range x.Frames {
			b.WriteString("  in " + f + "\n")
		}
	} else {
		fmt.Fprintf(&b, "%s\n%s", t.Paint.In(red, "The changed code violates "+x.Invariant), indentAll(Wrap(x.Doc, 96), "  "))
	}
	fmt.Fprintf(&b, "  it departs from the specification in step %d of %d; the states are those of the implementation\n", x.Departed, x.Depth)
	if whole || t.Verbose {
		b.WriteString("\n" + Behaviour{Paint: t.Paint, indent: "  "}.Text(x.Counterexample) + "\n")
	}
	if x.Trace != "" {
		fmt.Fprintf(&b, "  trace: %s\n  log:   %s\n", x.Trace, x.Log)
	}
	return b.String()
}

// difference shows where the changed code departs, with the walk that leads there if asked for.
func (t Observed) difference(x *result.Difference, whole bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", t.Paint.In(red, "difference:"), x.Line())
	values := Table{Indent: "  "}
	for _, v := range x.Values {
		values.Row(v.Path, "specification "+cmp.Or(v.SpecificationText, "has none"), "changed code "+cmp.Or(v.ImplementationText, "has none"))
	}
	b.WriteString(values.Text())
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
