package merging

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/internal/footprint"
)

// value describes the variable on a way.
type value struct {
	kind     valueKind
	constant string
	from     uint64 // the sources of a computed value, by their number in walk.sources
	by       int    // the number of the step that gave it, from 1; 0: none
}

type valueKind int

const (
	isOwn valueKind = iota
	isConstant
	isComputed
)

// way is where a walk stands.
type way struct {
	facts   known
	begin   known  // what steps required of elements that no step had written
	wrote   uint64 // of walk.facts
	sent    uint64 // of walk.kinds
	covered uint64 // of walk.duties
	over    uint64 // of walk.sources
	writers uint64 // the steps that wrote the variable, by their number in walk.steps
	here    bool   // one of these wrote the element that the action writes, as far as is known
	took    bool   // a step took a message that the action certainly takes
	value   value
}

func (w way) key() string {
	return fmt.Sprint(w.facts.key(), w.begin.key(), w.wrote, w.sent, w.covered, w.over, w.writers, w.here, w.took, w.value)
}

// duty is something that a coarse action certainly does.
type duty func(a *Step) bool

// walk examines the mergings for one coarse action and one variable.
type walk struct {
	p       *Program
	b       *Step
	v       int
	steps   []*Step
	duties  []duty
	sources []int    // of the variable
	kinds   []int    // that steps take and the action does not: steps must send them first
	facts   []string // variables that some step requires something of
	alone   bool     // all steps are of the node of the action
	guarded bool     // a guard of the steps reads the variable
	start   known

	explained bool    // a merging ends with a value of the action
	kept      bool    // a merging ends with the variable as it was
	unwritten bool    // and no step of that merging writes it; it does something of the action
	last      int     // a step that gave the variable its value, in a merging; 0: none
	without   uint64  // steps that some merging with a value of the action does without
	lost      []value // that the action does not give
	open      bool    // the bounds did not suffice
}

// run walks. It returns false if there is too much to count.
func (w *walk) run() bool {
	if !w.prepare() {
		return false
	}
	first := way{facts: w.start}
	seen := map[string]bool{first.key(): true}
	for queue := []way{first}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		w.end(at)
		for k := range w.steps {
			for _, other := range []bool{false, true} {
				for _, next := range w.after(at, k, other) {
					if key := next.key(); !seen[key] {
						seen[key] = true
						queue = append(queue, next)
					}
				}
			}
		}
		if len(seen) > mostWays {
			w.explained, w.open = true, true // by a longer one, perhaps
			return true
		}
	}
	return true
}

// prepare computes what a walk needs.
func (w *walk) prepare() bool {
	p, b := w.p, w.b
	for u, x := range b.writes {
		of := p.Variables[u]
		switch {
		case x == nil || x.Keeps && of.Kind == "" || !p.Kept[u]:
		case of.Kind == "" && of.Net == "":
			w.duties = append(w.duties, func(a *Step) bool { return a.writes[u] != nil })
		case of.Kind != "" && p.always(b, u):
			w.duties = append(w.duties, func(a *Step) bool { return a.Print.Sends[u] != nil })
		}
	}
	for _, a := range w.steps {
		if x := a.writes[w.v]; x != nil {
			for _, r := range x.Data {
				if u := r.Variable; u != w.v && p.Kept[u] && !slices.Contains(w.sources, u) {
					w.sources = append(w.sources, u)
				}
			}
		}
		for _, kind := range a.takes {
			if b.Print.Receives[kind] == nil && !slices.Contains(w.kinds, kind) {
				w.kinds = append(w.kinds, kind)
			}
		}
	}
	for _, a := range append(slices.Clone(w.steps), b) {
		for _, f := range a.Facts {
			if !slices.Contains(w.facts, f.Variable) {
				w.facts = append(w.facts, f.Variable)
			}
		}
	}
	w.alone = w.ofOneNode()
	w.guarded = slices.ContainsFunc(w.steps, func(a *Step) bool { return a.guard[w.v] })
	w.start = known{}
	for _, f := range b.Facts {
		if u := p.number(f.Variable); u >= 0 && p.Kept[u] && !f.Differs && (f.Index == "" || w.alone) {
			w.start[f.Variable+f.Index] = []string{f.Value}
		}
	}
	return max(len(w.duties), len(w.sources), len(w.kinds), len(w.facts), len(w.steps)) < 64
}

