package methods

import (
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
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

// foreign reports whether a class has a supertype outside of the release, java.lang.Object aside.
func (r *release) foreign(c *bytecode.Class) bool {
	for _, name := range append([]string{c.Super}, c.Interfaces...) {
		if up := r.classes[name]; up == nil && name != "java.lang.Object" && name != "" || up != nil && r.foreign(up) {
			return true
		}
	}
	return false
}

// ofObject are the methods of java.lang.Object, and of interfaces that every class may have.
const ofObject = " toString equals hashCode finalize clone "

// calledOutside adds calls of methods that code outside of the release may call: the constructors
// call them.
func (r *release) calledOutside(c *bytecode.Class) {
	if c.Enclosing != nil {
		return // its methods belong to the one that makes it
	}
	foreign := r.foreign(c)
	init := r.graph.method(r.name(c, &bytecode.Method{Name: "<init>"}))
	for k := range c.Methods {
		m := &c.Methods[k]
		if m.Flags&(flagStatic|flagPrivate|flagSynthetic) == 0 && !strings.HasPrefix(m.Name, "<") && (foreign || strings.Contains(ofObject, " "+m.Name+" ")) {
			init.Calls = append(init.Calls, r.name(c, m))
		}
	}
}
