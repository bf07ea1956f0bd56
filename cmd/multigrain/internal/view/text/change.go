package text

import (
	"fmt"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
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
		fmt.Fprintf(&b, "  modelled by %s, as %s says at %s:%d\n", to, t.Place.Name, words.ShortPath(t.Place.At.File), t.Place.At.Line)
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
	at := d.File
	if d.Line > 0 {
		at += fmt.Sprintf(":%d", d.Line)
		if d.Last > d.Line {
			at += fmt.Sprintf("-%d", d.Last)
		}
	}
	return fmt.Sprintf("%s  %s %s is %s", at, d.Kind, d.Name, d.How)
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
