package refine

import (
	"bytes"
	"cmp"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// What it computes. The states in which a monitored node may be after a crash and a restart.
//
// Why it is right. Whatever the node did before the crash that nobody saw is possible. So all steps
// up to the crash are searched whose messages nobody need have seen, and the restart is applied to
// each state that explains what was seen. What the node had received and not processed is lost.
// Where the event reports everything that a restart keeps, only states that agree with it remain,
// and these are one record. If none agrees, the pieces that a node writes one after the other are
// compared with states of their own (pieced).
//
// What it costs. One search of the steps between the last observation and the crash. It is the
// largest search of a stream, so steps that end in the same record after the restart are left out
// where a specification declares them (modules.Runtime.BeforeCrash).
//
// Example. The node got a vote request and crashed. No answer was seen:
//
//	before   {did not read it}   {voted, answer lost}
//	after    vote: none          vote: given        two records, until a message says which
//	with an event that reports the vote: one record

// restarted processes a crash: whatever the node did before that nobody saw is possible. What it
// had received and not processed is lost, and it continues from what it had kept. Where the event
// tells all of that, nothing is open afterwards.
func (c *Checker[S]) restarted(p int64, e *Event[S]) {
	if len(c.restarts) == 0 {
		c.goBlind("the node restarted, and the composition has no restart")
		return
	}
	defer func() {
		for l := range c.ins {
			c.avail[l] = c.ins[l].before(p)
		}
	}()
	known := false
	if e.State != nil {
		known = c.tellsAll(e)
		told := c.base
		e.State(&told) // once, since it makes Chains
		e.told = &told
	}
	complete := false
	switch {
	case known && c.begins():
		c.resume(p, e)
	case c.blind == "":
		complete = c.crash(p, e, known)
	}
	if !known || c.cut {
		return
	}
	if len(c.states) == 0 && !c.breach(p, e, complete) && complete {
		c.Stats.Unexplained++
		c.undecidedAt(p, c.blind, 0) // nothing that follows would show it
	}
	if c.blind != "" || c.partial != "" {
		c.resume(p, e)
	}
}

// begins reports whether the restart under check is the first event: the node had state before the
// tap was added.
func (c *Checker[S]) begins() bool {
	return c.Stats.Restarts == 1 && c.Stats.In+c.Stats.Out+c.Stats.Inputs+c.Stats.Lost == 0
}

// crash finds the states in which the node may start again; where they are known to be one, it ends
// with the first. It reports whether all were explored.
func (c *Checker[S]) crash(p int64, e *Event[S], known bool) (complete bool) {
	c.visible, c.lose, c.lenient = p, true, false
	for _, r := range c.states {
		for l := range c.outs {
			*c.Shape.Queue(r, l) = 0
		}
	}
	sampled := c.sampled
	c.sampled = nil // declarations are not tested in states that are known in part only
	states, complete := c.ends(c.crashing, p, e, known)
	if len(states) == 0 && known && complete && c.pieced(p, e) {
		states = append(states, c.fresh(p, e))
	}
	if c.cut {
		return false
	}
	if !c.opt.Undeclared {
		states = c.covered(states)
	}
	if c.sampled = sampled; sampled != nil {
		c.verifyCrash(states, p, e, known)
	}
	c.lose = false
	if !complete {
		c.partial = "a crash could have come in more states than were explored"
	}
	c.keep(states)
	if len(states) == 0 {
		c.goBlind(cmp.Or(c.partial, "no state explains the node's restart"))
	}
	return complete
}

// ends returns the states after a crash, where a node goes up to it in a course.
func (c *Checker[S]) ends(way course[S], p int64, e *Event[S], known bool) (states []record.Record, complete bool) {
	c.attempt.forget() // of another course
	defer c.attempt.forget()
	defer c.follow(way)()
	from := c.copies()
	for _, r := range from {
		avoid(r, way.void)
	}
	met, all := map[string]bool{}, map[string]bool{}
	_, complete = c.search(from, func(r record.Record) bool {
		if !c.visibleDone(r, p) {
			return false
		}
		c.hidden(r, met, func(r record.Record) {
			for x := range c.restarts {
				if t := c.again(&c.restarts[x], r, p, e); t != nil && !all[string(t)] {
					all[string(t)] = true
					states = append(states, t)
					c.enough = known
				}
			}
		})
		return false
	})
	c.enough = false
	return states, complete
}

// covered drops the states after a crash for which others stand. They are of one set of a search.
func (c *Checker[S]) covered(states []record.Record) []record.Record {
	if c.runtime.AfterCrash.More == nil || len(states) < 2 || len(states) > mostCovering {
		return states
	}
	met := make([]map[string]bool, len(states))
	for k, r := range states {
		met[k] = c.chosen(r)
	}
	out := states[:0]
	dropped := make([]bool, len(states))
	for k, r := range states {
		for x := range states {
			if x != k && !dropped[x] && subset(met[k], met[x]) {
				dropped[k] = true
				break
			}
		}
		if !dropped[k] {
			out = append(out, r)
		}
	}
	return out
}

// mostCovering is the size of a set of states up to which each is compared with all others.
const mostCovering = 64

// chosen returns the states without an open choice for which a state after a crash stands.
func (c *Checker[S]) chosen(r record.Record) map[string]bool {
	open := &c.runtime.AfterCrash
	out := map[string]bool{}
	settled := slices.Clone(r)
	if open.More == nil {
		out[string(r)] = true
		return out
	}
	s, t := new(S), new(S)
	*s = c.base
	c.load(s, r)
	for more := true; more; more = open.More(s, c.me) {
		*t = *s
		open.Settle(t, c.me)
		c.save(settled, t)
		out[string(settled)] = true
	}
	return out
}

// subset reports whether b has all of a.
func subset(a, b map[string]bool) bool {
	if len(a) > len(b) {
		return false
	}
	for x := range a {
		if !b[x] {
			return false
		}
	}
	return true
}

// tellsAll reports whether an event tells all variables that a restart keeps.
func (c *Checker[S]) tellsAll(e *Event[S]) bool {
	return !slices.ContainsFunc(c.kept, func(name string) bool { return !slices.Contains(e.known, name) })
}

// resume ends a blindness: the node starts from its kept variables, which the event reports
// completely.
func (c *Checker[S]) resume(p int64, e *Event[S]) {
	if t := c.fresh(p, e); t != nil {
		c.blind, c.partial = "", ""
		c.keep([]record.Record{t})
	}
}

// fresh returns the record after a restart from what an event tells; nil if the node cannot start
// from it.
func (c *Checker[S]) fresh(p int64, e *Event[S]) record.Record {
	r := make(record.Record, c.Size)
	c.save(r, e.told)
	for l := range c.outs {
		*c.Sent(r, l) = c.cursor[l]
	}
	for l := range c.ins {
		*c.High(r, l) = c.ins[l].before(p)
	}
	return c.again(&c.restarts[0], r, p, &Event[S]{})
}

// visibleDone reports whether all that was observed before p is produced.
func (c *Checker[S]) visibleDone(r record.Record, p int64) bool {
	for l := range c.outs {
		if *c.Sent(r, l) != c.outs[l].before(p) {
			return false
		}
	}
	return true
}

// remembered returns the inputs before p that r has not taken and that tell of something the node
// has done.
func (c *Checker[S]) remembered(r record.Record, p int64) (ins []*input[S]) {
	for l := range c.ins {
		for k := *c.High(r, l); k < c.ins[l].before(p); k++ {
			if in := c.ins[l].in[k]; in != nil && in.instance.done {
				ins = append(ins, in)
			}
		}
	}
	return ins
}

// again returns the record after a restart, nil where it is not possible. What the node has done is
// kept, also where what it had received before was not on its disk yet: it does that again from
// what it has kept.
func (c *Checker[S]) again(in *instance[S], r record.Record, p int64, e *Event[S]) record.Record {
	t := slices.Clone(r)
	void := c.void
	c.void = nil // after the restart all of the row is known again
	defer func() { c.void = void }()
	step := func(in *instance[S], set func(*S)) bool {
		res := c.take(in, slices.Clone(t[:c.rowSize]), nil, set)
		if res.outcome != stepped {
			c.fault(res)
			return false
		}
		copy(t, res.row)
		return true
	}
	if !step(in, nil) {
		return nil
	}
	if told := c.remembered(r, p); len(told) > 0 {
		for _, x := range told {
			if !step(x.instance, x.set) {
				return nil
			}
		}
		step(in, nil)
	}
	if e.told != nil && !c.knows(t, e) {
		return nil
	}
	*c.Shape.Unseen(t) = 0
	for l := range c.ins {
		k := c.ins[l].before(p)
		*c.Low(t, l), *c.High(t, l) = k, k
	}
	for l := range c.outs {
		*c.Shape.Queue(t, l) = 0
	}
	return t
}

// knows reports whether a state agrees with what an event knows of it.
func (c *Checker[S]) knows(r record.Record, e *Event[S]) bool {
	return c.like(r, e, e.known, func(_ int, node, told uint32) bool { return c.arena.Agree(node, told) })
}

// like reports whether variables of a state are as an event tells them. The Chains are equal if
// same says so, since the event may tell only the end of one.
func (c *Checker[S]) like(r record.Record, e *Event[S], variables []string, same func(k int, node, told uint32) bool) bool {
	*c.s = c.base
	c.load(c.s, r[:c.rowSize])
	for _, name := range variables {
		f := c.Decoder.vars[name]
		at := func(s *S) []byte { return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s), f.At)), f.Of.Size) }
		copy(at(c.s), at(e.told))
	}
	x := make(record.Record, c.rowSize)
	c.save(x, c.s)
	*c.s, c.at = c.base, c.at[:0]
	chains := make([]uint32, len(c.chains))
	for k, at := range c.chains {
		chains[k] = *record.Word(x, at.node)
		*record.Word(x, at.node) = *record.Word(r, at.node)
	}
	if !bytes.Equal(x, r[:c.rowSize]) {
		return false
	}
	for k, at := range c.chains {
		if node := *record.Word(r, at.node); node != chains[k] && !same(k, node, chains[k]) {
			return false
		}
	}
	return true
}