// ofOneNode reports whether the action and all steps name elements by one parameter only, which is
// the same in all.
func (w *walk) ofOneNode() bool {
	terms := map[string]bool{}
	for _, a := range append(slices.Clone(w.steps), w.b) {
		for _, f := range a.Facts {
			if f.Index != "" {
				terms[f.Index] = true
			}
		}
		for u, x := range a.writes {
			if x == nil || !w.p.Kept[u] || w.p.Variables[u].Net != "" || w.p.Variables[u].Dims == 0 {
				continue
			}
			at, exact := index(x)
			switch {
			case exact:
				terms[at] = true
			case a != w.b || u != w.v: // of the variable itself it is the question
				return false
			}
		}
	}
	delete(terms, "")
	for t := range terms {
		if !strings.HasPrefix(t, "[p.") || strings.Count(t, "[") > 1 {
			return false
		}
	}
	return len(terms) <= 1
}

// after returns where a step leads.
func (w *walk) after(at way, k int, other bool) (out []way) {
	c := w.steps[k]
	if other && !w.elsewhere(c) {
		return nil
	}
	facts, ok := w.p.after(at.facts, c, other && !w.alone)
	if other && w.alone {
		facts, ok = w.afterElsewhere(at.facts, c)
	}
	if !ok {
		return nil
	}
	next := at
	next.facts = facts
	maps.DeleteFunc(next.facts, func(e string, _ []string) bool {
		name, _, _ := strings.Cut(e, "[")
		return !slices.Contains(w.facts, name)
	})
	if !w.messages(&next, c) {
		return nil
	}
	w.begins(&next, at, c, other)
	next.took = next.took || slices.ContainsFunc(c.takes, w.certainlyTakes)
	for d, does := range w.duties {
		if does(c) {
			next.covered |= 1 << d
		}
	}
	for s, x := range w.sources {
		if c.writes[x] != nil {
			next.over |= 1 << s
		}
	}
	x := c.writes[w.v]
	if x == nil {
		return []way{next}
	}
	next.writers |= 1 << k
	next.here = next.here || !other
	for _, v := range w.values(at, x, k, other) {
		next.value = v
		out = append(out, next)
	}
	return out
}

// certainlyTakes reports whether the action takes a kind of messages on each of its ways.
func (w *walk) certainlyTakes(kind int) bool {
	return slices.Contains(w.b.takes, kind) && w.p.unconditional(w.b, kind)
}

// messages reports whether the messages that a step takes are there: the action takes them, or
// earlier steps sent them. It adds those that the step sends.
func (w *walk) messages(next *way, c *Step) bool {
	for k, kind := range w.kinds {
		if slices.Contains(c.takes, kind) && next.sent>>k&1 == 0 {
			return false
		}
		if c.Print.Sends[kind] != nil {
			next.sent |= 1 << k
		}
	}
	return true
}

// begins adds what a step requires of elements that no step has written: they begin so.
func (w *walk) begins(next *way, at way, c *Step, other bool) {
	for k, name := range w.facts {
		u := w.p.number(name)
		for _, f := range c.Facts {
			e := f.Variable + f.Index
			if f.Variable == name && !f.Differs && at.wrote>>k&1 == 0 && !(other && f.Index != "") && next.begin[e] == nil {
				next.begin = maps.Clone(next.begin)
				if next.begin == nil {
					next.begin = known{}
				}
				next.begin[e] = []string{f.Value}
			}
		}
		if u >= 0 && c.writes[u] != nil {
			next.wrote |= 1 << k
		}
	}
}

// elsewhere reports whether a step with other parameters can be part of a merging. With such
// parameters a step of one node changes an element that the action leaves as it is.
func (w *walk) elsewhere(c *Step) bool {
	indexed := slices.ContainsFunc(c.Facts, func(f Fact) bool { return f.Index != "" })
	for u, x := range c.writes {
		if x == nil || w.p.Variables[u].Dims == 0 || w.p.Variables[u].Net != "" {
			continue
		}
		indexed = true
		if w.p.Kept[u] && !x.Keeps && (w.alone || u == w.v && w.onlyOne(u)) {
			return false
		}
	}
	return indexed
}

// onlyOne reports whether the action writes at most one exact element of a variable.
func (w *walk) onlyOne(u int) bool {
	x := w.b.writes[u]
	if x == nil {
		return true
	}
	_, exact := index(x)
	return exact && !x.Keeps
}

