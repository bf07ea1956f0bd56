package effects

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. The classes whose objects code that runs makes, by rapid type analysis
// (Bacon and Sweeney, "Fast Static Analysis of C++ Virtual Function Calls", 1996). A call leads to
// methods of these classes alone.
//
// Why it is right. The analysis starts with the methods with which servers begin. A method that is
// reached makes objects, reaches the methods that it calls and the static initialisers of the
// classes that it uses. A call on an object reaches the methods of all classes that have objects.
// Code outside may call each method of such a class that overrides one of a class outside. So may
// code that finds a class by its name: one that a constant names counts as one with objects. A
// class that only a setting names is not seen.
//
// A method that is not reached can run nevertheless, where a tool calls it. If none of the classes
// that a call there names has objects, all of them count.
//
// What it costs. One pass over the instructions of the code that is reached, about 0.3 s.

// instances are the classes that have objects, and what is reached.
type instances struct {
	p       *Program
	made    map[string]bool // with their superclasses and interfaces: those whose methods may run
	own     map[string]bool // classes with objects
	begun   map[string]bool // initialised classes
	reached map[*bytecode.Method]bool
	todo    []*method
	calls   map[bytecode.Member]bool
	on      map[string][]bytecode.Member // calls on objects, by the class that they name
	all     bool                         // no method begins: every class counts
}

// newInstances finds the classes that have objects.
func newInstances(p *Program) *instances {
	x := &instances{p: p, made: map[string]bool{}, own: map[string]bool{}, begun: map[string]bool{},
		reached: map[*bytecode.Method]bool{}, calls: map[bytecode.Member]bool{}, on: map[string][]bytecode.Member{}}
	for _, name := range p.by.Begins {
		k := strings.LastIndexByte(name, '.')
		c := p.classes[name[:k]]
		if c == nil {
			continue
		}
		for j := range c.Methods {
			if c.Methods[j].Name == name[k+1:] {
				x.begin(c.Name)
				x.reach(&method{c, &c.Methods[j]})
			}
		}
	}
	x.all = len(x.reached) == 0
	for len(x.todo) > 0 {
		m := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		x.follow(m)
	}
	return x
}

func (x *instances) reach(m *method) {
	if m != nil && m.Bytes != nil && !x.reached[m.Method] {
		x.reached[m.Method] = true
		x.todo = append(x.todo, m)
	}
}

// begin initialises a class.
func (x *instances) begin(class string) {
	for c := x.p.classes[class]; c != nil && !x.begun[c.Name]; c = x.p.classes[c.Super] {
		x.begun[c.Name] = true
		x.reach(own(c, bytecode.Member{Class: c.Name, Name: "<clinit>", Descriptor: "()V"}))
	}
}

// follow does what the instructions of a method do.
func (x *instances) follow(m *method) {
	for _, i := range x.p.instructions(m) {
		switch {
		case i.Op == opInvokedynamic:
			for _, h := range m.class.Handles(i) {
				x.begin(h.Class)
				x.call(h)
				if h.Name == "<init>" { // a reference to a constructor
					x.instance(h.Class)
				}
			}
		case i.Member != nil && !i.Op.IsCall():
			if i.Op != opGetfield && i.Op != opPutfield {
				x.begin(i.Member.Class)
			}
		case i.Op == opInvokestatic || i.Op == opInvokespecial:
			x.begin(i.Member.Class)
			x.reach(x.p.find(*i.Member))
		case i.Op.IsCall():
			x.call(*i.Member)
		case i.Const != "": // also a class or a text that names one
			_, name, _ := strings.Cut(i.Const, ":")
			name = strings.ReplaceAll(name, "/", ".")
			if c := x.p.classes[name]; c != nil && i.Op != opCheckcast && i.Op != opInstanceof && i.Op != opAnewarray && i.Op != opMultianew {
				x.begin(name)
				x.instance(name)
				for k := range c.Methods { // code that finds the class by its name makes the object
					if i.Op != opNew && c.Methods[k].Name == "<init>" {
						x.reach(&method{c, &c.Methods[k]})
					}
				}
			}
		}
	}
}

// instructions returns those of a method that can run.
func (p *Program) instructions(m *method) (out []bytecode.Instruction) {
	b := p.bodyOf(m)
	if len(b.steps) == 0 { // what the analysis does not understand counts as a whole
		if code, err := bytecode.Decode(m.Name, m.Bytes, m.class.Pool); err == nil {
			return code.Instructions
		}
		return nil
	}
	for _, s := range b.steps {
		if s.kind == instruction || s.kind == copied {
			out = append(out, s.in)
		}
	}
	return out
}

// call notes a call on objects, with the methods of the classes that have some.
func (x *instances) call(m bytecode.Member) {
	x.reach(x.p.find(m)) // a private method, and one that no class overrides
	if x.calls[m] {
		return
	}
	x.calls[m] = true
	x.on[m.Class] = append(x.on[m.Class], m)
	seen := map[string]bool{}
	for todo := []string{m.Class}; len(todo) > 0; todo = todo[1:] {
		if name := todo[0]; !seen[name] {
			seen[name] = true
			todo = append(todo, x.p.below[name]...)
			if x.own[name] {
				x.dispatch(m, name)
			}
		}
	}
}

// dispatch reaches the method that a call runs on an object of a class.
func (x *instances) dispatch(m bytecode.Member, class string) {
	x.reach(x.p.find(bytecode.Member{Class: class, Name: m.Name, Descriptor: m.Descriptor}))
}

// instance notes that a class has objects. Code outside may call what it declares outside.
func (x *instances) instance(name string) {
	if x.own[name] {
		return
	}
	x.own[name] = true
	for _, up := range x.p.above(name) {
		x.made[up] = true
		for _, m := range x.on[up] {
			x.dispatch(m, name)
		}
	}
	s := side{Program: x.p}
	for _, up := range x.p.above(name) {
		c := x.p.classes[up]
		for k := range c.Methods {
			m := &method{c, &c.Methods[k]}
			if m.Flags&(flagPrivate|flagStatic) == 0 && m.Name[0] != '<' && s.outside(c, m) {
				x.reach(x.p.find(bytecode.Member{Class: name, Name: m.Name, Descriptor: m.Descriptor}))
			}
		}
	}
}

// above returns a class with its superclasses and interfaces, of those that are read.
func (p *Program) above(name string) (out []string) {
	for todo := []string{name}; len(todo) > 0; todo = todo[1:] {
		if c := p.classes[todo[0]]; c != nil && !slices.Contains(out, todo[0]) {
			out = append(out, todo[0])
			todo = append(append(todo, c.Super), c.Interfaces...)
		}
	}
	return out
}

// outside reports whether a class outside may declare a method that a class has.
func (s *side) outside(c *bytecode.Class, m *method) bool {
	for _, up := range append([]string{c.Super}, c.Interfaces...) {
		switch x := s.classes[up]; {
		case up == "java.lang.Object":
			if slices.Contains([]string{"toString", "equals", "hashCode", "finalize", "clone"}, m.Name) {
				return true
			}
		case x == nil || s.outside(x, m):
			return true
		}
	}
	return false
}

// live returns those of some methods that can run on an object, or all of them if none can.
func (p *Program) live(all []*method) []*method {
	if len(all) < 2 {
		return all
	}
	if p.objects == nil {
		p.objects = newInstances(p)
	}
	if p.objects.all {
		return all
	}
	some := slices.DeleteFunc(slices.Clone(all), func(m *method) bool { return !p.objects.made[m.class.Name] })
	if len(some) == 0 {
		return all
	}
	return some
}
