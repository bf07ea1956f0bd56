package methods

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// Method is a method with what it does.
type Method struct {
	// Calls are methods that it calls, Over those that it overrides or implements. Uses are the
	// fields that it reads or writes. All are of the release, sorted, with the names of the table.
	Calls, Over, Uses []string
	// Outside says that it calls code outside of the release that may have state or effects.
	// Harmless classes have none.
	Outside bool
}

// Graph are the methods of a release by their names in the table.
type Graph struct {
	Methods map[string]*Method
	// Constants are static fields that never change after the initialiser of their class has run.
	// They are final, and of a primitive type, an enum, or a class such as String.
	Constants map[string]bool
}

// harmless are classes outside of the release whose methods work on their arguments only, or write
// to the log. Packages end with a dot.
var harmless = []string{
	"java.util.", "java.lang.String", "java.lang.Object", "java.lang.Math", "java.lang.Long", "java.lang.Integer", "java.lang.Short", "java.lang.Byte", "java.lang.Boolean",
	"java.lang.Double", "java.lang.Float", "java.lang.Character", "java.lang.Number", "java.lang.Enum", "java.lang.Iterable", "java.lang.Comparable", "java.lang.CharSequence",
	"java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error", "java.lang.IllegalArgumentException", "java.lang.IllegalStateException",
	"java.lang.NumberFormatException", "java.lang.UnsupportedOperationException", "java.lang.NullPointerException", "java.lang.AssertionError", "java.lang.invoke.",
	"java.io.IOException", "java.io.PrintStream", "java.io.StringWriter", "java.io.PrintWriter", "java.text.", "java.math.", "java.nio.charset.", "java.time.", "org.slf4j.",
}

// apart are classes within harmless packages that do more.
var apart = []string{"java.util.concurrent.", "java.util.jar.", "java.util.zip.", "java.util.prefs.", "java.util.Timer", "java.util.Properties", "java.util.logging."}

const (
	flagPrivate, flagStatic, flagFinal, flagAbstract, flagSynthetic = 0x2, 0x8, 0x10, 0x400, 0x1000
)

// release are the classes of a release.
type release struct {
	classes map[string]*bytecode.Class
	order   []string // their names
	graph   *Graph
	// lambdas are the methods to which methods that the compiler made for lambdas belong: by class,
	// name and descriptor.
	lambdas map[bytecode.Member]bytecode.Member
	done    map[bytecode.Member]bool // synthetic methods that call replaces now
}

// NewGraph finds what the methods of classes do. It returns an error if bytecode cannot be read.
func NewGraph(classes []*bytecode.Class) (*Graph, error) {
	r, err := newRelease(classes)
	if err != nil {
		return nil, err
	}
	for _, name := range r.order {
		c := r.classes[name]
		for k := range c.Methods {
			m := &c.Methods[k]
			if _, lambda := r.lambdas[member(c, m)]; m.Flags&flagSynthetic != 0 && !lambda {
				continue // see call
			}
			if err := r.body(r.of(c, m), c, m); err != nil {
				return nil, err
			}
		}
		r.overrides(c)
		r.calledOutside(c)
	}
	for name, m := range r.graph.Methods {
		for _, list := range []*[]string{&m.Calls, &m.Over, &m.Uses} {
			slices.Sort(*list)
			*list = slices.DeleteFunc(slices.Compact(*list), func(s string) bool { return s == name })
		}
	}
	return r.graph, nil
}

// newRelease reads which lambdas and constants classes have.
func newRelease(classes []*bytecode.Class) (*release, error) {
	r := &release{classes: map[string]*bytecode.Class{}, graph: &Graph{Methods: map[string]*Method{}, Constants: map[string]bool{}}, lambdas: map[bytecode.Member]bytecode.Member{}}
	for _, c := range classes {
		r.classes[c.Name] = c
		r.order = append(r.order, c.Name)
	}
	slices.Sort(r.order)
	for _, name := range r.order {
		if err := r.findLambdas(r.classes[name]); err != nil {
			return nil, err
		}
		r.constants(r.classes[name])
	}
	return r, nil
}

