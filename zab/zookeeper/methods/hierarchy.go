package methods

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/bytecode"
)

// overrides adds which methods of supertypes the methods of a class stand for: those that it
// declares, and those that it inherits for an interface.
func (r *release) overrides(c *bytecode.Class) {
	for _, up := range r.supertypes(c) {
		for k := range up.Methods {
			m := &up.Methods[k]
			if m.Flags&(flagStatic|flagPrivate) != 0 || strings.HasPrefix(m.Name, "<") {
				continue
			}
			at, x := r.find(bytecode.Member{Class: c.Name, Name: m.Name, Descriptor: m.Descriptor})
			if x == nil || at == up {
				continue
			}
			over := r.name(up, m)
			for _, to := range r.standing(at, x) {
				if to != over {
					r.graph.method(to).Over = append(r.graph.method(to).Over, over)
				}
			}
		}
	}
}

// standing returns the methods of the table that a method stands for: those that it calls if the
// compiler made it, else itself.
func (r *release) standing(c *bytecode.Class, m *bytecode.Method) []string {
	if m.Flags&flagSynthetic == 0 {
		return []string{r.name(c, m)}
	}
	var x Method
	_ = r.body(&x, c, m) // NewGraph reads every method
	return x.Calls
}

func (g *Graph) method(name string) *Method {
	if g.Methods[name] == nil {
		g.Methods[name] = &Method{}
	}
	return g.Methods[name]
}

// supertypes returns the superclasses and interfaces of a class that are in the release.
func (r *release) supertypes(c *bytecode.Class) (out []*bytecode.Class) {
	for _, name := range append([]string{c.Super}, c.Interfaces...) {
		if up := r.classes[name]; up != nil {
			out = append(append(out, up), r.supertypes(up)...)
		}
	}
	return out
}

// foreignSupertypes returns the supertypes of a class outside of the release that it or a supertype
// names, without java.lang.Object.
func (r *release) foreignSupertypes(c *bytecode.Class) (out []string) {
	for _, of := range append(r.supertypes(c), c) {
		for _, name := range append([]string{of.Super}, of.Interfaces...) {
			if r.classes[name] == nil && name != "java.lang.Object" && name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// outsideCall adds a call of a method of a type outside of the release, if classes of the release are
// of this type and have the method.
func (r *release) outsideCall(to *Method, m bytecode.Member) {
	if strings.HasPrefix(m.Name, "<") {
		return
	}
	if _, known := r.implementers[m]; !known {
		r.implementers[m] = nil
		for _, c := range r.foreign[m.Class] {
			if at, x := r.find(bytecode.Member{Class: c.Name, Name: m.Name, Descriptor: m.Descriptor}); x != nil {
				r.implementers[m] = append(r.implementers[m], r.standing(at, x)...)
			}
		}
		for _, name := range r.implementers[m] {
			r.graph.method(name).Over = append(r.graph.method(name).Over, outsideName(m))
		}
	}
	if len(r.implementers[m]) > 0 {
		to.Calls = append(to.Calls, outsideName(m))
	}
}

// outsideName returns the name in the table of a method outside of the release.
func outsideName(m bytecode.Member) string {
	return strings.ReplaceAll(m.Class, "$", ".") + "." + m.Name
}

// ofObject are the methods of java.lang.Object, and of interfaces that every class may have.
const ofObject = " toString equals hashCode finalize clone "

// calledOutside adds calls of methods that code outside of the release may call: the constructors
// call them.
func (r *release) calledOutside(c *bytecode.Class) {
	if c.Enclosing != nil {
		return // its methods belong to the one that makes it
	}
	foreign := len(r.foreignSupertypes(c)) > 0
	init := r.graph.method(r.name(c, &bytecode.Method{Name: "<init>"}))
	for k := range c.Methods {
		m := &c.Methods[k]
		if m.Flags&(flagStatic|flagPrivate|flagSynthetic) == 0 && !strings.HasPrefix(m.Name, "<") && (foreign || strings.Contains(ofObject, " "+m.Name+" ")) {
			init.Calls = append(init.Calls, r.name(c, m))
		}
	}
}
