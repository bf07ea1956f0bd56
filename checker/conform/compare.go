package conform

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Value is a part of the state in which the two sides differ. One of the two is nil where the part
// does not exist on that side, as a message in flight.
type Value struct {
	// as Commit[1] or Bag[0][2][1].Index; sequences count from 1. In a Bag the number is that of
	// the specification's message, or of the implementation's if the specification has none.
	Path                          string
	Specification, Implementation *modules.View
}

// variables are the fields of S that are compared.
type variables[S any] struct {
	fields     []reflect.StructField
	unobserved []string
	spans      []span
	names      modules.Names
}

// span is a run of bytes of a state.
type span struct{ from, to uintptr }

func newVariables[S any](observed []string, names modules.Names) (*variables[S], error) {
	v := &variables[S]{names: names}
	left := slices.Clone(observed)
	for f := range reflect.TypeFor[S]().Fields() {
		at := slices.Index(left, f.Name)
		if at < 0 {
			v.unobserved = append(v.unobserved, f.Name)
			continue
		}
		left = slices.Delete(left, at, at+1)
		v.fields = append(v.fields, f)
		end := f.Offset + f.Type.Size()
		if n := len(v.spans); n > 0 && v.spans[n-1].to == f.Offset {
			v.spans[n-1].to = end
		} else {
			v.spans = append(v.spans, span{f.Offset, end})
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("the adapter observes %s, which the specification does not have", left[0])
	}
	if len(v.fields) == 0 {
		return nil, fmt.Errorf("the adapter observes no variable")
	}
	return v, nil
}

// equal reports whether two states agree in the variables.
func (v *variables[S]) equal(a, b *S) bool {
	x := unsafe.Slice((*byte)(unsafe.Pointer(a)), unsafe.Sizeof(*a))
	y := unsafe.Slice((*byte)(unsafe.Pointer(b)), unsafe.Sizeof(*b))
	for _, s := range v.spans {
		if !bytes.Equal(x[s.from:s.to], y[s.from:s.to]) {
			return false
		}
	}
	return true
}

// take copies the variables from one state to another.
func (v *variables[S]) take(to, from *S) {
	x := unsafe.Slice((*byte)(unsafe.Pointer(to)), unsafe.Sizeof(*to))
	y := unsafe.Slice((*byte)(unsafe.Pointer(from)), unsafe.Sizeof(*from))
	for _, s := range v.spans {
		copy(x[s.from:s.to], y[s.from:s.to])
	}
}

// differences returns the smallest parts in which the specification's state and the
// implementation's differ, in the order of the fields.
func (v *variables[S]) differences(spec, impl *S) []Value {
	var d differ
	for _, f := range v.fields {
		a := modules.ViewOf(field(spec, f), v.names)
		b := modules.ViewOf(field(impl, f), v.names)
		d.compare(f.Name, &a, &b)
	}
	return d.out
}

// Differing returns the smallest parts in which two states differ in some variables. The first
// state counts as the specification's. The error says that the specification lacks a variable.
func Differing[S any](observed []string, names modules.Names, a, b *S) ([]Value, error) {
	v, err := newVariables[S](observed, names)
	if err != nil || v.equal(a, b) {
		return nil, err
	}
	return v.differences(a, b), nil
}

func field[S any](s *S, f reflect.StructField) any {
	return reflect.NewAt(f.Type, unsafe.Add(unsafe.Pointer(s), f.Offset)).Elem().Interface()
}

// differ collects differences.
type differ struct{ out []Value }

func (d *differ) compare(path string, a, b *modules.View) {
	same := a.Shape == b.Shape && len(a.Elems) == len(b.Elems) && slices.Equal(a.Names, b.Names)
	switch {
	case a.Shape == modules.Sequence && b.Shape == modules.Sequence:
		d.sequences(path, a.Elems, b.Elems)
	case a.Shape == modules.Multiset && b.Shape == modules.Multiset:
		d.multisets(path, a.Elems, b.Elems)
	case !same, a.Shape == modules.Collection:
		if !equalViews(a, b) {
			d.out = append(d.out, Value{path, a, b})
		}
	case a.Shape == modules.Scalar:
		if a.Text != b.Text {
			d.out = append(d.out, Value{path, a, b})
		}
	default:
		for k := range a.Elems {
			d.compare(path+element(a, k), &a.Elems[k], &b.Elems[k])
		}
	}
}

// sequences compares element by element, and what one side has more than the other.
func (d *differ) sequences(path string, a, b []modules.View) {
	for k := range max(len(a), len(b)) {
		at := fmt.Sprintf("%s[%d]", path, k+1)
		switch {
		case k >= len(b):
			d.out = append(d.out, Value{at, &a[k], nil})
		case k >= len(a):
			d.out = append(d.out, Value{at, nil, &b[k]})
		default:
			d.compare(at, &a[k], &b[k])
		}
	}
}

// multisets leaves out the messages that both sides have, whatever their positions. Of the others
// it compares those of the same kind, each with the one from which it differs in the fewest parts.
func (d *differ) multisets(path string, a, b []modules.View) {
	done := make([]bool, len(b))
	// nearest returns the message of b that is not done and for which far is least, -1 for none
	nearest := func(far func(m *modules.View) int) int {
		best, least := -1, 0
		for k := range b {
			if n := far(&b[k]); !done[k] && n >= 0 && (best < 0 || n < least) {
				best, least = k, n
			}
		}
		if best >= 0 {
			done[best] = true
		}
		return best
	}
	var left []int
	for k := range a {
		equal := func(m *modules.View) int { return map[bool]int{true: 0, false: -1}[equalViews(&a[k], m)] }
		if nearest(equal) < 0 {
			left = append(left, k)
		}
	}
	for _, k := range left {
		at := fmt.Sprintf("%s[%d]", path, k+1)
		parts := func(m *modules.View) int {
			if len(m.Elems) == 0 || len(a[k].Elems) == 0 || !equalViews(&a[k].Elems[0], &m.Elems[0]) {
				return -1 // of another kind
			}
			var one differ
			one.compare("", &a[k], m)
			return len(one.out)
		}
		if x := nearest(parts); x >= 0 {
			d.compare(at, &a[k], &b[x])
		} else {
			d.out = append(d.out, Value{at, &a[k], nil})
		}
	}
	for k := range b {
		if !done[k] {
			d.out = append(d.out, Value{fmt.Sprintf("%s[%d]", path, k+1), nil, &b[k]})
		}
	}
}

// element returns how the k-th element of a record, an array or a map is named after its path.
func element(v *modules.View, k int) string {
	switch v.Shape {
	case modules.Record:
		return "." + v.Names[k]
	case modules.Mapping:
		return "[" + v.Names[k] + "]"
	}
	return "[" + strconv.Itoa(k) + "]"
}

func equalViews(a, b *modules.View) bool {
	return a.Shape == b.Shape && a.Text == b.Text && slices.Equal(a.Names, b.Names) &&
		slices.EqualFunc(a.Elems, b.Elems, func(x, y modules.View) bool { return equalViews(&x, &y) })
}
