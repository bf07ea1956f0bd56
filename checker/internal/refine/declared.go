package refine

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// What it computes. Whether the declarations of a specification that prune schedules (Lazy, Eager,
// Hidden, Says, Sends, Waits, Merge, Gates) hold at the states that a monitor meets.
//
// Why it is right. Each declaration has laws, which modules.Runtime states. A law says that two
// orders of steps lead to the same, or that a step sends nothing. At a sampled state both orders
// are taken and compared. A state stands for another one if they are equal, or become so within a
// few steps that nobody sees (ahead). So a declaration that is refuted is wrong. One that is not
// refuted may be: the states are a sample.
//
// What it costs. For each sampled state, each declared step with each other step that may come:
// their product, with a few steps for each. States that were tested are remembered.
//
// Example. The step d takes a message at once and is declared Eager. The step e might have come
// before it:
//
//	s --d--> sd --e--> sde       sde must stand for sed:
//	s --e--> se --d--> sed       the early d loses nothing that e then d could do

// Points are named by the steps that lead to them: sde is the state after d and then e from s.

// ahead is how many steps are looked ahead to see whether a state stands for another one, and
// maxTried how many states are remembered that have been tried.
const (
	ahead    = 2
	maxTried = 1 << 16
)

// ConditionError is the error of a declaration that does not hold.
type ConditionError struct {
	Action    string // "Says" or "Sends" for these functions
	Declared  string // Lazy, Eager, Hidden, Says, Sends, Waits, Gates or Merge
	Condition string // what does not hold
	Detail    string // where
	Law       int    // its number: Laws
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("%s is declared as %s, but %s (law %d): %s", e.Action, e.Declared, e.Condition, e.Law, e.Detail)
}

// Law is a condition of a declaration. Laws are numbered from 1, and a number never changes.
type Law struct{ Declared, Broken string }

// Laws are the conditions of modules.Runtime.Lazy, Eager, Hidden, Says, Gates, Merge, Sends and
// Waits. The text of a law says how it fails. See docs/explanation/monitor.md.
var Laws = []Law{
	{"Lazy", "it does not send to its J alone"},
	{"Lazy", "another step waits for it, or sends something else"},
	{"Lazy", "its place among other steps makes a difference"},
	{"Eager", "another step is not possible after it, or sends something else"},
	{"Eager", "it does something else after another step"},
	{"Eager", "a node that stops before it can do what one that stops after it cannot"},
	{"Hidden", "it sends something"},
	{"Hidden", "another step waits for it, or sends something else"},
	{"Hidden", "its place among other steps makes a difference"},
	{saysLaw, ""},
	{"Gates", "it is possible where its gate is closed"},
	{"Merge", "the state after it can do what the merged one cannot"},
	{"Merge", "the merged state after it can do what that state cannot"},
	{"Sends", "it sends the message that a node cannot send"},
	{"Waits", "it sends something"},
	{"Waits", "another step waits for it, or sends something else"},
	{"Waits", "its place among other steps makes a difference"},
	{"Waits", "the message after it does something else without it"},
}

// saysLaw is the declaration of the law of Says, whose error says which step breaks it.
const saysLaw = "what a node cannot say"

// lawOf returns the number of the law that a declaration breaks.
func lawOf(declared, condition string) int {
	return 1 + slices.IndexFunc(Laws, func(l Law) bool { return l.Declared == declared && (l.Broken == condition || declared == saysLaw) })
}

// move is a step that may come next: of a spontaneous instance, a restart, or one that takes the
// k-th message of a lane.
type move[S any] struct {
	in   *instance[S]
	msg  []byte
	set  func(*S)
	lane int // -1 for none
	k    uint32
}

func (m *move[S]) same(o *move[S]) bool { return m.in == o.in && m.lane == o.lane && m.k == o.k }

// point is a row, and for each incoming lane the first message that is not taken.
type point struct {
	row []byte
	at  []uint32
	out []produced // by the step that leads here
}

func (p *point) sends(o *point) bool {
	return slices.EqualFunc(p.out, o.out, func(a, b produced) bool { return a.peer == b.peer && bytes.Equal(a.msg, b.msg) })
}

// idle reports whether the step to o from p changes nothing and sends nothing.
func (p *point) idle(o *point) bool { return len(o.out) == 0 && bytes.Equal(o.row, p.row) }

