package jdwp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Value is a value of a field, variable or array element: a primitive or a reference.
type Value struct {
	vm   *VM
	tag  byte
	bits uint64 // integers are sign-extended, floats are stored as double, references as ids
}

// Object is a reference to an object or array. Two values are equal if they are the same object.
// The zero Object is null.
type Object struct {
	vm *VM
	id ID
}

// ID returns the id of the object in the JVM. It is 0 for null.
func (o Object) ID() ID { return o.id }

// IsNull reports whether the reference is null.
func (o Object) IsNull() bool { return o.id == 0 }

// IsNull reports whether the value is a null reference.
func (v Value) IsNull() bool { return isObject(v.tag) && v.bits == 0 }

// Object returns the reference. It fails for a primitive; null is an Object.
func (v Value) Object() (Object, error) {
	if !isObject(v.tag) {
		return Object{}, fmt.Errorf("jdwp: the value has type %s, not a reference", v.kind())
	}
	return Object{v.vm, ID(v.bits)}, nil
}

// kind returns the JVM's letter for the type of the value.
func (v Value) kind() string {
	if v.tag == 0 {
		return "none"
	}
	return string(rune(v.tag))
}

// boxes are the classes whose field value holds a primitive.
var boxes = []string{
	"java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short", "java.lang.Integer",
	"java.lang.Long", "java.lang.Float", "java.lang.Double", "java.util.concurrent.atomic.AtomicInteger",
	"java.util.concurrent.atomic.AtomicLong", "java.util.concurrent.atomic.AtomicBoolean",
}

// unboxed returns the primitive in a box such as Long or AtomicLong, and the name of the box's
// class. It returns primitives unchanged.
func (v Value) unboxed() (p Value, box string, err error) {
	if !isObject(v.tag) {
		return v, "", nil
	}
	o := Object{v.vm, ID(v.bits)}
	class, err := o.Class()
	if err != nil {
		return Value{}, "", err
	}
	if box, err = class.Name(); err != nil {
		return Value{}, "", err
	}
	if !slices.Contains(boxes, box) {
		return Value{}, "", fmt.Errorf("jdwp: the value is an object of class %s, not a primitive or a box of one", box)
	}
	p, err = o.Field("value")
	return p, box, err
}

// Int64 returns an integer or character. It opens boxes such as Long and AtomicInteger.
func (v Value) Int64() (int64, error) {
	p, _, err := v.unboxed()
	if err != nil {
		return 0, err
	}
	if !strings.ContainsRune("BCSIJ", rune(p.tag)) {
		return 0, fmt.Errorf("jdwp: the value has type %s, not an integer", p.kind())
	}
	return int64(p.bits), nil
}

// Bool returns a boolean. It opens Boolean, and AtomicBoolean, which stores an int.
func (v Value) Bool() (bool, error) {
	p, box, err := v.unboxed()
	if err != nil {
		return false, err
	}
	if p.tag != 'Z' && box != "java.util.concurrent.atomic.AtomicBoolean" {
		return false, fmt.Errorf("jdwp: the value has type %s, not boolean", p.kind())
	}
	return p.bits != 0, nil
}

// Float64 returns a float or double.
func (v Value) Float64() (float64, error) {
	p, _, err := v.unboxed()
	if err != nil {
		return 0, err
	}
	if p.tag != 'F' && p.tag != 'D' {
		return 0, fmt.Errorf("jdwp: the value has type %s, not float or double", p.kind())
	}
	return math.Float64frombits(p.bits), nil
}

// Text returns the characters of a String.
func (v Value) Text() (string, error) {
	o, err := v.Object()
	if err != nil {
		return "", err
	}
	return o.Text()
}

// Text returns the characters of a String, which never change. It asks the JVM once.
func (o Object) Text() (s string, err error) {
	if o.vm != nil {
		o.vm.mu.Lock()
		s, known := o.vm.texts[o.id]
		o.vm.mu.Unlock()
		if known && o.vm.Err() == nil {
			return s, nil
		}
	}
	err = o.vm.do(stringValue, func(e *encoder) { e.object(o.id) }, func(d *decoder) { s = d.text() })
	if err == nil {
		o.vm.mu.Lock()
		defer o.vm.mu.Unlock()
		o.vm.texts[o.id] = s
	}
	return s, err
}

// Class returns the class of the object. It asks the JVM once: the JVM gives an id to one object
// only, as long as the id is not disposed of, which this package never does.
func (o Object) Class() (c Class, err error) {
	if o.vm != nil {
		o.vm.mu.Lock()
		c, known := o.vm.classes[o.id]
		o.vm.mu.Unlock()
		if known && o.vm.Err() == nil {
			return c, nil
		}
	}
	err = o.vm.do(objectType, func(e *encoder) { e.object(o.id) }, func(d *decoder) { c = d.class() })
	if err == nil {
		o.vm.mu.Lock()
		defer o.vm.mu.Unlock()
		o.vm.classes[o.id] = c
	}
	return c, err
}

