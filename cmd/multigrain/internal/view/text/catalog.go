package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/grains"
)

// Catalog returns an overview of a catalog for people. An entry has one line of at most width
// columns; 0 is Lines. Entries has them whole.
func Catalog(cat *grains.Catalog, paint Painter, width int) string {
	width = cmp.Or(width, Lines)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", paint.In(bold, cat.System), cat.Package)
	b.WriteString(Flow(cat.Doc, 2, width))
	b.WriteString("  " + paint.In(bold, "modules and their grains") + "\n")
	for _, m := range cat.Modules {
		line := cutAt("    "+m.Name+noteOf(m)+coveredBy(cat, m.Name), width)
		b.WriteString("    " + paint.In(bold, m.Name) + strings.TrimPrefix(line, "    "+m.Name) + "\n")
		t := Table{Indent: "      "}
		for k := range cat.Grains {
			if g := &cat.Grains[k]; g.Covers[0] == m.Name && !g.IsPicked() {
				t.Row(g.Name, fromNote(g), words.Plural(int64(len(g.Actions)), "action"), g.Doc)
				switchRows(&t, cat, g)
			}
		}
		b.WriteString(t.Short(width))
	}
	b.WriteString(propertiesText(cat, paint, width))
	b.WriteString(boundsText(cat, paint, width))
	return b.String()
}

// switchRows adds a row for each option that a manifest can set at a grain to get another one.
func switchRows(t *Table, cat *grains.Catalog, g *grains.GrainDecl) {
	var options []string
	values := map[string][]string{}
	for _, x := range cat.Switched(g) {
		if o := x.Picked.Option; values[o] == nil {
			options = append(options, o)
		}
		values[x.Picked.Option] = append(values[x.Picked.Option], x.Picked.Value)
	}
	for _, o := range options {
		t.Row("  "+o, "switch", "", strings.Join(values[o], ", "))
	}
}

// propertiesText lists invariants by their kind, then constraints, goals and liveness properties.
func propertiesText(cat *grains.Catalog, paint Painter, width int) string {
	t := Table{Indent: "    "}
	for _, p := range propertyKinds(cat) {
		for _, x := range p.all {
			kind := x.decl.Kind
			if p.one != "invariant" {
				kind = strings.TrimPrefix(p.one, "state ")
			}
			t.Row(x.name, kind, x.where(cat, 36), x.decl.Doc)
		}
	}
	for _, p := range cat.Liveness {
		t.Row(p.ID, formOf(&p), "", p.Doc)
	}
	if len(t.rows) == 0 {
		return ""
	}
	return "  " + paint.In(bold, "properties") + "\n" + t.Short(width)
}

// coveredBy names the grains of other modules that cover a module.
func coveredBy(cat *grains.Catalog, module string) string {
	var by []string
	for k := range cat.Grains {
		if g := &cat.Grains[k]; g.Covers[0] != module && slices.Contains(g.Covers, module) {
			by = append(by, g.Covers[0]+"/"+g.Name)
		}
	}
	if len(by) == 0 {
		return ""
	}
	return "  (covered by " + strings.Join(by, ", ") + ")"
}

// fromNote says what a grain is derived from. Grains of its own module have no module's name.
func fromNote(g *grains.GrainDecl) string {
	var from []string
	for _, r := range g.From {
		from = append(from, strings.TrimPrefix(r.Module+"/"+r.Grain, g.Covers[0]+"/"))
	}
	switch {
	case len(from) == 0:
		return ""
	case g.Coarsens:
		return "coarsens " + strings.Join(from, ", ")
	}
	return "refines " + strings.Join(from, ", ")
}

// property is a property with the grains that have it; none where the system has it.
type property struct {
	name string
	decl grains.PropertyDecl
	in   []*grains.GrainDecl
}

// propertyKind are the properties of a kind.
type propertyKind struct {
	one string
	all []*property
}

