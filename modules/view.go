package modules

import (
	"math"
	"reflect"
	"strconv"
)

// View is a value as people and traces read it, derived from its type.
type View struct {
	Shape Shape `json:"shape,omitempty"`
	// Scalar: a number, true, false or the name of a constant
	Text  string   `json:"text,omitempty"`
	Names []string `json:"names,omitempty"` // Record: field names; Mapping: keys
	Elems []View   `json:"elems,omitempty"` // all but Scalar
}

// Shape says how the elements of a View belong together.
type Shape uint8

// Shapes of values.
const (
	Scalar     Shape = iota
	Record           // named fields
	Function         // an array: element x belongs to index x, counted from 0
	Sequence         // a Seq: element x is at position x+1
	Collection       // a Set or Records: the order means nothing
	Mapping          // a Map: Names are the keys
	Multiset         // a channel of a Bag: the order means nothing, and equal elements may occur
)

// Names gives the constant of an enumeration that has a value, as NEWLEADER of type Kind. A nil
// Names knows none.
type Names func(t reflect.Type, value int64) (string, bool)

// Enum is the constants of an enumeration, by name; nil for a type that has none.
type Enum func(t reflect.Type) map[string]int64

type viewer interface{ view(names Names) View }

// ViewOf returns the view of v, a State, a parameter or a part of one.
func ViewOf(v any, names Names) View { return viewValue(reflect.ValueOf(v), names) }

func viewValue(v reflect.Value, names Names) View {
	t := v.Type()
	if isOurs(t) {
		p := reflect.New(t)
		p.Elem().Set(v)
		if w, ok := p.Interface().(viewer); ok {
			return w.view(names)
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return View{Text: strconv.FormatBool(v.Bool())}
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return number(t, v.Int(), names)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		if v.Uint() > math.MaxInt64 { // beyond the constants that Names knows
			return View{Text: strconv.FormatUint(v.Uint(), 10)}
		}
		return number(t, int64(v.Uint()), names)
	case reflect.Array:
		w := View{Shape: Function}
		for k := range v.Len() {
			w.Elems = append(w.Elems, viewValue(v.Index(k), names))
		}
		return w
	case reflect.Struct:
		w := View{Shape: Record}
		for k := range t.NumField() {
			if f := t.Field(k); f.IsExported() {
				w.Names = append(w.Names, f.Name)
				w.Elems = append(w.Elems, viewValue(v.Field(k), names))
			}
		}
		return w
	}
	return View{Text: "?" + t.String()}
}

func number(t reflect.Type, x int64, names Names) View {
	if names != nil {
		if s, ok := names(t, x); ok {
			return View{Text: s}
		}
	}
	return View{Text: strconv.FormatInt(x, 10)}
}

func viewAll[T any](shape Shape, n int, at func(k int) T, names Names) View {
	w := View{Shape: shape}
	for k := range n {
		w.Elems = append(w.Elems, ViewOf(at(k), names))
	}
	return w
}

func (q *Seq[T, A]) view(names Names) View {
	return viewAll(Sequence, q.Len(), func(k int) T { return q.At(k + 1) }, names)
}

func (s *Set[E]) view(names Names) View {
	w := View{Shape: Collection}
	for e := range MaxSet {
		if s.Has(E(e)) {
			w.Elems = append(w.Elems, ViewOf(E(e), names))
		}
	}
	return w
}

func (m *Map[K, V, A]) view(names Names) View {
	w := View{Shape: Mapping}
	for k := range len(m.val) {
		if m.Has(K(k)) {
			w.Names = append(w.Names, ViewOf(K(k), names).Text)
			w.Elems = append(w.Elems, ViewOf(m.At(K(k)), names))
		}
	}
	return w
}

func (r *Records[T, A]) view(names Names) View {
	return viewAll(Collection, r.Len(), func(k int) T { return r.At(k + 1) }, names)
}

func (r *Raised[E]) view(names Names) View {
	w := View{Shape: Collection}
	for e := range MaxAssertions {
		if r.Has(E(e)) {
			w.Elems = append(w.Elems, ViewOf(E(e), names))
		}
	}
	return w
}

// view returns a channel as a sequence of messages. A broken one is a record, since that matters.
func (c *Channel[M, Q]) view(names Names) View {
	q := c.q.view(names)
	if !c.cut {
		return q
	}
	return View{Shape: Record, Names: []string{"cut", "messages"}, Elems: []View{{Text: "true"}, q}}
}

func (n *Net[I, K, M, Q, R, X]) view(names Names) View { return ViewOf(n.ch, names) }

// view returns the channels as multisets. The messages of a broken one are a field of a record, as
// those of a Net.
func (b *Bag[I, K, M, Q, R, X]) view(names Names) View {
	v := b.net.view(names)
	for i := range v.Elems {
		for j := range v.Elems[i].Elems {
			c := &v.Elems[i].Elems[j]
			if c.Shape == Record {
				c = &c.Elems[1]
			}
			c.Shape = Multiset
		}
	}
	return v
}
