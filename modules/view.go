package modules

import (
	"errors"
	"fmt"
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

// Fill sets what p points to, a State or a part of one, to the value that a view shows. The view
// may be one of ViewOf, or one that somebody else wrote: an array may be a Sequence, a set too, and
// fields that a record lacks are zero. The error is a *RoomError if the type has no room for the
// value. Any other error says that the view is of no value of the type.
func Fill(p any, v View, enum Enum) error {
	return fill(reflect.ValueOf(p).Elem(), &v, enum)
}

// RoomError says that a type has no room for a value: more elements than a capacity, or a number
// outside of a range.
type RoomError struct{ Message string }

// Error returns the message.
func (e *RoomError) Error() string { return e.Message }

func noRoom(format string, args ...any) error { return &RoomError{fmt.Sprintf(format, args...)} }

type filler interface {
	fill(v *View, enum Enum) error
}

func fill(to reflect.Value, v *View, enum Enum) error {
	if isOurs(to.Type()) {
		if x, ok := to.Addr().Interface().(filler); ok {
			to.SetZero()
			return x.fill(v, enum)
		}
	}
	switch to.Kind() {
	case reflect.Bool:
		if v.Shape != Scalar || v.Text != "true" && v.Text != "false" {
			return fmt.Errorf("%s is no truth value", short(v))
		}
		to.SetBool(v.Text == "true")
		return nil
	case reflect.Array:
		return fillArray(to, v, enum)
	case reflect.Struct:
		return fillStruct(to, v, enum)
	}
	return fillNumber(to, v, enum)
}

func fillArray(to reflect.Value, v *View, enum Enum) error {
	if v.Shape != Function && v.Shape != Sequence {
		return fmt.Errorf("%s is no list", short(v))
	}
	if to.Len() == 0 { // a part that the composition does without
		return nil
	}
	if len(v.Elems) != to.Len() {
		return fmt.Errorf("there are %d elements, and %d are required", len(v.Elems), to.Len())
	}
	for k := range v.Elems {
		if err := fill(to.Index(k), &v.Elems[k], enum); err != nil {
			return fmt.Errorf("[%d]: %w", k, err)
		}
	}
	return nil
}

func fillStruct(to reflect.Value, v *View, enum Enum) error {
	if v.Shape != Record {
		return fmt.Errorf("%s is no record", short(v))
	}
	to.SetZero()
	for k, name := range v.Names {
		f, ok := to.Type().FieldByName(name)
		if !ok || !f.IsExported() {
			return fmt.Errorf("%s has no field %q", to.Type().Name(), name)
		}
		if err := fill(to.FieldByIndex(f.Index), &v.Elems[k], enum); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func fillNumber(to reflect.Value, v *View, enum Enum) error {
	if v.Shape != Scalar {
		return fmt.Errorf("%s is no %s", short(v), to.Type().Name())
	}
	if enum != nil {
		if x, ok := enum(to.Type())[v.Text]; ok {
			v = &View{Text: strconv.FormatInt(x, 10)}
		}
	}
	var overflow bool
	var err error
	switch {
	case to.CanInt():
		var x int64
		x, err = strconv.ParseInt(v.Text, 10, 64)
		if overflow = to.OverflowInt(x); !overflow {
			to.SetInt(x)
		}
	case to.CanUint():
		var x uint64
		if x, err = strconv.ParseUint(v.Text, 10, 64); err != nil {
			if _, negative := strconv.ParseInt(v.Text, 10, 64); negative == nil {
				overflow, err = true, nil
			}
		}
		if overflow = overflow || to.OverflowUint(x); !overflow {
			to.SetUint(x)
		}
	default:
		return fmt.Errorf("no value of %s can be written", to.Type())
	}
	if overflow || errors.Is(err, strconv.ErrRange) {
		return noRoom("%s is outside of the range of %s", v.Text, to.Type().Name())
	}
	if err != nil {
		return fmt.Errorf("%.40q is no %s", v.Text, to.Type().Name())
	}
	return nil
}

// short describes a view that has the wrong shape.
func short(v *View) string {
	names := [...]string{"", "a record", "an array", "a list", "a set", "a map", "a list"}
	if v.Shape == Scalar {
		return fmt.Sprintf("%.40q", v.Text)
	}
	return names[v.Shape]
}

// each fills the elements of a list or a set and hands them on.
func each[T any](v *View, enum Enum, most int, add func(T)) error {
	if v.Shape != Sequence && v.Shape != Multiset && v.Shape != Collection {
		return fmt.Errorf("%s is no list", short(v))
	}
	if len(v.Elems) > most {
		return noRoom("there are %d elements, and the specification has room for %d", len(v.Elems), most)
	}
	for k := range v.Elems {
		var x T
		if err := Fill(&x, v.Elems[k], enum); err != nil {
			return fmt.Errorf("[%d]: %w", k+1, err)
		}
		add(x)
	}
	return nil
}

func (q *Seq[T, A]) fill(v *View, enum Enum) error { return each(v, enum, q.Cap(), q.Append) }

func (q *Deque[T]) fill(v *View, enum Enum) error { return each(v, enum, math.MaxInt32, q.Append) }

func (q *Chain[T]) fill(v *View, enum Enum) error { return each(v, enum, math.MaxInt32, q.Append) }

// member reports whether a number can be in a set of at most n.
func member(e, n int) error {
	if e < 0 || e >= n {
		return noRoom("a set cannot have %d: its members are 0 to %d", e, n-1)
	}
	return nil
}

func (s *Set[E]) fill(v *View, enum Enum) (err error) {
	return errors.Join(each(v, enum, MaxSet, func(e E) {
		if bad := member(int(e), MaxSet); bad != nil {
			err = bad
			return
		}
		s.Add(e)
	}), err)
}

func (m *Map[K, V, A]) fill(v *View, enum Enum) error {
	if v.Shape != Mapping && v.Shape != Function {
		return fmt.Errorf("%s is no map", short(v))
	}
	for k := range v.Elems {
		name := strconv.Itoa(k)
		if v.Shape == Mapping {
			name = v.Names[k]
		}
		var key K
		var value V
		if err := Fill(&key, View{Text: name}, enum); err != nil {
			return err
		}
		if err := member(int(key), len(m.val)); err != nil {
			return err
		}
		if err := Fill(&value, v.Elems[k], enum); err != nil {
			return fmt.Errorf("[%s]: %w", name, err)
		}
		m.Put(key, value)
	}
	return nil
}

func (r *Records[T, A]) fill(v *View, enum Enum) error { return each(v, enum, len(r.elem), r.Add) }

func (r *Raised[E]) fill(v *View, enum Enum) (err error) {
	return errors.Join(each(v, enum, MaxAssertions, func(e E) {
		if bad := member(int(e), MaxAssertions); bad != nil {
			err = bad
			return
		}
		r.Raise(e)
	}), err)
}

// messages returns the messages of a channel's view, and whether the channel is broken.
func messages(v *View, enum Enum) (q *View, cut bool, err error) {
	if v.Shape != Record {
		return v, false, nil
	}
	q = &View{Shape: Sequence}
	for k, name := range v.Names {
		switch name {
		case "cut":
			err = Fill(&cut, v.Elems[k], enum)
		case "messages":
			q = &v.Elems[k]
		default:
			err = fmt.Errorf("a channel has no %q", name)
		}
		if err != nil {
			return nil, false, err
		}
	}
	return q, cut, nil
}

func (c *Channel[M, Q]) fill(v *View, enum Enum) error {
	q, cut, err := messages(v, enum)
	if err != nil {
		return err
	}
	c.cut = cut
	return c.q.fill(q, enum)
}

func (n *Net[I, K, M, Q, R, X]) fill(v *View, enum Enum) error {
	return fill(reflect.ValueOf(&n.ch).Elem(), v, enum)
}

func (b *Bag[I, K, M, Q, R, X]) fill(v *View, enum Enum) error {
	var n Net[I, K, M, Q, R, X]
	if err := n.fill(v, enum); err != nil {
		return err
	}
	b.net = Net[I, K, M, Q, R, X]{}
	var row R // the Go compiler fails on n.ch[i] where X has no rows
	for i := range len(n.ch) {
		for j := range len(row) {
			c := n.at(I(i), I(j))
			for k := range c.q.Len() {
				b.Send(I(i), I(j), c.q.At(k+1))
			}
			b.net.at(I(i), I(j)).cut = c.cut
		}
	}
	return nil
}
