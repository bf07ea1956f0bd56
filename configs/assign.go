package configs

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/configs/internal/foreign"
)

// environPrefix starts the names of environment variables that give variables
// their values.
const environPrefix = "MULTIGRAIN_VAR_"

// Assignment is one -var, -var-file or -set option. One of its fields is set.
type Assignment struct {
	// Var is the argument of -var: name=value.
	Var string
	// File is the argument of -var-file: a file of attributes without blocks,
	// in HCL, or in JSON if its name ends in .json.
	File string
	// Set is the argument of -set: name=value. The name is a bound or an option of the system, or
	// an attribute of the check block.
	Set string
}

// Override is a value that -set gives to a bound, an option or an attribute of the check block for
// one run.
type Override struct {
	Name, Text string
	// At is the text of the value.
	At hcl.Range
}

// override takes a -set option. Which names there are, only the catalog of the system knows.
func (l *loader) override(option string) {
	option = strings.ToValidUTF8(option, "\uFFFD")
	name, text, ok := strings.Cut(option, "=")
	name, text = strings.TrimSpace(name), strings.TrimSpace(text)
	if !ok || name == "" || text == "" {
		l.report(Errorf(CodeAssignment, "Malformed -set option", l.virtual("-set", option, 0),
			"-set takes a name and a value with an equals sign between them, as in -set crashes=1, and not %q.", option))
		return
	}
	at := l.virtual("-set "+name, option, len(option)-len(text))
	l.m.Overrides = append(slices.DeleteFunc(l.m.Overrides, func(o Override) bool { return o.Name == name }), Override{name, text, at})
}

// Overridden reports whether a -set option gives a name its value.
func (m *Manifest) Overridden(name string) bool {
	return slices.ContainsFunc(m.Overrides, func(o Override) bool { return o.Name == name })
}

// Attr returns the attribute that an override stands for, with a value.
func (o Override) Attr(value cty.Value) Attr[cty.Value] {
	return Attr[cty.Value]{Value: value, Range: o.At, NameRange: o.At, ValueRange: o.At}
}

// Texts returns the value as a list of texts: those between commas, in brackets and quotes or not.
func (o Override) Texts() Attr[[]Text] {
	a := with(o.Attr(cty.DynamicVal), []Text{})
	for _, t := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(o.Text, "["), "]"), ",") {
		if t = strings.Trim(strings.TrimSpace(t), `"`); t != "" {
			a.Value = append(a.Value, Text{Value: t, Range: o.At})
		}
	}
	return a
}

// Replaced returns settings in which one has a new value. It adds the setting unless only is true.
func (s Settings) Replaced(x Setting, only bool) Settings {
	out := slices.Clone(s)
	k := slices.IndexFunc(out, func(y Setting) bool { return y.Name == x.Name })
	switch {
	case k >= 0:
		out[k] = x
	case !only:
		out = append(out, x)
	}
	return out
}

// given is a value that a variable has from outside the manifest.
type given struct {
	at hcl.Range
	// Either expr is set, or text, which is parsed as the variable's type requires.
	expr hcl.Expression
	text string
}

// assign finds the value from outside for each variable and reports the names
// that no manifest declares.
func (l *loader) assign(all []*Variable, opt Options) {
	byName := make(map[string]*Variable)
	for _, v := range all {
		byName[v.Name] = v
	}
	for _, pair := range opt.Environ {
		pair = strings.ToValidUTF8(pair, "\uFFFD")
		if full, text, ok := strings.Cut(pair, "="); ok {
			name, ours := strings.CutPrefix(full, environPrefix)
			if v := byName[name]; ours && v != nil {
				v.given = &given{text: text, at: l.virtual(full, text, 0)}
			}
		}
	}
	for _, a := range opt.Assignments {
		if a.File != "" {
			l.assignFile(byName, a.File)
			continue
		}
		if a.Set != "" {
			l.override(a.Set)
			continue
		}
		option := strings.ToValidUTF8(a.Var, "\uFFFD")
		name, text, ok := strings.Cut(option, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			l.report(Errorf(CodeAssignment, "Malformed -var option", l.virtual("-var", option, 0),
				"-var takes a name and a value with an equals sign between them, as in -var servers=3, and not %q.", option))
			continue
		}
		at := l.virtual("-var "+name, option, len(option)-len(text))
		if v := byName[name]; v != nil {
			v.given = &given{text: text, at: at}
			continue
		}
		at.End, at.Start = at.Start, hcl.InitialPos
		at.End.Byte, at.End.Column = at.End.Byte-1, at.End.Column-1
		l.report(undeclared(name, at, byName))
	}
}

// assignFile takes the values of a -var-file.
func (l *loader) assignFile(byName map[string]*Variable, path string) {
	src, ok := l.read(path, hcl.Range{})
	if !ok {
		l.damaged = true
		return
	}
	file, attrs, diags := parseValues(path, src)
	if foreign.Unmeant(path, ".json") {
		if at, not := strangeValues(attrs, diags, byName); not {
			delete(l.m.Sources, path)
			l.damaged = true
			l.report(hidden("file of values", path, at, hcl.Range{}))
			return
		}
	}
	l.report(diags...)
	l.damaged = l.damaged || slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool { return CodeOf(d) != CodeUnknownBlock })
	l.m.Sources[path] = file
	sorted := slices.Collect(maps.Values(attrs))
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Range.Start.Byte < sorted[j].Range.Start.Byte })
	for _, attr := range sorted {
		if v := byName[attr.Name]; v != nil {
			v.given = &given{expr: attr.Expr, at: attr.Expr.Range()}
		} else {
			l.report(undeclared(attr.Name, attr.NameRange, byName))
		}
	}
}

