package effects

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// What it computes. Which steps two versions of a method share, and which ones only one of them
// has.
//
// Why it is right. Colours are refined as in the algorithm of Weisfeiler and Leman: the colour of a
// step is a hash of what it is, of the colours of its operands, and of those of the conditions that
// decide it. It is refined over both versions until no class of colours splits. Steps of equal
// colours compute equal values from equal values, so they are twins. Twins must also keep their
// order, if one writes what the other reads or writes: see file order.go. An object that the method
// makes has the colours of the steps that write into it. Hashes have 64 bits.
//
// A call of a method that only one version of the classes has is replaced by the method's steps: it
// was extracted, or it is gone.
//
// What it costs. A few rounds over the steps of both versions.
//
// Example. Both versions have the steps (read a) and (write b of (read a)):
//
//	b = a;          long x = a; log(x); b = x;

// mostInlined bounds how deep methods are inlined.
const mostInlined = 8

// expand returns the steps of a method in which calls of methods that the other side lacks are
// replaced by their steps.
func (p *Program) expand(m *method, lacks func(*method) bool, depth int) *body {
	b, err := p.newBody(m)
	if err != nil {
		return &body{of: m}
	}
	became := map[*step][]*step{} // results of calls that were replaced, and parameters
	for _, s := range slices.Clone(b.steps) {
		if s.kind != instruction || !s.in.Op.IsCall() || s.in.Op == opInvokedynamic || depth >= mostInlined {
			continue
		}
		to := p.targetsOf(s.in)
		if len(to) != 1 || !lacks(to[0]) || to[0].Method == m.Method || to[0].Flags&flagSynchronized != 0 {
			continue
		}
		c := p.expand(to[0], lacks, depth+1)
		if len(c.steps) == 0 {
			continue
		}
		for k, x := range c.params {
			became[x] = s.args[k]
			x.kind = inlined
		}
		follows := s.next
		for _, x := range c.steps {
			if len(x.by) == 0 {
				x.by = s.by
			}
			for _, w := range s.within {
				if !slices.Contains(x.within, w) {
					x.within = append(x.within, w)
				}
			}
			if op := x.in.Op; x.of.Method == to[0].Method && x.kind != parameter && x.kind != inlined && op >= opIreturn && op <= opReturn {
				if len(x.args) > 0 {
					became[s] = append(became[s], x.args[0]...)
				}
				x.kind, x.next = inlined, follows
			}
		}
		s.kind = inlined
		entry := slices.IndexFunc(c.steps, func(x *step) bool { return x.kind != caught && !slices.Contains(c.params, x) })
		s.next = c.steps[entry : entry+1]
		b.steps = append(b.steps, c.steps...)
	}
	for _, s := range b.steps {
		for k := range s.args {
			s.args[k] = replaced(s.args[k], became)
		}
	}
	for k, s := range b.steps {
		s.index = k
	}
	return b
}

// replaced returns values with those that stand for calls and parameters that are gone.
func replaced(of []*step, became map[*step][]*step) (out []*step) {
	seen := map[*step]bool{}
	var add func(s *step)
	add = func(s *step) {
		if seen[s] {
			return
		}
		seen[s] = true
		if s.kind != inlined {
			out = append(out, s)
			return
		}
		for _, x := range became[s] {
			add(x)
		}
	}
	for _, s := range of {
		add(s)
	}
	return out
}

// real reports whether a step is one that is compared.
func (s *step) real() bool { return s.kind == instruction || s.kind == parameter || s.kind == caught }

// acts reports whether a step does something that others may notice. What it computes shows in the
// steps that get it.
func (p *Program) acts(s *step) bool {
	op := s.in.Op
	switch {
	case s.kind != instruction:
		return false
	case op.IsWrite() && p.isUnread(p.field(*s.in.Member)):
		return false
	case op.IsWrite(), op >= 79 && op <= 86, op >= opIreturn && op < opReturn, op == opAthrow, op == opMonitorenter, op == opMonitorexit:
		return true
	case op == opInvokedynamic: // what a lambda or a method does counts where its object is made
		return len(p.followed(s)) > 0 && !p.idle(s)
	case op.IsCall() && p.isCalled(s):
		return !p.idle(s)
	case op.IsCall():
		e := p.effectOf(s.in)
		return e == keeps || e == changes
	}
	return false
}

// idle reports whether a call only computes: it writes nothing, and calls nothing that might.
func (p *Program) idle(s *step) bool {
	f := p.footprintOf(s)
	for w := range f.writes {
		if !strings.HasPrefix(w, "new ") && w != locking {
			return false
		}
	}
	return len(f.calls) == 0
}

// matters marks the steps that reach one that acts, by what they compute or decide. A step that
// changes an object which the method made matters if the object does.
func (p *Program) matters(b *body) map[*step]bool {
	changing := map[*step][]*step{} // by the object
	var seeds []*step
	for _, s := range b.steps {
		if !p.acts(s) {
			continue
		}
		made := p.changesMade(s)
		for _, x := range made {
			changing[x] = append(changing[x], s)
		}
		if made == nil {
			seeds = append(seeds, s)
		}
	}
	out := map[*step]bool{}
	for todo := seeds; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if out[s] {
			continue
		}
		out[s] = true
		todo = append(todo, changing[s]...)
		for _, values := range s.args {
			todo = append(todo, values...)
		}
		for _, d := range s.by {
			todo = append(todo, d.at)
		}
	}
	return out
}

