package refine

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// outcome is the result of trying a step.
type outcome uint8

const (
	stepped outcome = iota
	refused         // it was not enabled
	// the specification has no step for it: a peer broke the protocol, or an assertion was raised
	partial
	folded  // an element of a log was asked for that is folded away
	crowded // a capacity was exceeded
	ended   // the process ends in it, before anything of it is kept or sent
)

// produced is a message that a step sends.
type produced struct {
	peer int
	msg  []byte // without garbage in padding
}

// result is a step's. It is valid until the next step.
type result struct {
	outcome outcome
	row     []byte
	out     []produced
	why     string
}

// stepper runs single steps of a node.
type stepper[S any] struct {
	*node[S]
	res    result
	outBuf []byte
	blank  []byte     // a message of zeros
	clean  bool       // the scratch states are base except for rows
	at     []byte     // the row that state s has; empty where that is not known
	before func(p *S) // sets what is foreseen, before a step; nil where nothing is
	memo   *memo[S]   // of earlier steps; nil: steps are not remembered
	// held says that state s has what is foreseen for the record that is explored
	held  bool
	stale bool // state n is not that after the last step, which was remembered
}

func newStepper[S any](n *node[S]) *stepper[S] {
	return &stepper[S]{node: n, res: result{row: make([]byte, n.rowSize)}, blank: make([]byte, n.msgSize), clean: true}
}

// wire returns the place of a channel in a State.
func (t *stepper[S]) wire(p *S, net *net, i, j int) (first unsafe.Pointer, count *uint8) {
	w := net.Of[i][j]
	return unsafe.Add(unsafe.Pointer(p), w.First), (*uint8)(unsafe.Add(unsafe.Pointer(p), w.Count))
}

// restoreOutside undoes changes of a step outside the row: the step ended early, or it set
// variables of the environment.
func (t *stepper[S]) restoreOutside(p *S) {
	for _, s := range t.outside {
		copy(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), s.Offset)), s.Size),
			unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&t.base), s.Offset)), s.Size))
	}
	for x := range t.nets {
		net := &t.nets[x]
		for _, j := range t.peers {
			for _, w := range [2]layout.Wire{net.Of[t.me][j], net.Of[j][t.me]} {
				count := (*uint8)(unsafe.Add(unsafe.Pointer(p), w.Count))
				clear(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), w.First)), int(*count)*net.size))
				*count = 0
			}
		}
	}
}

// deliver puts a message from a peer in flight.
func (t *stepper[S]) deliver(p *S, net *net, peer int, msg []byte) {
	first, count := t.wire(p, net, peer, t.me)
	copy(unsafe.Slice((*byte)(first), net.size), msg)
	*count = 1
}

// receive takes it back.
func (t *stepper[S]) receive(p *S, net *net, peer int) {
	first, count := t.wire(p, net, peer, t.me)
	clear(unsafe.Slice((*byte)(first), net.size))
	*count = 0
}

// try is take without a memory.
func (t *stepper[S]) try(in *instance[S], row, msg []byte, set func(*S)) *result {
	t.place(row)
	var net *net
	if msg != nil {
		net = t.netOf(msg)
		t.deliver(t.s, net, in.peer, msg)
	}
	if t.before != nil {
		t.before(t.s)
	}
	if set != nil {
		t.clean = false
		set(t.s)
	}
	t.res.out, t.outBuf, t.res.why = t.res.out[:0], t.outBuf[:0], ""
	t.res.outcome = t.run(in, row, net, msg, set)
	if msg != nil {
		t.receive(t.s, net, in.peer)
		if t.res.outcome != refused {
			t.receive(t.n, net, in.peer)
		}
	}
	return &t.res
}

// place makes state s have a row.
func (t *stepper[S]) place(row []byte) {
	if !t.clean {
		t.restoreOutside(t.s)
		t.restoreOutside(t.n)
		t.clean = true
		t.held = false
	}
	if len(t.at) == 0 {
		t.held = false
	}
	if !bytes.Equal(t.at, row) { // most steps start one after the other from the same row
		t.load(t.s, row)
		t.at = append(t.at[:0], row...)
	}
}

// firstEnabled returns the number of the first of some instances, from the k-th on, that is not
// refused in state s. A guard that fails is not refused.
func (t *stepper[S]) firstEnabled(ins []*instance[S], k int) (at int) {
	at = k
	defer func() {
		if e := recover(); e != nil {
			t.clean = false
			t.fault(ins[at], e) // panics if it is none of the specification's
		}
	}()
	for at < len(ins) {
		in := ins[at]
		if in.open != nil && !in.open(t.s, t.me, in.to) {
			at = in.past
			continue
		}
		if in.bound.Enabled(t.s, in.k) {
			return at
		}
		at++
	}
	return at
}

func (t *stepper[S]) run(in *instance[S], row []byte, net *net, msg []byte, set func(*S)) (out outcome) {
	defer func() {
		if e := recover(); e != nil {
			t.clean = false
			out = t.fault(in, e)
		}
	}()
	if !in.bound.Enabled(t.s, in.k) {
		return refused
	}
	t.load(t.n, row)
	if msg != nil {
		t.deliver(t.n, net, in.peer, msg)
	}
	if t.before != nil {
		t.before(t.n)
	}
	if set != nil {
		set(t.n)
	}
	in.bound.Apply(t.s, t.n, in.k)
	for _, s := range t.raised {
		b := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(t.n), s.Offset)), s.Size)
		for k := range b {
			if b[k] != 0 {
				t.clean = false
				t.res.why = in.name + " raises an assertion"
				t.drain()
				if t.fatal {
					return ended
				}
				return partial
			}
		}
	}
	if t.merge != nil {
		t.merge(t.n, t.me)
	}
	t.save(t.res.row, t.n)
	avoid(t.res.row, t.void)
	t.drain()
	return stepped
}