// parseValues parses a file of values. Blocks are among the mistakes.
func parseValues(path string, src []byte) (*hcl.File, hcl.Attributes, hcl.Diagnostics) {
	none := &hcl.File{Bytes: src}
	if d := unparsable(path, src); d != nil {
		return none, nil, hcl.Diagnostics{d}
	}
	var file *hcl.File
	var diags hcl.Diagnostics
	if filepath.Ext(path) == ".json" {
		file, diags = json.Parse(src, path)
	} else {
		file, diags = hclsyntax.ParseConfig(src, path, hcl.InitialPos)
	}
	if file == nil || file.Body == nil {
		return none, nil, WithCode(CodeSyntax, diags)
	}
	file.Bytes = src
	if body, native := file.Body.(*hclsyntax.Body); native {
		for _, b := range body.Blocks {
			diags = append(diags, WithContext(Errorf(CodeUnknownBlock, "Unknown block", b.TypeRange,
				"A file of values has no blocks, only attributes: name = value."), b.DefRange()))
		}
		body.Blocks = nil
	}
	attrs, more := file.Body.JustAttributes()
	return file, attrs, WithCode(CodeSyntax, append(diags, more...))
}

// strangeValues returns a place where a file is no file of values for these variables, and whether
// there is one.
func strangeValues(attrs hcl.Attributes, diags hcl.Diagnostics, byName map[string]*Variable) (hcl.Range, bool) {
	if at, not := (parsed{file: &hcl.File{}, diags: diags}).stranger(nil); not {
		return at, true
	}
	for name, attr := range attrs {
		if byName[name] == nil {
			return attr.NameRange, true
		}
	}
	return hcl.Range{}, false
}

func undeclared(name string, at hcl.Range, byName map[string]*Variable) *hcl.Diagnostic {
	hint := ""
	switch {
	case len(byName) == 0:
		hint = " It declares no variables at all."
	case len(byName) <= mostHinted:
		hint = Hint(name, slices.Sorted(maps.Keys(byName)))
	}
	return Errorf(CodeUndeclaredVariable, "Undeclared variable", at,
		"A value is given to variable %q, which the manifest does not declare.%s", name, hint)
}

// virtual adds text that is in no file, and valid UTF-8, to the sources, so that diagnostics can
// show it. It returns the range of the part that starts at byte from.
func (l *loader) virtual(name, text string, from int) hcl.Range {
	unique := name
	for n := 2; l.m.Sources[unique] != nil; n++ {
		unique = fmt.Sprintf("%s (%d)", name, n)
	}
	l.m.Sources[unique] = &hcl.File{Bytes: []byte(text)}
	return hcl.Range{
		Filename: unique,
		Start:    hcl.Pos{Line: 1, Column: 1 + from, Byte: from},
		End:      hcl.Pos{Line: 1, Column: 1 + len(text), Byte: len(text)},
	}
}

// misfit says that a text is no value of the variable, and what one looks like.
func (v *Variable) misfit(g *given, what string) *hcl.Diagnostic {
	kind, example := v.Type.FriendlyName(), ""
	switch v.Type {
	case cty.Number:
		example = fmt.Sprintf(" Write %s=3, say.", v.Name)
	case cty.Bool:
		example = fmt.Sprintf(" Write %s=true or %s=false.", v.Name, v.Name)
	default:
		kind, example = "value of type "+kind, " Put text in quotes."
	}
	return WithRelated(Errorf(CodeVariableValue, "Value does not fit variable", g.at, "Variable %q is a %s, and %s.%s", v.Name, kind, what, example),
		v.DeclRange, "var.%s is declared here", v.Name)
}

// value evaluates a value from outside for variable v and counts the work.
func (g *given) value(v *Variable, w *work) (cty.Value, hcl.Diagnostics) {
	expr := g.expr
	if expr == nil {
		if v.literal {
			return cty.StringVal(g.text), nil
		}
		if at, deep := tooDeep(g.at.Filename, []byte(g.text)); deep || len(g.text) > maxSize {
			return cty.DynamicVal, hcl.Diagnostics{Errorf(CodeVariableValue, "Value too long", at,
				"The value of variable %q is too long or nested too deep.", v.Name)}
		}
		if strings.TrimSpace(g.text) == "" {
			return cty.DynamicVal, hcl.Diagnostics{v.misfit(g, "nothing is given")}
		}
		var diags hcl.Diagnostics
		expr, diags = hclsyntax.ParseExpression([]byte(g.text), g.at.Filename, g.at.Start)
		if diags.HasErrors() {
			return cty.DynamicVal, WithCode(CodeVariableValue, diags)
		}
	}
	if word := hcl.ExprAsKeyword(expr); g.expr == nil && !slices.Contains([]string{"", "true", "false", "null"}, word) {
		return cty.DynamicVal, hcl.Diagnostics{v.misfit(g, word+" is none")}
	}
	if refs := expr.Variables(); len(refs) > 0 {
		return cty.DynamicVal, hcl.Diagnostics{WithRelated(Errorf(CodeVariableValue, "Value refers to something", refs[0].SourceRange(),
			"The value of variable %q must not refer to anything. Put text in quotes.", v.Name),
			v.DeclRange, "var.%s is declared here", v.Name)}
	}
	if d := w.evaluate(expr, nil); d != nil {
		return cty.DynamicVal, hcl.Diagnostics{d}
	}
	value, diags := expr.Value(nil)
	if diags.HasErrors() {
		return cty.DynamicVal, WithCode(CodeVariableValue, diags)
	}
	return value, nil
}
