package effects

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/javac"
)

// Line is a changed line of a source.
type Line struct {
	File   string // with slashes; it ends in the folders of the class's package
	Number int    // from 1
}

// Write is a place that a changed line writes and that outlives the call.
type Write struct {
	Line
	Removed  bool   // the line is one of the code before the change
	Function string // package, class and method
	Place    string // as Leader.lastCommitted, a result, or what else the line writes
	Changes  bool   // the place is a result or an argument, and not written
	Observed bool   // the adapter observes it
}

// Changed are the changed lines of a side of a change, by file, from 1.
type Changed struct {
	Lines map[string][]int
	Gaps  map[string][]int // lines before which lines of the other side are gone
}

// Comparison has the differences of the two sides of a change.
type Comparison struct {
	Writes []Write // by side, file, line and place
	// Same are lines of the side after the change whose steps are all as before, Gaps those whose
	// steps that are gone stand elsewhere.
	Same, Gaps []Line
	Rests      []string // what is fixed and the code of the files rests on, in words
}

// side is a side of a change, while it is compared.
type side struct {
	*Program
	Changed
	removed bool
	differ  map[Line]bool // changed lines with a step that the other side does not have
	known   map[Line]bool // changed lines in methods that were compared
	gaps    map[Line]bool // whether the method there lost a step
	out     []Write
}

func newSide(p *Program, c Changed, removed bool) *side {
	return &side{Program: p, Changed: c, removed: removed, differ: map[Line]bool{}, known: map[Line]bool{}, gaps: map[Line]bool{}}
}

// Compare compares the classes of changed files: their declarations, and the methods that have
// changed lines or other code.
func Compare(before, after *Program, was, is Changed) *Comparison {
	b, a := newSide(before, was, true), newSide(after, is, false)
	seen := map[string]bool{}
	a.declared(b)
	for _, side := range []*side{a, b} {
		methods := side.changed()
		if side == a {
			methods = append(methods, a.another(b)...)
		}
		for _, m := range methods {
			if key := side.key(m); !seen[key] {
				seen[key] = true
				compare(b, a, b.named(m.class.Name, key), a.named(m.class.Name, key))
			}
		}
	}
	var files []string
	for _, c := range []Changed{was, is} {
		files = slices.AppendSeq(slices.AppendSeq(files, maps.Keys(c.Lines)), maps.Keys(c.Gaps))
	}
	out := &Comparison{Writes: append(a.out, b.out...), Rests: restsOf(before, after, files)}
	for l := range a.known {
		if !a.differ[l] {
			out.Same = append(out.Same, l)
		}
	}
	for l, lost := range a.gaps {
		if !lost {
			out.Gaps = append(out.Gaps, l)
		}
	}
	byLine := func(x, y Line) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Number, y.Number)) }
	slices.SortFunc(out.Same, byLine)
	slices.SortFunc(out.Gaps, byLine)
	slices.SortStableFunc(out.Writes, func(x, y Write) int {
		return cmp.Or(number(x.Removed)-number(y.Removed), byLine(x.Line, y.Line), cmp.Compare(x.Place, y.Place))
	})
	out.Writes = slices.Compact(out.Writes)
	return out
}

// key names a method on both sides of a change. A lambda has the number that it has among those of
// the method around it.
func (p *Program) key(m *method) string {
	name := m.Name
	if prefix, last, ok := lambda(m.Method); ok {
		n := 0
		for k := range m.class.Methods {
			if other, number, ok := lambda(&m.class.Methods[k]); ok && other == prefix && number < last {
				n++
			}
		}
		name = fmt.Sprintf("%s#%d", prefix, n)
	}
	return m.class.Name + "." + name + without(m.Descriptor, p.needless(m), m.first())
}

// first returns the column of the first parameter that a method's descriptor has.
func (m *method) first() int { return 1 - number(m.Flags&flagStatic != 0) }

// lambda splits the name of a lambda's method, as lambda$run$3.
func lambda(m *bytecode.Method) (prefix string, number int, ok bool) {
	at := strings.LastIndexByte(m.Name, '$')
	if m.Flags&flagSynthetic == 0 || !strings.HasPrefix(m.Name, "lambda$") || at < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(m.Name[at+1:])
	return m.Name[:at], number, err == nil
}

// named returns the method with a key; nil for none.
func (p *Program) named(class, key string) *method {
	if c := p.classes[class]; c != nil {
		for k := range c.Methods {
			if m := (&method{c, &c.Methods[k]}); p.key(m) == key {
				return m
			}
		}
	}
	return nil
}

// fileOf returns the changed file from which a class is compiled; "" for none.
func (s *side) fileOf(c *bytecode.Class) string {
	for _, all := range []map[string][]int{s.Lines, s.Gaps} {
		for file := range all {
			if of(c, file) {
				return file
			}
		}
	}
	return ""
}

// span returns the first and the last line of a method's code; 0 for one without.
func span(m *method) (first, last int) {
	for _, l := range m.Method.Lines {
		if first == 0 || l.Line < first {
			first = l.Line
		}
		last = max(last, l.Line)
	}
	return first, last
}

// around returns the lines that belong to a method: those of its code, and those before it up to
// the method above, where its signature stands.
func around(m *method) (first, last int) {
	first, last = span(m)
	above := 0
	for k := range m.class.Methods {
		if _, end := span(&method{m.class, &m.class.Methods[k]}); end < first && m.class.Methods[k].Name[0] != '<' {
			above = max(above, end)
		}
	}
	return above + 1, last
}