// findLambdas notes which method of a class makes which lambda.
func (r *release) findLambdas(c *bytecode.Class) error {
	for k := range c.Methods {
		m := &c.Methods[k]
		code, err := decode(c, m)
		if err != nil {
			return err
		}
		for _, i := range code {
			for _, h := range c.Handles(i) {
				if to, x := r.find(h); to != nil && x.Flags&flagSynthetic != 0 {
					r.lambdas[member(to, x)] = member(c, m)
				}
			}
		}
	}
	return nil
}

func decode(c *bytecode.Class, m *bytecode.Method) ([]bytecode.Instruction, error) {
	if m.Bytes == nil {
		return nil, nil
	}
	code, err := bytecode.Decode(c.Name+"."+m.Name+m.Descriptor, m.Bytes, c.Pool)
	if err != nil {
		return nil, err
	}
	return code.Instructions, nil
}

func member(c *bytecode.Class, m *bytecode.Method) bytecode.Member {
	return bytecode.Member{Class: c.Name, Name: m.Name, Descriptor: m.Descriptor}
}

// of returns the method of the table to which a method of a class belongs.
func (r *release) of(c *bytecode.Class, m *bytecode.Method) *Method {
	return r.graph.method(r.name(c, m))
}

// name returns the name in the table of the method to which a method belongs.
func (r *release) name(c *bytecode.Class, m *bytecode.Method) string {
	at := member(c, m)
	for range len(r.lambdas) {
		maker, ok := r.lambdas[at]
		if !ok || maker == at {
			break
		}
		at = maker
	}
	for c = r.classes[at.Class]; c != nil && c.Enclosing != nil; c = r.classes[at.Class] {
		at = *c.Enclosing
		if at.Name == "" {
			at.Name = "<init>"
		}
		for range len(r.lambdas) {
			maker, ok := r.lambdas[at]
			if !ok || maker == at {
				break
			}
			at = maker
		}
	}
	class := strings.ReplaceAll(at.Class, "$", ".")
	if at.Name == "<init>" {
		return class + class[strings.LastIndexByte(class, '.'):]
	}
	return class + "." + at.Name
}

// find returns the declaration of a method: in the class that an instruction names, else in its
// superclasses, else in its interfaces. It returns nil for one outside of the release.
func (r *release) find(m bytecode.Member) (*bytecode.Class, *bytecode.Method) {
	c := r.classes[m.Class]
	if c == nil {
		return nil, nil
	}
	for k := range c.Methods {
		if x := &c.Methods[k]; x.Name == m.Name && x.Descriptor == m.Descriptor {
			return c, x
		}
	}
	for _, up := range append([]string{c.Super}, c.Interfaces...) {
		if d, x := r.find(bytecode.Member{Class: up, Name: m.Name, Descriptor: m.Descriptor}); x != nil {
			return d, x
		}
	}
	return nil, nil
}

// body adds what the code of a method does to the method of the table to which it belongs.
func (r *release) body(to *Method, c *bytecode.Class, m *bytecode.Method) error {
	code, err := decode(c, m)
	if err != nil {
		return err
	}
	to.Outside = to.Outside || m.Bytes == nil && m.Flags&flagAbstract == 0 // native
	for _, i := range code {
		handles := c.Handles(i)
		if len(handles) > 0 {
			r.function(to, i.Member)
		}
		for _, h := range handles {
			if strings.HasPrefix(h.Descriptor, "(") {
				r.call(to, h)
			} else {
				r.use(to, h)
			}
		}
		switch {
		case i.Member == nil || i.Member.Class == "":
		case strings.HasPrefix(i.Member.Descriptor, "("):
			r.call(to, *i.Member)
		default:
			r.use(to, *i.Member)
		}
	}
	return nil
}

