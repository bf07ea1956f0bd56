package selftest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/refine"
)

// What it computes. Whether a stream of one node's events is legal, by trying everything: the
// oracle for package refine.
//
// Why it is right. It follows the definition. A state is the node's row, how many events of each
// incoming lane are taken, and how many messages of each outgoing lane are sent. From each state it
// takes each message that comes next, also where that changes nothing, and each step that the node
// may take by itself. A stream is legal if some state remains after the last event. It knows
// nothing of Lazy, Eager, Hidden, Says and BeforeCrash, of domination, of intervals, or of what is
// applied as soon as possible. It shares one limit with the runtime: refine.Options.Unseen bounds
// how many time-outs that show nothing come one after the other. Without that bound there is no end
// of states.
//
// What it costs. Every state that the node can be in, each with its bytes: up to a budget, above
// which the stream is unjudged.
//
// Example. The stream is in m1, in m2, out a, and a answers m2:
//
//	(0 taken, 0 sent) -> (1, 0) -> (2, 0) -> (2, 1)     a is sent after m2: legal
//	(0, 0) -> (1, 0)                                    no step sends a: this path ends

// judgement is the answer of the naive judge.
type judgement uint8

const (
	legal judgement = iota
	illegal
	unjudged // too many states, or the specification has no step
)

// judge holds one stream of node me.
type judge[S any] struct {
	*model[S]
	me     int
	events []event[S]
	budget int
	ins    [][]int // by incoming lane: the events
	outs   [][]int // by outgoing lane
	inLane []int   // by event
	lossy  func(kind uint8) bool
	faulty bool
	states int
	known  *facts[S]
}

// mind is a state of the judge.
type mind struct {
	id     int // of the row: see facts
	row    []byte
	in     []uint16 // by incoming lane: events that are taken
	out    []uint16 // by outgoing lane: messages of the stream that are sent
	more   uint64   // outgoing lanes in which a message was sent that the stream does not have
	unseen uint8
}

func (x *mind) key() string {
	b := make([]byte, 0, 4+2*len(x.in)+2*len(x.out)+9)
	b = binary.LittleEndian.AppendUint32(b, uint32(x.id))
	for _, k := range x.in {
		b = binary.LittleEndian.AppendUint16(b, k)
	}
	for _, k := range x.out {
		b = binary.LittleEndian.AppendUint16(b, k)
	}
	b = binary.LittleEndian.AppendUint64(b, x.more)
	return string(append(b, x.unseen))
}

func (x *mind) clone() *mind {
	return &mind{x.id, x.row, slices.Clone(x.in), slices.Clone(x.out), x.more, x.unseen}
}

// naive judges a stream of node me. It also returns the number of the event that nothing explains,
// and how many states it met.
func (m *model[S]) naive(me int, events []event[S], budget int) (judgement, int, int) {
	j := &judge[S]{model: m, me: me, events: events, budget: budget, lossy: m.runtime.Lossy, inLane: make([]int, len(events)), known: m.factsOf(me),
		ins: make([][]int, m.servers*len(m.nets)+1), outs: make([][]int, m.servers*m.lanes)}
	if j.lossy == nil {
		j.lossy = func(uint8) bool { return false }
	}
	for k := range events {
		switch e := &events[k]; e.kind {
		case refine.In, refine.Input:
			l := len(j.ins) - 1
			if e.kind == refine.In && !m.opt.Total {
				l = e.peer*len(m.nets) + m.netOf(e.msg)
			}
			j.inLane[k] = l
			j.ins[l] = append(j.ins[l], k)
		case refine.Out:
			l := j.outLane(e.peer, e.msg)
			j.outs[l] = append(j.outs[l], k)
		}
	}
	return j.run()
}

func (j *judge[S]) outLane(peer int, msg []byte) int { return peer*j.lanes + j.lane(msg[0]) }

func (j *judge[S]) run() (judgement, int, int) {
	first := j.first(j.me)
	states := []*mind{{id: j.known.id(first), row: first, in: make([]uint16, len(j.ins)), out: make([]uint16, len(j.outs))}}
	for k := range j.events {
		e := &j.events[k]
		switch e.kind {
		case refine.Out:
			l := j.outLane(e.peer, e.msg)
			number := uint16(slices.Index(j.outs[l], k))
			states = j.close(states, k, false, func(x *mind) bool { return x.out[l] > number })
		case refine.Restart:
			all := j.close(states, k, true, nil)
			states = j.restart(all, k)
		}
		switch {
		case j.states > j.budget:
			return unjudged, k, j.states
		case len(states) == 0 && j.faulty:
			return unjudged, k, j.states
		case len(states) == 0:
			return illegal, k, j.states
		}
	}
	return legal, len(j.events), j.states
}