// propertyKinds returns the properties of a system and of its grains, each once.
func propertyKinds(cat *grains.Catalog) []propertyKind {
	kind := func(one string, own []grains.PropertyDecl, of func(*grains.GrainDecl) []grains.PropertyDecl) propertyKind {
		out := propertyKind{one: one}
		add := func(p grains.PropertyDecl, g *grains.GrainDecl) {
			name := p.ID
			if p.Instance != "" {
				name += "." + p.Instance
			}
			k := slices.IndexFunc(out.all, func(x *property) bool { return x.name == name && x.decl.Kind == p.Kind && x.decl.Doc == p.Doc })
			if k < 0 {
				k = len(out.all)
				out.all = append(out.all, &property{name: name, decl: p})
			}
			if g != nil {
				out.all[k].in = append(out.all[k].in, g)
			}
		}
		for _, p := range own {
			add(p, nil)
		}
		for k := range cat.Grains {
			for _, p := range of(&cat.Grains[k]) {
				add(p, &cat.Grains[k])
			}
		}
		return out
	}
	return []propertyKind{
		kind("invariant", cat.Invariants, func(g *grains.GrainDecl) []grains.PropertyDecl { return g.Invariants }),
		kind("state constraint", cat.Constraints, func(g *grains.GrainDecl) []grains.PropertyDecl { return g.Constraints }),
		kind("goal", cat.Goals, func(g *grains.GrainDecl) []grains.PropertyDecl { return g.Goals }),
	}
}

// where names the grains that have a property. A module all of whose grains have it is MODULE/*. A
// text of more than most columns counts the grains of a module; 0 is no limit.
func (x *property) where(cat *grains.Catalog, most int) string {
	var parts, counted []string
	for _, m := range cat.Modules {
		var names []string
		all := 0
		for k := range cat.Grains {
			if g := &cat.Grains[k]; g.Covers[0] == m.Name {
				all++
				if slices.Contains(x.in, g) {
					names = append(names, g.Name)
				}
			}
		}
		switch {
		case len(names) == 0:
			continue
		case len(names) == all && all > 1:
			parts, counted = append(parts, m.Name+"/*"), append(counted, m.Name+"/*")
		case len(names) == 1:
			parts, counted = append(parts, m.Name+"/"+names[0]), append(counted, m.Name+"/"+names[0])
		default:
			parts = append(parts, m.Name+"/{"+strings.Join(names, ",")+"}")
			counted = append(counted, fmt.Sprintf("%s, %d of %s", m.Name, len(names), words.Plural(int64(all), "grain")))
		}
	}
	if text := strings.Join(parts, " "); most == 0 || len(text) <= most {
		return text
	}
	return strings.Join(counted, " ")
}

// Entries returns what a catalog has under some names, whole, in lines of at most width columns; 0
// is Lines. A grain has its name or MODULE/NAME. Missing are the names that the catalog lacks.
func Entries(cat *grains.Catalog, names []string, paint Painter, width int) (text string, missing []string) {
	var b strings.Builder
	for _, name := range names {
		all := entries(cat, name)
		if len(all) == 0 {
			missing = append(missing, name)
		}
		for _, e := range all {
			fmt.Fprintf(&b, "%s\n%s", strings.TrimSpace(paint.In(bold, e.head)+"  "+e.note), Flow(strings.Join(e.lines, "\n\n"), 2, width))
		}
	}
	return strings.ReplaceAll(b.String(), "\n\n", "\n"), missing
}

// entry is something that a catalog has under a name. Its lines are paragraphs.
type entry struct {
	head, note string
	lines      []string
}

