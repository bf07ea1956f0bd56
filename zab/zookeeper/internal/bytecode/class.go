package bytecode

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Class is a class file, JVMS 4.1.
type Class struct {
	Name       string // as in org.example.Outer$Inner
	Source     string // name of the source file, as Outer.java; "" if the file does not say
	Super      string // its superclass; empty for java.lang.Object and modules
	Interfaces []string
	Flags      int // access flags
	Pool       *Pool
	Fields     []Field  // in the order of the file
	Methods    []Method // in the order of the file
	// Enclosing is the method around a local or anonymous class: its Name is empty outside of
	// methods and constructors. It is nil for other classes.
	Enclosing *Member

	bootstraps [][]int // the indices of the arguments of each bootstrap method
}

// Method is a method of a class file.
type Method struct {
	Name       string
	Descriptor string
	Flags      int    // access flags
	Bytes      []byte // bytecode; nil if the method is abstract or native
	Lines      []Line // in the order of the file
	Handlers   []Handler
}

// Handler is an entry of an exception table: instructions from From up to To, To excluded, lead to
// At if they throw an exception of the class Catch; "" for any.
type Handler struct {
	From, To, At int
	Catch        string
}

// Field is a field of a class file.
type Field struct {
	Name       string
	Descriptor string
	Flags      int    // access flags
	Constant   string // the value of a constant, as text with its type; "" for none
}

// Line says that the instructions from Offset on belong to a source line.
type Line struct {
	Offset, Line int
}

// ReadClass reads a class file. It fails if the bytes are not one, or end too early.
func ReadClass(b []byte) (*Class, error) {
	r := &input{b: b}
	if magic := r.u4(); r.err == nil && magic != 0xCAFEBABE {
		return nil, fmt.Errorf("bytecode: the file starts with %#x, class files start with 0xcafebabe", magic)
	}
	r.take(4) // version
	c := &Class{Pool: parsePool(r.u2(), r)}
	c.Flags = r.u2()
	c.Name = c.classAt(r)
	c.Super = c.classAt(r)
	for n := r.u2(); n > 0 && r.err == nil; n-- {
		c.Interfaces = append(c.Interfaces, c.classAt(r))
	}
	c.members(r, false) // fields
	c.members(r, true)  // methods
	attributes(r, c.Pool, c.attribute)
	if r.err != nil {
		return nil, fmt.Errorf("bytecode: class file: %w", r.err)
	}
	return c, nil
}

// members reads the fields or the methods.
func (c *Class) members(r *input, methods bool) {
	for n := r.u2(); n > 0 && r.err == nil; n-- {
		m := Method{Flags: r.u2()}
		m.Name, m.Descriptor = c.textAt(r), c.textAt(r)
		constant := ""
		attributes(r, c.Pool, func(name string, r *input) {
			switch name {
			case "Code":
				m.code(r, c.Pool)
			case "ConstantValue":
				constant = c.Pool.constant(r.u2())
			}
		})
		if methods {
			c.Methods = append(c.Methods, m)
		} else {
			c.Fields = append(c.Fields, Field{m.Name, m.Descriptor, m.Flags, constant})
		}
	}
}

// attribute reads an attribute of the class.
func (c *Class) attribute(name string, r *input) {
	switch name {
	case "SourceFile":
		c.Source = c.textAt(r)
	case "EnclosingMethod":
		c.Enclosing = &Member{Class: c.classAt(r)}
		if method := r.u2(); method != 0 && r.err == nil {
			c.Enclosing.Name, c.Enclosing.Descriptor, r.err = c.Pool.nameAndType(method)
		}
	case "BootstrapMethods":
		for n := r.u2(); n > 0 && r.err == nil; n-- {
			r.take(2)
			var arguments []int
			for k := r.u2(); k > 0 && r.err == nil; k-- {
				arguments = append(arguments, r.u2())
			}
			c.bootstraps = append(c.bootstraps, arguments)
		}
	}
}