// A node writes what it keeps in several pieces: etcd's library asks for the entries first and then
// for the HardState. A process that is killed in between starts with some of its new entries and
// with the old HardState, which no step of the specification leaves. modules.Runtime.Written names
// the pieces in their order. What is written last is that of some state before the crash, and what
// is written before it that of the same state or of a later one. All of these states have sent what
// was seen, so each piece has what those messages need.
//
//	states before the crash    Term 4, Log [a b]  ->  Term 5, Log [a b c]
//	on disk                    Term 4, Log [a b c]

// pieced reports whether each piece of what an event tells is that of some state before the crash,
// in this order. Of a Chain it may be a beginning, no shorter than where it was not written.
func (c *Checker[S]) pieced(p int64, e *Event[S]) bool {
	if len(c.runtime.Written) == 0 {
		return false
	}
	c.attempt.forget() // of another course
	defer c.attempt.forget()
	defer c.follow(c.crashing)()
	from := c.copies()
	for _, r := range from {
		avoid(r, c.void)
	}
	least := make([]uint64, len(c.chains))
	begins := func(k int, node, told uint32) bool { return c.arena.Begins(node, told, least[k]) }
	whole := func(_ int, node, told uint32) bool { return c.arena.Agree(node, told) }
	same := whole
	pieces := c.pieces(e.known)
	for k := range slices.Backward(pieces) {
		shortest := slices.Repeat([]uint64{^uint64(0)}, len(c.chains))
		found, complete := c.search(from, func(r record.Record) bool {
			ok := false
			c.startsAfter(r, p, func(t record.Record) {
				if !c.like(t, e, pieces[k], same) {
					return
				}
				ok = true
				for x, at := range c.chains {
					shortest[x] = min(shortest[x], c.arena.Length(*record.Word(t, at.node)))
				}
			})
			return ok
		})
		if !complete || len(found) == 0 {
			return false
		}
		from = from[:0]
		for _, r := range found {
			from = append(from, slices.Clone(r))
		}
		least, same = shortest, begins
	}
	return true
}

// startsAfter calls emit for the records after a crash in r, if all that was seen is explained
// there.
func (c *Checker[S]) startsAfter(r record.Record, p int64, emit func(record.Record)) {
	if !c.visibleDone(r, p) {
		return
	}
	c.hidden(r, map[string]bool{}, func(r record.Record) {
		for x := range c.restarts {
			if t := c.again(&c.restarts[x], r, p, &Event[S]{}); t != nil {
				emit(t)
			}
		}
	})
}

// pieces divides variables into those that are written together, in the order of their writes. What
// has no order is written last.
func (c *Checker[S]) pieces(variables []string) [][]string {
	out := make([][]string, len(c.runtime.Written))
	last := len(out) - 1
	for _, v := range variables {
		k := slices.IndexFunc(c.runtime.Written, func(piece []string) bool { return slices.Contains(piece, v) })
		if k < 0 {
			k = last
		}
		out[k] = append(out[k], v)
	}
	return out
}