// changesMade returns the objects that a step changes if it does nothing else, and the method made
// all of them; nil for another step.
func (p *Program) changesMade(s *step) (out []*step) {
	op := s.in.Op
	var of []*step
	switch {
	case op >= 79 && op <= 86:
		of = s.args[0]
	case op.IsCall() && op != opInvokedynamic && !p.isCalled(s) && p.effectOf(s.in) == changes:
		of = receiver(s)
	default:
		return nil
	}
	for _, r := range p.roots(of) {
		if r.kind != made || r.at.of.Method != s.of.Method {
			return nil
		}
		out = append(out, r.at)
	}
	return out
}

func hashed(parts ...any) uint64 {
	h := fnv.New64a()
	for _, x := range parts {
		fmt.Fprint(h, x, "\x00")
	}
	return h.Sum64()
}

// colour sets the first colour of a step: what it is.
func (p *Program) colour(s *step) {
	slices.Sort(s.within)
	switch s.kind {
	case parameter:
		column := s.column
		for _, k := range p.needless(s.of) {
			switch {
			case k == s.column:
				s.base = hashed("needless", k)
				s.color = s.base
				return
			case k < s.column:
				column--
			}
		}
		s.base = hashed("parameter", column)
	case caught:
		s.base = hashed("caught", s.text)
	default:
		op, _ := positive(s.in.Op)
		member := ""
		if m := s.in.Member; m != nil {
			of := *m
			if to := p.lambdaOf(s.of.class, s.in); to != nil {
				of.Descriptor = without(of.Descriptor, p.needless(to), 0)
			}
			member = of.String()
			if op.IsRead() || op.IsWrite() {
				member = p.field(*m)
			}
		}
		s.base = hashed("step", op, member, s.in.Const, s.within)
		if op == opInvokedynamic {
			var handles []string
			for _, h := range s.of.class.Handles(s.in) {
				name := h.String()
				if m := p.find(h); m != nil {
					name = p.key(m)
				}
				handles = append(handles, name)
			}
			s.base = hashed(s.base, handles, s.of.class.Constants(s.in))
		}
	}
	s.color = s.base
}

// decided returns a hash of the conditions that decide a step.
func decided(s *step) uint64 {
	var all []uint64
	for _, d := range s.by {
		all = append(all, hashed(d.at.color, d.out))
	}
	slices.Sort(all)
	return hashed(slices.Compact(all))
}

// refiner refines colours.
type refiner struct {
	steps   []*step
	decides []bool  // the conditions around a step count
	changed [][]use // by object that a method made: the steps that act and get it
}

// add adds the steps of a version.
func (r *refiner) add(p *Program, b *body) {
	uses := b.uses()
	for _, s := range b.steps {
		if !s.real() {
			continue
		}
		p.colour(s)
		var changed []use
		if op := s.in.Op; s.kind == instruction && (op >= opNew && op <= 189 || op == opMultianew) {
			for _, u := range uses[s] {
				if p.acts(u.at) {
					changed = append(changed, u)
				}
			}
		}
		r.steps, r.decides, r.changed = append(r.steps, s), append(r.decides, p.acts(s) || len(s.in.Jumps) > 0), append(r.changed, changed)
	}
}

// refine refines the colours of both versions until no class splits.
func (r *refiner) refine() {
	classes := 0
	next := make([]uint64, len(r.steps))
	for range r.steps {
		for k, s := range r.steps {
			var args []uint64
			for _, values := range s.args {
				if values != nil || s.in.Op != opInvokedynamic { // see file captures.go
					args = append(args, valueOf(values))
				}
			}
			by := uint64(0)
			if r.decides[k] {
				by = decided(s)
			}
			next[k] = hashed(s.base, s.color, args, by, content(r.changed[k]))
		}
		seen := map[uint64]bool{}
		for k, s := range r.steps {
			s.color = next[k]
			seen[s.color] = true
		}
		if len(seen) == classes {
			return
		}
		classes = len(seen)
	}
}

// content returns a hash of what makes an object: the steps that write it, and where it goes.
func content(changed []use) uint64 {
	var all []uint64
	for _, u := range changed {
		of, at := u.at.base, u.position()
		if at == 0 {
			of = u.at.color
		}
		all = append(all, hashed(of, at))
	}
	slices.Sort(all)
	return hashed(all)
}

// valueOf returns a hash of what an operand is. Conditions count where they choose between values.
func valueOf(values []*step) uint64 {
	if len(values) == 1 {
		return values[0].color
	}
	var all []uint64
	for _, v := range values {
		all = append(all, hashed(v.color, decided(v)))
	}
	slices.Sort(all)
	return hashed(slices.Compact(all))
}

// pair makes twins of steps of equal colours. If one side has more of them, those on changed lines
// are left without.
func pair(before, after []*step, changedBefore, changedAfter func(*step) bool) {
	groups := map[uint64]*[2][]*step{}
	for side, steps := range [][]*step{before, after} {
		for _, s := range steps {
			g := groups[s.color]
			if g == nil {
				g = &[2][]*step{}
				groups[s.color] = g
			}
			g[side] = append(g[side], s)
		}
	}
	for _, g := range groups {
		for side, is := range []func(*step) bool{changedBefore, changedAfter} {
			if len(g[side]) > len(g[1-side]) {
				slices.SortStableFunc(g[side], func(a, b *step) int { return cmp.Compare(number(is(a)), number(is(b))) })
				g[side] = g[side][:len(g[1-side])]
				slices.SortStableFunc(g[side], func(a, b *step) int { return cmp.Compare(a.index, b.index) })
			}
		}
		for k := range g[0] {
			g[0][k].twin, g[1][k].twin = g[1][k], g[0][k]
		}
	}
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
