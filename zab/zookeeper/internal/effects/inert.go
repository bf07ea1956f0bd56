package effects

import (
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. The changed files whose classes do all as before, so that nothing can notice
// the change. Such files need no walks.
//
// Why it is right. The rule is stricter than that of file same.go, where walks follow. An event is
// a step that reads or writes memory, calls, throws, waits or returns. All events of both versions
// must be twins, with the same conditions, the same handlers of exceptions, and the same order.
// Loops must be as many, and end by the same conditions. Only an idle event may stand alone, with
// nothing but steps that stand alone to get its result. It cannot fail, and it writes nothing: a
// log, the text for it, or the read of a field of an object that is there. Time, locks, volatile
// fields and calls of unknown methods are not idle.
//
// Classes must have the same declarations. A method that one side alone has must override none.
//
// What it costs. As a comparison of the methods whose code differs.
//
// Example. The second line may be added, if logs are silent and z is a number:
//
//	committed = z;
//	LOG.debug("committed {}", Long.toHexString(z));

// Inert returns those of some files whose classes do all as before. Files have slashes, and end in
// the folders of the package. A file without classes on a side is none of them.
// The result rests on what is fixed and returned in words.
func Inert(before, after *Program, files []string) (out, rests []string) {
	for _, file := range files {
		was, is := before.classesOf(file), after.classesOf(file)
		other := func(name string) bool { return !inertClass(before, after, name) }
		if len(was) > 0 && len(is) > 0 && !slices.ContainsFunc(append(was, is...), other) {
			out = append(out, file)
		}
	}
	return out, restsOf(before, after, out)
}

// restsOf returns what the code of some files on both sides rests on.
func restsOf(before, after *Program, files []string) []string {
	out := append(before.rest(files), after.rest(files)...)
	slices.Sort(out)
	return slices.Compact(out)
}

// classesOf returns the classes that are compiled from a file.
func (p *Program) classesOf(file string) (out []string) {
	for _, name := range p.names {
		if of(p.classes[name], file) {
			out = append(out, name)
		}
	}
	return out
}

// inertClass reports whether a class does all as before. One that a side alone has does something
// only where code uses it.
func inertClass(b, a *Program, name string) bool {
	c, d := b.classes[name], a.classes[name]
	if c == nil || d == nil {
		return true
	}
	if c.Super != d.Super || !slices.Equal(c.Interfaces, d.Interfaces) || c.Flags != d.Flags {
		return false
	}
	for _, x := range []struct {
		p           *Program
		mine, other *bytecode.Class
	}{{b, c, d}, {a, d, c}} {
		for _, f := range x.mine.Fields {
			k := slices.IndexFunc(x.other.Fields, func(g bytecode.Field) bool { return g.Name == f.Name })
			hides := x.p.field(bytecode.Member{Class: x.mine.Super, Name: f.Name})
			if k >= 0 && x.other.Fields[k] != f || k < 0 && hides != x.mine.Super+"."+f.Name {
				return false
			}
		}
	}
	for k := range d.Methods {
		m := &method{d, &d.Methods[k]}
		was := b.named(name, a.key(m))
		if a.aside(m) && (was == nil || b.aside(was)) {
			continue
		}
		if was == nil && !a.apart(m) || was != nil && !inertMethod(b, a, was, m) {
			return false
		}
	}
	for k := range c.Methods {
		m := &method{c, &c.Methods[k]}
		if a.named(name, b.key(m)) == nil && !b.apart(m) && !b.aside(m) {
			return false
		}
	}
	return true
}

// apart reports whether a method that one side alone has shows in its callers alone: it overrides
// none, and no other method has its name.
func (p *Program) apart(m *method) bool {
	if m.Name[0] == '<' {
		return false
	}
	if m.Flags&flagSynthetic != 0 {
		return m.Flags&(flagStatic|flagPrivate) != 0
	}
	same := 0
	for k := range m.class.Methods {
		if m.class.Methods[k].Name == m.Name {
			same++
		}
	}
	s := side{Program: p}
	return same == 1 && (m.Flags&flagPrivate != 0 || !s.overrides(m.class, m) && !p.overridden(m))
}

// overridden reports whether a subclass has a method of the same name.
func (p *Program) overridden(m *method) bool {
	for todo := slices.Clone(p.below[m.class.Name]); len(todo) > 0; todo = todo[1:] {
		c := p.classes[todo[0]]
		if slices.ContainsFunc(c.Methods, func(x bytecode.Method) bool { return x.Name == m.Name }) {
			return true
		}
		todo = append(todo, p.below[todo[0]]...)
	}
	return false
}

// strict is a version of a method that is compared by events.
type strict struct {
	*body
	p       *Program
	handled []bool // steps that an exception leads to
}

func newStrict(p *Program, b *body) *strict {
	x := &strict{body: b, p: p, handled: make([]bool, len(b.steps))}
	next := b.edges()
	for k, s := range b.steps {
		if s.kind == caught {
			for to, is := range reached(next, k) {
				x.handled[to] = x.handled[to] || is
			}
		}
	}
	return x
}

// inertMethod reports whether a method does all as before.
func inertMethod(b, a *Program, was, is *method) bool {
	if was.Flags != is.Flags || (was.Bytes == nil) != (is.Bytes == nil) {
		return false
	}
	if was.Bytes == nil || b.text(was) == a.text(is) {
		return true
	}
	old := newStrict(b, b.expand(was, func(m *method) bool { return a.named(m.class.Name, b.key(m)) == nil }, 0))
	now := newStrict(a, a.expand(is, func(m *method) bool { return b.named(m.class.Name, a.key(m)) == nil }, 0))
	if len(old.steps) == 0 || len(now.steps) == 0 {
		return false
	}
	r := &refiner{}
	n := 0
	for _, x := range []*strict{old, now} {
		n = len(r.steps)
		x.colours(r)
	}
	before, after := r.steps[:n], r.steps[n:]
	r.refine()
	never := func(*step) bool { return false }
	pair(before, after, never, never)
	return old.alone() && now.alone() && old.sameOrder(now)
}

// colours adds the steps with what they are. An exception that is caught is one of the events that
// it may come from.
func (x *strict) colours(r *refiner) {
	first := len(r.steps)
	r.add(x.p, x.body)
	for k := first; k < len(r.steps); k++ {
		r.decides[k] = r.decides[k] || x.event(r.steps[k])
	}
	for _, s := range x.steps {
		if s.kind != copied || s.in.Op != opCheckcast {
			continue
		}
		slices.Sort(s.within)
		s.base = hashed("cast", s.in.Const, s.within)
		s.color = s.base
		r.steps, r.decides, r.changed = append(r.steps, s), append(r.decides, true), append(r.changed, nil)
	}
	for _, s := range r.steps[first:] {
		if s.kind != caught {
			continue
		}
		var from []uint64
		for _, c := range s.covers {
			if x.event(c) && !x.idle(c) {
				from = append(from, c.base)
			}
		}
		slices.Sort(from)
		s.base = hashed(s.base, from)
		s.color = s.base
	}
}

// event reports whether a step does more than to compute a value of values.
func (x *strict) event(s *step) bool {
	switch op := s.in.Op; {
	case s.kind == copied:
		return op == opCheckcast
	case s.kind != instruction:
		return false
	case op >= 1 && op <= 20, op == opIinc, len(s.in.Jumps) > 0, op == opInstanceof:
		return false
	case op >= 96 && op <= 152: // arithmetic, conversions and comparisons
		return slices.Contains([]bytecode.Op{108, 109, 112, 113}, op) // idiv ldiv irem lrem
	}
	return true
}

// idle reports whether an event cannot fail and writes nothing but a log or an object that the
// method made.
func (x *strict) idle(s *step) bool {
	switch op := s.in.Op; {
	case s.kind != instruction:
		return false
	case op.IsCall() && op != opInvokedynamic && op != opInvokestatic && x.p.by.Fixed[x.p.readBy(s)].Says != "":
		return x.present(s, s.args[0])
	case op.IsRead() && op != opGetfield && x.p.by.Fixed[x.p.readBy(s)].Says != "":
		return x.p.begun(x.of.class, s.in.Member.Class)
	case op.IsRead():
		f, own := x.p.declarationOf(*s.in.Member)
		if own && f.Flags&flagVolatile != 0 || !own && !x.p.silent(s.in.Member.Class) {
			return false
		}
		if op == opGetfield {
			return x.present(s, s.args[0])
		}
		return x.p.begun(x.of.class, s.in.Member.Class)
	case op == opNew:
		return strings.HasSuffix(s.in.Const, ":java/lang/StringBuilder")
	case op == opAnewarray:
		n, ok := small(s.args[0])
		return ok && n >= 0
	case op == opAastore: // of the arguments of a call
		k, ok := small(s.args[1])
		if !ok || len(s.args[0]) != 1 || s.args[0][0].in.Op != opAnewarray {
			return false
		}
		n, ok := small(s.args[0][0].args[0])
		return ok && k >= 0 && k < n && strings.HasSuffix(s.args[0][0].in.Const, ":java/lang/Object")
	case op == opInvokedynamic:
		return x.p.idleLambda(s)
	case op.IsCall():
		return x.idleCall(s)
	}
	return false
}

// idleCall reports whether a call is idle.
func (x *strict) idleCall(s *step) bool {
	m := s.in.Member
	static := s.in.Op == opInvokestatic
	if !static && !x.present(s, s.args[0]) || static && !x.p.begun(x.of.class, m.Class) {
		return false
	}
	if x.p.silent(m.Class) || total(s.in) {
		return true
	}
	return x.p.isCalled(s) && !slices.ContainsFunc(x.p.targetsOf(s.in), func(to *method) bool { return !x.p.idleMethod(to, nil) })
}

// total reports whether a call of Java's own code returns for all arguments. A text that is made of
// an object is taken to be made without an effect.
func total(i bytecode.Instruction) bool {
	m := i.Member
	of := bytecode.Parameters(m.Descriptor)
	plain := !slices.ContainsFunc(of, func(t string) bool { return len(t) > 1 })
	name, isLang := strings.CutPrefix(m.Class, "java.lang.")
	switch {
	case m.Class == "java.util.Objects":
		return m.Name == "toString"
	case !isLang:
		return false
	case name == "System": // a clock
		return m.Name == "nanoTime" || m.Name == "currentTimeMillis"
	case name == "StringBuilder":
		return m.Name == "toString" || m.Name == "<init>" && len(of) == 0 || m.Name == "append" && len(of) == 1 && of[0] != "[C"
	case name == "String" && m.Name == "valueOf":
		return len(of) == 1 && of[0] != "[C"
	case i.Op == opInvokestatic && slices.Contains(boxes, name):
		return plain && slices.Contains([]string{"valueOf", "toString", "toHexString"}, m.Name)
	}
	return false
}

// boxes are the classes of java.lang that hold a number or a character.
var boxes = []string{"Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"}

// small returns the number that an operand always is.
func small(of []*step) (int, bool) {
	if len(of) != 1 || of[0].kind != instruction {
		return 0, false
	}
	switch op := of[0].in.Op; {
	case op >= 2 && op <= 8:
		return int(op) - 3, true
	case op == 16 || op == 17:
		n, err := strconv.Atoi(of[0].in.Const)
		return n, err == nil
	}
	return 0, false
}

// present reports whether an operand of a step is never null. It is the receiver of the method, an
// object that is made, a logger, or one whose member an earlier step used.
func (x *strict) present(at *step, values []*step) bool {
	for _, v := range values {
		op := v.in.Op
		switch {
		case v.kind == parameter && v.column == 0 && v.of.Flags&flagStatic == 0:
		case v.kind == instruction && (op >= opNew && op <= 189 || op >= opLdc && op <= opLdcW):
		case v.kind == instruction && op.IsRead() && x.p.silent(className(v.in.Member.Descriptor)):
		case v.kind == instruction && x.p.by.Fixed[x.p.readBy(v)].There:
		case v.kind == instruction && op.IsCall() && op != opInvokedynamic && (x.p.silent(v.in.Member.Class) || total(v.in)):
		case len(values) == 1 && x.usedBefore(at, v):
		default:
			return false
		}
	}
	return len(values) > 0
}

// usedBefore reports whether each path to a step uses a member of a value, after it was made.
func (x *strict) usedBefore(at, v *step) bool {
	if x.handled[at.index] {
		return false
	}
	from := v.index
	if v.kind != instruction {
		if v.kind != parameter {
			return false
		}
		from = x.entry()
	}
	for _, u := range x.uses()[v] {
		op := u.at.in.Op
		uses := u.at != at && u.at.kind == instruction && u.arg == 0 && len(u.at.args[0]) == 1 &&
			(op == opGetfield || op == opPutfield || op.IsCall() && op != opInvokestatic && op != opInvokedynamic || op == opMonitorenter)
		if uses && !x.passes(from, u.at.index, at.index) {
			return true
		}
	}
	return false
}

// passes reports whether a path leads from a step to another one around a third.
func (x *strict) passes(from, around, to int) bool {
	seen := map[int]bool{around: true}
	for todo := []int{from}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if k == to {
			return true
		}
		if seen[k] {
			continue
		}
		seen[k] = true
		for _, s := range x.steps[k].next {
			todo = append(todo, s.index)
		}
	}
	return false
}