// Handles returns the methods and fields that the bootstrap method of an invokedynamic gets: those
// of a lambda's body or of a method reference. It returns none for other instructions.
func (c *Class) Handles(i Instruction) (out []Member) {
	at, err := c.Pool.entry(i.Index, tagInvokeDynamic)
	if err != nil || at.a >= len(c.bootstraps) {
		return nil
	}
	for _, k := range c.bootstraps[at.a] {
		if h, err := c.Pool.entry(k, tagMethodHandle); err == nil {
			if m, err := c.Pool.member(h.b); err == nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// Constants returns the constants that the bootstrap method of an invokedynamic gets, as text, such
// as the recipe of a concatenation. It returns none for other instructions.
func (c *Class) Constants(i Instruction) (out []string) {
	at, err := c.Pool.entry(i.Index, tagInvokeDynamic)
	if err != nil || at.a >= len(c.bootstraps) {
		return nil
	}
	for _, k := range c.bootstraps[at.a] {
		out = append(out, c.Pool.constant(k))
	}
	return out
}

// classAt reads the index of a Class entry, and returns its name; "" for 0.
func (c *Class) classAt(r *input) string {
	index := r.u2()
	if index == 0 || r.err != nil {
		return ""
	}
	s, err := c.Pool.class(index)
	r.err = err
	return s
}

// textAt reads the index of a Utf8 entry, and returns its characters.
func (c *Class) textAt(r *input) string {
	s, err := c.Pool.text(r.u2())
	if err != nil && r.err == nil {
		r.err = err
	}
	return s
}

// attributes calls each with the attributes of a class, member or code.
func attributes(r *input, p *Pool, each func(name string, r *input)) {
	for n := r.u2(); n > 0 && r.err == nil; n-- {
		name, err := p.text(r.u2())
		inner := &input{b: r.take(r.u4())}
		if r.err != nil {
			return
		}
		if err == nil {
			each(name, inner)
			err = inner.err
		}
		if err != nil {
			r.err = fmt.Errorf("attribute %s: %w", name, err)
		}
	}
}

// code reads a Code attribute.
func (m *Method) code(r *input, p *Pool) {
	r.take(4) // stack and locals
	m.Bytes = r.take(r.u4())
	for n := r.u2(); n > 0 && r.err == nil; n-- {
		h := Handler{From: r.u2(), To: r.u2(), At: r.u2()}
		if at := r.u2(); at > 0 && r.err == nil {
			h.Catch, r.err = p.class(at)
		}
		m.Handlers = append(m.Handlers, h)
	}
	attributes(r, p, func(name string, r *input) {
		if name != "LineNumberTable" {
			return
		}
		for n := r.u2(); n > 0 && r.err == nil; n-- {
			m.Lines = append(m.Lines, Line{r.u2(), r.u2()})
		}
	})
}

// Code decodes the only method with a name and, unless it is empty, a descriptor.
func (c *Class) Code(name, descriptor string) (*Code, error) {
	var found []Method
	for _, m := range c.Methods {
		if m.Name == name && (descriptor == "" || m.Descriptor == descriptor) {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		var all []string
		for _, m := range found {
			all = append(all, m.Name+m.Descriptor)
		}
		return nil, fmt.Errorf("bytecode: class %s has %d methods %s%s, exactly one must match: %s", c.Name, len(found), name, descriptor, strings.Join(all, ", "))
	}
	m := found[0]
	if m.Bytes == nil {
		return nil, fmt.Errorf("bytecode: %s.%s%s has no code: it is abstract or native", c.Name, m.Name, m.Descriptor)
	}
	return Decode(c.Name+"."+m.Name+m.Descriptor, m.Bytes, c.Pool)
}

// Jar is an open jar.
type Jar struct {
	path string
	z    *zip.ReadCloser
}

// OpenJar opens a jar. It fails if the file cannot be read or is no archive.
func OpenJar(path string) (*Jar, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("bytecode: jar %s: %w", path, err)
	}
	return &Jar{path, z}, nil
}

// Close closes the jar.
func (j *Jar) Close() error { return j.z.Close() }

// Classes returns the names of the classes in the jar, in its order. Variants for certain releases
// of Java, below META-INF, are left out.
func (j *Jar) Classes() (out []string) {
	for _, f := range j.z.File {
		if name, ok := strings.CutSuffix(f.Name, ".class"); ok && !strings.HasPrefix(name, "META-INF/") {
			out = append(out, strings.ReplaceAll(name, "/", "."))
		}
	}
	return out
}

// Class reads a class by name, as org.example.Outer$Inner. It fails if the jar has no such class.
func (j *Jar) Class(name string) (*Class, error) {
	f, err := j.z.Open(strings.ReplaceAll(name, ".", "/") + ".class")
	if err != nil {
		return nil, fmt.Errorf("bytecode: jar %s has no class %s: %w", j.path, name, err)
	}
	b, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("bytecode: jar %s, class %s: %w", j.path, name, err)
	}
	return ReadClass(b)
}
