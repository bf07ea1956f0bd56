package jdwp

import (
	"fmt"
	"maps"
	"strings"
)

// Class is a loaded class, interface or array type. Two values are equal if they are the same
// class of the same JVM. The zero Class is null.
type Class struct {
	vm  *VM
	tag byte // 1 class, 2 interface, 3 array
	id  ID
}

// typeInfo caches the facts about a class that never change. Each is read when it is first used.
type typeInfo struct {
	name    string
	super   *Class
	fields  []Field
	methods []Method
	// variables are the tables of local variables that were read, by method.
	variables map[ID][]Variable
}

// Field is a field that a class declares.
type Field struct {
	Class     Class
	ID        ID
	Name      string
	Signature string // as in J, or Ljava/lang/String;
	Flags     int    // access flags of the class file
}

// Static reports whether the field belongs to the class and not to its objects.
func (f Field) Static() bool { return f.Flags&8 != 0 }

// Method is a method that a class declares.
type Method struct {
	Class     Class
	ID        ID
	Name      string // as in run, or <init>
	Signature string // as in (J)V
	Flags     int    // access flags of the class file
}

// Location is an instruction: an offset into the bytecode of a method of a class.
type Location struct {
	Class  Class
	Method ID
	Index  uint64
}

// At returns the location of the instruction at a bytecode offset of the method.
func (m Method) At(index int) Location { return Location{m.Class, m.ID, uint64(index)} }

// signatureOf returns the JVM's signature of a class's name: org.example.Main becomes
// Lorg/example/Main; and a signature stays.
func signatureOf(name string) string {
	if strings.HasPrefix(name, "[") || strings.HasSuffix(name, ";") {
		return strings.ReplaceAll(name, ".", "/")
	}
	return "L" + strings.ReplaceAll(name, ".", "/") + ";"
}

// nameOf is the inverse of signatureOf. An array keeps its brackets, as in [Ljava.lang.String;.
func nameOf(signature string) string {
	if inner, ok := strings.CutPrefix(signature, "L"); ok {
		signature = strings.TrimSuffix(inner, ";")
	}
	return strings.ReplaceAll(signature, "/", ".")
}

// ClassesBySignature returns the loaded classes with a signature, as in Lorg/example/Main;. Several
// class loaders may each have loaded one.
func (vm *VM) ClassesBySignature(signature string) (out []Class, err error) {
	err = vm.do(vmClassesBySignature, func(e *encoder) { e.text(signature) }, func(d *decoder) {
		for range d.count() {
			out = append(out, d.class())
			d.int() // status
		}
	})
	return out, err
}

// ClassNamed returns the only loaded class with a name, as in org.example.Main or Outer$Inner.
func (vm *VM) ClassNamed(name string) (Class, error) {
	all, err := vm.ClassesBySignature(signatureOf(name))
	if err != nil {
		return Class{}, err
	}
	if len(all) != 1 {
		return Class{}, fmt.Errorf("jdwp: %d loaded classes are named %s, exactly one must be", len(all), name)
	}
	return all[0], nil
}

// CanReadBytecodes reports whether Method.Bytecodes and Class.ConstantPool work in this JVM.
func (vm *VM) CanReadBytecodes() (bool, error) {
	const bytecodes, constantPool = 2, 19 // canGetBytecodes, canGetConstantPool
	var can [32]bool
	err := vm.do(vmCapabilities, nil, func(d *decoder) {
		for k := range can {
			can[k] = d.bool()
		}
	})
	return can[bytecodes] && can[constantPool], err
}

// ID returns the id of the class in the JVM.
func (c Class) ID() ID { return c.id }

// IsNull reports whether this is no class.
func (c Class) IsNull() bool { return c.id == 0 }

// info returns the cached facts of the class. If have misses one, fill adds it from the JVM first.
func (c Class) info(have func(*typeInfo) bool, fill func(*typeInfo) error) (typeInfo, error) {
	if c.vm == nil || c.id == 0 {
		return typeInfo{}, fmt.Errorf("jdwp: %w: no class", ErrNull)
	}
	c.vm.mu.Lock()
	var t typeInfo
	if old := c.vm.types[c.id]; old != nil {
		t = *old
	}
	c.vm.mu.Unlock()
	if have(&t) {
		return t, nil
	}
	if err := fill(&t); err != nil {
		return typeInfo{}, err
	}
	c.vm.mu.Lock()
	c.vm.types[c.id] = &t // if two goroutines fill it, a fact may be lost and asked for again
	c.vm.mu.Unlock()
	return t, nil
}

// Name returns the name of the class as Class.getName does, as in org.example.Outer$Inner.
func (c Class) Name() (string, error) {
	t, err := c.info(func(t *typeInfo) bool { return t.name != "" }, func(t *typeInfo) error {
		return c.vm.do(typeSignature, func(e *encoder) { e.class(c.id) }, func(d *decoder) { t.name = nameOf(d.text()) })
	})
	return t.name, err
}

// Superclass returns the superclass. It is null for Object and for interfaces.
func (c Class) Superclass() (Class, error) {
	t, err := c.info(func(t *typeInfo) bool { return t.super != nil }, func(t *typeInfo) error {
		t.super = &Class{vm: c.vm}
		if c.tag != 1 {
			return nil
		}
		return c.vm.do(typeSuperclass, func(e *encoder) { e.class(c.id) }, func(d *decoder) {
			if id := ID(d.number(d.sizes.class)); id != 0 {
				*t.super = Class{c.vm, 1, id}
			}
		})
	})
	if err != nil {
		return Class{}, err
	}
	return *t.super, nil
}

