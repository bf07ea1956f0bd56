// Package flatjson reads JSON into values of flat types, those of a State.
package flatjson

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Codec reads JSON into values of a flat type.
type Codec struct {
	kind   codecKind
	Type   reflect.Type
	Size   uintptr
	fields map[string]Field
	enum   map[string]int64
	elem   *Codec
	length int     // of an array, or the capacity of a sequence
	count  uintptr // where the length of a sequence is
}

// Field is a field of a struct: its offset in bytes and its codec.
type Field struct {
	At uintptr
	Of *Codec
}

type codecKind uint8

const (
	signed codecKind = iota
	unsigned
	boolean
	object
	array
	sequence
	set
	chain
	unreadable
)

// CodecOf returns the codec of type t. The function enum returns the constants of an enumeration by
// their names, and nil for other types. A type without a form in JSON gets a codec that fails when
// it reads.
func CodecOf(t reflect.Type, enum modules.Enum) *Codec {
	c := &Codec{Type: t, Size: t.Size(), enum: enum(t)}
	ours := t.PkgPath() == reflect.TypeFor[modules.None]().PkgPath()
	switch {
	case ours && strings.HasPrefix(t.Name(), "Set["):
		c.kind = set
	case ours && strings.HasPrefix(t.Name(), "Seq["):
		elem, _ := t.FieldByName("elem")
		count, _ := t.FieldByName("n")
		c.kind, c.elem, c.length, c.count = sequence, CodecOf(elem.Type.Elem(), enum), elem.Type.Len(), count.Offset
	case ours && strings.HasPrefix(t.Name(), "Chain["):
		at, _ := reflect.PointerTo(t).MethodByName("At")
		c.kind, c.elem = chain, CodecOf(at.Type.Out(0), enum)
	case ours && t.Kind() == reflect.Struct && !exported(t):
		c.kind = unreadable
	default:
		c.plain(t, enum)
	}
	return c
}

// Has reports whether an enumeration has a constant.
func (c *Codec) Has(name string) bool {
	_, ok := c.enum[name]
	return ok
}

func exported(t reflect.Type) bool {
	for f := range t.Fields() {
		if !f.IsExported() {
			return false
		}
	}
	return true
}

func (c *Codec) plain(t reflect.Type, enum modules.Enum) {
	switch t.Kind() {
	case reflect.Bool:
		c.kind = boolean
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.kind = signed
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		c.kind = unsigned
	case reflect.Array:
		c.kind, c.elem, c.length = array, CodecOf(t.Elem(), enum), t.Len()
	case reflect.Struct:
		c.kind, c.fields = object, map[string]Field{}
		for f := range t.Fields() {
			if f.IsExported() {
				c.fields[f.Name] = Field{f.Offset, CodecOf(f.Type, enum)}
			}
		}
	default:
		c.kind = unreadable
	}
}

// Read takes a value into p, which points to a zero value of the codec's type. It returns an error
// if the text is no value of that type; p then holds a part of it.
func (c *Codec) Read(s *Scanner, p unsafe.Pointer) error {
	switch c.kind {
	case object:
		return s.Members(func(name []byte) error {
			f, ok := c.fields[string(name)]
			if !ok {
				return fmt.Errorf("%s has no field %.40q", c.Type.Name(), name)
			}
			return f.Of.Read(s, unsafe.Add(p, f.At))
		})
	case array:
		return s.elements(func(k int) error {
			if c.length == 0 {
				return errors.New("this composition has no such part")
			}
			if k >= c.length {
				return fmt.Errorf("more than %d elements", c.length)
			}
			return c.elem.Read(s, unsafe.Add(p, uintptr(k)*c.elem.Size))
		})
	case sequence:
		return s.elements(func(k int) error {
			if k >= c.length {
				return fmt.Errorf("more than %d elements", c.length)
			}
			*(*uint8)(unsafe.Add(p, c.count)) = uint8(k + 1)
			return c.elem.Read(s, unsafe.Add(p, uintptr(k)*c.elem.Size))
		})
	case set:
		return c.readSet(s, p)
	case chain:
		return c.readChain(s, p)
	case unreadable:
		return fmt.Errorf("a %s cannot be part of an event", c.Type)
	}
	return c.ReadScalar(s, p)
}

// readChain takes an array, or an object with how many elements come before those that are known.
func (c *Codec) readChain(s *Scanner, p unsafe.Pointer) error {
	q := reflect.NewAt(c.Type, p)
	to := q.MethodByName("Append")
	elements := func() error {
		return s.elements(func(int) error {
			v := reflect.New(c.elem.Type)
			err := c.elem.Read(s, v.UnsafePointer())
			to.Call([]reflect.Value{v.Elem()})
			return err
		})
	}
	if s.space(); s.at < len(s.b) && s.b[s.at] == '[' {
		return elements()
	}
	return s.Members(func(name []byte) error {
		switch string(name) {
		case "after":
			after := int64(0)
			err := s.Int(func(x int64) { after = x })
			if err == nil && after < 0 {
				err = fmt.Errorf("a sequence cannot begin after %d", after)
			}
			q.MethodByName("Skip").Call([]reflect.Value{reflect.ValueOf(int(after))})
			return err
		case "elements":
			return elements()
		}
		return fmt.Errorf("a sequence has no %.40q", name)
	})
}

func (c *Codec) readSet(s *Scanner, p unsafe.Pointer) error {
	return s.elements(func(int) error {
		text, err := s.number()
		if err != nil {
			return err
		}
		e, err := strconv.ParseUint(string(text), 10, 8)
		if err != nil || e >= modules.MaxSet {
			return fmt.Errorf("a set has no member %s", text)
		}
		modules.PutSet(p, modules.SetAt(p)|1<<e)
		return nil
	})
}

// ReadScalar takes a number, a truth value or the name of a constant into p, which points to a zero
// value of the codec's type. It returns an error if none comes next, or one outside of the type's
// range.
func (c *Codec) ReadScalar(s *Scanner, p unsafe.Pointer) error {
	s.space()
	if s.at >= len(s.b) {
		return errJSON
	}
	switch {
	case s.b[s.at] == '"':
		name, err := s.Text()
		if err != nil {
			return err
		}
		x, ok := c.enum[string(name)]
		if !ok {
			return fmt.Errorf("%s has no constant %.40q", c.Type.Name(), name)
		}
		c.put(p, x)
		return nil
	case c.kind == boolean:
		if s.word("true") {
			*(*bool)(p) = true
			return nil
		}
		if s.word("false") {
			return nil
		}
		return errJSON
	}
	text, err := s.number()
	if err != nil {
		return err
	}
	bits := int(c.Size) * 8
	if c.kind == signed {
		x, err := strconv.ParseInt(string(text), 10, bits)
		c.put(p, x)
		return err
	}
	x, err := strconv.ParseUint(string(text), 10, bits)
	c.put(p, int64(x))
	return err
}

// put sets an integer of the codec's size.
func (c *Codec) put(p unsafe.Pointer, x int64) {
	switch c.Size {
	case 1:
		*(*int8)(p) = int8(x)
	case 2:
		*(*int16)(p) = int16(x)
	case 4:
		*(*int32)(p) = int32(x)
	case 8:
		*(*int64)(p) = x
	}
}

// FieldNamed returns the field of an object with a name; its codec is nil where there is none.
func (c *Codec) FieldNamed(name []byte) Field { return c.fields[string(name)] }