// alone reports whether the steps without a twin are idle, and lead to nothing else.
func (x *strict) alone() bool {
	ends := x.ends()
	for _, s := range x.steps {
		if s.kind == inlined && s.in.Op.IsCall() { // its steps are compared
			static := s.in.Op == opInvokestatic
			if !static && !x.present(s, s.args[0]) && !x.fails(s) || static && !x.p.begun(x.of.class, s.in.Member.Class) {
				return false
			}
		}
		event := x.event(s)
		if s.twin != nil || s.kind != instruction && !event {
			continue
		}
		if event && !x.idle(s) || ends[s] {
			return false
		}
		if s.in.Op == opAastore && s.args[0][0].twin != nil {
			return false
		}
		// A text that it continues must be its own.
		if s.in.Op.IsCall() && s.in.Op != opInvokedynamic && strings.HasSuffix(s.in.Member.Class, ".StringBuilder") &&
			slices.ContainsFunc(s.args[0], func(of *step) bool { return of.twin != nil }) {
			return false
		}
		for _, u := range x.uses()[s] {
			if u.at.twin != nil {
				return false
			}
		}
	}
	return true
}

// fails reports whether a method that took the place of a call first uses a member of the call's
// object: it fails without an object as the call does.
func (x *strict) fails(s *step) bool {
	at := s
	for range x.steps {
		if len(at.next) != 1 {
			return false
		}
		if at = at.next[0]; x.event(at) {
			op := at.in.Op
			return (op == opGetfield || op == opPutfield || op.IsCall() && op != opInvokestatic && op != opInvokedynamic) && slices.Equal(at.args[0], s.args[0])
		}
	}
	return false
}

