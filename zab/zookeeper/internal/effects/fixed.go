package effects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. Which code cannot run where fields have the values that the specification
// fixes, and which methods no server reaches then.
//
// Why it is right. A condition on such a field leads one way only, and a switch to none of the
// values that the field never has. Instructions that no way leads to are no steps. A read of the
// field counts directly, in a method that only returns it, and by the method get of an atomic
// object. So does a comparison of a text with a constant, such as the name of a setting. A method
// is reached by rapid type analysis over the remaining steps: see file instances.go. A class that
// begins in no method that is reached says nothing about its methods: a setting may name it.
//
// What it costs. Nothing but the analyses that follow.
//
// Example. With reconfigEnabled fixed to false nothing after the return is a step:
//
//	if (!isReconfigEnabled()) { return false; }
//	configure(next);

// Fixed describes the values of a field in each server that the specification has.
type Fixed struct {
	// Only are all its values, Never are values that it does not have. A truth value is 0 or 1. An
	// atomic object stands for its content.
	Only, Never []int
	There       bool   // it is an object, and never null
	Says        string // in words, for those who read a result that rests on it
}

// fixedOf returns what a value is fixed to, with the name of the field; "" for one that is not.
func (p *Program) fixedOf(of []*step) (field string, is Fixed) {
	for _, s := range of {
		name := p.readBy(s)
		f, ok := p.by.Fixed[name]
		if !ok || field != "" && name != field {
			return "", Fixed{}
		}
		field, is = name, f
	}
	return field, is
}

// readBy returns the field whose value a step has; "" for another step. A parameter is the method
// with its number, as package.Request.isValid#0, where an object itself is 0. A comparison of a
// text is the method with the text, as package.Config.parse equals port.
func (p *Program) readBy(s *step) string {
	m := s.in.Member
	switch {
	case s.kind == parameter:
		return fmt.Sprintf("%s.%s#%d", s.of.class.Name, s.of.Name, s.column)
	case s.kind != instruction || m == nil:
	case s.in.Op.IsRead():
		return p.field(*m)
	case !s.in.Op.IsCall() || s.in.Op == opInvokedynamic:
	case strings.HasPrefix(m.Class, atomic) && m.Name == "get":
		if len(s.args) == 1 && len(s.args[0]) == 1 {
			return p.readBy(s.args[0][0])
		}
	case m.Class == "java.lang.String" && m.Name == "equals":
		for _, of := range s.args {
			if len(of) == 1 && of[0].kind == instruction && of[0].in.Op >= opLdc && of[0].in.Op <= opLdcW {
				_, text, _ := strings.Cut(of[0].in.Const, ":")
				return fmt.Sprintf("%s.%s equals %s", s.of.class.Name, s.of.Name, text)
			}
		}
	default:
		return p.getter(*m)
	}
	return ""
}

// getter returns the field that a method returns if it does nothing else; "" for another one.
func (p *Program) getter(m bytecode.Member) string {
	if f, known := p.getters[m]; known {
		return f
	}
	p.getters[m] = ""
	x := p.find(m)
	if x == nil || x.Bytes == nil || p.overridden(x) {
		return ""
	}
	code, err := bytecode.Decode(x.Name, x.Bytes, x.class.Pool)
	if err != nil {
		return ""
	}
	all := code.Instructions
	if len(all) == 3 && x.Flags&flagStatic == 0 && all[0].Local == 0 { // aload_0
		all = all[1:]
	}
	if len(all) == 2 && all[0].Op.IsRead() && all[1].Op >= opIreturn && all[1].Op < opReturn && (x.Flags&flagStatic != 0) == (all[0].Op != opGetfield) {
		p.getters[m] = p.field(*all[0].Member)
	}
	return p.getters[m]
}

// Conditional jumps, in the order of the JVM's instructions: eq ne lt ge gt le.
const (
	opIfeq, opIfIcmpeq    bytecode.Op = 153, 159
	opIfnull, opIfnonnull bytecode.Op = 198, 199
)

// holds reports whether two numbers have a relation of the order above.
func holds(relation bytecode.Op, a, b int) bool {
	return []bool{a == b, a != b, a < b, a >= b, a > b, a <= b}[relation]
}

// ways says which ways a condition may lead: to each of its jumps, and on. Field is the fixed one
// on which that rests; "" if all ways are possible.
func (p *Program) ways(s *step) (jumps []bool, on bool, field string) {
	on = true
	for range s.in.Jumps {
		jumps = append(jumps, true)
	}
	if len(p.by.Fixed) == 0 || len(jumps) == 0 || len(s.args) == 0 {
		return jumps, on, ""
	}
	name, is := p.fixedOf(s.args[0])
	op := s.in.Op
	switch {
	case name == "":
		return jumps, on, ""
	case op == opIfnull && is.There:
		jumps[0], field = false, name
	case op == opIfnonnull && is.There:
		on, field = false, name
	case op == opTableswitch || op == opLookup:
		cases := caseValues(s.in)
		for k, v := range cases {
			if slices.Contains(is.Never, v) || len(is.Only) > 0 && !slices.Contains(is.Only, v) {
				jumps[k+1], field = false, name
			}
		}
		if len(is.Only) > 0 && !slices.ContainsFunc(is.Only, func(v int) bool { return !slices.Contains(cases, v) }) {
			jumps[0], field = false, name
		}
	case op >= opIfeq && op < opIfeq+12:
		relation, with := op-opIfeq, 0
		if op >= opIfIcmpeq {
			n, ok := small(s.args[1])
			if !ok {
				return jumps, on, ""
			}
			relation, with = op-opIfIcmpeq, n
		}
		is := func(want bool) bool { // whether it may be so
			if len(is.Only) > 0 {
				return slices.ContainsFunc(is.Only, func(v int) bool { return holds(relation, v, with) == want })
			}
			equals := relation == 0 && want || relation == 1 && !want
			return !equals || !slices.Contains(is.Never, with)
		}
		if jumps[0], on = is(true), is(false); !jumps[0] || !on {
			field = name
		}
	}
	return jumps, on, field
}

