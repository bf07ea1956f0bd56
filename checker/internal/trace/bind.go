package trace

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// binder makes parameters of one action.
type binder struct {
	param  reflect.Type
	domain []any
	enum   modules.Enum
	// rest are the values of the fields that are not bound, as the domain has them, by the fields
	// that are.
	rest map[string][]reflect.Value
}

// fieldError says that a value does not fit into a field of a parameter: no parameter of the action
// is meant.
type fieldError struct{ message string }

func (e *fieldError) Error() string { return e.message }

// parameters returns all parameters with the bound fields. With every field bound there is one, be
// it in the domain or not.
func (b *binder) parameters(where []Binding, x *scope) ([]any, error) {
	if b.param.Kind() != reflect.Struct {
		return b.domain, nil
	}
	one := reflect.New(b.param).Elem()
	var bound []string
	for _, w := range where {
		f := one.FieldByName(w.Field)
		if !f.IsValid() {
			continue // a field of another action of the same rule
		}
		v, err := x.eval(w.Value.Expr)
		if errors.Is(err, errAbsent) {
			continue
		}
		var outside *outsideError
		if errors.As(err, &outside) {
			return nil, &fieldError{fmt.Sprintf("%s = %s: %v", w.Field, w.Value.Text, err)}
		}
		if err != nil {
			return nil, fmt.Errorf("%s = %s: %w", w.Field, w.Value.Text, err)
		}
		if err := b.set(f, x.plain(v)); err != nil {
			return nil, &fieldError{fmt.Sprintf("%s = %s: %v", w.Field, w.Value.Text, err)}
		}
		bound = append(bound, w.Field)
	}
	if len(bound) == b.param.NumField() {
		return []any{one.Interface()}, nil
	}
	var out []any
	for _, r := range b.others(bound) {
		p := reflect.New(b.param).Elem()
		p.Set(r)
		for _, name := range bound {
			p.FieldByName(name).Set(one.FieldByName(name))
		}
		out = append(out, p.Interface())
	}
	return out, nil
}

// others returns the distinct parameters of the domain with the bound fields zero.
func (b *binder) others(bound []string) []reflect.Value {
	key := fmt.Sprint(bound)
	if rest, ok := b.rest[key]; ok {
		return rest
	}
	seen := map[any]bool{}
	var rest []reflect.Value
	for _, p := range b.domain {
		v := reflect.New(b.param).Elem()
		v.Set(reflect.ValueOf(p))
		for _, name := range bound {
			v.FieldByName(name).SetZero()
		}
		if x := v.Interface(); !seen[x] {
			seen[x] = true
			rest = append(rest, v)
		}
	}
	if b.rest == nil {
		b.rest = map[string][]reflect.Value{}
	}
	b.rest[key] = rest
	return rest
}

// set gives a field a value of an event.
func (b *binder) set(f reflect.Value, v any) error {
	switch {
	case f.Kind() == reflect.Bool:
		x, ok := v.(bool)
		if !ok {
			return fmt.Errorf("%s is not a truth value", show(v))
		}
		f.SetBool(x)
		return nil
	case f.Kind() == reflect.Array:
		elems, ok := v.([]any)
		if !ok || len(elems) > f.Len() {
			return fmt.Errorf("%s is not a list of at most %d", show(v), f.Len())
		}
		for k, e := range elems {
			if err := b.set(f.Index(k), e); err != nil {
				return err
			}
		}
		return nil
	}
	n, ok := number(v)
	if s, isText := v.(string); isText {
		n, ok = b.enum(f.Type())[s]
		if !ok {
			return fmt.Errorf("%s is no %s", show(v), f.Type().Name())
		}
	}
	if elems, isList := v.([]any); isList && f.CanUint() {
		set, err := bitsOf(elems)
		if err != nil {
			return err
		}
		n, ok = set.(int64)
	}
	switch {
	case ok && f.CanInt() && !f.OverflowInt(n):
		f.SetInt(n)
	case ok && f.CanUint() && n >= 0 && !f.OverflowUint(uint64(n)):
		f.SetUint(uint64(n))
	default:
		return fmt.Errorf("%s is no %s", show(v), f.Type().Name())
	}
	return nil
}