// list reads the fields or methods of the class. The JVM refuses before the class is prepared.
func (c Class) list(cmd command, each func(d *decoder)) error {
	return c.vm.do(cmd, func(e *encoder) { e.class(c.id) }, func(d *decoder) {
		for range d.count() {
			each(d)
		}
	})
}

// Fields returns the fields that the class itself declares, in the order of the class file.
func (c Class) Fields() ([]Field, error) {
	t, err := c.info(func(t *typeInfo) bool { return t.fields != nil }, func(t *typeInfo) error {
		t.fields = []Field{}
		return c.list(typeFields, func(d *decoder) {
			t.fields = append(t.fields, Field{c, d.field(), d.text(), d.text(), d.int()})
		})
	})
	return t.fields, err
}

// Methods returns the methods that the class itself declares, in the order of the class file.
func (c Class) Methods() ([]Method, error) {
	t, err := c.info(func(t *typeInfo) bool { return t.methods != nil }, func(t *typeInfo) error {
		t.methods = []Method{}
		return c.list(typeMethods, func(d *decoder) {
			t.methods = append(t.methods, Method{c, d.method(), d.text(), d.text(), d.int()})
		})
	})
	return t.methods, err
}

// Method returns the only method that the class declares with a name and, unless it is empty, a
// signature.
func (c Class) Method(name, signature string) (Method, error) {
	all, err := c.Methods()
	if err != nil {
		return Method{}, err
	}
	var found []Method
	for _, m := range all {
		if m.Name == name && (signature == "" || m.Signature == signature) {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		class, _ := c.Name()
		return Method{}, fmt.Errorf("jdwp: %s declares %d methods %s%s, exactly one must match: %v", class, len(found), name, signature, found)
	}
	return found[0], nil
}

// String returns name and signature.
func (m Method) String() string { return m.Name + m.Signature }

// FieldNamed returns the field with a name, of the class or of its closest superclass with one.
func (c Class) FieldNamed(name string) (Field, error) {
	for k := c; !k.IsNull(); {
		fields, err := k.Fields()
		if err != nil {
			return Field{}, err
		}
		for _, f := range fields {
			if f.Name == name {
				return f, nil
			}
		}
		if k, err = k.Superclass(); err != nil {
			return Field{}, err
		}
	}
	class, err := c.Name()
	if err != nil {
		return Field{}, err
	}
	return Field{}, fmt.Errorf("jdwp: class %s has no field %s", class, name)
}

// Static returns the value of the static field with a name.
func (c Class) Static(name string) (out Value, err error) {
	f, err := c.FieldNamed(name)
	if err != nil {
		return Value{}, err
	}
	if !f.Static() {
		class, _ := c.Name()
		return Value{}, fmt.Errorf("jdwp: field %s of class %s is not static: read it from an object", name, class)
	}
	err = c.vm.do(typeValues, func(e *encoder) {
		e.class(f.Class.id)
		e.int(1)
		e.field(f.ID)
	}, func(d *decoder) {
		d.count()
		out = d.tagged()
	})
	return out, err
}

// SetStatic sets the static field with a name, of type int.
func (c Class) SetStatic(name string, value int) error {
	f, err := c.FieldNamed(name)
	if err != nil {
		return err
	}
	if class, _ := c.Name(); !f.Static() || f.Signature != "I" {
		return fmt.Errorf("jdwp: field %s of class %s is no static int", name, class)
	}
	return c.vm.do(typeSetValues, func(e *encoder) {
		e.class(f.Class.id)
		e.int(1)
		e.field(f.ID)
		e.int(value)
	}, nil)
}

// ConstantPool returns the constant pool in the format of class files (JVMS 4.4), and the number
// that the class file gives as its count: one more than the last index.
func (c Class) ConstantPool() (count int, pool []byte, err error) {
	err = c.vm.do(typeConstantPool, func(e *encoder) { e.class(c.id) }, func(d *decoder) {
		count = d.int()
		pool = d.take(d.int())
	})
	return count, pool, err
}

// build appends class and method, which all commands about a method begin with.
func (m Method) build(e *encoder) {
	e.class(m.Class.id)
	e.method(m.ID)
}

// Bytecodes returns the instructions of the method. Abstract and native methods have none.
func (m Method) Bytecodes() (code []byte, err error) {
	err = m.Class.vm.do(methodBytecodes, m.build, func(d *decoder) { code = d.take(d.int()) })
	return code, err
}

// Line is an entry of a line table: the instructions from Index on belong to a source line.
type Line struct {
	Index uint64
	Line  int
}

// Lines returns the line table of the method, in the order of the class file.
func (m Method) Lines() (out []Line, err error) {
	err = m.Class.vm.do(methodLines, m.build, func(d *decoder) {
		d.long() // first index
		d.long() // last index
		for range d.count() {
			out = append(out, Line{d.long(), d.int()})
		}
	})
	return out, err
}

// Variable is a local variable of a method, valid from Index for Length bytes of the bytecode.
type Variable struct {
	Index     uint64
	Name      string
	Signature string
	Length    int
	Slot      int
}

// Variables returns the table of local variables, which a class has if it was compiled with -g.
func (m Method) Variables() ([]Variable, error) {
	t, err := m.Class.info(func(t *typeInfo) bool { return t.variables[m.ID] != nil }, func(t *typeInfo) error {
		t.variables = maps.Clone(t.variables)
		if t.variables == nil {
			t.variables = map[ID][]Variable{}
		}
		all := []Variable{}
		err := m.Class.vm.do(methodVariables, m.build, func(d *decoder) {
			d.int() // slots of the arguments
			for range d.count() {
				all = append(all, Variable{d.long(), d.text(), d.text(), d.int(), d.int()})
			}
		})
		t.variables[m.ID] = all
		return err
	})
	return t.variables[m.ID], err
}