// Field returns the value of the field with a name. The object's class is searched first, then its
// superclasses. The field may be static.
func (o Object) Field(name string) (Value, error) {
	values, err := o.Fields(name)
	if err != nil {
		return Value{}, err
	}
	return values[0], nil
}

// Fields returns the values of several fields. The instance fields are read at one moment.
func (o Object) Fields(names ...string) ([]Value, error) {
	class, err := o.Class()
	if err != nil {
		return nil, err
	}
	out, at := make([]Value, len(names)), []int{}
	var ids []ID
	for k, name := range names {
		f, err := class.FieldNamed(name)
		if err != nil {
			return nil, err
		}
		if !f.Static() {
			at, ids = append(at, k), append(ids, f.ID)
			continue
		}
		if out[k], err = f.Class.Static(name); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	values, err := o.instance(class, ids)
	if err != nil {
		return nil, err
	}
	for k, v := range values {
		out[at[k]] = v
	}
	return out, nil
}

// Set sets the field with a name, of type int. The field is not static.
func (o Object) Set(name string, value int) error {
	return o.set(name, "I", "int", func(e *encoder) { e.int(value) })
}

// SetDouble sets the field with a name, of type double. The field is not static.
func (o Object) SetDouble(name string, value float64) error {
	return o.set(name, "D", "double", func(e *encoder) { e.long(math.Float64bits(value)) })
}

// set sets a field of one type, which has a signature and a name.
func (o Object) set(name, signature, what string, value func(*encoder)) error {
	c, err := o.Class()
	if err != nil {
		return err
	}
	f, err := c.FieldNamed(name)
	if err != nil {
		return err
	}
	if class, _ := c.Name(); f.Static() || f.Signature != signature {
		return fmt.Errorf("jdwp: field %s of class %s is no %s of an object", name, class, what)
	}
	return o.vm.do(objectSet, func(e *encoder) {
		e.object(o.id)
		e.int(1)
		e.field(f.ID)
		value(e)
	}, nil)
}

// Path follows fields by name, as in self.zkDb.dataTree.lastProcessedZxid. A step may have an index
// into an array, as in table[3].next. A null before the last step is an error that wraps ErrNull
// and names the step.
func (o Object) Path(path string) (Value, error) {
	v := Value{o.vm, 'L', uint64(o.id)}
	steps := strings.Split(path, ".")
	for k, step := range steps {
		if v.IsNull() && k > 0 {
			return Value{}, fmt.Errorf("jdwp: path %s: %w: %s is null", path, ErrNull, strings.Join(steps[:k], "."))
		}
		var err error
		if v, err = v.step(step); err != nil {
			return Value{}, fmt.Errorf("path %s, step %s: %w", path, step, err)
		}
	}
	return v, nil
}

// Path follows fields by name, see Object.Path.
func (v Value) Path(path string) (Value, error) {
	o, err := v.Object()
	if err != nil {
		return Value{}, err
	}
	return o.Path(path)
}

// step reads one field, and then the element of an array that an index such as [3] names.
func (v Value) step(step string) (Value, error) {
	name, index, indexed := strings.Cut(step, "[")
	o, err := v.Object()
	if err != nil {
		return Value{}, err
	}
	if v, err = o.Field(name); err != nil || !indexed {
		return v, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
	if err != nil {
		return Value{}, fmt.Errorf("jdwp: step %s: write the index as in table[3]", step)
	}
	if o, err = v.Object(); err != nil {
		return Value{}, err
	}
	values, err := o.Elements(n, 1)
	if err != nil {
		return Value{}, err
	}
	return values[0], nil
}

// Length returns the length of an array.
func (o Object) Length() (n int, err error) {
	err = o.vm.do(arrayLength, func(e *encoder) { e.object(o.id) }, func(d *decoder) { n = d.int() })
	return n, err
}

// Elements returns n elements of an array from an index on.
func (o Object) Elements(from, n int) (out []Value, err error) {
	if n == 0 {
		return nil, nil
	}
	err = o.vm.do(arrayValues, func(e *encoder) {
		e.object(o.id)
		e.int(from)
		e.int(n)
	}, func(d *decoder) {
		tag := d.byte()
		for range d.count() {
			if isObject(tag) {
				out = append(out, d.tagged())
			} else {
				out = append(out, d.value(tag))
			}
		}
		if len(out) != n && d.err == nil {
			d.err = fmt.Errorf("%d elements for %d", len(out), n)
		}
	})
	return out, err
}

// Array returns all elements of an array.
func (o Object) Array() ([]Value, error) {
	n, err := o.Length()
	if err != nil {
		return nil, err
	}
	return o.Elements(0, n)
}

// Bytes returns the elements of a byte array.
func (o Object) Bytes() ([]byte, error) {
	values, err := o.Array()
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(values))
	for k, v := range values {
		if v.tag != 'B' {
			return nil, fmt.Errorf("jdwp: the array has elements of type %s, not bytes", v.kind())
		}
		out[k] = byte(v.bits)
	}
	return out, nil
}