// stepFrom takes a move at a point. It is nil where that is not possible.
func (c *Checker[S]) stepFrom(p *point, m *move[S]) *point {
	if m.lane >= 0 && p.at[m.lane] > m.k {
		return nil
	}
	res := c.take(m.in, p.row, m.msg, m.set)
	if res.outcome != stepped {
		return nil
	}
	n := &point{row: bytes.Clone(res.row), at: slices.Clone(p.at)}
	for _, o := range res.out {
		n.out = append(n.out, produced{o.peer, c.padded(o.msg)})
	}
	if m.lane >= 0 {
		n.at[m.lane] = m.k + 1
	}
	if m.in.restart {
		copy(n.at, c.avail) // what was received is gone
	}
	return n
}

// moves returns what may come next at a point: of each lane those that take its next messages, up
// to the first that must change something.
func (c *Checker[S]) moves(p *point) (out []move[S]) {
	for l := range c.ins {
		for k := p.at[l]; k < c.avail[l]; k++ {
			out = append(out, c.takers(l, k)...)
			if !c.effect(p.row, l, k, nil) {
				break
			}
		}
	}
	for x := range c.spontaneous {
		out = append(out, move[S]{in: &c.spontaneous[x], lane: -1})
	}
	for x := range c.restarts {
		out = append(out, move[S]{in: &c.restarts[x], lane: -1})
	}
	return out
}

// takers returns the steps that may take the k-th message of a lane.
func (c *Checker[S]) takers(l int, k uint32) (out []move[S]) {
	from := c.ins[l]
	if in := from.in[k]; in != nil {
		if in.fate == dismissed {
			return nil
		}
		return []move[S]{{in: in.instance, set: in.set, lane: l, k: k}}
	}
	msg := from.at(k)
	handlers := c.handlers[int(from.peer[k])*256+int(kind(msg))]
	for x := range handlers {
		out = append(out, move[S]{in: &handlers[x], msg: msg, lane: l, k: k})
	}
	return out
}

// alike returns the steps that may stand for another one: it, and those of its action that take the
// same message.
func (c *Checker[S]) alike(m *move[S], moves []move[S]) (out []*move[S]) {
	out = append(out, m)
	for x := range moves {
		if o := &moves[x]; o.in.name == m.in.name && o.lane == m.lane && o.k == m.k && o.in != m.in {
			out = append(out, o)
		}
	}
	return out
}

// saying returns the steps that may stand for one that leads to a point: those that are alike. If
// it sends something, that is all others, too, since nobody sees which step has sent it.
func (c *Checker[S]) saying(m *move[S], to *point, moves []move[S]) []*move[S] {
	out := c.alike(m, moves)
	for x := range moves {
		if len(to.out) > 0 && !slices.Contains(out, &moves[x]) {
			out = append(out, &moves[x])
		}
	}
	return out
}

// verifyDeclared tries at a state what is declared.
func (c *Checker[S]) verifyDeclared(r record.Record) {
	s := &point{row: bytes.Clone(r[:c.rowSize]), at: make([]uint32, len(c.ins))}
	for l := range c.ins {
		s.at[l] = *c.Low(r, l)
	}
	key := fmt.Sprint(record.Hash(s.row), s.at, c.avail)
	if c.tried[key] {
		return
	}
	if c.tried == nil || len(c.tried) >= maxTried {
		c.tried = map[string]bool{}
	}
	c.tried[key] = true
	moves := c.moves(s)
	c.verifySays(s, moves)
	c.verifyUnsendable(s, r, moves)
	c.verifyWaits(s, r, moves)
	c.verifyGates(s)
	for x := range moves {
		d := &moves[x]
		c.verifyMerge(s, d)
		if !d.in.eager && !d.in.lazy && !d.in.hidden {
			continue
		}
		to := c.stepFrom(s, d)
		if to == nil || s.idle(to) {
			continue
		}
		if d.in.eager && len(to.out) == 0 {
			for y := range moves {
				if e := &moves[y]; e.lane < 0 || e.lane != d.lane {
					c.verifyEager(s, d, to, e)
				}
			}
		}
		if d.in.lazy {
			c.verifySends(d, to)
		}
		if d.in.lazy || d.in.hidden {
			c.verifyPostponed(s, d, to, moves)
		}
	}
}

