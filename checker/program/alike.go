package program

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Alike returns a specification over T that runs spec, whose State type S is a copy of T: a type with the
// same fields in the same order, of types that are the same or copies themselves. It returns an error if
// T is no copy of S.
//
// An assembled program instantiates the checker for such a copy, in a package that does not change when
// an action does. The functions of a specification take pointers to states, so they serve both types. The
// exception is Init, which passes states by value.
func Alike[T, S any](spec *modules.Spec[S]) (*modules.Spec[T], error) {
	if err := alike(reflect.TypeFor[S](), reflect.TypeFor[T](), "State"); err != nil {
		return nil, fmt.Errorf("the copy of the State type differs: %w", err)
	}
	out := *(*modules.Spec[T])(unsafe.Pointer(spec))
	out.Init = func(yield func(T) bool) {
		spec.Init(func(s S) bool { return yield(*(*T)(unsafe.Pointer(&s))) })
	}
	return &out, nil
}

// alike compares two types. They agree in memory, and in the names of fields and of types: symmetry,
// enumerations and views go by these.
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