// ends returns the conditions that end a loop.
func (x *strict) ends() map[*step]bool {
	out := map[*step]bool{}
	for _, l := range x.loops() {
		for k := range l {
			s := x.steps[k]
			if len(s.in.Jumps) > 0 && slices.ContainsFunc(s.next, func(to *step) bool { return !l[to.index] }) {
				out[s] = true
			}
		}
	}
	return out
}

// loops returns the steps of each loop, by the step with which it begins.
func (b *body) loops() map[int]map[int]bool {
	next := b.edges()
	back := make([][]int, len(next))
	for k, all := range next {
		for _, to := range all {
			back[to] = append(back[to], k)
		}
	}
	out := map[int]map[int]bool{}
	for _, e := range backward(next, b.entry()) {
		l := out[e[1]]
		if l == nil {
			l = map[int]bool{e[1]: true}
			out[e[1]] = l
		}
		for todo := []int{e[0]}; len(todo) > 0; {
			k := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !l[k] {
				l[k] = true
				todo = append(todo, back[k]...)
			}
		}
	}
	return out
}

// sameOrder reports whether events that are twins keep their order, and loops are as many.
func (x *strict) sameOrder(now *strict) bool {
	if len(x.loops()) != len(now.loops()) {
		return false
	}
	was, is := x.orders(), now.orders()
	var events []*step
	for _, s := range now.steps {
		if s.twin != nil && now.event(s) {
			events = append(events, s)
		}
	}
	for k, s := range events {
		for _, other := range events[k:] {
			if is.of(s, other) != was.of(s.twin, other.twin) {
				return false
			}
		}
	}
	return true
}

