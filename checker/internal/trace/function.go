package trace

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Functions are the functions that formulas may call, with what they take.
var Functions = map[string]string{
	"number":   "number(text): the whole number that a text writes",
	"text":     "text(value): a value as text",
	"length":   "length(list or text): how many elements",
	"contains": "contains(list, value): whether the list has the value",
	"bits":     "bits(list of numbers): the number whose bits of these places are set",
	"coalesce": "coalesce(a, b, ...): the first that the event has",
	"has":      "has(field): whether the event has the field",
	"min":      "min(a, b, ...)",
	"max":      "max(a, b, ...)",
}

func (x *scope) call(e *Expr) (any, error) {
	switch e.Name {
	case "has":
		_, err := x.eval(e.Args[0])
		if errors.Is(err, errAbsent) {
			return false, nil
		}
		return true, err
	case "coalesce":
		for _, a := range e.Args {
			if v, err := x.eval(a); !errors.Is(err, errAbsent) {
				return v, err
			}
		}
		return nil, errAbsent
	}
	vs, err := x.list(e.Args)
	if err != nil {
		return nil, err
	}
	if len(vs) == 0 {
		return nil, fmt.Errorf("%s takes arguments", e.Name)
	}
	switch e.Name {
	case "number":
		if n, ok := number(vs[0]); ok {
			return n, nil
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text(vs[0])), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is not a whole number", show(vs[0]))
		}
		return n, nil
	case "text":
		return text(vs[0]), nil
	case "length":
		switch v := vs[0].(type) {
		case []any:
			return int64(len(v)), nil
		case string:
			return int64(len(v)), nil
		}
		return nil, fmt.Errorf("%s has no length", show(vs[0]))
	case "contains":
		elems, ok := vs[0].([]any)
		if !ok || len(vs) != 2 {
			return nil, errors.New("contains takes a list and a value")
		}
		return slices.ContainsFunc(elems, func(e any) bool { return equal(e, vs[1]) }), nil
	case "bits":
		return bitsOf(vs[0])
	case "min", "max":
		return extreme(e.Name, vs)
	}
	return nil, fmt.Errorf("no function %q", e.Name)
}

func bitsOf(v any) (any, error) {
	elems, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("bits takes a list, not %s", show(v))
	}
	var out int64
	for _, e := range elems {
		n, ok := number(e)
		if !ok || n < 0 || n > 62 {
			return nil, fmt.Errorf("bits takes numbers from 0 to 62, not %s", show(e))
		}
		out |= 1 << n
	}
	return out, nil
}

func extreme(name string, vs []any) (any, error) {
	var out int64
	for k, v := range vs {
		n, ok := number(v)
		if !ok {
			return nil, fmt.Errorf("%s takes whole numbers, not %s", name, show(v))
		}
		if k == 0 || name == "min" && n < out || name == "max" && n > out {
			out = n
		}
	}
	return out, nil
}

func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case constant:
		return v.n, true
	}
	return 0, false
}

func equal(a, b any) bool {
	if c, ok := a.(constant); ok {
		if s, ok := b.(string); ok {
			return c.name == s
		}
		a = c.n
	}
	if c, ok := b.(constant); ok {
		if s, ok := a.(string); ok {
			return c.name == s
		}
		b = c.n
	}
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if ok1 && ok2 {
		return slices.EqualFunc(x, y, equal)
	}
	return reflect.DeepEqual(a, b)
}

// text returns a value inside a text.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case constant:
		return v.name
	}
	return show(v)
}

// show returns a value for people.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return strconv.Quote(v)
	case constant:
		return v.name
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, k+": "+show(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}
