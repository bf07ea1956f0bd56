package bytecode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Pool is the constant pool of a class, JVMS 4.4.
type Pool struct {
	entries []constant // entry 0 is unused
}

// constant is an entry of the pool. Entries that a method's names do not need keep only their tag.
type constant struct {
	tag  byte
	text string // Utf8, and the bytes of numbers in hexadecimal
	a, b int    // indices of other entries
}

// Tags of constants that refer to others, or have text.
const (
	tagUtf8          = 1
	tagClass         = 7
	tagField         = 9
	tagMethod        = 10
	tagInterface     = 11
	tagNameAndType   = 12
	tagMethodHandle  = 15
	tagDynamic       = 17
	tagInvokeDynamic = 18
)

// Member is the field or method that an instruction names.
type Member struct {
	Class      string // as in org.example.Outer$Inner; empty for invokedynamic
	Name       string // as in run, or <init>
	Descriptor string // as in (J)V for a method, or J for a field
}

// String returns class.name, followed by the descriptor of a method.
func (m Member) String() string {
	out := m.Name
	if m.Class != "" {
		out = m.Class + "." + out
	}
	if strings.HasPrefix(m.Descriptor, "(") {
		out += m.Descriptor
	}
	return out
}

// input reads big-endian numbers. Reading past the end gives zeros and sets err.
type input struct {
	b   []byte
	err error
}

var errShort = errors.New("the data end too early")

func (r *input) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		if r.err == nil {
			r.err = errShort
		}
		r.b = nil
		return make([]byte, max(0, min(n, 8)))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *input) u1() int { return int(r.take(1)[0]) }
func (r *input) u2() int { return int(binary.BigEndian.Uint16(r.take(2))) }
func (r *input) u4() int { return int(binary.BigEndian.Uint32(r.take(4))) }

// ParsePool reads a constant pool. The count is that of the class file: one more than the last
// index.
func ParsePool(count int, raw []byte) (*Pool, error) {
	r := &input{b: raw}
	p := parsePool(count, r)
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("%d bytes follow the last constant", len(r.b))
	}
	if r.err != nil {
		return nil, fmt.Errorf("bytecode: constant pool: %w", r.err)
	}
	return p, nil
}

func parsePool(count int, r *input) *Pool {
	p := &Pool{entries: make([]constant, max(count, 1))}
	for k := 1; k < count && r.err == nil; k++ {
		c := constant{tag: byte(r.u1())}
		switch c.tag {
		case tagUtf8:
			c.text = modifiedUTF8(r.take(r.u2()))
		case 3, 4: // Integer, Float
			c.text = fmt.Sprintf("%x", r.take(4))
		case 5, 6: // Long, Double
			c.text = fmt.Sprintf("%x", r.take(8))
		case tagClass, 8, 16, 19, 20: // Class, String, MethodType, Module, Package
			c.a = r.u2()
		case tagField, tagMethod, tagInterface, tagNameAndType, tagDynamic, tagInvokeDynamic:
			c.a, c.b = r.u2(), r.u2()
		case tagMethodHandle:
			c.a, c.b = r.u1(), r.u2()
		default:
			if r.err == nil {
				r.err = fmt.Errorf("constant %d has tag %d, which is unknown", k, c.tag)
			}
		}
		p.entries[k] = c
		if c.tag == 5 || c.tag == 6 {
			k++ // these take two indices
		}
	}
	return p
}

// modifiedUTF8 decodes JVMS 4.4.7: NUL has two bytes, and each half of a surrogate pair has three.
func modifiedUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b) // without surrogates and NUL both encodings are the same
	}
	var out []uint16
	for k := 0; k < len(b); {
		switch c := b[k]; {
		case c&0xE0 == 0xC0 && k+1 < len(b):
			out = append(out, uint16(c&0x1F)<<6|uint16(b[k+1]&0x3F))
			k += 2
		case c&0xF0 == 0xE0 && k+2 < len(b):
			out = append(out, uint16(c)<<12|uint16(b[k+1]&0x3F)<<6|uint16(b[k+2]&0x3F))
			k += 3
		default:
			out = append(out, uint16(c))
			k++
		}
	}
	return string(utf16.Decode(out))
}

// entry returns an entry with one of the tags.
func (p *Pool) entry(index int, tags ...byte) (constant, error) {
	if index <= 0 || index >= len(p.entries) {
		return constant{}, fmt.Errorf("constant %d does not exist, the pool has 1 to %d", index, len(p.entries)-1)
	}
	c := p.entries[index]
	for _, tag := range tags {
		if c.tag == tag {
			return c, nil
		}
	}
	return constant{}, fmt.Errorf("constant %d has tag %d, one of %d should be there", index, c.tag, tags)
}

// constant returns a constant as text: a number by its type and bytes, a string, or a class. It is
// "" for another entry.
func (p *Pool) constant(index int) string {
	if index <= 0 || index >= len(p.entries) {
		return ""
	}
	switch c := p.entries[index]; c.tag {
	case 3, 4, 5, 6:
		return fmt.Sprintf("%d:%s", c.tag, c.text)
	case tagClass, 8:
		text, _ := p.text(c.a)
		return fmt.Sprintf("%d:%s", c.tag, text)
	}
	return ""
}

// text returns the characters of a Utf8 entry.
func (p *Pool) text(index int) (string, error) {
	c, err := p.entry(index, tagUtf8)
	return c.text, err
}

// class returns the name of a Class entry, with dots.
func (p *Pool) class(index int) (string, error) {
	c, err := p.entry(index, tagClass)
	if err != nil {
		return "", err
	}
	name, err := p.text(c.a)
	return strings.ReplaceAll(name, "/", "."), err
}

// member returns the field or method at an index.
func (p *Pool) member(index int) (m Member, err error) {
	c, err := p.entry(index, tagField, tagMethod, tagInterface, tagInvokeDynamic)
	if err != nil {
		return m, err
	}
	if c.tag != tagInvokeDynamic {
		if m.Class, err = p.class(c.a); err != nil {
			return m, err
		}
	}
	m.Name, m.Descriptor, err = p.nameAndType(c.b)
	return m, err
}

// nameAndType returns the texts of a NameAndType entry.
func (p *Pool) nameAndType(index int) (name, descriptor string, err error) {
	nt, err := p.entry(index, tagNameAndType)
	if err != nil {
		return "", "", err
	}
	if name, err = p.text(nt.a); err != nil {
		return "", "", err
	}
	descriptor, err = p.text(nt.b)
	return name, descriptor, err
}
