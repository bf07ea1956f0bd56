package modules

import (
	"fmt"
	"reflect"
	"strings"
)

// CheckState reports every breach of the State contract in t: pointers and their kin, padding, a
// message whose first field is not its kind, a second Raised field. Each error names the field.
// Package interaction finds the same statically.
func CheckState(t reflect.Type) []error {
	if t.Kind() != reflect.Struct {
		return []error{fmt.Errorf("the type State is a %s: make it a struct whose fields are the variables", t.Kind())}
	}
	var errs []error
	checkFlat(t, "State", &errs)
	raised := 0
	for f := range t.Fields() {
		if isRaised(f.Type) {
			raised++
		}
	}
	for f := range t.Fields() {
		if name := f.Tag.Get(InUse); name != "" {
			if _, ok := CountOf(t, f); !ok {
				errs = append(errs, fmt.Errorf("field State.%s is tagged %s:%q: tag an array, with the name of an unsigned field of State", f.Name, InUse, name))
			}
		}
	}
	if raised > 1 {
		errs = append(errs, fmt.Errorf("the State has %d Raised fields: one holds all assertions", raised))
	}
	return errs
}

// InUse is the key of a field's tag for an array of the State that is partly in use. The tag names
// the field that counts the first elements in use. All others are zero in every state. A checker
// need not read them, and an exploration tests that they are zero.
//
//	Wire      [MaxWire]Packet `inuse:"WireCount"`
//	WireCount uint16
const InUse = "inuse"

// CountOf returns the field that counts the elements in use of a field of a State, and whether
// there is one.
func CountOf(state reflect.Type, f reflect.StructField) (count reflect.StructField, ok bool) {
	name := f.Tag.Get(InUse)
	if name == "" || f.Type.Kind() != reflect.Array {
		return count, false
	}
	count, ok = state.FieldByName(name)
	return count, ok && len(count.Index) == 1 && reflect.Uint8 <= count.Type.Kind() && count.Type.Kind() <= reflect.Uint64
}

func isRaised(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ raised() }]())
}

// RaisedOffset returns the offset of the Raised field of a State, and whether there is one.
func RaisedOffset(t reflect.Type) (uintptr, bool) {
	for f := range t.Fields() {
		if isRaised(f.Type) {
			return f.Offset, true
		}
	}
	return 0, false
}

func checkFlat(t reflect.Type, path string, errs *[]error) {
	bad := func(format string, args ...any) { *errs = append(*errs, fmt.Errorf(path+" "+format, args...)) }
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32,
		reflect.Int64, reflect.Uint64:
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		bad("is a %s, whose size depends on the machine: give it a size, as in int8", t)
	case reflect.Array:
		checkFlat(t.Elem(), path+"[]", errs)
	case reflect.Struct:
		end := uintptr(0)
		for f := range t.Fields() {
			if f.Offset != end {
				bad("has %d bytes of padding before %s: order the fields by size, largest first", f.Offset-end, f.Name)
			}
			end = f.Offset + f.Type.Size()
			inner := path + "." + f.Name
			if isOurs(t) {
				inner = path
			}
			checkFlat(f.Type, inner, errs)
		}
		if end != t.Size() {
			bad("has %d bytes of padding at its end: use byte-sized fields, or fill it", t.Size()-end)
		}
		checkMessage(t, bad)
	default:
		bad("is a %s: a state is flat, use arrays, integers, booleans and the value types of package modules", t.Kind())
	}
}

// checkMessage compares the first field of the messages of a Net, or of the Net in a Bag, with its
// kind.
func checkMessage(t reflect.Type, bad func(string, ...any)) {
	n, ok := reflect.New(t).Interface().(interface {
		message() (kind, msg reflect.Type)
	})
	if !ok {
		return
	}
	kind, msg := n.message()
	if msg.Kind() != reflect.Struct || msg.NumField() == 0 || msg.Field(0).Type != kind {
		bad("carries %s, whose first field must be its kind, of type %s", msg, kind)
	}
}

func (n *Net[I, K, M, Q, R, X]) message() (kind, msg reflect.Type) {
	return reflect.TypeFor[K](), reflect.TypeFor[M]()
}

// isOurs reports whether t is a type of this package: its insides are not the specification's
// names.
func isOurs(t reflect.Type) bool { return t.PkgPath() == reflect.TypeFor[None]().PkgPath() }

// Span is a part of a flat value: Size bytes from Offset on.
type Span struct{ Offset, Size uintptr }

// Spans returns the bytes of a flat type that are no padding, in their order, neighbours joined.
// Two values are equal exactly if these bytes are.
func Spans(t reflect.Type) []Span { return appendSpans(nil, t, 0) }

func appendSpans(out []Span, t reflect.Type, at uintptr) []Span {
	switch t.Kind() {
	case reflect.Array:
		for k := range t.Len() {
			out = appendSpans(out, t.Elem(), at+uintptr(k)*t.Elem().Size())
		}
		return out
	case reflect.Struct:
		for f := range t.Fields() {
			out = appendSpans(out, f.Type, at+f.Offset)
		}
		return out
	}
	if t.Size() == 0 {
		return out
	}
	if k := len(out) - 1; k >= 0 && out[k].Offset+out[k].Size == at {
		out[k].Size += t.Size()
		return out
	}
	return append(out, Span{at, t.Size()})
}

// FieldAt returns the path of the innermost named field of t that covers the byte at offset, as
// State.History[1].
func FieldAt(t reflect.Type, offset uintptr) string {
	var b strings.Builder
	for {
		switch t.Kind() {
		case reflect.Array:
			if t.Len() == 0 || t.Elem().Size() == 0 {
				return b.String()
			}
			fmt.Fprintf(&b, "[%d]", offset/t.Elem().Size())
			offset %= t.Elem().Size()
			t = t.Elem()
			continue
		case reflect.Struct:
			if f, ok := fieldAt(t, offset); ok {
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.WriteString(f.Name)
				offset -= f.Offset
				t = f.Type
				continue
			}
		}
		return b.String()
	}
}

// fieldAt stops at the value types.
func fieldAt(t reflect.Type, offset uintptr) (reflect.StructField, bool) {
	if isOurs(t) {
		return reflect.StructField{}, false
	}
	for f := range t.Fields() {
		if f.Offset <= offset && offset < f.Offset+f.Type.Size() {
			return f, true
		}
	}
	return reflect.StructField{}, false
}