// verifyEager compares the step d, which takes a message at once, with a step e that might have
// come before it.
func (c *Checker[S]) verifyEager(s *point, d *move[S], sd *point, e *move[S]) {
	se := c.stepFrom(s, e)
	if se == nil || s.idle(se) {
		return
	}
	c.Verified.Eager++
	sed := c.stepFrom(se, d)
	met := false
	for _, x := range c.saying(e, se, c.moves(sd)) {
		sde := c.stepFrom(sd, x)
		if sde == nil || !sde.sends(se) {
			continue
		}
		met = true
		if sed != nil && len(sed.out) == 0 && c.stands(sde, sed, nil, ahead) || sed == nil && c.stands(sde, se, d, ahead) {
			return
		}
	}
	switch {
	case !met:
		c.violated(d, "Eager", "another step is not possible after it, or sends something else", e)
	case sed != nil:
		c.violated(d, "Eager", "it does something else after another step", e)
	default:
		c.violated(d, "Eager", "a node that stops before it can do what one that stops after it cannot", e)
	}
}

// verifySends compares the step of a lazy action with what it may send.
func (c *Checker[S]) verifySends(d *move[S], sd *point) {
	if len(sd.out) == 0 || slices.ContainsFunc(sd.out, func(o produced) bool { return o.peer != d.in.to }) {
		c.violated(d, "Lazy", "it does not send to its J alone", nil)
	}
}

// verifyPostponed compares the step d, which is taken late, with each step e that might come after
// it.
func (c *Checker[S]) verifyPostponed(s *point, d *move[S], sd *point, moves []move[S]) {
	declared, count := "Lazy", &c.Verified.Lazy
	if d.in.hidden {
		declared, count = "Hidden", &c.Verified.Hidden
		if len(sd.out) > 0 {
			c.violated(d, declared, "it sends something", nil)
		}
	}
	behind := c.moves(sd)
	for x := range behind {
		e := &behind[x]
		if d.in.lazy && e.in.lazy && e.in.to == d.in.to || d.in.hidden && (e.in.hidden || e.in.restart) {
			continue // they are postponed together, or this is when it is taken
		}
		sde := c.stepFrom(sd, e)
		if sde == nil || sd.idle(sde) {
			continue
		}
		*count++
		c.verifyOrder(s, d, sd, e, sde, moves, declared)
	}
}

// verifyOrder compares e before d with e after d.
func (c *Checker[S]) verifyOrder(s *point, d *move[S], sd *point, e *move[S], sde *point, moves []move[S], declared string) {
	met := false
	for _, x := range c.alike(e, moves) {
		se := c.stepFrom(s, x)
		if se == nil || !se.sends(sde) {
			continue
		}
		met = true
		if c.comesLate(se, d, sd, e, sde) {
			return
		}
	}
	if !met {
		c.violated(d, declared, "another step waits for it, or sends something else", e)
		return
	}
	c.violated(d, declared, "its place among other steps makes a difference", e)
}

// comesLate reports whether d, or a step of its action that does the same, can come after e, which
// leads to se, instead of before it.
func (c *Checker[S]) comesLate(se *point, d *move[S], sd *point, e *move[S], sde *point) bool {
	sed := c.stepFrom(se, d)
	switch {
	case sed == nil && !d.in.lazy, e.in.restart: // what d has sent may be lost with it
		return c.stands(se, sde, nil, ahead)
	case sed != nil && sed.sends(sd) && c.stands(sed, sde, nil, ahead):
		return true
	case d.in.lazy:
		possible := sed != nil
		for x := range c.spontaneous {
			o := move[S]{in: &c.spontaneous[x], lane: -1}
			if o.in.name != d.in.name || o.in.to != d.in.to || o.in == d.in {
				continue
			}
			if sed := c.stepFrom(se, &o); sed != nil {
				if possible = true; sed.sends(sd) && c.stands(sed, sde, nil, ahead) {
					return true
				}
			}
		}
		return !possible && (c.stands(se, sde, nil, ahead) || c.leavesOpen(se, sde))
	}
	return false
}

// leavesOpen reports whether a stands for b, by what modules.Runtime.AfterCrash declares: a leaves
// open what b has chosen.
func (c *Checker[S]) leavesOpen(a, b *point) bool {
	return c.runtime.AfterCrash.More != nil && subset(c.chosen(b.row), c.chosen(a.row))
}

// stands reports whether a can do what b can do, in the next depth steps. Early is a step that a
// has taken and b may still take; may be nil. What modules.Runtime.AfterCrash leaves open at a may
// be chosen at b.
func (c *Checker[S]) stands(a, b *point, early *move[S], depth int) bool {
	if depth == 0 || early == nil && bytes.Equal(a.row, b.row) {
		return true
	}
	if early == nil && c.runtime.AfterCrash.More != nil && subset(c.chosen(b.row), c.chosen(a.row)) {
		return true
	}
	next := c.moves(b)
	if early != nil && !slices.ContainsFunc(next, func(m move[S]) bool { return m.same(early) }) {
		next = append(next, *early)
	}
	for x := range next {
		f := &next[x]
		to := c.stepFrom(b, f)
		if to == nil || b.idle(to) {
			continue
		}
		rest := early
		if early != nil && f.same(early) {
			rest = nil
		}
		if !c.follows(a, f, to, rest, depth) {
			return false
		}
	}
	return true
}

