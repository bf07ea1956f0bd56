package trace

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// errAbsent is the outcome for a field that an event does not have, and for all that is computed
// from it.
var errAbsent = errors.New("the event does not say")

// outsideError says that an element of the state is asked for that the sizes of the composition do
// not have. The log is not like any behaviour of it then; nothing is wrong with the mapping.
type outsideError struct {
	key string
	n   int
}

func (e *outsideError) Error() string {
	return fmt.Sprintf("element %s of %d, counted from 0, is asked for: the log names more than this composition has; raise the bound of its size if the log is right", e.key, e.n)
}

// constant is a value of an enumeration: it equals its number and its name.
type constant struct {
	name string
	n    int64
}

// scope maps the names in an expression to values.
type scope struct {
	event map[string]any
	param reflect.Value // a struct, or invalid
	bound map[string]any
	state reflect.Value // a struct
	names modules.Names
	local map[string]any
}

// holds returns a condition's value. A condition that the event does not decide holds; decided
// reports whether it does.
func (x *scope) holds(f *Formula) (ok, decided bool, err error) {
	v, err := x.eval(f.Expr)
	if errors.Is(err, errAbsent) {
		return true, false, nil
	}
	if err != nil {
		return false, false, err
	}
	b, isBool := x.plain(v).(bool)
	if !isBool {
		return false, false, fmt.Errorf("%s is %s, not a truth value", f.Text, show(x.plain(v)))
	}
	return b, true, nil
}

// eval returns the value of an expression: one of those of Event.Fields, a constant, or a
// reflect.Value in the state.
func (x *scope) eval(e *Expr) (any, error) {
	switch e.Op {
	case OpLiteral:
		return normal(e.Value), nil
	case OpName:
		return x.name(e.Name)
	case OpField, OpIndex:
		return x.part(e)
	case OpList:
		return x.list(e.Args)
	case OpChoose:
		c, err := x.truth(e.Args[0])
		if err != nil {
			return nil, err
		}
		if c {
			return x.eval(e.Args[1])
		}
		return x.eval(e.Args[2])
	case OpFor:
		return x.each(e)
	case OpCall:
		return x.call(e)
	case OpTemplate:
		parts, err := x.list(e.Args)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(text(x.plain(p)))
		}
		return b.String(), nil
	case "&&", "||":
		return x.junction(e)
	case "!":
		v, err := x.truth(e.Args[0])
		return !v, err
	}
	return x.operator(e)
}

func (x *scope) name(name string) (any, error) {
	if v, ok := x.local[name]; ok {
		return v, nil
	}
	if name == "event" {
		return x.event, nil
	}
	if v := x.state.FieldByName(name); v.IsValid() {
		return v, nil
	}
	if name == "param" && x.param.IsValid() {
		return x.param, nil
	}
	if v, ok := x.bound[name]; ok {
		return v, nil
	}
	if x.param.IsValid() && x.param.Kind() == reflect.Struct {
		if v := x.param.FieldByName(name); v.IsValid() {
			return v, nil
		}
	}
	return nil, fmt.Errorf("there is no %s here", name)
}

// part returns a field or an element.
func (x *scope) part(e *Expr) (any, error) {
	base, err := x.eval(e.Args[0])
	if err != nil {
		return nil, err
	}
	var key any = e.Name
	if e.Op == OpIndex {
		if key, err = x.eval(e.Args[1]); err != nil {
			return nil, err
		}
		key = x.plain(key)
	}
	if v, ok := base.(reflect.Value); ok {
		switch v.Kind() {
		case reflect.Struct:
			if f := v.FieldByName(fmt.Sprint(key)); f.IsValid() && f.CanInterface() {
				return f, nil
			}
		case reflect.Array:
			n, ok := number(key)
			if ok && n >= 0 && n < int64(v.Len()) {
				return v.Index(int(n)), nil
			}
			if !ok {
				return nil, fmt.Errorf("%s is no position of an element", show(key))
			}
			return nil, &outsideError{show(key), v.Len()}
		}
		base = x.plain(v)
		if list, isList := base.([]any); isList {
			if n, ok := number(key); ok && (n < 0 || n >= int64(len(list))) {
				return nil, &outsideError{show(key), len(list)}
			}
		}
	}
	switch b := base.(type) {
	case map[string]any:
		if v, ok := b[text(key)]; ok && v != nil {
			return v, nil
		}
		return nil, errAbsent
	case []any:
		n, ok := number(key)
		if ok && n >= 0 && n < int64(len(b)) && b[n] != nil {
			return b[n], nil
		}
		return nil, errAbsent
	case nil:
		return nil, errAbsent
	}
	return nil, fmt.Errorf("%s has no part %s", show(base), show(key))
}

