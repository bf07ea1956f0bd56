package configs

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Check says what is checked and how.
type Check struct {
	// Invariants are the names or patterns of the invariants that are checked;
	// not set, all that the chosen grains offer. Except are those left out.
	Invariants, Except Attr[[]Text]
	// Stop is the number of violations after which the search ends: 1 for
	// "first", 0 for "never".
	Stop Attr[int]
	// Constraints names the state constraints, beyond whose violation the
	// search does not continue.
	Constraints Attr[[]Text]
	// Properties names the liveness properties that are checked; not set, none.
	Properties Attr[[]Text]
	// Deadlock says that a state without successors is a violation.
	Deadlock Attr[bool]
	// Unused names actions that these bounds leave unused, so that no warning is given of them.
	Unused Attr[[]Text]
	// Vacuous names what these grains and bounds never ask, so that it is shown and no finding.
	// That is a property of steps, an assertion, or a condition as MG241 prints it.
	Vacuous Attr[[]Text]
	// Strict says that warnings are errors.
	Strict Attr[bool]
	// Slice leaves variables out of the state that no guard and no checked property can depend on.
	Slice Attr[bool]
	// Symmetry switches symmetry reduction on, POR partial-order reduction.
	Symmetry  Attr[Symmetry]
	POR       Attr[bool]
	DeclRange hcl.Range
}

// Symmetry says over which nodes symmetry reduction is.
type Symmetry struct {
	On    bool
	Roles []Text // roles of the catalog; none: all that have several nodes
}

var checkSchema = &schema{attrs: []string{
	"invariants", "except", "stop", "constraints", "properties", "unused", "vacuous", "deadlock", "strict", "slice", "symmetry", "por",
}}

// check decodes the check block. It is never nil, so that what is not written
// reads as not set.
func (d *decoder) check(b *block) *Check {
	if b == nil {
		return &Check{}
	}
	return &Check{
		Invariants:  d.texts(b, "invariants"),
		Except:      d.texts(b, "except"),
		Stop:        d.stop(b),
		Constraints: d.texts(b, "constraints"),
		Properties:  d.texts(b, "properties"),
		Unused:      d.texts(b, "unused"),
		Vacuous:     d.texts(b, "vacuous"),
		Deadlock:    d.flag(b, "deadlock"),
		Strict:      d.flag(b, "strict"),
		Slice:       d.flag(b, "slice"),
		Symmetry:    d.symmetry(b),
		POR:         d.flag(b, "por"),
		DeclRange:   b.header,
	}
}

// symmetry decodes a truth value or names of roles.
func (d *decoder) symmetry(b *block) Attr[Symmetry] {
	v, got := d.value(b, "symmetry", cty.DynamicPseudoType)
	switch {
	case got != present:
		return Attr[Symmetry]{}
	case v.Value.Type() == cty.Bool:
		return with(v, Symmetry{On: v.Value.True()})
	case v.Value.Type().IsPrimitiveType() && v.Value.Type() != cty.String:
		d.report(v.Errorf(CodeWrongType, "Wrong type of value",
			`"symmetry" of check takes true, false or names of roles, and not a %s.`, v.Value.Type().FriendlyName()))
		return Attr[Symmetry]{}
	}
	roles := d.texts(b, "symmetry")
	return with(v, Symmetry{On: roles.IsSet(), Roles: roles.Value})
}

// stop decodes "first", "never" or a number.
func (d *decoder) stop(b *block) Attr[int] {
	v, got := d.value(b, "stop", cty.DynamicPseudoType)
	if got != present {
		return Attr[int]{}
	}
	switch {
	case v.Value.Type() == cty.Number:
		s := Setting{"stop", v}
		if !d.checkWhole(b, s, 1) {
			return Attr[int]{}
		}
		n, _ := s.Int()
		return with(v, n)
	case v.Value.Type() != cty.String:
		d.report(v.Errorf(CodeWrongType, "Wrong type of value",
			`"stop" of check takes "first", "never" or a number of violations, and not a %s.`, v.Value.Type().FriendlyName()))
		return Attr[int]{}
	}
	switch v.Value.AsString() {
	case "first":
		return with(v, 1)
	case "never":
		return with(v, 0)
	}
	d.report(v.Errorf(CodeBadValue, "Value not allowed", `"stop" of check cannot be %q. Use "first", "never" or a number of violations.%s`,
		v.Value.AsString(), Hint(v.Value.AsString(), []string{"first", "never"})))
	return Attr[int]{}
}