// changed returns the methods that have changed lines.
func (s *side) changed() (out []*method) {
	for _, name := range s.names {
		c := s.classes[name]
		file := s.fileOf(c)
		if file == "" {
			continue
		}
		for k := range c.Methods {
			m := &method{c, &c.Methods[k]}
			first, last := around(m)
			in := func(n int) bool { return n >= first && n <= last }
			if m.Bytes != nil && (slices.ContainsFunc(s.Lines[file], in) || slices.ContainsFunc(s.Gaps[file], in)) {
				out = append(out, m)
			}
		}
	}
	return out
}

// compare compares the versions of a method; one that a side does not have is nil.
func compare(b, a *side, was, is *method) {
	switch {
	case (was == nil || b.aside(was)) && (is == nil || a.aside(is)):
		if is != nil {
			a.unmoved(is)
		}
		return
	case was != nil && is != nil:
	case is != nil:
		a.alone(is)
		return
	case was != nil:
		b.alone(was)
		return
	default:
		return
	}
	without := func(p *Program) func(*method) bool {
		return func(m *method) bool { return p.named(m.class.Name, a.key(m)) == nil }
	}
	x, y := b.expand(was, func(m *method) bool { return a.named(m.class.Name, b.key(m)) == nil }, 0), a.expand(is, without(b.Program), 0)
	r := &refiner{}
	r.add(b.Program, x)
	n := len(r.steps)
	r.add(a.Program, y)
	before, after := r.steps[:n], r.steps[n:]
	r.refine()
	pair(before, after, b.on, a.on)
	moved := a.exchanged(x, y)
	var back []*step
	for _, s := range moved {
		back = append(back, s.twin)
	}
	monitors := (was.Flags^is.Flags)&flagSynchronized != 0
	lost := b.differs(was, x, y, back, monitors)
	a.differs(is, y, x, moved, monitors)
	first, last := around(is)
	for file := range a.Gaps {
		for _, n := range a.Gaps[file] {
			if of(is.class, file) && n >= first && n <= last {
				a.gaps[Line{file, n}] = a.gaps[Line{file, n}] || lost
			}
		}
	}
}

// unmoved notes that all is as before in a method that does not count on either side.
func (s *side) unmoved(m *method) {
	s.mark(m, nil)
	first, last := around(m)
	for file := range s.Gaps {
		for _, n := range s.Gaps[file] {
			if l := (Line{file, n}); of(m.class, file) && n >= first && n <= last {
				if _, known := s.gaps[l]; !known {
					s.gaps[l] = false
				}
			}
		}
	}
}

// on reports whether a step is on a changed line.
func (s *side) on(at *step) bool {
	file := s.fileOf(at.of.class)
	return file != "" && slices.Contains(s.Lines[file], at.line)
}

// alone adds what a method does that the other side does not have. One that only the classes call
// shows where they call it.
func (s *side) alone(m *method) {
	if !s.calledOutside(m) {
		return
	}
	lines := map[int]bool{}
	for _, at := range s.bodyOf(m).steps {
		if at.kind == instruction {
			lines[at.line] = true
		}
		if s.acts(at) {
			t := newTrace(s.Program)
			t.does(t.sinks, at, func(*step) {})
			s.write(t, m, s.lineFor(m, at))
		}
	}
	s.mark(m, lines)
}

// calledOutside reports whether code outside of the classes may call a method: it overrides one of
// a class outside, or the classes do not call it.
func (s *side) calledOutside(m *method) bool {
	if m.Flags&flagPrivate != 0 || m.Name == "<clinit>" {
		return m.Name == "<clinit>"
	}
	return len(s.callersOf(m)) == 0 || s.overrides(m.class, m)
}

// overrides reports whether a superclass or an interface, of the classes or outside, may have the
// method, too.
func (s *side) overrides(c *bytecode.Class, m *method) bool {
	if m.Name == "<init>" || m.Flags&flagStatic != 0 {
		return false
	}
	for _, up := range append([]string{c.Super}, c.Interfaces...) {
		switch x := s.classes[up]; {
		case up == "java.lang.Object":
			if slices.Contains([]string{"toString", "equals", "hashCode", "finalize", "clone"}, m.Name) {
				return true
			}
		case x == nil || own(x, m.member()) != nil || s.overrides(x, m):
			return true
		}
	}
	return false
}

// mark notes which changed lines of a method have steps that the other side does not have. A line
// stands for the statement around it: an operand may change what a call in another line does. Where
// statements are not known, a line without code stands for the one above it.
func (s *side) mark(m *method, differ map[int]bool) {
	file := s.fileOf(m.class)
	first, last := around(m)
	var code []int
	for _, l := range m.Method.Lines {
		code = append(code, l.Line)
	}
	slices.Sort(code)
	for _, n := range s.Lines[file] {
		if n < first || n > last {
			continue
		}
		stands := []int{n}
		if e := javac.Around(s.statements[file], n, false); e != nil {
			stands = slices.DeleteFunc(slices.Clone(code), func(c int) bool { return c < e.First || c > e.Last })
		} else if k, found := slices.BinarySearch(code, n); !found && k > 0 {
			stands = code[k-1 : k]
		}
		s.known[Line{file, n}] = true
		s.differ[Line{file, n}] = s.differ[Line{file, n}] || differ[n] || slices.ContainsFunc(stands, func(c int) bool { return differ[c] })
	}
}
