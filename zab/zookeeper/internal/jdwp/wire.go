package jdwp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// sizes are the widths in bytes of the JVM's ids, from VirtualMachine.IDSizes.
type sizes struct {
	field, method, object, class, frame int
}

// ErrNull says that an object, class or thread is null. The package sends no command about it.
var ErrNull = errors.New("null reference")

// encoder builds the data of a command. JDWP is big-endian. The first mistake stays in err.
type encoder struct {
	sizes
	b   []byte
	err error
}

func (e *encoder) byte(v byte)     { e.b = append(e.b, v) }
func (e *encoder) int(v int)       { e.b = binary.BigEndian.AppendUint32(e.b, uint32(int32(v))) }
func (e *encoder) long(v uint64)   { e.b = binary.BigEndian.AppendUint64(e.b, v) }
func (e *encoder) text(s string)   { e.int(len(s)); e.b = append(e.b, s...) }
func (e *encoder) object(v ID)     { e.id(v, e.sizes.object, "object") }
func (e *encoder) class(v ID)      { e.id(v, e.sizes.class, "class") }
func (e *encoder) method(v ID)     { e.id(v, e.sizes.method, "method") }
func (e *encoder) field(v ID)      { e.id(v, e.sizes.field, "field") }
func (e *encoder) frame(v ID)      { e.id(v, e.sizes.frame, "frame") }
func (e *encoder) thread(t Thread) { e.object(t.id) }

func (e *encoder) location(l Location) {
	e.byte(l.Class.tag)
	e.class(l.Class.id)
	e.method(l.Method)
	e.long(l.Index)
}

// id appends an id of n bytes. Frame ids may be zero in some JVMs; all others mean null.
func (e *encoder) id(v ID, n int, what string) {
	if v == 0 && what != "frame" && e.err == nil {
		e.err = fmt.Errorf("%w: the %s has id 0", ErrNull, what)
	}
	for k := n - 1; k >= 0; k-- {
		e.b = append(e.b, byte(v>>(8*k)))
	}
}

// decoder reads the data of a reply or an event. Reading past the end gives zeros and sets err.
type decoder struct {
	sizes
	vm  *VM
	b   []byte
	err error
}

var errShort = errors.New("the packet ends within a value")

// take returns the next n bytes.
func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		if d.err == nil {
			d.err = errShort
		}
		d.b = nil
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

// number reads an unsigned big-endian number of n bytes.
func (d *decoder) number(n int) (v uint64) {
	for _, b := range d.take(n) {
		v = v<<8 | uint64(b)
	}
	return v
}

func (d *decoder) byte() byte     { return byte(d.number(1)) }
func (d *decoder) bool() bool     { return d.number(1) != 0 }
func (d *decoder) int() int       { return int(int32(d.number(4))) }
func (d *decoder) long() uint64   { return d.number(8) }
func (d *decoder) text() string   { return string(d.take(d.int())) }
func (d *decoder) object() ID     { return ID(d.number(d.sizes.object)) }
func (d *decoder) method() ID     { return ID(d.number(d.sizes.method)) }
func (d *decoder) field() ID      { return ID(d.number(d.sizes.field)) }
func (d *decoder) frame() ID      { return ID(d.number(d.sizes.frame)) }
func (d *decoder) thread() Thread { return Thread{d.vm, d.object()} }

// count reads the length of a list. Each element has at least one byte.
func (d *decoder) count() int {
	n := d.int()
	if n < 0 || n > len(d.b) {
		if d.err == nil {
			d.err = errShort
		}
		return 0
	}
	return n
}

// class reads a type tag and the id of a class.
func (d *decoder) class() Class {
	tag := d.byte()
	return Class{d.vm, tag, ID(d.number(d.sizes.class))}
}

func (d *decoder) location() Location {
	return Location{Class: d.class(), Method: d.method(), Index: d.long()}
}

// tagged reads a value with its tag.
func (d *decoder) tagged() Value { return d.value(d.byte()) }

// value reads a value of the given tag.
func (d *decoder) value(tag byte) Value {
	v := Value{vm: d.vm, tag: tag}
	switch tag {
	case 'B':
		v.bits = uint64(int64(int8(d.number(1))))
	case 'Z':
		v.bits = d.number(1)
	case 'C':
		v.bits = d.number(2)
	case 'S':
		v.bits = uint64(int64(int16(d.number(2))))
	case 'I':
		v.bits = uint64(int64(int32(d.number(4))))
	case 'F':
		v.bits = math.Float64bits(float64(math.Float32frombits(uint32(d.number(4)))))
	case 'D', 'J':
		v.bits = d.number(8)
	case 'V':
	default:
		if !isObject(tag) && d.err == nil {
			d.err = fmt.Errorf("unknown tag %q of a value", tag)
		}
		v.bits = uint64(d.object())
	}
	return v
}

// isObject reports whether values of the tag are references: arrays, strings, threads, thread
// groups, class loaders, class objects, and all others.
func isObject(tag byte) bool {
	switch tag {
	case 'L', '[', 's', 't', 'g', 'l', 'c':
		return true
	}
	return false
}
