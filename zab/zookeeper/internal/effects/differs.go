package effects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

// differs adds what the steps of a method write that the other version does not have. Moved are
// steps whose order changed. Monitors says that one of the versions is synchronized and the other
// is not. It reports whether a step differs that matters.
func (s *side) differs(m *method, mine, other *body, moved []*step, monitors bool) bool {
	matters := s.matters(mine)
	lines := map[string]map[int]bool{}
	differ := func(at *step) {
		file := s.fileOf(at.of.class)
		if lines[file] == nil {
			lines[file] = map[int]bool{}
		}
		lines[file][at.line] = true
	}
	traces := map[Line]*trace{}
	var order []Line
	traceAt := func(l Line) *trace {
		if traces[l] == nil {
			traces[l], order = newTrace(s.Program), append(order, l)
		}
		return traces[l]
	}
	some := false
	for _, at := range mine.steps {
		changed := at.real() && at.twin == nil && matters[at] || slices.Contains(moved, at)
		if !changed {
			continue
		}
		some = true
		differ(at)
		if s.acts(at) || slices.Contains(moved, at) {
			t := traceAt(s.lineFor(m, at))
			t.differing(mine, m, at, counterpart(at, other))
			if at.twin != nil && t.flow(mine, []*step{at}) { // its result may be another one
				t.result(m)
			}
		}
	}
	if monitors && m.Flags&flagSynchronized != 0 {
		some = true
		first, _ := around(m)
		l := s.lineFor(m, &step{of: m, line: first})
		traceAt(l).sinks[sink{"a monitor", true}] = true
	}
	for _, l := range order {
		s.write(traces[l], m, l)
	}
	s.mark(m, lines[s.fileOf(m.class)])
	seen := map[*bytecode.Method]bool{m.Method: true}
	for _, at := range mine.steps { // lines of methods whose steps took the place of a call
		if !seen[at.of.Method] {
			seen[at.of.Method] = true
			s.mark(at.of, lines[s.fileOf(at.of.class)])
		}
	}
	return some
}

// counterpart returns a step of the other version that does the same with other operands; nil for
// none.
func counterpart(at *step, other *body) *step {
	for _, x := range other.steps {
		if x.kind == at.kind && x.twin == nil && x.base == at.base && len(x.args) == len(at.args) && decided(x) == decided(at) {
			return x
		}
	}
	return nil
}

// differing adds what a step changes that differs from its counterpart in operands, or has none.
func (t *trace) differing(b *body, m *method, at, other *step) {
	var objects []*step
	add := func(s *step) {
		if s != at { // steps that get its result differ themselves
			objects = append(objects, s)
		}
	}
	returns := at.in.Op >= opIreturn && at.in.Op < opReturn
	switch {
	case returns:
	case other != nil && objectAlone(at, other):
		// what else is written into the object, or where it goes, differs itself
	case other == nil || !at.in.Op.IsCall():
		t.does(t.sinks, at, add)
	default:
		for k := range at.args {
			if valueOf(at.args[k]) != valueOf(other.args[k]) {
				t.call(at, k, add)
			}
		}
	}
	if t.flow(b, objects) || returns {
		t.result(m)
	}
}

// objectAlone reports whether two steps write the same into an object, which the method makes on
// both sides and which differs in what other steps do with it.
func objectAlone(at, other *step) bool {
	made := func(values []*step) bool {
		return len(values) > 0 && !slices.ContainsFunc(values, func(s *step) bool { return s.kind != instruction || s.in.Op < opNew || s.in.Op > 189 })
	}
	for k := range at.args {
		if valueOf(at.args[k]) != valueOf(other.args[k]) && (k > 0 || !made(at.args[0]) || !made(other.args[0])) {
			return false
		}
	}
	return len(at.args) > 0 && made(at.args[0])
}

// lineFor returns the changed line for which a step counts: its own, else one of its statement.
// Else it is the last one before the step in the method, or the first one.
func (s *side) lineFor(m *method, at *step) Line {
	file := s.fileOf(at.of.class)
	if file == "" {
		file, at = s.fileOf(m.class), &step{of: m, line: at.line}
	}
	first, last := around(at.of)
	best := 0
	if e := javac.Around(s.statements[file], at.line, false); e != nil && !slices.Contains(s.Lines[file], at.line) {
		for _, n := range s.Lines[file] {
			if e.First <= n && n <= e.Last {
				return Line{file, n}
			}
		}
	}
	for _, n := range s.Lines[file] {
		if n < first || n > last {
			continue
		}
		if best == 0 || n <= at.line && n > best || best > at.line && n < best {
			best = n
		}
	}
	if best == 0 {
		best = at.line
	}
	return Line{file, best}
}