// follows reports whether a can take a step that stands for f, which leads to a point, or need not
// take any.
func (c *Checker[S]) follows(a *point, f *move[S], to *point, early *move[S], depth int) bool {
	for _, x := range c.saying(f, to, c.moves(a)) {
		if q := c.stepFrom(a, x); q != nil && q.sends(to) && c.stands(q, to, early, depth-1) {
			return true
		}
	}
	return len(to.out) == 0 && c.stands(a, to, early, depth-1)
}

// verifySays searches for schedules whose next message in a lane is of a kind that Says excludes.
func (c *Checker[S]) verifySays(s *point, moves []move[S]) {
	if c.says == nil {
		return
	}
	denied := map[int][]uint8{}
	state := c.base
	c.load(&state, s.row)
	for l := range c.outs {
		for _, k := range c.kinds {
			if c.laneOf(k) == l%c.lanes && !c.says(&state, c.me, c.peers[l/c.lanes], k) {
				denied[l] = append(denied[l], k)
			}
		}
	}
	if len(denied) > 0 {
		c.Verified.Says++
		c.silent(s, moves, denied, ahead+1)
	}
}

// verifyUnsendable searches for schedules that send a message of the stream that Sends excludes.
func (c *Checker[S]) verifyUnsendable(s *point, r record.Record, moves []move[S]) {
	if c.sends == nil {
		return
	}
	denied := map[int][]byte{}
	state := new(c.base)
	c.load(state, s.row)
	for l, lane := range c.outs {
		for k := *c.Sent(r, l); int(k) < lane.len() && lane.pos[k] <= c.visible; k++ {
			if msg := lane.at(k); !c.sends(state, c.me, c.peers[l/c.lanes], pointer(msg)) {
				denied[l] = msg
				break
			}
		}
	}
	if len(denied) > 0 {
		c.Verified.Sends++
		c.unsent(s, moves, denied, ahead+1)
	}
}

// unsent follows schedules that do not send the messages of denied, by lane, for depth steps.
func (c *Checker[S]) unsent(s *point, moves []move[S], denied map[int][]byte, depth int) {
	for x := range moves {
		to := c.stepFrom(s, &moves[x])
		if to == nil || s.idle(to) || moves[x].in.restart {
			continue
		}
		for _, o := range to.out {
			l := c.peerOf[o.peer]*c.lanes + c.laneOf(kind(o.msg))
			if msg := denied[l]; msg != nil && c.same(o.msg, msg) {
				c.violated(&moves[x], "Sends", Laws[13].Broken, nil)
				return
			}
		}
		if depth > 1 && c.Verified.err == nil {
			c.unsent(to, c.moves(to), denied, depth-1)
		}
	}
}

// verifyWaits compares a message that may wait with the steps that might come before it, and with
// the message after it.
func (c *Checker[S]) verifyWaits(s *point, r record.Record, moves []move[S]) {
	if c.waits == nil {
		return
	}
	defer c.explore(c.ahead.now)
	c.explore(r)
	for x := range moves {
		d := &moves[x]
		if d.lane < 0 || d.k != *c.High(r, d.lane) || !c.mayWait(r, d.lane, d.k) {
			continue
		}
		sd := c.stepFrom(s, d)
		if sd == nil || s.idle(sd) || !c.explains(r, s, d) {
			continue
		}
		if len(sd.out) > 0 {
			c.violated(d, "Waits", Laws[14].Broken, nil)
		}
		after := slices.Clone(r)
		copy(after, sd.row)
		*c.Low(after, d.lane), *c.High(after, d.lane) = d.k+1, d.k+1
		for _, e := range c.moves(sd) {
			if sde := c.stepFrom(sd, &e); sde != nil && !sd.idle(sde) && !e.in.restart && e.lane != d.lane && c.explains(after, sd, &e) {
				c.Verified.Waits++
				c.verifyOrder(s, d, sd, &e, sde, moves, "Waits")
			}
		}
		if d.k+1 < c.avail[d.lane] {
			c.verifyNext(s, d, sd)
		}
	}
}

