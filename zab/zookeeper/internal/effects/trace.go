package effects

import (
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// What it computes. The places that outlive a call and that a changed value reaches.
//
// Why it is right. A value goes where the steps go that get it: into results of computations, into
// fields, into objects that hold values and so into the field that holds the object, into the
// parameters of methods that a call may run, and back as their results. A condition that depends on
// the value decides steps: they are a group, which counts as observed if one of its places is.
// Which of several values is taken depends on it, too.
//
// What it costs. One visit of each method for each of its parameters that the value reaches.

// sink is a place that outlives a call.
type sink struct {
	place string
	// changes says that the place is a result or an argument, and not written.
	changes bool
}

// trace follows values.
type trace struct {
	p      *Program
	sinks  map[sink]bool
	groups []map[sink]bool // each is observed if one of its sinks is
	// entered are parameters that a value has reached: whether it comes back as the result.
	entered map[entry]bool
	back    map[*bytecode.Method]bool // results that go back to all callers
	decided map[*step]bool            // conditions that were followed
}

type entry struct {
	of     *bytecode.Method
	column int
}

func newTrace(p *Program) *trace {
	return &trace{p: p, sinks: map[sink]bool{}, entered: map[entry]bool{}, back: map[*bytecode.Method]bool{}, decided: map[*step]bool{}}
}

func (b *body) uses() map[*step][]use {
	if b.users == nil {
		b.users = map[*step][]use{}
		for _, s := range b.steps {
			for k, values := range s.args {
				for _, v := range values {
					b.users[v] = append(b.users[v], use{s, k})
				}
			}
		}
	}
	return b.users
}

// flow follows values of a method. It reports whether they reach its result.
func (t *trace) flow(b *body, from []*step) (returns bool) {
	seen := map[*step]bool{}
	todo := slices.Clone(from)
	add := func(s *step) {
		if !seen[s] {
			todo = append(todo, s)
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		for _, u := range b.uses()[v] {
			returns = t.use(b, u, add) || returns
		}
	}
	return returns
}

// use follows a value into a step that gets it. It reports whether that returns it.
func (t *trace) use(b *body, u use, add func(*step)) (returns bool) {
	s := u.at
	switch op := s.in.Op; {
	case s.kind != instruction:
	case op >= opIreturn && op < opReturn:
		return true
	case len(s.in.Jumps) > 0:
		return t.decides(b, s, add)
	case op.IsCall():
		t.call(s, u.arg, add)
	case op.IsWrite(), op >= 79 && op <= 86:
		t.written(t.sinks, s, add)
	case op == opAthrow:
		t.sinks[sink{"an exception", true}] = true
	default:
		add(s)
	}
	return false
}

// written adds the place that a step writes.
func (t *trace) written(to map[sink]bool, s *step, add func(*step)) {
	if s.in.Op.IsWrite() {
		to[sink{place: t.p.field(*s.in.Member)}] = true
		return
	}
	t.held(to, s.args[0], s, add)
}

// held adds where an object is that a step changes: the field that holds it. An object that the
// method made is followed.
func (t *trace) held(to map[sink]bool, of []*step, by *step, add func(*step)) {
	for _, r := range t.p.roots(of) {
		switch r.kind {
		case inField:
			to[sink{place: r.field}] = true
		case made:
			add(r.at)
		case given:
			to[sink{"an argument of " + methodName(r.at.of), true}] = true
		default:
			to[sink{"an object in " + methodName(by.of), true}] = true
		}
	}
}

// methodName names a method in messages.
func methodName(m *method) string {
	name := m.Name
	if name == "<init>" {
		name = "new"
	}
	return short(m.class.Name) + "." + name
}

// call follows a value that is an operand of a call.
func (t *trace) call(s *step, arg int, add func(*step)) {
	p := t.p
	if name := p.observedCall(s); name != "" {
		t.sinks[sink{name, true}] = true
		add(s)
		return
	}
	if all := p.followed(s); len(all) > 0 {
		for _, m := range all {
			if t.enter(m, arg) {
				add(s)
			}
		}
		if s.in.Op == opInvokedynamic {
			add(s)
		}
		return
	}
	switch p.effectOf(s.in) {
	case quiet:
	case pure, looks, apart:
		add(s)
	case changes:
		if arg > 0 || len(s.args) == 1 {
			t.held(t.sinks, receiver(s), s, add)
		} else if roots := p.roots(s.args[0]); slices.ContainsFunc(roots, func(r root) bool { return r.kind != made }) {
			t.held(t.sinks, receiver(s), s, add)
		}
		add(s)
	default:
		t.sinks[sink{calling(s.in), true}] = true
		add(s)
	}
}

// enter follows a value into a parameter. It reports whether the value comes back.
func (t *trace) enter(m *method, column int) bool {
	at := entry{m.Method, column}
	if back, known := t.entered[at]; known {
		return back
	}
	t.entered[at] = true // of a recursive call
	b := t.p.bodyOf(m)
	if column >= len(b.params) {
		return true
	}
	t.entered[at] = t.flow(b, b.params[column:column+1])
	return t.entered[at]
}

// decides adds what a condition that did not change decides. It reports whether that is the result.
func (t *trace) decides(b *body, condition *step, add func(*step)) (returns bool) {
	if t.decided[condition] {
		return false
	}
	t.decided[condition] = true
	group := map[sink]bool{}
	for _, s := range b.steps {
		if s.kind != instruction || !under(s, condition, map[*step]bool{}) {
			continue
		}
		if op := s.in.Op; op >= opIreturn && op < opReturn {
			returns = true
		} else if t.p.acts(s) {
			t.does(group, s, add)
		}
		for _, u := range b.uses()[s] { // whether it is the value that is taken
			if len(u.at.args[u.arg]) > 1 && !under(u.at, condition, map[*step]bool{}) {
				returns = t.use(b, u, add) || returns
			}
		}
	}
	if len(group) > 0 {
		t.groups = append(t.groups, group)
	}
	return returns
}

// under reports whether a condition decides a step, directly or by other conditions.
func under(s, condition *step, seen map[*step]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	return slices.ContainsFunc(s.by, func(d decision) bool { return d.at == condition || under(d.at, condition, seen) })
}

// does adds all that a step writes, with the methods that it calls.
func (t *trace) does(to map[sink]bool, s *step, add func(*step)) {
	p := t.p
	switch op := s.in.Op; {
	case op.IsWrite(), op >= 79 && op <= 86:
		t.written(to, s, add)
	case op == opAthrow:
		to[sink{"an exception", true}] = true
	case op == opMonitorenter || op == opMonitorexit:
		to[sink{"a monitor", true}] = true
	case p.observedCall(s) != "":
		to[sink{p.observedCall(s), true}] = true
	case op.IsCall() && len(p.followed(s)) == 0:
		switch p.effectOf(s.in) {
		case keeps:
			to[sink{calling(s.in), true}] = true
		case changes:
			t.held(to, receiver(s), s, add)
		}
	case op.IsCall():
		for _, m := range p.followed(s) {
			f := p.footprintOfMethod(m)
			for w := range f.writes {
				switch {
				case w == locking:
				case w == anywhere:
					to[sink{"an object in " + methodName(m), true}] = true
				case !strings.HasPrefix(w, "new "):
					to[sink{w, p.by.Calls[w]}] = true
				}
			}
			for w := range f.calls {
				to[sink{w, true}] = true
			}
		}
	}
}

// result follows the result of a method to all its callers.
func (t *trace) result(m *method) {
	if t.back[m.Method] {
		return
	}
	t.back[m.Method] = true
	sites := t.p.callersOf(m)
	if len(sites) == 0 {
		t.sinks[sink{"the result of " + methodName(m), true}] = true
	}
	for _, s := range sites {
		b := t.p.bodyOf(s.of)
		if t.flow(b, []*step{s}) {
			t.result(s.of)
		}
	}
}

// callersOf returns the calls that may run a method.
func (p *Program) callersOf(m *method) []*step {
	if p.callers == nil {
		p.callers = map[*bytecode.Method][]*step{}
		for _, name := range p.names {
			c := p.classes[name]
			for k := range c.Methods {
				for _, s := range p.bodyOf(&method{c, &c.Methods[k]}).steps {
					for _, to := range p.followed(s) {
						p.callers[to.Method] = append(p.callers[to.Method], s)
					}
				}
			}
		}
	}
	return p.callers[m.Method]
}