// declarationOf returns the declaration of a field; false for one outside of the classes.
func (p *Program) declarationOf(m bytecode.Member) (bytecode.Field, bool) {
	name := p.field(m)
	c := p.classes[strings.TrimSuffix(name, "."+m.Name)]
	if c == nil {
		return bytecode.Field{}, false
	}
	k := slices.IndexFunc(c.Fields, func(f bytecode.Field) bool { return f.Name == m.Name })
	if k < 0 {
		return bytecode.Field{}, false
	}
	return c.Fields[k], true
}

// silent reports whether a class is one of logs or meters.
func (p *Program) silent(class string) bool {
	return inClasses(p.by.Silent, class) && !inClasses(p.by.Managed, class)
}

// className returns the class that a descriptor names; "" for another type.
func className(descriptor string) string {
	if name, is := strings.CutPrefix(descriptor, "L"); is {
		return strings.ReplaceAll(strings.TrimSuffix(name, ";"), "/", ".")
	}
	return ""
}

// begun reports whether a class is initialised where code of another one runs, or has no code for
// it.
func (p *Program) begun(in *bytecode.Class, class string) bool {
	for c := in; c != nil; c = p.classes[c.Super] {
		if c.Name == class {
			return true
		}
	}
	c := p.classes[class]
	if c == nil {
		return strings.HasPrefix(class, "java.lang.") || class == "java.util.Objects" || p.silent(class)
	}
	return p.silent(class) || !slices.ContainsFunc(c.Methods, func(m bytecode.Method) bool { return m.Name == "<clinit>" })
}