// function notes that a method makes a value of a functional interface of the release: it stands
// for the interface's method.
func (r *release) function(to *Method, made *bytecode.Member) {
	_, class, _ := strings.Cut(made.Descriptor, ")L")
	c := r.classes[strings.ReplaceAll(strings.TrimSuffix(class, ";"), "/", ".")]
	if c == nil {
		return
	}
	for _, up := range append(r.supertypes(c), c) {
		for k := range up.Methods {
			if m := &up.Methods[k]; m.Name == made.Name && m.Flags&flagAbstract != 0 {
				to.Over = append(to.Over, r.name(up, m))
			}
		}
	}
}

// call adds a call. Methods that the compiler made are replaced by what they do.
func (r *release) call(to *Method, m bytecode.Member) {
	c, x := r.find(m)
	switch {
	case x == nil:
		to.Outside = to.Outside || !isHarmless(r.outside(m.Class))
	case x.Flags&flagSynthetic == 0:
		to.Calls = append(to.Calls, r.name(c, x))
	case !r.done[m]:
		if r.done == nil {
			r.done = map[bytecode.Member]bool{}
		}
		r.done[m] = true
		_ = r.body(to, c, x) // NewGraph reads every method
		delete(r.done, m)
	}
}

// outside returns the class outside of the release that a class extends, or the class itself.
func (r *release) outside(class string) string {
	for c := r.classes[class]; c != nil; c = r.classes[class] {
		class = c.Super
	}
	return class
}

func isHarmless(class string) bool {
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool {
			return class == p || strings.HasPrefix(class, p) && (strings.HasSuffix(p, ".") || class[len(p)] == '$' || p == "java.lang.String")
		})
	}
	return strings.HasPrefix(class, "[") || in(harmless) && !in(apart)
}

// use adds the use of a field.
func (r *release) use(to *Method, f bytecode.Member) {
	if !isLogger(f) && r.classes[f.Class] != nil && !strings.HasPrefix(f.Name, "this$") && !strings.HasPrefix(f.Name, "val$") && !strings.HasPrefix(f.Name, "$") {
		to.Uses = append(to.Uses, r.field(f))
	}
}

// constants notes the constants of a class.
func (r *release) constants(c *bytecode.Class) {
	for _, f := range c.Fields {
		if f.Flags&flagStatic != 0 && f.Flags&flagFinal != 0 && r.plain(f.Descriptor) {
			r.graph.Constants[r.field(bytecode.Member{Class: c.Name, Name: f.Name})] = true
		}
	}
}

// plain reports whether values of a type never change.
func (r *release) plain(descriptor string) bool {
	class, ok := strings.CutPrefix(descriptor, "L")
	if !ok {
		return descriptor[0] != '['
	}
	class = strings.ReplaceAll(strings.TrimSuffix(class, ";"), "/", ".")
	c := r.classes[class]
	return c != nil && c.Super == "java.lang.Enum" || slices.Contains([]string{"java.lang.String", "java.lang.Long", "java.lang.Integer", "java.lang.Boolean",
		"java.lang.Double", "java.nio.charset.Charset", "java.util.regex.Pattern"}, class)
}

func isLogger(f bytecode.Member) bool { return f.Descriptor == "Lorg/slf4j/Logger;" }

// field returns the name in the table of a field: that of the class which declares it. A field of a
// local or anonymous class is one of the class around it.
func (r *release) field(f bytecode.Member) string {
	class := f.Class
	for c := r.classes[class]; c != nil && !slices.ContainsFunc(c.Fields, func(x bytecode.Field) bool { return x.Name == f.Name }) && r.classes[c.Super] != nil; c = r.classes[class] {
		class = c.Super
	}
	for c := r.classes[class]; c != nil && c.Enclosing != nil; c = r.classes[class] {
		class = c.Enclosing.Class
	}
	return strings.ReplaceAll(class, "$", ".") + "." + f.Name
}