// afterElsewhere is Program.after of a step of another node, where elements of different nodes are
// known to be different.
func (w *walk) afterElsewhere(k known, c *Step) (known, bool) {
	plain := &Step{Facts: slices.DeleteFunc(slices.Clone(c.Facts), func(f Fact) bool { return f.Index != "" }), Print: &footprint.Result{}}
	for _, x := range c.Print.Writes {
		if w.p.Variables[x.Variable].Dims == 0 {
			plain.Print.Writes = append(plain.Print.Writes, x)
		}
	}
	return w.p.after(k, plain, false)
}

// values returns the values that the variable can have after a write.
func (w *walk) values(at way, x *footprint.Write, k int, other bool) (out []value) {
	add := func(v value) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if _, exact := index(x); x.Keeps || other || !exact {
		add(at.value)
	}
	for _, c := range x.Constants {
		add(value{kind: isConstant, constant: c, by: k + 1})
	}
	if !x.Computed {
		return out
	}
	reads := func(u int) bool {
		return slices.ContainsFunc(x.Data, func(r footprint.Read) bool { return r.Variable == u })
	}
	v := value{kind: isComputed, by: k + 1}
	if reads(w.v) {
		v.from = at.value.from
	}
	for s, u := range w.sources {
		constant := slices.ContainsFunc(w.steps[k].Facts, func(f Fact) bool { return !f.Differs && w.p.number(f.Variable) == u })
		if reads(u) && at.over>>s&1 == 0 && !constant {
			v.from |= 1 << s
		}
	}
	add(v)
	return out
}

// end judges a way that may end here.
func (w *walk) end(at way) {
	if at.covered != 1<<len(w.duties)-1 || !w.ends(at) {
		return
	}
	switch {
	case w.matches(at):
		w.explained = true
		w.kept = w.kept || at.value.kind == isOwn
		w.unwritten = w.unwritten || !at.here && (len(w.duties) > 0 || at.took)
		w.last = max(w.last, at.value.by)
		w.without |= ^at.writers
	case at.value.kind == isConstant && w.guarded: // the merging does not end here
	case at.value.by > 0 && !slices.Contains(w.lost, at.value):
		w.lost = append(w.lost, at.value)
	}
}

// ends reports whether the facts at the end are those after the action.
func (w *walk) ends(x way) bool {
	for e, have := range x.facts {
		name, at, _ := strings.Cut(e, "[")
		u := w.p.number(name)
		if at != "" && !w.alone {
			continue
		}
		if u < 0 || u == w.v || !w.p.Kept[u] {
			continue
		}
		want := w.start[e]
		if want == nil {
			want = x.begin[e]
		}
		if x := w.b.writes[u]; x != nil {
			if x.Computed || x.Keeps {
				continue
			}
			want = x.Constants
		} else if values, all := w.p.within(u); want == nil && all {
			want = values
		}
		if want != nil && !slices.ContainsFunc(have, func(c string) bool { return slices.Contains(want, c) }) {
			return false
		}
	}
	return true
}

// matches reports whether the action can leave the variable with the value of a way. A value that
// is computed from what the grain may drop can be a constant.
func (w *walk) matches(at way) bool {
	x := w.b.writes[w.v]
	switch v := at.value; {
	case v.kind == isOwn:
		return x == nil || x.Keeps
	case v.kind == isConstant && x != nil:
		return x.Computed || slices.Contains(x.Constants, v.constant)
	case v.kind == isConstant:
		if had, known := w.start[w.p.Variables[w.v].Name]; known {
			return slices.Contains(had, v.constant)
		}
		values, known := w.p.within(w.v)
		return !known || slices.Contains(values, v.constant)
	case x == nil:
		return false
	default:
		for k, u := range w.sources {
			if v.from>>k&1 != 0 && !w.has(u) {
				return false
			}
		}
		return true
	}
}

// has reports whether the action computes the variable from u, or decides by it.
func (w *walk) has(u int) bool { return w.p.computes(w.b, w.v, u) }

// within returns the constants that a variable can have in the coarse composition; all is false if
// it can have other values.
func (p *Program) within(v int) (values []string, all bool) {
	if p.Outside[v] || p.Initial[v] == "" {
		return nil, false
	}
	values = []string{p.Initial[v]}
	for _, b := range p.Coarse {
		if w := b.writes[v]; w != nil {
			if w.Computed {
				return nil, false
			}
			values = union(values, w.Constants)
		}
	}
	return values, true
}
