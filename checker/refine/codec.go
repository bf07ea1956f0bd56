package refine

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// codec reads JSON into values of a flat type.
type codec struct {
	kind   codecKind
	typ    reflect.Type
	size   uintptr
	fields map[string]fieldCodec
	enum   map[string]int64
	elem   *codec
	length int     // of an array, or the capacity of a sequence
	count  uintptr // where the length of a sequence is
}

type fieldCodec struct {
	at uintptr
	of *codec
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

func codecOf(t reflect.Type, enum modules.Enum) *codec {
	c := &codec{typ: t, size: t.Size(), enum: enum(t)}
	ours := t.PkgPath() == reflect.TypeFor[modules.None]().PkgPath()
	switch {
	case ours && strings.HasPrefix(t.Name(), "Set["):
		c.kind = set
	case ours && strings.HasPrefix(t.Name(), "Seq["):
		elem, _ := t.FieldByName("elem")
		count, _ := t.FieldByName("n")
		c.kind, c.elem, c.length, c.count = sequence, codecOf(elem.Type.Elem(), enum), elem.Type.Len(), count.Offset
	case ours && strings.HasPrefix(t.Name(), "Chain["):
		at, _ := reflect.PointerTo(t).MethodByName("At")
		c.kind, c.elem = chain, codecOf(at.Type.Out(0), enum)
	case ours && t.Kind() == reflect.Struct && !exported(t):
		c.kind = unreadable
	default:
		c.plain(t, enum)
	}
	return c
}

// has reports whether an enumeration has a constant.
func (c *codec) has(name string) bool {
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

func (c *codec) plain(t reflect.Type, enum modules.Enum) {
	switch t.Kind() {
	case reflect.Bool:
		c.kind = boolean
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.kind = signed
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		c.kind = unsigned
	case reflect.Array:
		c.kind, c.elem, c.length = array, codecOf(t.Elem(), enum), t.Len()
	case reflect.Struct:
		c.kind, c.fields = object, map[string]fieldCodec{}
		for f := range t.Fields() {
			if f.IsExported() {
				c.fields[f.Name] = fieldCodec{f.Offset, codecOf(f.Type, enum)}
			}
		}
	default:
		c.kind = unreadable
	}
}

// scanner reads JSON of one line.
type scanner struct {
	b  []byte
	at int
}

var errJSON = errors.New("malformed JSON")

func (s *scanner) space() {
	for s.at < len(s.b) && (s.b[s.at] == ' ' || s.b[s.at] == '\t' || s.b[s.at] == '\r') {
		s.at++
	}
}

// next reports whether c comes next, and takes it.
func (s *scanner) next(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

// text takes a string. It is a part of the line.
func (s *scanner) text() ([]byte, error) {
	if !s.next('"') {
		return nil, errJSON
	}
	from := s.at
	for ; s.at < len(s.b); s.at++ {
		switch s.b[s.at] {
		case '"':
			s.at++
			return s.b[from : s.at-1], nil
		case '\\':
			return nil, errors.New("a name with a backslash")
		}
	}
	return nil, errJSON
}

// number takes an integer. It is a part of the line.
func (s *scanner) number() ([]byte, error) {
	s.space()
	from := s.at
	if s.at < len(s.b) && s.b[s.at] == '-' {
		s.at++
	}
	for s.at < len(s.b) && s.b[s.at] >= '0' && s.b[s.at] <= '9' {
		s.at++
	}
	if s.at == from {
		return nil, errJSON
	}
	return s.b[from:s.at], nil
}

// members calls f behind each name of an object, which is a part of the line.
func (s *scanner) members(f func(name []byte) error) error {
	if !s.next('{') {
		return errJSON
	}
	if s.next('}') {
		return nil
	}
	for {
		name, err := s.text()
		if err != nil {
			return err
		}
		if !s.next(':') {
			return errJSON
		}
		if err := f(name); err != nil {
			return err
		}
		if s.next('}') {
			return nil
		}
		if !s.next(',') {
			return errJSON
		}
	}
}

// elements calls f before each element of an array.
func (s *scanner) elements(f func(k int) error) error {
	if !s.next('[') {
		return errJSON
	}
	if s.next(']') {
		return nil
	}
	for k := 0; ; k++ {
		if err := f(k); err != nil {
			return err
		}
		if s.next(']') {
			return nil
		}
		if !s.next(',') {
			return errJSON
		}
	}
}

// skip takes any value.
func (s *scanner) skip(depth int) error {
	s.space()
	if s.at >= len(s.b) || depth > 16 {
		return errJSON
	}
	switch c := s.b[s.at]; {
	case c == '{':
		return s.members(func([]byte) error { return s.skip(depth + 1) })
	case c == '[':
		return s.elements(func(int) error { return s.skip(depth + 1) })
	case c == '"':
		_, err := s.text()
		return err
	case c == '-' || c >= '0' && c <= '9':
		_, err := s.number()
		return err
	}
	for _, word := range []string{"true", "false", "null"} {
		if s.word(word) {
			return nil
		}
	}
	return errJSON
}

// word reports whether a word comes next, and takes it.
func (s *scanner) word(w string) bool {
	if len(s.b)-s.at < len(w) || string(s.b[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

// read takes a value into p, which points to a zero one.
func (c *codec) read(s *scanner, p unsafe.Pointer) error {
	switch c.kind {
	case object:
		return s.members(func(name []byte) error {
			f, ok := c.fields[string(name)]
			if !ok {
				return fmt.Errorf("%s has no field %.40q", c.typ.Name(), name)
			}
			return f.of.read(s, unsafe.Add(p, f.at))
		})
	case array:
		return s.elements(func(k int) error {
			if c.length == 0 {
				return errors.New("this composition has no such part")
			}
			if k >= c.length {
				return fmt.Errorf("more than %d elements", c.length)
			}
			return c.elem.read(s, unsafe.Add(p, uintptr(k)*c.elem.size))
		})
	case sequence:
		return s.elements(func(k int) error {
			if k >= c.length {
				return fmt.Errorf("more than %d elements", c.length)
			}
			*(*uint8)(unsafe.Add(p, c.count)) = uint8(k + 1)
			return c.elem.read(s, unsafe.Add(p, uintptr(k)*c.elem.size))
		})
	case set:
		return c.readSet(s, p)
	case chain:
		return c.readChain(s, p)
	case unreadable:
		return fmt.Errorf("a %s cannot be part of an event", c.typ)
	}
	return c.readScalar(s, p)
}

// readChain takes an array, or an object with how many elements come before those that are known.
func (c *codec) readChain(s *scanner, p unsafe.Pointer) error {
	q := reflect.NewAt(c.typ, p)
	to := q.MethodByName("Append")
	elements := func() error {
		return s.elements(func(int) error {
			v := reflect.New(c.elem.typ)
			err := c.elem.read(s, v.UnsafePointer())
			to.Call([]reflect.Value{v.Elem()})
			return err
		})
	}
	if s.space(); s.at < len(s.b) && s.b[s.at] == '[' {
		return elements()
	}
	return s.members(func(name []byte) error {
		switch string(name) {
		case "after":
			after := int64(0)
			err := s.integer(func(x int64) { after = x })
			if err == nil && after < 0 {
				err = fmt.Errorf("a sequence cannot begin behind %d", after)
			}
			q.MethodByName("Skip").Call([]reflect.Value{reflect.ValueOf(int(after))})
			return err
		case "elements":
			return elements()
		}
		return fmt.Errorf("a sequence has no %.40q", name)
	})
}

func (c *codec) readSet(s *scanner, p unsafe.Pointer) error {
	return s.elements(func(int) error {
		text, err := s.number()
		if err != nil {
			return err
		}
		e, err := strconv.ParseUint(string(text), 10, 8)
		if err != nil || e >= modules.MaxSet {
			return fmt.Errorf("a set has no member %s", text)
		}
		*(*uint8)(p) |= 1 << e
		return nil
	})
}

func (c *codec) readScalar(s *scanner, p unsafe.Pointer) error {
	s.space()
	if s.at >= len(s.b) {
		return errJSON
	}
	switch {
	case s.b[s.at] == '"':
		name, err := s.text()
		if err != nil {
			return err
		}
		x, ok := c.enum[string(name)]
		if !ok {
			return fmt.Errorf("%s has no constant %.40q", c.typ.Name(), name)
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
	bits := int(c.size) * 8
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
func (c *codec) put(p unsafe.Pointer, x int64) {
	switch c.size {
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