// caseValues returns the values of a switch, in the order of its jumps without the default.
func caseValues(i bytecode.Instruction) (out []int) {
	for text := range strings.SplitSeq(strings.TrimSuffix(i.Const, ";"), ";") {
		if n, err := strconv.Atoi(text); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// fold leaves out what cannot run of a method that was interpreted: conditions that lead one way
// only are no steps any more, and switches lose cases. Both forms of a switch become one.
func (f *flow) fold() {
	for k, s := range f.steps {
		if f.frames[k] == nil || len(s.in.Jumps) == 0 || s.kind != instruction {
			continue
		}
		jumps, _, field := f.p.ways(s)
		if field != "" {
			f.b.rests = append(f.b.rests, field)
			if len(f.successors(k)) == 1 {
				s.kind, f.folded = copied, append(f.folded, s)
				continue
			}
		}
		if s.in.Op == opTableswitch || s.in.Op == opLookup {
			to, text := s.in.Jumps[:1:1], ""
			for n, v := range caseValues(s.in) {
				if jumps[n+1] && s.in.Jumps[n+1] != to[0] {
					to, text = append(to, s.in.Jumps[n+1]), text+strconv.Itoa(v)+";"
				}
			}
			s.in.Op, s.in.Jumps, s.in.Const = opLookup, to, text
		}
	}
	for h, c := range f.caught {
		c.covers = slices.DeleteFunc(c.covers, func(s *step) bool { return f.frames[f.at[s.in.Offset]] == nil })
		if len(c.covers) == 0 {
			f.caught[h] = nil
		}
	}
}

// dropRead leaves out the reads of a fixed field of the object itself that only conditions got
// which are no steps any more: they cannot fail.
func (f *flow) dropRead(of []*step) {
	for _, s := range of {
		used := slices.ContainsFunc(f.steps, func(x *step) bool {
			return x.kind == instruction && slices.ContainsFunc(x.args, func(values []*step) bool { return slices.Contains(values, s) })
		})
		if used || s.kind != instruction || f.p.readBy(s) == "" {
			continue
		}
		own := s.in.Op != opInvokestatic && (!s.in.Op.IsRead() || s.in.Op == opGetfield)
		if !own || !f.ofThis(s.args[0]) {
			continue
		}
		s.kind = copied
		if s.in.Op.IsCall() {
			f.dropRead(s.args[0])
		}
	}
}

// ofThis reports whether values are the object itself, or an atomic one in a fixed field of it.
func (f *flow) ofThis(of []*step) bool {
	if len(of) != 1 {
		return false
	}
	s := of[0]
	return s.kind == parameter && s.column == 0 && f.m.Flags&flagStatic == 0 ||
		s.kind == instruction && s.in.Op == opGetfield && strings.HasPrefix(className(s.in.Member.Descriptor), atomic) && f.ofThis(s.args[0])
}

// atomic begins the names of classes whose method get returns what is in an object.
const atomic = "java.util.concurrent.atomic.Atomic"

// mayThrow reports whether a step may throw what a handler catches. Only calls and throws make an
// exception that must be declared, and an atomic object throws none.
func mayThrow(s *step, catch string) bool {
	if catch != "java.lang.InterruptedException" {
		return true
	}
	return s.in.Op == opAthrow || s.in.Op.IsCall() && (s.in.Member == nil || !strings.HasPrefix(s.in.Member.Class, atomic))
}

// neverRuns reports whether no server runs a method of a class that it uses.
func (p *Program) neverRuns(m *method) bool {
	if p.objects == nil {
		p.objects = newInstances(p)
	}
	return !p.objects.all && p.objects.begun[m.class.Name] && !p.objects.reached[m.Method]
}

// mostAside bounds how far callers are followed.
const mostAside = 3

// aside reports whether a method does not count: no server runs it, or the specification does not
// have what it does. Methods that only such ones call are aside, too.
func (p *Program) aside(m *method) bool { return p.asideBelow(m, mostAside) }

func (p *Program) asideBelow(m *method, depth int) bool {
	if p.neverRuns(m) || slices.Contains(p.by.Apart, m.class.Name+"."+m.Name) {
		return true
	}
	s := side{Program: p}
	return depth > 0 && !s.calledOutside(m) && !slices.ContainsFunc(p.callersOf(m), func(at *step) bool { return !p.asideBelow(at.of, depth-1) })
}

// rest returns what the methods of some files rest on that is fixed, in words.
func (p *Program) rest(files []string) (out []string) {
	for _, file := range files {
		for _, name := range p.classesOf(file) {
			c := p.classes[name]
			for k := range c.Methods {
				for _, field := range p.bodyOf(&method{c, &c.Methods[k]}).rests {
					out = append(out, p.by.Fixed[field].Says)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