// close returns the states that satisfy goal and to which steps before event at lead, each with the
// fewest steps; all states if goal is nil. crash says that a restart comes next.
func (j *judge[S]) close(from []*mind, at int, crash bool, goal func(*mind) bool) (found []*mind) {
	met := map[string]bool{}
	var queue []*mind
	add := func(x *mind) {
		k := x.key()
		if met[k] {
			return
		}
		met[k] = true
		j.states++
		if goal == nil || goal(x) {
			found = append(found, x)
		}
		if goal == nil || !goal(x) {
			queue = append(queue, x)
		}
	}
	for _, x := range from {
		add(x)
	}
	for len(queue) > 0 && j.states <= j.budget {
		x := queue[0]
		queue = queue[1:]
		j.expand(x, at, crash, add)
	}
	return found
}

// expand calls emit for each state to which a step of x leads.
func (j *judge[S]) expand(x *mind, at int, crash bool, emit func(*mind)) {
	for l := range j.ins {
		if k := int(x.in[l]); k < len(j.ins[l]) && j.ins[l][k] < at {
			j.takes(x, l, &j.events[j.ins[l][k]], at, crash, emit)
		}
	}
	for _, r := range j.stepsFrom(x, at, stepsOf[S]{peer: -1}, nil, j.own[j.me]) {
		j.step(x, &r, -1, at, crash, emit)
	}
}

// tried has the result of an act in a row, which is enabled, or at which the specification fails.
type tried[S any] struct {
	a    *act[S]
	out  outcome
	id   int // of row
	row  []byte
	sent []sending
}

// stepsOf says what a node in a row takes: a message of a peer, or nothing.
type stepsOf[S any] struct {
	peer int
	msg  string
}

// facts holds the rows of a node that all streams of a behaviour meet, numbered from 0, and what
// becomes of acts in each.
type facts[S any] struct {
	ids   map[string]int
	steps []map[stepsOf[S]][]tried[S] // by number of the row
}

// mostRows is how many rows facts may have when a stream begins.
const mostRows = 1 << 14

// id returns the number of a row.
func (f *facts[S]) id(row []byte) int {
	n, ok := f.ids[string(row)]
	if !ok {
		n = len(f.steps)
		f.ids[string(row)] = n
		f.steps = append(f.steps, map[stepsOf[S]][]tried[S]{})
	}
	return n
}

// factsOf returns what is known about a node.
func (m *model[S]) factsOf(me int) *facts[S] {
	if m.facts == nil {
		m.facts = make([]*facts[S], m.servers)
	}
	if f := m.facts[me]; f != nil && len(f.steps) < mostRows {
		return f
	}
	m.facts[me] = &facts[S]{ids: map[string]int{}}
	return m.facts[me]
}

// forget forgets what is known about all nodes: Chains have other numbers in another Arena.
func (m *model[S]) forget() { m.facts = nil }

// stepsFrom returns the results of acts in a state, with a message in flight if there is one. Where
// nothing is foreseen they depend on the row and the message alone. Then they are computed once for
// all streams of a behaviour.
func (j *judge[S]) stepsFrom(x *mind, at int, what stepsOf[S], msg []byte, acts []*act[S]) (out []tried[S]) {
	known := len(j.foresees) == 0
	if out, ok := j.known.steps[x.id][what]; ok && known {
		return out
	}
	j.load(j.me, x.row)
	defer j.unload(j.me)
	if !known {
		j.foresee(x, at)
		defer j.reset()
	}
	if msg != nil {
		j.deliver(j.me, what.peer, j.netOf(msg), msg)
		defer j.deliver(j.me, what.peer, j.netOf(msg), nil)
	}
	for _, a := range acts {
		r := tried[S]{a: a, out: j.enabled(a)}
		if r.out != refused {
			out = append(out, j.applied(r))
		}
	}
	if known {
		j.known.steps[x.id][what] = out
	}
	return out
}

// applied returns what becomes of an act in the state before a step. r says whether the act is
// enabled.
func (j *judge[S]) applied(r tried[S]) tried[S] {
	if r.out == stepped {
		if r.out, r.row, r.sent = j.apply(j.me, r.a); r.out == stepped {
			r.id = j.known.id(r.row)
		}
	}
	return r
}

// enabledHere is enabled, and takes down that the specification fails.
func (j *judge[S]) enabledHere(a *act[S]) outcome {
	out := j.enabled(a)
	if out == faulty {
		j.faulty = true
	}
	return out
}

// takes has a state take the next event of an incoming lane.
func (j *judge[S]) takes(x *mind, l int, e *event[S], at int, crash bool, emit func(*mind)) {
	pass := func() {
		t := x.clone()
		t.in[l]++
		emit(t)
	}
	if e.kind == refine.Input {
		r := j.given(x, e, at)
		if r.out != refused {
			j.step(x, &r, l, at, crash, emit)
		} else if !e.in.in.Done {
			pass()
		}
		return
	}
	steps := j.stepsFrom(x, at, stepsOf[S]{e.peer, string(e.msg)}, e.msg, j.receive[j.me][e.peer*256+int(e.msg[0])])
	for k := range steps {
		j.step(x, &steps[k], l, at, crash, emit)
	}
	if len(steps) == 0 {
		pass()
	}
}