// explains reports whether the stream has next what a step sends from a record.
func (c *Checker[S]) explains(r record.Record, p *point, m *move[S]) bool {
	pushed, early, expect, used := c.pushed, c.early, c.expect, c.slab.Used
	c.early, c.expect = nil, -1
	found := c.successors(r, m.in, c.take(m.in, p.row, m.msg, m.set))
	c.pushed, c.early, c.expect, c.slab.Used = pushed, early, expect, used
	return len(found) > 0
}

// verifyNext compares the step after d that takes the message after its own one, with the same step
// without d.
func (c *Checker[S]) verifyNext(s *point, d *move[S], sd *point) {
	for _, f := range c.takers(d.lane, d.k+1) {
		sf, sdf := c.stepFrom(s, &f), c.stepFrom(sd, &f)
		if (sf == nil) != (sdf == nil) || sf != nil && (!sf.sends(sdf) || !bytes.Equal(sf.row, sdf.row)) {
			c.violated(d, "Waits", Laws[17].Broken, &f)
		}
	}
}

// verifyGates asks the guards of all actions whose gate is closed.
func (c *Checker[S]) verifyGates(s *point) {
	state := new(c.base)
	c.load(state, s.row)
	for x := range c.spontaneous {
		in := &c.spontaneous[x]
		if in.open == nil || in.open(state, c.me, in.to) {
			continue
		}
		if c.Verified.Gates++; in.bound.Enabled(state, in.k) {
			c.violated(&move[S]{in: in, lane: -1}, "Gates", Laws[10].Broken, nil)
			return
		}
	}
}

// verifyMerge compares the state to which d leads with the one that Merge makes of it.
func (c *Checker[S]) verifyMerge(s *point, d *move[S]) {
	merge := c.merge
	if merge == nil {
		return
	}
	c.merge = nil
	own := c.stepFrom(s, d)
	c.merge = merge
	merged := c.stepFrom(s, d)
	if own == nil || merged == nil || bytes.Equal(own.row, merged.row) {
		return
	}
	c.Verified.Merge++
	if !c.stands(merged, own, nil, ahead) {
		c.violated(d, "Merge", Laws[11].Broken, nil)
		return
	}
	for _, f := range c.moves(merged) {
		if to := c.stepFrom(merged, &f); to != nil && !merged.idle(to) && !c.reaches(own, &f, to) {
			c.violated(d, "Merge", Laws[12].Broken, &f)
			return
		}
	}
}

// reaches reports whether a step that may stand for f leads to the same point from p, or from where
// a step leads that sends nothing.
func (c *Checker[S]) reaches(p *point, f *move[S], to *point) bool {
	from := []*point{p}
	for _, m := range c.moves(p) {
		if q := c.stepFrom(p, &m); q != nil && len(q.out) == 0 && !m.in.restart {
			from = append(from, q)
		}
	}
	for _, q := range from {
		for _, x := range c.saying(f, to, c.moves(q)) {
			if r := c.stepFrom(q, x); r != nil && r.sends(to) && bytes.Equal(r.row, to.row) {
				return true
			}
		}
		if len(to.out) == 0 && bytes.Equal(q.row, to.row) {
			return true
		}
	}
	return false
}

// silent follows schedules in which nothing is sent in the lanes of denied, for depth steps.
func (c *Checker[S]) silent(s *point, moves []move[S], denied map[int][]uint8, depth int) {
	for x := range moves {
		m := &moves[x]
		to := c.stepFrom(s, m)
		if to == nil || s.idle(to) || m.in.restart {
			continue
		}
		rest := map[int][]uint8{}
		for l, kinds := range denied {
			rest[l] = kinds
		}
		for _, o := range to.out {
			l := c.peerOf[o.peer]*c.lanes + c.laneOf(kind(o.msg))
			if slices.Contains(rest[l], kind(o.msg)) {
				c.violated(nil, saysLaw, fmt.Sprintf("%s sends such a message to %d", m.in.name, o.peer), nil)
			}
			delete(rest, l)
		}
		if depth > 1 && len(rest) > 0 && c.Verified.err == nil {
			c.silent(to, c.moves(to), rest, depth-1)
		}
	}
}

// violated keeps the first declaration that does not hold.
func (c *Checker[S]) violated(d *move[S], declared, condition string, other *move[S]) {
	if c.Verified.err != nil {
		return
	}
	e := &ConditionError{Action: "Says", Declared: declared, Condition: condition, Detail: fmt.Sprintf("event %d", c.done+1), Law: lawOf(declared, condition)}
	if d != nil {
		e.Action = d.in.name
	}
	if other != nil {
		e.Detail = other.in.name + ", at " + e.Detail
	}
	c.Verified.err = e
	c.broken("%v", e)
}