// mostNamed bounds the places of a line that nothing observes and that are named. A call can write
// hundreds of them; one is enough for the result.
const mostNamed = 12

// write adds the places that a trace found.
func (s *side) write(t *trace, m *method, l Line) {
	p := s.Program
	name := m.class.Name + "." + m.Name
	var open []Write
	add := func(to sink, observed bool) {
		if p.isUnread(to.place) || !to.changes && inClasses(p.by.Apart, to.place[:max(strings.LastIndexByte(to.place, '.'), 0)]) {
			return
		}
		place := to.place
		if !to.changes || p.by.Calls[to.place] {
			place = short(place)
		}
		w := Write{Line: l, Removed: s.removed, Function: name, Place: place, Changes: to.changes, Observed: observed}
		if observed {
			s.out = append(s.out, w)
		} else {
			open = append(open, w)
		}
	}
	for to := range t.sinks {
		add(to, p.observes(to.place))
	}
	for _, group := range t.groups {
		some := false
		for to := range group {
			some = some || p.observes(to.place)
		}
		if !some {
			for to := range group {
				add(to, false)
			}
		}
	}
	slices.SortFunc(open, func(x, y Write) int { return strings.Compare(x.Place, y.Place) })
	open = slices.Compact(open)
	if n := len(open) - mostNamed; n > 1 {
		open = open[:mostNamed]
		open = append(open, Write{Line: l, Removed: s.removed, Function: name, Place: fmt.Sprintf("%d further places", n)})
	}
	s.out = append(s.out, open...)
}

func (p *Program) observes(place string) bool { return p.by.Fields[place] || p.by.Calls[place] }

// isUnread reports whether no code reads a field, except to write it again, or for what the
// specification does not have. The adapter reads those that it observes.
func (p *Program) isUnread(field string) bool {
	if p.unread == nil {
		p.findUnread()
	}
	return p.unread[field] && !p.by.Fields[field]
}

// findUnread finds the fields that no code reads. Public ones may have readers outside. So may
// protected ones, if it is not known with which methods the program begins.
func (p *Program) findUnread() {
	const public, protected = 1, 4
	p.unread = map[string]bool{}
	for _, name := range p.names {
		for _, f := range p.classes[name].Fields {
			if f.Flags&public == 0 && (f.Flags&protected == 0 || len(p.by.Begins) > 0) {
				p.unread[name+"."+f.Name] = true
			}
		}
	}
	for _, name := range p.names {
		c := p.classes[name]
		for k := range c.Methods {
			b := p.bodyOf(&method{c, &c.Methods[k]})
			for _, s := range b.steps {
				if s.kind != instruction || !s.in.Op.IsRead() {
					continue
				}
				if f := p.field(*s.in.Member); p.unread[f] && !p.backTo(b, s, f, map[*step]bool{}) {
					delete(p.unread, f)
				}
			}
		}
	}
}

// backTo reports whether a value goes only into arithmetic that is written into one field, or into
// calls of what the specification does not have. It may go there through results of methods.
func (p *Program) backTo(b *body, v *step, field string, seen map[*step]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, u := range b.uses()[v] {
		switch op := u.at.in.Op; {
		case u.at.kind != instruction:
			return false
		case op >= opIreturn && op < opReturn:
			if !p.resultsBackTo(b.of, field, seen) {
				return false
			}
		case op.IsCall() && op != opInvokedynamic && p.effectOf(u.at.in) == apart && (u.arg > 0 || op == opInvokestatic):
			if !p.backTo(b, u.at, field, seen) {
				return false
			}
		case op.IsWrite() && p.field(*u.at.in.Member) == field:
		case op >= 96 && op <= 147: // arithmetic and conversions
			if !p.backTo(b, u.at, field, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// resultsBackTo reports whether the results of a method go only where a value of its field may go,
// wherever the method is called.
func (p *Program) resultsBackTo(m *method, field string, seen map[*step]bool) bool {
	s := side{Program: p}
	return !s.calledOutside(m) && !slices.ContainsFunc(p.callersOf(m), func(at *step) bool {
		return at.in.Op == opInvokedynamic || !p.backTo(p.bodyOf(at.of), at, field, seen)
	})
}
