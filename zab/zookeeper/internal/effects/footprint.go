package effects

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. The places that a step reads and writes, and those of a method. These include
// the places of all methods that it may call.
//
// Why it is right. Calls lead to each method that overrides the one that is named. A lambda counts
// as called where it is made. What an object that holds values is given counts as written into the
// field that holds the object. An object of an unknown origin may be any of these.
//
// What it costs. One visit of each method that a call may reach.

// Places that are no fields.
const (
	anywhere = "*" // an object that holds values, of an unknown origin
	locking  = "!" // monitors: no step passes them
)

// footprint are the places that something reads and writes: names of fields, and the places above.
type footprint struct {
	reads, writes map[string]bool
	// calls are the calls of code outside that may do anything, as sinks name them.
	calls map[string]bool
}

func newFootprint() *footprint {
	return &footprint{map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func (f *footprint) add(g *footprint) {
	for _, x := range []struct{ to, from map[string]bool }{{f.reads, g.reads}, {f.writes, g.writes}, {f.calls, g.calls}} {
		for k := range x.from {
			x.to[k] = true
		}
	}
}

// conflicts reports whether the order of two steps counts.
func (f *footprint) conflicts(g *footprint) bool {
	if f.writes[locking] && !g.empty() || g.writes[locking] && !f.empty() || len(f.calls) > 0 && len(g.calls) > 0 {
		return true
	}
	meet := func(a, b map[string]bool) bool {
		for k := range a {
			if b[k] {
				return true
			}
		}
		return false
	}
	return meet(f.writes, g.writes) || meet(f.writes, g.reads) || meet(f.reads, g.writes)
}

func (f *footprint) empty() bool { return len(f.reads)+len(f.writes)+len(f.calls) == 0 }

// own adds what a step itself does, without the methods of the classes that it calls.
func (p *Program) own(f *footprint, s *step) {
	hold := func(to map[string]bool, of []*step) {
		for _, r := range p.roots(of) {
			switch r.kind {
			case inField:
				to[r.field] = true
			case made:
				to[madeAt(r.at)] = true
			default:
				to[anywhere] = true
			}
		}
	}
	switch op := s.in.Op; {
	case s.kind != instruction:
	case op.IsRead():
		f.reads[p.field(*s.in.Member)] = true
	case op.IsWrite():
		f.writes[p.field(*s.in.Member)] = true
	case op >= 46 && op <= 53:
		hold(f.reads, s.args[0])
	case op >= 79 && op <= 86:
		hold(f.writes, s.args[0])
	case op == opMonitorenter || op == opMonitorexit:
		f.writes[locking] = true
	case op.IsCall() && !p.isCalled(s):
		switch p.effectOf(s.in) {
		case keeps:
			f.calls[calling(s.in)] = true
			for _, a := range s.args {
				hold(f.reads, objects(p, a))
				hold(f.writes, objects(p, a))
			}
		case looks:
			hold(f.reads, receiver(s))
		case changes:
			hold(f.reads, receiver(s))
			hold(f.writes, receiver(s))
		}
	}
}

// madeAt names an object that a method made.
func madeAt(s *step) string {
	return fmt.Sprintf("new %s.%s%s@%d", s.of.class.Name, s.of.Name, s.of.Descriptor, s.in.Offset)
}

// objects returns the steps that make arrays and collections, which code outside may write.
func objects(p *Program, of []*step) []*step {
	return slices.DeleteFunc(slices.Clone(of), func(s *step) bool { return s.kind != instruction || s.in.Op < opNew || s.in.Op > 189 })
}

// receiver returns what a call outside reads or writes.
func receiver(s *step) []*step {
	switch {
	case s.in.Member.Class == "java.lang.System": // arraycopy
		return s.args[2]
	case len(s.args) == 0:
		return nil
	}
	return s.args[0]
}

// calling names a call of code outside.
func calling(i bytecode.Instruction) string {
	if i.Member.Name == "<init>" {
		return "what a new " + short(i.Member.Class) + " does"
	}
	return "what " + short(i.Member.Class) + "." + i.Member.Name + " does"
}

// isCalled reports whether a call runs methods of the classes that are followed.
func (p *Program) isCalled(s *step) bool {
	i := s.in
	return i.Op.IsCall() && i.Op != opInvokedynamic && !p.leftOut(i) && len(p.targetsOf(i)) > 0 && !p.onForeign(s)
}

// leftOut reports whether nothing that a call does is followed.
func (p *Program) leftOut(i bytecode.Instruction) bool {
	e := p.effectOf(i)
	return e == quiet || e == apart
}

// views are methods of collections that return an object of a class outside: one that shows the
// collection, and is none of its elements.
var views = []string{"iterator", "listIterator", "descendingIterator", "entrySet", "keySet", "values", "subList", "headMap", "tailMap", "subMap",
	"descendingMap", "headSet", "tailSet", "subSet", "descendingSet", "navigableKeySet"}

// onForeign reports whether a call is one on an object of a class outside, whatever other classes
// have the method. The object is made here, or a collection of such a class has made it.
func (p *Program) onForeign(s *step) bool {
	if s.in.Op == opInvokespecial || s.in.Op == opInvokestatic || p.classes[s.in.Member.Class] != nil || len(s.args) == 0 || len(s.args[0]) == 0 {
		return false
	}
	return !slices.ContainsFunc(s.args[0], func(v *step) bool { return !p.foreign(v, map[*step]bool{}) })
}

// foreign reports whether the result of a step is an object of a class outside.
func (p *Program) foreign(v *step, seen map[*step]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch i := v.in; {
	case v.kind != instruction:
		return false
	case i.Op == opNew:
		_, class, _ := strings.Cut(i.Const, ":")
		return p.classes[strings.ReplaceAll(class, "/", ".")] == nil
	case !i.Op.IsCall() || i.Op == opInvokedynamic || p.classes[i.Member.Class] != nil || !slices.Contains(views, i.Member.Name) || !strings.HasPrefix(i.Member.Class, "java.util."):
		return false
	case len(p.targetsOf(i)) == 0:
		return true
	}
	return len(v.args) > 0 && len(v.args[0]) > 0 && !slices.ContainsFunc(v.args[0], func(x *step) bool { return !p.foreign(x, seen) })
}

// followed returns the methods that a step may run, with the lambdas that it makes.
func (p *Program) followed(s *step) []*method {
	if s.kind != instruction || !s.in.Op.IsCall() {
		return nil
	}
	if s.in.Op == opInvokedynamic {
		var out []*method
		for _, h := range s.of.class.Handles(s.in) {
			if m := p.find(h); m != nil && m.Bytes != nil {
				out = append(out, m)
			}
		}
		return out
	}
	if p.isCalled(s) {
		return p.targetsOf(s.in)
	}
	return nil
}

// footprintOf returns the places of a step, with those of the methods that it calls. A method whose
// arguments the adapter observes has its name as a place.
func (p *Program) footprintOf(s *step) *footprint {
	f := newFootprint()
	p.own(f, s)
	if name := p.observedCall(s); name != "" {
		f.reads[name], f.writes[name] = true, true
	}
	for _, m := range p.followed(s) {
		f.add(p.footprintOfMethod(m))
	}
	return f
}

// footprintOfMethod returns the places of a method and of all that it calls.
func (p *Program) footprintOfMethod(m *method) *footprint {
	if f := p.reaches[m.Method]; f != nil {
		return f
	}
	f := newFootprint()
	seen := map[*bytecode.Method]bool{m.Method: true}
	for todo := []*method{m}; len(todo) > 0; todo = todo[1:] {
		if todo[0].Flags&flagSynchronized != 0 {
			f.writes[locking] = true
		}
		for _, s := range p.bodyOf(todo[0]).steps {
			p.own(f, s)
			if name := p.observedCall(s); name != "" {
				f.writes[name] = true
				continue
			}
			for _, to := range p.followed(s) {
				if !seen[to.Method] {
					seen[to.Method] = true
					todo = append(todo, to)
				}
			}
		}
	}
	for _, places := range []map[string]bool{f.reads, f.writes} { // objects of its own end with it
		maps.DeleteFunc(places, func(k string, _ bool) bool { return strings.HasPrefix(k, "new ") })
	}
	p.reaches[m.Method] = f
	return f
}

// observedCall returns the name of the method that a step calls if the adapter observes its
// arguments, else "".
func (p *Program) observedCall(s *step) string {
	if s.kind != instruction || !s.in.Op.IsCall() || s.in.Op == opInvokedynamic {
		return ""
	}
	for _, name := range append(p.namesOf(s.in), s.in.Member.Class+"."+s.in.Member.Name) {
		if p.by.Calls[name] {
			return name
		}
	}
	return ""
}

// namesOf returns the names of the methods that a call may run.
func (p *Program) namesOf(i bytecode.Instruction) (out []string) {
	for _, m := range p.targetsOf(i) {
		out = append(out, m.class.Name+"."+m.Name)
	}
	return out
}
