package configs

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Variable is an input of a manifest with the value that it has in this run.
type Variable struct {
	Name        string
	NameRange   hcl.Range
	Description Attr[string]
	// Type is cty.DynamicPseudoType if any value is allowed.
	Type cty.Type
	// Value is of the type Type. It is unknown if there is no valid one, which
	// has then been reported.
	Value cty.Value
	// ValueRange is where the value comes from: the default, a file of values,
	// an option or the environment.
	ValueRange hcl.Range
	// Given says that the value was given: it stands for the default, and may be equal to it.
	Given     bool
	DeclRange hcl.Range

	literal     bool // text from outside is taken as it stands
	optional    *typeexpr.Defaults
	fallback    cty.Value // the default, or NilVal
	given       *given
	validations []*block
}

// Changed reports whether the variable has another value than its default. Without a default, every
// value counts but one from the environment: that says where things are on a machine.
func (v *Variable) Changed() bool {
	if v.fallback == cty.NilVal {
		return v.Given && !strings.HasPrefix(v.ValueRange.Filename, environPrefix)
	}
	fallback := v.fallback
	if v.optional != nil {
		fallback = v.optional.Apply(fallback)
	}
	if converted, err := convert.Convert(fallback, v.Type); err == nil {
		fallback = converted // as the value was: null of no type is null of this one
	}
	return v.Given && !v.Value.RawEquals(fallback)
}

// Required reports whether the variable has no default, so that a value must be given.
func (v *Variable) Required() bool { return v.fallback == cty.NilVal }

var variableSchema = &schema{
	labels: []string{"the name of a variable"},
	attrs:  []string{"type", "default", "description"},
	blocks: map[string]*schema{
		"validation": {attrs: []string{"condition", "error_message"}, repeats: many},
	},
}

// variables declares the variables. They have no values yet.
func (d *decoder) variables(blocks []*block) []*Variable {
	var all []*Variable
	for _, b := range blocks {
		v := &Variable{
			Name: b.labels[0], NameRange: b.labelRanges[0], DeclRange: b.header,
			Value: cty.DynamicVal, validations: b.of("validation"),
		}
		all = append(all, v)
		d.scope.variables[v.Name] = v
	}
	for i, v := range all {
		d.declare(v, blocks[i])
	}
	return all
}

// declare decodes type, description and default of a variable.
func (d *decoder) declare(v *Variable, b *block) {
	v.Type = cty.DynamicPseudoType
	typed := b.attrs["type"]
	if typed != nil {
		ty, optional, diags := typeexpr.TypeConstraintWithDefaults(typed.Expr)
		d.report(WithCode(CodeVariableType, diags)...)
		if !diags.HasErrors() {
			v.Type, v.optional = ty, optional
		}
	}
	v.Description = d.constant(b, "description")
	if attr := b.attrs["default"]; attr != nil {
		v.ValueRange = attr.Expr.Range()
		if refs := attr.Expr.Variables(); len(refs) > 0 {
			v.fallback = cty.DynamicVal
			d.report(WithContext(Errorf(CodeUnknownReference, "Default refers to something", refs[0].SourceRange(),
				"The default of a variable is a value of its own. Use a local for what depends on others."), attr.SrcRange))
		} else {
			var diags hcl.Diagnostics
			v.fallback, diags = d.scope.eval(attr.Expr)
			d.report(diags...)
		}
	}
	if typed == nil {
		v.literal = v.fallback == cty.NilVal || v.fallback.Type() == cty.DynamicPseudoType
		if !v.literal && v.fallback.Type().IsPrimitiveType() {
			v.Type = v.fallback.Type()
		}
	}
	if v.Type != cty.DynamicPseudoType {
		v.literal = v.Type == cty.String
	}
	for _, rule := range v.validations {
		d.require(rule, "condition", "an expression that is true for the values allowed")
		d.require(rule, "error_message", "the message for somebody who gives another value")
	}
}

// constant decodes a text that refers to nothing.
func (d *decoder) constant(b *block, name string) Attr[string] {
	attr := b.attrs[name]
	if attr == nil {
		return Attr[string]{}
	}
	if refs := attr.Expr.Variables(); len(refs) > 0 {
		d.report(WithContext(Errorf(CodeUnknownReference, "Reference not allowed", refs[0].SourceRange(),
			"%q of %s is plain text and cannot refer to anything.", name, b), attr.SrcRange))
		return Attr[string]{}
	}
	return d.text(b, name)
}

// values gives every variable its value.
func (d *decoder) values(all []*Variable) {
	for _, v := range all {
		var value cty.Value
		code, summary := CodeVariableValue, "Value does not fit variable"
		switch {
		case v.given != nil:
			v.Given, v.ValueRange = true, v.given.at
			var diags hcl.Diagnostics
			value, diags = v.given.value(v, &d.scope.work)
			d.report(diags...)
		case v.fallback != cty.NilVal:
			value = v.fallback
			code, summary = CodeWrongType, "Default does not fit type"
		default:
			d.report(Errorf(CodeMissingVariable, "Variable has no value", v.DeclRange,
				"Variable %q has no default. Give it a value with -var %s=..., in a -var-file, or in the environment as %s%s.",
				v.Name, v.Name, environPrefix, v.Name))
			continue
		}
		if !value.IsWhollyKnown() {
			continue
		}
		if v.optional != nil {
			value = v.optional.Apply(value)
		}
		converted, err := convert.Convert(value, v.Type)
		if err != nil {
			e := Errorf(code, summary, v.ValueRange, "Variable %q is declared as %s: %s.",
				v.Name, typeexpr.TypeString(v.Type), reason(err))
			d.report(WithRelated(e, v.DeclRange, "var.%s is declared here", v.Name))
			continue
		}
		v.Value = converted
	}
}

// validate compares every variable's value with its validation rules.
func (d *decoder) validate(all []*Variable) {
	for _, v := range all {
		for _, rule := range v.validations {
			if !v.Value.IsWhollyKnown() {
				break
			}
			ok, got := d.value(rule, "condition", cty.Bool)
			if got == null {
				d.report(Errorf(CodeBadValue, "Condition is null", rule.attrs["condition"].Expr.Range(),
					"A condition must be true or false for every value of the variable."))
			}
			message := d.text(rule, "error_message")
			if got != present || ok.Value.True() || !message.IsSet() {
				continue
			}
			e := Errorf(CodeInvalidVariable, "Value of variable not allowed", v.ValueRange,
				"Variable %q: %s", v.Name, message.Value)
			d.report(WithRelated(e, ok.ValueRange, "the rule that it breaks"))
		}
	}
}
