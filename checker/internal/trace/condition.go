package trace

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// About is a step of a specification that a formula outside of a mapping is about. Names in the
// formula are variables of the state before the step, fields of the parameters, param, and those of
// More; a state in More is a pointer to it.
type About struct {
	Before any // a pointer to the state before the step
	Param  any
	Names  modules.Names
	More   map[string]any
}

// Holds evaluates a condition. A *modules.View of About.More counts as its value, and nil as null.
// A condition on a part that is not there does not hold. It returns an error if the condition
// cannot be evaluated, as for operands of the wrong type.
func (f *Formula) Holds(a About) (bool, error) {
	x := a.scope()
	ok, decided, err := x.holds(f)
	return ok && decided, err
}

// Value returns the value of an expression: a modules.View of a part of the state, or the text of
// what is computed. It returns an error if the expression cannot be evaluated, as one about an
// element that the state lacks.
func (f *Formula) Value(a About) (any, error) {
	x := a.scope()
	v, err := x.eval(f.Expr)
	if err != nil {
		return nil, err
	}
	if part, ok := v.(reflect.Value); ok {
		return modules.ViewOf(part.Interface(), a.Names), nil
	}
	return show(v), nil
}

// Plain returns the value of an expression as text. Equal values have equal texts: those of
// PlainView are alike. Class is "number", "text", "truth value", "list", "record" or "nothing". A
// name of an enumeration is a text. It returns an error if the expression cannot be evaluated.
func (f *Formula) Plain(a About) (text, class string, err error) {
	x := a.scope()
	v, err := x.eval(f.Expr)
	if err != nil {
		return "", "", err
	}
	text, class = plainText(x.plain(v))
	return text, class, nil
}

// PlainView returns a part of a state as Plain does.
func PlainView(v modules.View) (text, class string) { return plainText(fromView(v)) }

func plainText(v any) (text, class string) {
	switch v := v.(type) {
	case nil:
		class = "nothing"
	case string:
		class = "text"
	case constant:
		return strconv.Quote(v.name), "text"
	case bool:
		class = "truth value"
	case []any:
		class = "list"
		var parts []string
		for _, e := range v {
			part, _ := plainText(e)
			parts = append(parts, part)
		}
		return "[" + strings.Join(parts, ", ") + "]", class
	case map[string]any:
		class = "record"
	default:
		class = "number"
	}
	return show(v), class
}

// scope maps the names in a formula to values.
func (a About) scope() *scope {
	x := &scope{state: reflect.ValueOf(a.Before).Elem(), param: reflect.ValueOf(a.Param), names: a.Names, local: map[string]any{}}
	for name, v := range a.More {
		switch v := v.(type) {
		case *modules.View:
			x.local[name] = nil
			if v != nil {
				x.local[name] = fromView(*v)
			}
		case string:
			x.local[name] = v
		default:
			x.local[name] = reflect.ValueOf(v).Elem()
		}
	}
	return x
}

// Check returns what is wrong with a condition for About of these types; more are the names in
// About.More.
func (f *Formula) Check(state, param reflect.Type, more ...string) []Problem {
	c := review{state: state, unknown: "no variable of the state"}
	if param != nil {
		c.unknown = "neither a parameter of the action nor a variable of the state"
	}
	known := slices.Clone(more)
	for _, t := range []reflect.Type{state, param} {
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for x := range t.Fields() {
			if x.IsExported() {
				known = append(known, x.Name)
			}
		}
	}
	known = append(known, "param")
	slices.Sort(known)
	c.expr(f, f.Expr, slices.Compact(known))
	return c.problems
}