// check compares a mapping with a specification.
func check[S any](m *Mapping, spec *modules.Spec[S]) []Problem {
	c := review{state: reflect.TypeFor[S](), actions: map[string]reflect.Type{}}
	for k := range spec.Actions {
		c.actions[spec.Actions[k].Name] = spec.Actions[k].Param
		c.names = append(c.names, spec.Actions[k].Name)
	}
	for k := range m.Rules {
		r := &m.Rules[k]
		c.rule = k
		params := c.params(r.Actions)
		c.bindings(r.Where, params, r.Actions)
		bound := fieldsOf(r.Where)
		for _, f := range slices.Concat([]*Formula{r.When}, r.Before, r.Check) {
			c.formula(f, params, bound)
		}
	}
	for k := range m.Unlogged {
		u := &m.Unlogged[k]
		c.rule = len(m.Rules) + k
		actions := []string{u.Action}
		params := c.params(actions)
		c.bindings(u.Where, params, actions)
		for _, f := range slices.Concat([]*Formula{u.When}, u.Check) {
			c.formula(f, params, fieldsOf(u.Where))
		}
	}
	return c.problems
}

func fieldsOf(where []Binding) map[string]bool {
	out := map[string]bool{}
	for _, w := range where {
		out[w.Field] = true
	}
	return out
}

// review collects what is wrong with a mapping.
type review struct {
	state    reflect.Type
	actions  map[string]reflect.Type
	names    []string
	rule     int
	unknown  string // what a name is not that nothing has; empty for rules of a trace block
	problems []Problem
}

func (c *review) bad(p Problem) {
	p.Rule = c.rule
	c.problems = append(c.problems, p)
}

// params returns the parameter types of actions, by name.
func (c *review) params(actions []string) (out []reflect.Type) {
	for _, a := range actions {
		t, ok := c.actions[a]
		if !ok {
			c.bad(Problem{Formula: -1, Kind: "action", Name: a, Names: c.names,
				Message: fmt.Sprintf("The composition has no action %q.", a)})
			continue
		}
		out = append(out, t)
	}
	return out
}

func (c *review) bindings(where []Binding, params []reflect.Type, actions []string) {
	for _, w := range where {
		c.formula(w.Value, nil, nil)
		var fields []string
		found := len(params) < len(actions) // an unknown action may have it
		for _, p := range params {
			if p.Kind() != reflect.Struct {
				continue
			}
			for f := range p.Fields() {
				fields = append(fields, f.Name)
			}
		}
		if !found && !slices.Contains(fields, w.Field) && len(actions) > 0 {
			c.bad(Problem{Formula: w.Value.ID, Kind: "field", Name: w.Field, Names: fields,
				Message: fmt.Sprintf("No parameter of %v has a field %s.", actions, w.Field)})
		}
	}
}

// formula reports names that mean nothing.
func (c *review) formula(f *Formula, params []reflect.Type, bound map[string]bool) {
	if f == nil {
		return
	}
	known := []string{"event", "param"}
	for name := range bound {
		known = append(known, name)
	}
	for _, p := range params {
		if p.Kind() == reflect.Struct {
			for x := range p.Fields() {
				known = append(known, x.Name)
			}
		}
	}
	for x := range c.state.Fields() {
		if x.IsExported() {
			known = append(known, x.Name)
		}
	}
	slices.Sort(known)
	c.expr(f, f.Expr, slices.Compact(known))
}

func (c *review) expr(f *Formula, e *Expr, known []string) {
	switch e.Op {
	case OpName:
		if !slices.Contains(known, e.Name) {
			message := fmt.Sprintf("%q is %s.", e.Name, cmp.Or(c.unknown, "neither event, nor a parameter of the action, nor a variable of the state"))
			if len(e.Name) > 1 && strings.ToUpper(e.Name) == e.Name {
				message += fmt.Sprintf(` A constant is a text: write "%s" with the quotation marks.`, e.Name)
			}
			c.bad(Problem{Formula: f.ID, Kind: "name", Name: e.Name, Names: known, Message: message})
		}
	case OpCall:
		if Functions[e.Name] == "" {
			var names []string
			for n := range Functions {
				names = append(names, n)
			}
			slices.Sort(names)
			c.bad(Problem{Formula: f.ID, Kind: "function", Name: e.Name, Names: names, Message: fmt.Sprintf("There is no function %q.", e.Name)})
		}
	case OpFor:
		c.expr(f, e.Args[0], known)
		for _, a := range e.Args[1:] {
			c.expr(f, a, append(slices.Clone(known), e.Name))
		}
		return
	}
	for _, a := range e.Args {
		c.expr(f, a, known)
	}
}