// mostIdle bounds how deep calls are followed.
const mostIdle = 4

// idleMethod reports whether all that a method does is idle. Callers are those that are followed.
func (p *Program) idleMethod(m *method, callers []*bytecode.Method) bool {
	if m.Bytes == nil || m.Flags&flagSynchronized != 0 || len(callers) == mostIdle || slices.Contains(callers, m.Method) {
		return false
	}
	x := newStrict(p, p.bodyOf(m))
	if len(x.steps) == 0 || len(x.loops()) > 0 || slices.ContainsFunc(x.steps, func(s *step) bool { return s.kind == caught }) {
		return false
	}
	for _, s := range x.steps {
		op := s.in.Op
		switch {
		case !x.event(s), s.kind == instruction && op >= opIreturn && op < opReturn:
		case s.kind == instruction && op.IsCall() && op != opInvokedynamic && !p.silent(s.in.Member.Class) && !total(s.in) && p.isCalled(s):
			inner := append(slices.Clone(callers), m.Method)
			if op != opInvokestatic && !x.present(s, s.args[0]) || op == opInvokestatic && !p.begun(m.class, s.in.Member.Class) ||
				slices.ContainsFunc(p.targetsOf(s.in), func(to *method) bool { return !p.idleMethod(to, inner) }) {
				return false
			}
		case !x.idle(s):
			return false
		}
	}
	return true
}

// idleLambda reports whether an object that is made for a lambda, or a text that is made of values,
// is idle. A lambda runs where a log needs its result.
func (p *Program) idleLambda(s *step) bool {
	for _, h := range s.of.class.Handles(s.in) {
		if m := p.find(h); m == nil || !p.idleMethod(m, nil) {
			return false
		}
	}
	return true
}
