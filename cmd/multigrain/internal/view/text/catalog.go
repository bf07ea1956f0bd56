package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/grains"
)

// Catalog returns a catalog for people.
func Catalog(cat *grains.Catalog, paint Painter) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", paint.In(bold, cat.System), cat.Package)
	if cat.Doc != "" {
		b.WriteString(indentAll(Wrap(cat.Doc, 98), "  "))
	}
	b.WriteString("\n  modules and their grains\n")
	for _, m := range cat.Modules {
		fmt.Fprintf(&b, "    %s%s\n", paint.In(bold, m.Name), noteOf(m))
		t := Table{Indent: "      "}
		for k := range cat.Grains {
			if g := &cat.Grains[k]; g.Covers[0] == m.Name {
				t.Row(g.Name, grainNote(g), words.Plural(int64(len(g.Actions)), "action"), g.Doc)
			} else if slices.Contains(g.Covers, m.Name) {
				t.Row("(" + g.Name + " of " + g.Covers[0] + " covers it)")
			}
		}
		b.WriteString(t.Text())
	}
	b.WriteString(propertiesText("invariants", cat.Invariants, cat.Grains, func(g *grains.GrainDecl) []grains.PropertyDecl { return g.Invariants }))
	b.WriteString(propertiesText("state constraints", cat.Constraints, cat.Grains, func(g *grains.GrainDecl) []grains.PropertyDecl { return g.Constraints }))
	b.WriteString(propertiesText("goals", cat.Goals, cat.Grains, func(g *grains.GrainDecl) []grains.PropertyDecl { return g.Goals }))
	b.WriteString(livenessText(cat))
	b.WriteString(boundsText(cat))
	return b.String()
}

// livenessText lists the liveness properties.
func livenessText(cat *grains.Catalog) string {
	if len(cat.Liveness) == 0 {
		return ""
	}
	t := Table{Indent: "    "}
	for _, p := range cat.Liveness {
		form := "eventually"
		if p.From != nil {
			form = "leads to"
		}
		t.Row(p.ID, form, p.Doc)
	}
	return "\n  liveness properties\n" + t.Text()
}

func noteOf(m grains.Module) string {
	note := ""
	if m.Environment {
		note += "  environment"
	}
	if m.Optional {
		note += "  optional"
	}
	if m.Doc != "" {
		note += "  " + m.Doc
	}
	return note
}

// grainNote says what a grain covers and is derived from.
func grainNote(g *grains.GrainDecl) string {
	var parts []string
	if len(g.Covers) > 1 {
		parts = append(parts, "covers "+strings.Join(g.Covers, ", "))
	}
	var from []string
	for _, r := range g.From {
		from = append(from, r.Module+"/"+r.Grain)
	}
	if len(from) > 0 {
		word := "refines "
		if g.Coarsens {
			word = "coarsens "
		}
		parts = append(parts, word+strings.Join(from, ", "))
	}
	for _, r := range g.Requires {
		parts = append(parts, "needs "+r.Module+"/"+r.Grain)
	}
	for _, n := range g.Sets {
		parts = append(parts, "sets "+n.Name+" = "+n.Value)
	}
	for _, n := range g.Needs {
		parts = append(parts, "needs "+n.Option+" = "+n.Value)
	}
	for _, n := range g.NeedsBounds {
		parts = append(parts, fmt.Sprintf("needs %s of at least %d", n.Bound, n.Least))
	}
	for _, n := range g.Offers {
		parts = append(parts, "offers "+n.Option+" = "+n.Value)
	}
	return strings.Join(parts, "; ")
}

// propertiesText lists properties of the system and of its grains.
func propertiesText(title string, own []grains.PropertyDecl, gs []grains.GrainDecl, of func(*grains.GrainDecl) []grains.PropertyDecl) string {
	t := Table{Indent: "    "}
	add := func(p grains.PropertyDecl, from string) {
		name := p.ID
		if p.Instance != "" {
			name += "." + p.Instance
		}
		t.Row(name, p.Kind, from, p.Doc)
	}
	for _, p := range own {
		add(p, "")
	}
	for k := range gs {
		for _, p := range of(&gs[k]) {
			add(p, gs[k].Covers[0]+"/"+gs[k].Name)
		}
	}
	if len(t.rows) == 0 {
		return ""
	}
	return "\n  " + title + "\n" + t.Text()
}

func boundsText(cat *grains.Catalog) string {
	text := ""
	if len(cat.Bounds) > 0 {
		t := Table{Indent: "    "}
		for _, b := range cat.Bounds {
			value := fmt.Sprint("default ", b.Default)
			if b.Default == grains.Unlimited {
				value = "no limit by default"
			}
			t.Row(b.Name, fmt.Sprintf("%d to %d", b.Min, b.Max), value, b.Doc)
		}
		text += "\n  bounds\n" + t.Text()
	}
	if len(cat.Options) > 0 {
		t := Table{Indent: "    "}
		for _, o := range cat.Options {
			values := strings.Join(o.Values, ", ")
			if len(o.Values) == 0 {
				values = "true, false"
			}
			t.Row(o.Name, values, "default "+o.Default, o.Doc)
		}
		text += "\n  options\n" + t.Text()
	}
	return text
}
