package configs

import (
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Attr is the value of an attribute and where it is written. One that the
// manifest does not write, or writes as null, is the zero Attr.
type Attr[T any] struct {
	Value T
	// Range is the whole attribute, NameRange what is left of the equals sign
	// and ValueRange what is right of it.
	Range, NameRange, ValueRange hcl.Range
	// Origins are the places that gave the variables of the expression their
	// values, as positions related to a diagnostic about the value.
	Origins []Related
}

// IsSet reports whether the manifest writes the attribute.
func (a Attr[T]) IsSet() bool { return a.Range != (hcl.Range{}) }

// Or returns the value, or otherwise if the attribute is not set.
func (a Attr[T]) Or(otherwise T) T {
	if a.IsSet() {
		return a.Value
	}
	return otherwise
}

// Dir returns the folder of the file in which the attribute is written, to
// which a path in its value is relative.
func (a Attr[T]) Dir() string { return filepath.Dir(a.Range.Filename) }

// Errorf returns an error about the value of the attribute, with its origins
// as related positions. See the function Errorf.
func (a Attr[T]) Errorf(code Code, summary, format string, args ...any) *hcl.Diagnostic {
	d := WithContext(Errorf(code, summary, a.ValueRange, format, args...), a.Range)
	for _, o := range a.Origins {
		WithRelated(d, o.At, "%s", o.Message)
	}
	return d
}

// Text is an element of a list of texts. Its range is that of the element if
// the list is written out, and otherwise that of the expression.
type Text struct {
	Value string
	Range hcl.Range
}

// Setting is a named value in a block that takes any name.
type Setting struct {
	Name string
	Attr[cty.Value]
}

// Int returns the value of a setting that is a whole number, as those of
// bounds are. It reports false for any other one.
func (s Setting) Int() (int, bool) {
	if s.Value == cty.NilVal || s.Value.Type() != cty.Number || !s.Value.IsKnown() || s.Value.IsNull() {
		return 0, false
	}
	n, accuracy := s.Value.AsBigFloat().Int64()
	return int(n), accuracy == big.Exact
}

// Settings are settings in the order of their first appearance, those of an
// extended manifest first. No name occurs twice.
type Settings []Setting

// Get returns the setting with the given name.
func (s Settings) Get(name string) (Setting, bool) {
	i := slices.IndexFunc(s, func(x Setting) bool { return x.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return s[i], true
}

// Has reports whether there is a setting with the given name.
func (s Settings) Has(name string) bool {
	_, ok := s.Get(name)
	return ok
}

// Names returns the names of the settings.
func (s Settings) Names() []string {
	names := make([]string, len(s))
	for i, x := range s {
		names[i] = x.Name
	}
	return names
}

// InWords returns the settings with these names that are whole numbers, as in "3 servers, 1 crash".
// It leaves out names that the manifest does not set.
func (s Settings) InWords(names ...string) string {
	var parts []string
	for _, name := range names {
		x, _ := s.Get(name)
		n, ok := x.Int()
		if !ok {
			continue
		}
		if one := strings.TrimSuffix(name, "s"); n == 1 {
			if name = one; strings.HasSuffix(one, "she") || strings.HasSuffix(one, "sse") {
				name = strings.TrimSuffix(one, "e")
			}
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, name))
	}
	return strings.Join(parts, ", ")
}

// decoder turns blocks into typed structs and collects what is wrong.
type decoder struct {
	scope *scope
	diags hcl.Diagnostics
}

func (d *decoder) report(diags ...*hcl.Diagnostic) {
	d.diags = append(d.diags, diags...)
}

// require reports whether b has an attribute, and its absence as an error.
func (d *decoder) require(b *block, name, meaning string) bool {
	if b.attrs[name] != nil {
		return true
	}
	d.report(WithContext(Errorf(CodeMissingAttribute, "Missing attribute", b.header,
		"%s needs the attribute %q: %s.", sentence(b.String()), name, meaning), b.header))
	return false
}

// outcome says what became of an attribute.
type outcome int

const (
	absent outcome = iota // not written, or a mistake that is reported
	null                  // written as null
	present
)

// value evaluates an attribute and converts it to a type.
func (d *decoder) value(b *block, name string, want cty.Type) (Attr[cty.Value], outcome) {
	var none Attr[cty.Value]
	if b == nil || b.attrs[name] == nil {
		return none, absent
	}
	attr := b.attrs[name]
	v, diags := d.evaluated(attr.Expr, want)
	d.report(diags...)
	if v.IsKnown() && v.IsNull() {
		return none, null
	}
	if !v.IsWhollyKnown() {
		return none, absent
	}
	a := placed(attr, v, d.scope.origins(attr.Expr))
	converted, err := convert.Convert(v, want)
	if err != nil {
		d.report(a.Errorf(CodeWrongType, "Wrong type of value", "%q of %s is wrong: %s.", name, b, reason(err)))
		return none, absent
	}
	a.Value = converted
	return a, present
}

// evaluated evaluates an expression whose value is converted to a type. A plain text that stays one
// is as long as it is written, also a digest that reads as a number with a large exponent.
func (d *decoder) evaluated(expr hclsyntax.Expression, want cty.Type) (cty.Value, hcl.Diagnostics) {
	if t, ok := expr.(*hclsyntax.TemplateExpr); ok && want == cty.String && t.IsStringLiteral() {
		return t.Value(nil)
	}
	return d.scope.eval(expr)
}

// placed returns an attribute with a value.
func placed[T any](attr *hclsyntax.Attribute, v T, origins []Related) Attr[T] {
	return Attr[T]{
		Value: v, Range: attr.SrcRange, NameRange: attr.NameRange, ValueRange: attr.Expr.Range(), Origins: origins,
	}
}

// with returns a with another value.
func with[T any](a Attr[cty.Value], v T) Attr[T] {
	return Attr[T]{Value: v, Range: a.Range, NameRange: a.NameRange, ValueRange: a.ValueRange, Origins: a.Origins}
}

// reason says why a conversion failed, and for which element.
func reason(err error) string {
	var where strings.Builder
	var at cty.PathError
	if errors.As(err, &at) {
		for _, step := range at.Path {
			switch step := step.(type) {
			case cty.GetAttrStep:
				fmt.Fprintf(&where, ".%s", step.Name)
			case cty.IndexStep:
				if step.Key.Type() == cty.Number {
					fmt.Fprintf(&where, "[%s]", step.Key.AsBigFloat().Text('f', -1))
				} else if step.Key.Type() == cty.String {
					fmt.Fprintf(&where, "[%q]", step.Key.AsString())
				}
			}
		}
	}
	if where.Len() > 0 {
		return "at " + where.String() + ", " + err.Error()
	}
	return err.Error()
}

// textOrNull decodes a text that is not empty, and reports whether it is null.
func (d *decoder) textOrNull(b *block, name string) (Attr[string], bool) {
	v, got := d.value(b, name, cty.String)
	if got != present {
		return Attr[string]{}, got == null
	}
	if v.Value.AsString() == "" {
		d.report(v.Errorf(CodeBadValue, "Empty text", "%q of %s must not be empty. Leave it out or set it to null.", name, b))
		return Attr[string]{}, false
	}
	return with(v, v.Value.AsString()), false
}

// text decodes a text that is not empty.
func (d *decoder) text(b *block, name string) Attr[string] {
	a, _ := d.textOrNull(b, name)
	return a
}

// choice decodes a text that is one of those allowed.
func (d *decoder) choice(b *block, name string, allowed ...string) Attr[string] {
	a := d.text(b, name)
	if a.IsSet() && !slices.Contains(allowed, a.Value) {
		d.report(a.Errorf(CodeBadValue, "Value not allowed", "%q of %s cannot be %q.%s", name, b, a.Value, Hint(a.Value, allowed)))
		return Attr[string]{}
	}
	return a
}

// flag decodes a truth value.
func (d *decoder) flag(b *block, name string) Attr[bool] {
	v, got := d.value(b, name, cty.Bool)
	if got != present {
		return Attr[bool]{}
	}
	return with(v, v.Value.True())
}

// whole decodes a whole number that is at least least.
func (d *decoder) whole(b *block, name string, least int) Attr[int] {
	v, got := d.value(b, name, cty.Number)
	if got != present || !d.checkWhole(b, Setting{name, v}, least) {
		return Attr[int]{}
	}
	n, _ := Setting{name, v}.Int()
	return with(v, n)
}

// checkWhole reports whether a number is whole and at least least, and if not,
// also as an error.
func (d *decoder) checkWhole(b *block, s Setting, least int) bool {
	n, ok := s.Int()
	if !ok {
		d.report(s.Errorf(CodeBadNumber, "Not a whole number", "%q of %s is %s. Give a whole number of at most 63 bits.",
			s.Name, b, s.Value.AsBigFloat().Text('g', 12)))
	} else if n < least {
		d.report(s.Errorf(CodeBadNumber, "Number too small", "%q of %s is %d. It must be at least %d.", s.Name, b, n, least))
		ok = false
	}
	return ok
}

// duration decodes a text such as "90s" or "10m".
func (d *decoder) duration(b *block, name string) Attr[time.Duration] {
	v, got := d.value(b, name, cty.String)
	if got != present {
		return Attr[time.Duration]{}
	}
	t, err := time.ParseDuration(v.Value.AsString())
	if err != nil || t <= 0 {
		d.report(v.Errorf(CodeBadValue, "Not a duration", "%q of %s is %q. Write a positive number with a unit, such as \"90s\" or \"10m\".",
			name, b, v.Value.AsString()))
		return Attr[time.Duration]{}
	}
	return with(v, t)
}

// texts decodes a list of texts, or one text for a list of one.
func (d *decoder) texts(b *block, name string) Attr[[]Text] {
	v, got := d.value(b, name, cty.DynamicPseudoType)
	if got != present {
		return Attr[[]Text]{}
	}
	if v.Value.Type() == cty.String {
		v.Value = cty.TupleVal([]cty.Value{v.Value})
	}
	list, err := convert.Convert(v.Value, cty.List(cty.String))
	if err != nil {
		d.report(v.Errorf(CodeWrongType, "Wrong type of value", "%q of %s is wrong: %s. Write a list of texts, as in [\"a\", \"b\"].",
			name, b, reason(err)))
		return Attr[[]Text]{}
	}
	elements, diags := hcl.ExprList(b.attrs[name].Expr)
	if diags.HasErrors() || len(elements) != list.LengthInt() {
		elements = nil
	}
	a := with(v, make([]Text, 0, list.LengthInt()))
	for i, e := range list.AsValueSlice() {
		t := Text{Range: v.ValueRange}
		if elements != nil {
			t.Range = elements[i].Range()
		}
		if e.IsNull() || e.AsString() == "" {
			d.report(WithContext(Errorf(CodeBadValue, "Empty text", t.Range,
				"An element of %q of %s is empty. Take it out.", name, b), v.Range))
			continue
		}
		t.Value = e.AsString()
		a.Value = append(a.Value, t)
	}
	return a
}

// settings decodes all attributes of a block that takes any name. Those that
// are null are left out.
func (d *decoder) settings(b *block) Settings {
	return d.settingsOf(b, cty.DynamicPseudoType)
}

func (d *decoder) settingsOf(b *block, want cty.Type) Settings {
	if b == nil {
		return nil
	}
	var all Settings
	for _, name := range b.names {
		if v, got := d.value(b, name, want); got == present {
			all = append(all, Setting{name, v})
		}
	}
	return all
}

// bounds decodes a block of whole numbers that are not negative.
func (d *decoder) bounds(b *block) Settings {
	return slices.DeleteFunc(d.settingsOf(b, cty.Number), func(s Setting) bool { return !d.checkWhole(b, s, 0) })
}
