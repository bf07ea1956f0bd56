package program

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Composed is a specification over a State type that the package at hand does not know.
type Composed struct {
	State reflect.Type   // the State type S
	Spec  unsafe.Pointer // *modules.Spec[S]
	// Init of the specification with states by reference
	Init func(yield func(state unsafe.Pointer) bool)
}

// ComposedOf returns a specification without its type.
func ComposedOf[S any](spec *modules.Spec[S]) Composed {
	return Composed{reflect.TypeFor[S](), unsafe.Pointer(spec), func(yield func(unsafe.Pointer) bool) {
		spec.Init(func(s S) bool { return yield(unsafe.Pointer(&s)) })
	}}
}

// Alike returns a specification over T that runs c, whose State type S is a copy of T. A copy has
// the same fields in the same order, of types that are the same or copies themselves. Alike returns
// an error if T is no copy of S.
//
// An assembled program instantiates the checker for such a copy, in a package that does not
// change when an action does. The functions of a specification take pointers to states, so they
// serve both types. The exception is Init, which passes states by value.
func Alike[T any](c Composed) (*modules.Spec[T], error) {
	if err := alike(c.State, reflect.TypeFor[T](), "State"); err != nil {
		return nil, fmt.Errorf("the copy of the State type differs: %w", err)
	}
	out := *(*modules.Spec[T])(c.Spec)
	out.Init = func(yield func(T) bool) {
		c.Init(func(state unsafe.Pointer) bool { return yield(*(*T)(state)) })
	}
	return &out, nil
}

// alike compares two types. They agree in memory, and in the names of fields and of types:
// symmetry, enumerations and views go by these.
func alike(s, t reflect.Type, path string) error {
	if s == t {
		return nil
	}
	if s.Kind() != t.Kind() || s.Size() != t.Size() {
		return fmt.Errorf("%s is a %s of %d bytes and a %s of %d bytes", path, s.Kind(), s.Size(), t.Kind(), t.Size())
	}
	switch s.Kind() {
	case reflect.Array:
		if s.Len() != t.Len() {
			return fmt.Errorf("%s has %d elements and %d", path, s.Len(), t.Len())
		}
		return alike(s.Elem(), t.Elem(), path+"[]")
	case reflect.Struct:
		if s.NumField() != t.NumField() {
			return fmt.Errorf("%s has %d fields and %d", path, s.NumField(), t.NumField())
		}
		for k := range s.NumField() {
			f, g := s.Field(k), t.Field(k)
			if f.Name != g.Name || f.Offset != g.Offset || f.Tag != g.Tag {
				return fmt.Errorf("%s has the fields %s and %s", path, f.Name, g.Name)
			}
			if err := alike(f.Type, g.Type, path+"."+f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