// drain takes what a step has sent.
func (t *stepper[S]) drain() {
	for x := range t.nets {
		net := &t.nets[x]
		for _, j := range t.peers {
			first, count := t.wire(t.n, net, t.me, j)
			for k := range int(*count) {
				m := unsafe.Slice((*byte)(unsafe.Add(first, k*net.size)), net.size)
				t.outBuf = append(append(t.outBuf, m...), t.blank[net.size:]...)
				t.res.out = append(t.res.out, produced{peer: j})
				clear(m)
			}
			*count = 0
		}
	}
	for k := range t.res.out { // the buffer may have moved
		t.res.out[k].msg = t.outBuf[k*t.msgSize : (k+1)*t.msgSize]
	}
}

// fault returns what a panic of the specification means.
func (t *stepper[S]) fault(in *instance[S], e any) outcome {
	switch e := e.(type) {
	case *modules.FoldedError:
		t.res.why = fmt.Sprintf("%s reads entry %d, and those before %d are folded away", in.name, e.Index, e.First)
		return folded
	case *modules.CapacityError:
		t.res.why = fmt.Sprintf("%s: %v", in.name, e)
		return crowded
	case *modules.RangeError:
		t.res.why = fmt.Sprintf("%s: %v", in.name, e)
		return partial
	}
	panic(e)
}

// same reports whether two messages are equal, whatever is in their padding.
func (t *stepper[S]) same(a, b []byte) bool {
	for _, s := range t.netOf(a).spans {
		if string(a[s.Offset:s.Offset+s.Size]) != string(b[s.Offset:s.Offset+s.Size]) {
			return false
		}
	}
	return true
}

// kind returns the kind of a message: its first byte.
func kind(msg []byte) uint8 { return msg[0] }

// What it computes. The outcome of a step, from memory if the node has tried it from the same row
// with the same message.
//
// Why it is right. A step is a function of the row and of the message, unless an input sets
// variables of the environment or something is foreseen. Such steps are not remembered, and neither
// are those of a course that sets parts of a row to zero. Equal Chains have equal nodes as long as
// the Arena is the same, so the memory is forgotten with the Arena and when that is folded.
//
// What it costs. Two look-ups for a step, and a copy of the row for each step that is remembered.
// Next to a live node a row rarely comes again, so only checkers of several streams have a memory:
// see Checker.Fresh. It is bounded by mostRemembered.
//
// Example. Two streams of one node differ in the order of the last two events. Steps before
// these are taken once.

// mostRemembered is how many steps a memo holds, and mostNodes how many nodes an Arena has that
// several streams share.
const (
	mostRemembered = 1 << 15
	mostNodes      = 1 << 16
)

// memo is a memory of steps.
type memo[S any] struct {
	rows map[string]map[stepKey[S]]*result
	last map[stepKey[S]]*result // of row
	row  []byte
	size int // steps
}

// stepKey is an instance and the message that it takes; "" for none.
type stepKey[S any] struct {
	in  *instance[S]
	msg string
}

func newMemo[S any]() *memo[S] { return &memo[S]{rows: map[string]map[stepKey[S]]*result{}} }

func (m *memo[S]) forget() {
	clear(m.rows)
	m.last, m.size = nil, 0
}

// of returns the steps that were tried from a row.
func (m *memo[S]) of(row []byte) map[stepKey[S]]*result {
	if m.last != nil && bytes.Equal(m.row, row) {
		return m.last
	}
	if m.size >= mostRemembered {
		m.forget()
	}
	steps, ok := m.rows[string(row)]
	if !ok {
		steps = map[stepKey[S]]*result{}
		m.rows[string(row)] = steps
	}
	m.last, m.row = steps, append(m.row[:0], row...)
	return steps
}

// take runs an instance from a row, with a message in flight if there is one, and set on the state
// before. A step that is not enabled is refused.
func (t *stepper[S]) take(in *instance[S], row, msg []byte, set func(*S)) *result {
	t.stale = false
	if t.memo == nil || set != nil || t.before != nil || len(t.void) > 0 {
		return t.try(in, row, msg, set)
	}
	steps := t.memo.of(row)
	if r, ok := steps[stepKey[S]{in, string(msg)}]; ok {
		t.stale = true
		return r
	}
	r := t.try(in, row, msg, nil)
	kept := &result{outcome: r.outcome, why: r.why}
	if r.outcome == stepped {
		kept.row = bytes.Clone(r.row)
	}
	for _, o := range r.out {
		kept.out = append(kept.out, produced{o.peer, bytes.Clone(o.msg)})
	}
	steps[stepKey[S]{in, string(msg)}] = kept
	t.memo.size++
	return kept
}

// forgetSteps forgets all remembered steps: Chains have other numbers now.
func (t *stepper[S]) forgetSteps() {
	if t.memo != nil {
		t.memo.forget()
	}
}