// given returns what becomes of an input in a state.
func (j *judge[S]) given(x *mind, e *event[S], at int) tried[S] {
	j.load(j.me, x.row)
	defer j.unload(j.me)
	if len(j.foresees) > 0 {
		j.foresee(x, at)
	}
	j.set(e.set)
	defer j.reset()
	return j.applied(tried[S]{a: e.in, out: j.enabled(e.in)})
}

// step takes a step that was tried, which takes the next event of lane l if that is not negative.
func (j *judge[S]) step(x *mind, r *tried[S], l, at int, crash bool, emit func(*mind)) {
	if r.out == faulty {
		j.faulty = true
	}
	if r.out != stepped || l < 0 && len(r.sent) == 0 && bytes.Equal(r.row, x.row) {
		return
	}
	t := x.clone()
	t.id, t.row = r.id, r.row
	if l >= 0 {
		t.in[l]++
	}
	seen := false
	for _, s := range r.sent {
		o := j.outLane(s.to, s.msg)
		k := int(t.out[o])
		if k < len(j.outs[o]) && (!crash || j.outs[o][k] < at) && j.segment(j.outs[o][k], at) {
			if !j.same(s.msg, j.events[j.outs[o][k]].msg) || j.runtime.Ordered && j.overtakes(t, o, j.outs[o][k]) {
				return
			}
			t.out[o]++
			seen = true
			continue
		}
		if j.lossy(s.msg[0]) {
			return
		}
		t.more |= 1 << o
	}
	switch {
	case seen:
		t.unseen = 0
	case r.a.timeout && int(t.unseen) >= max(j.opt.Unseen, 3):
		return
	case r.a.timeout:
		t.unseen++
	}
	emit(t)
}

// segment reports whether no restart is between two events.
func (j *judge[S]) segment(k, at int) bool {
	for x := at; x < k; x++ {
		if j.events[x].kind == refine.Restart {
			return false
		}
	}
	return true
}

// overtakes reports whether the message at event k, of an outgoing lane, has overtaken one of a
// lower lane of its connection.
func (j *judge[S]) overtakes(t *mind, lane, k int) bool {
	for l := lane - lane%j.lanes; l < lane; l++ {
		if t.more>>l&1 != 0 || t.out[l] > 0 && j.outs[l][t.out[l]-1] > k {
			return true
		}
	}
	return false
}

// restart ends the process in each state, and begins it again.
func (j *judge[S]) restart(states []*mind, at int) (out []*mind) {
	met := map[string]bool{}
	for _, x := range states {
		for _, a := range j.restarting[j.me] {
			j.load(j.me, x.row)
			var row []byte
			ok := stepped
			if ok = j.enabledHere(a); ok == stepped {
				ok, row, _ = j.apply(j.me, a)
			}
			j.unload(j.me)
			if ok == stepped {
				row = j.again(x, a, row, at)
			}
			if ok != stepped || row == nil {
				continue
			}
			t := &mind{id: j.known.id(row), row: row, in: make([]uint16, len(j.ins)), out: slices.Clone(x.out)}
			for l := range j.ins {
				for int(t.in[l]) < len(j.ins[l]) && j.ins[l][t.in[l]] < at {
					t.in[l]++
				}
			}
			if k := t.key(); !met[k] {
				met[k] = true
				j.states++
				out = append(out, t)
			}
		}
	}
	return out
}

// again takes those inputs that tell of what the node has done before the crash: see 0108.
func (j *judge[S]) again(x *mind, restart *act[S], row []byte, at int) []byte {
	done := false
	for l := range j.ins {
		for _, k := range j.ins[l][x.in[l]:] {
			e := &j.events[k]
			if k >= at || e.kind != refine.Input || !e.in.in.Done {
				continue
			}
			done = true
			j.load(j.me, row)
			j.set(e.set)
			ok := j.enabledHere(e.in)
			if ok == stepped {
				ok, row, _ = j.apply(j.me, e.in)
			}
			j.reset()
			j.unload(j.me)
			if ok != stepped {
				return nil
			}
		}
	}
	if done {
		j.load(j.me, row)
		if j.enabledHere(restart) == stepped {
			if ok, after, _ := j.apply(j.me, restart); ok == stepped {
				row = after
			}
		}
		j.unload(j.me)
	}
	return row
}

// foresee sets the variables that say what the node is seen to send next.
func (j *judge[S]) foresee(x *mind, at int) {
	j.reset()
	for o := range j.outs {
		for k := int(x.out[o]); k < len(j.outs[o]) && k < int(x.out[o])+64 && j.segment(j.outs[o][k], at); k++ {
			msg := j.events[j.outs[o][k]].msg
			j.runtime.Foresee(j.s, o/j.lanes, unsafe.Pointer(&msg[0]))
		}
	}
}