func (x *scope) list(args []*Expr) ([]any, error) {
	out := make([]any, 0, len(args))
	for _, a := range args {
		v, err := x.eval(a)
		if err != nil {
			return nil, err
		}
		out = append(out, x.plain(v))
	}
	return out, nil
}

func (x *scope) each(e *Expr) (any, error) {
	v, err := x.eval(e.Args[0])
	if err != nil {
		return nil, err
	}
	elems, ok := x.plain(v).([]any)
	if !ok {
		return nil, fmt.Errorf("%s is not a list", show(x.plain(v)))
	}
	inner := *x
	inner.local = maps.Clone(x.local)
	if inner.local == nil {
		inner.local = map[string]any{}
	}
	out := []any{}
	for _, elem := range elems {
		inner.local[e.Name] = elem
		if len(e.Args) > 2 {
			if keep, err := inner.truth(e.Args[2]); err != nil || !keep {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		r, err := inner.eval(e.Args[1])
		if err != nil {
			return nil, err
		}
		out = append(out, inner.plain(r))
	}
	return out, nil
}

func (x *scope) truth(e *Expr) (bool, error) {
	v, err := x.eval(e)
	if err != nil {
		return false, err
	}
	b, ok := x.plain(v).(bool)
	if !ok {
		return false, fmt.Errorf("%s is not a truth value", show(x.plain(v)))
	}
	return b, nil
}

// junction returns a conjunction or disjunction. One that a decided side decides is decided.
func (x *scope) junction(e *Expr) (any, error) {
	end := e.Op == "||"
	var missing error
	for _, a := range e.Args {
		v, err := x.truth(a)
		switch {
		case errors.Is(err, errAbsent):
			missing = err
		case err != nil:
			return nil, err
		case v == end:
			return end, nil
		}
	}
	return !end, missing
}

func (x *scope) operator(e *Expr) (any, error) {
	vs, err := x.list(e.Args)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case "==":
		return equal(vs[0], vs[1]), nil
	case "!=":
		return !equal(vs[0], vs[1]), nil
	}
	ns := make([]int64, len(vs))
	for k, v := range vs {
		n, ok := number(v)
		if !ok {
			return nil, fmt.Errorf("%s takes whole numbers, not %s", e.Op, show(v))
		}
		ns[k] = n
	}
	if e.Op == "neg" {
		return -ns[0], nil
	}
	a, b := ns[0], ns[1]
	switch e.Op {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	case ">=":
		return a >= b, nil
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	case "/", "%":
		if b == 0 {
			return nil, errors.New("division by zero")
		}
		if e.Op == "/" {
			return a / b, nil
		}
		return a % b, nil
	}
	return nil, fmt.Errorf("no operator %q", e.Op)
}

// plain makes a part of the state one of the values that events have.
func (x *scope) plain(v any) any {
	r, ok := v.(reflect.Value)
	if !ok {
		return v
	}
	switch {
	case r.Kind() == reflect.Bool:
		return r.Bool()
	case r.CanInt(), r.CanUint() && r.Type().Name() != "Set":
		return x.enumerated(r)
	}
	return fromView(modules.ViewOf(r.Interface(), x.names))
}

func (x *scope) enumerated(r reflect.Value) any {
	var n int64
	if r.CanInt() {
		n = r.Int()
	} else {
		n = int64(r.Uint())
	}
	if strings.HasPrefix(r.Type().Name(), "Set[") {
		return fromView(modules.ViewOf(r.Interface(), x.names))
	}
	if x.names != nil {
		if name, ok := x.names(r.Type(), n); ok {
			return constant{name, n}
		}
	}
	return n
}

func fromView(v modules.View) any {
	switch v.Shape {
	case modules.Scalar:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n
		}
		if v.Text == "true" || v.Text == "false" {
			return v.Text == "true"
		}
		return v.Text
	case modules.Record, modules.Mapping:
		m := map[string]any{}
		for k, name := range v.Names {
			m[name] = fromView(v.Elems[k])
		}
		return m
	}
	out := []any{}
	for _, e := range v.Elems {
		out = append(out, fromView(e))
	}
	return out
}