func entries(cat *grains.Catalog, name string) (out []entry) {
	add := func(kind, note string, lines ...string) {
		lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
		out = append(out, entry{kind, note, lines})
	}
	for _, m := range cat.Modules {
		if m.Name == name {
			add("module "+name, strings.TrimSpace(strings.TrimSuffix(noteOf(m), m.Doc)), m.Doc, strings.TrimSpace(coveredBy(cat, name)))
		}
	}
	for k := range cat.Grains {
		g := &cat.Grains[k]
		own := func(s string) bool { return s == name || g.Covers[0]+"/"+s == name }
		if own(g.Name) || g.IsPicked() && (own(g.Picked.Grain) || name == g.Picked.Option) {
			add("grain "+g.Covers[0]+"/"+g.Name, "", g.Doc, grainNote(g), "actions: "+strings.Join(g.Actions, ", "))
		}
	}
	for _, p := range propertyKinds(cat) {
		for _, x := range p.all {
			if x.name == name || x.decl.ID == name {
				add(p.one+" "+x.name, x.decl.Kind, x.decl.Doc, x.where(cat, 0))
			}
		}
	}
	for _, p := range cat.Liveness {
		if p.ID == name {
			add("liveness property "+name, formOf(&p), p.Doc)
		}
	}
	for _, x := range cat.Bounds {
		if x.Name == name {
			add("bound "+name, fmt.Sprintf("%d to %d, %s", x.Min, x.Max, defaultOf(&x)), x.Doc)
		}
	}
	for _, x := range cat.Options {
		if x.Name == name {
			add("option "+name, "default "+x.Default, x.Doc, "values: "+valuesOf(&x))
		}
	}
	return out
}

// Names returns the names that entries of a catalog have.
func Names(cat *grains.Catalog) (out []string) {
	for _, m := range cat.Modules {
		out = append(out, m.Name)
	}
	for k := range cat.Grains {
		out = append(out, cat.Grains[k].Name, cat.Grains[k].Covers[0]+"/"+cat.Grains[k].Name)
	}
	for _, p := range propertyKinds(cat) {
		for _, x := range p.all {
			out = append(out, x.name)
		}
	}
	for _, x := range cat.Liveness {
		out = append(out, x.ID)
	}
	for _, x := range cat.Bounds {
		out = append(out, x.Name)
	}
	for _, x := range cat.Options {
		out = append(out, x.Name)
	}
	return out
}

func formOf(p *grains.LivenessDecl) string {
	if p.From != nil {
		return "leads to"
	}
	return "eventually"
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
	for _, n := range g.Excludes {
		parts = append(parts, "not with "+n.Option+" = "+strings.Join(n.Values, ", "))
	}
	for _, n := range g.NeedsBounds {
		parts = append(parts, fmt.Sprintf("needs %s of at least %d", n.Bound, n.Least))
	}
	for _, n := range g.Offers {
		parts = append(parts, "offers "+n.Option+" = "+n.Value)
	}
	for _, s := range g.Sizes {
		var bounds []string
		for _, b := range s.Bounds {
			bounds = append(bounds, b.Name+" = "+b.Value)
		}
		parts = append(parts, "does more with "+strings.Join(bounds, ", "))
	}
	return strings.Join(parts, "; ")
}

func defaultOf(b *grains.Bound) string {
	if b.Default == grains.Unlimited {
		return "no limit by default"
	}
	return fmt.Sprint("default ", b.Default)
}

func valuesOf(o *grains.Option) string {
	if len(o.Values) == 0 {
		return "true, false"
	}
	return strings.Join(o.Values, ", ")
}

// boundsText lists bounds, and then options. Those that people do not choose are named alone.
func boundsText(cat *grains.Catalog, paint Painter, width int) string {
	t := Table{Indent: "    "}
	var inner []string
	for _, b := range cat.Bounds {
		if b.Inner {
			inner = append(inner, b.Name)
			continue
		}
		t.Row(b.Name, fmt.Sprintf("%d to %d", b.Min, b.Max), defaultOf(&b), b.Doc)
	}
	for _, o := range cat.Options {
		if o.Inner {
			inner = append(inner, o.Name)
			continue
		}
		values := valuesOf(&o)
		if len(values) > 40 {
			values = words.Plural(int64(len(o.Values)), "value")
		}
		t.Row(o.Name, values, "default "+o.Default, o.Doc)
	}
	if len(t.rows) == 0 && len(inner) == 0 {
		return ""
	}
	title, note := "bounds and options", ""
	if len(inner) > 0 {
		note = strings.TrimPrefix(cutAt("  "+title+"  (set by grains: "+strings.Join(inner, ", ")+")", width), "  "+title)
	}
	return "  " + paint.In(bold, title) + note + "\n" + t.Short(width)
}
