package selftest

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/multigrain/multigrain/checker/internal/refine"
)

// event is an event of one node's stream, with what orders it among the others.
type event[S any] struct {
	kind refine.EventKind
	peer int
	msg  []byte
	in   *act[S]  // of an input
	set  func(*S) // what it sets; may be nil
	line []byte   // as a stream has it
	// step is the node's step that takes the event, or in which it sends the message. It is never
	// for what the node does not take.
	step int
	// known is, by peer, how many messages to that peer are surely sent before this message is
	// received.
	known []uint16
	rest  bool // the stream rests after it, so the runtime judges all that it has
}

const never = math.MaxInt32

// segment holds the events of one node between two restarts.
type segment[S any] []event[S]

// flight is a message between two nodes, with what its sender knew.
type flight struct {
	msg   []byte
	known [][]uint16 // by node and peer: how many messages of that connection
}

// world is a random behaviour of all nodes. Each takes its own steps. A connection of two nodes and
// a network is first in, first out; messages of a higher lane may join it late.
type world[S any] struct {
	*model[S]
	random *rand.Rand
	enc    *encoder[S]
	rows   [][]byte
	steps  []int // by node
	unseen []int
	wires  [][][][]flight  // by sender, receiver, network
	late   [][][][]sending // by sender, receiver, lane: produced and not sent
	sent   [][]uint16      // by sender and receiver: messages that were sent
	known  [][][]uint16    // by node: what it knows of sent
	seen   [][]segment[S]  // by node
	moves  []move[S]
	groups []float64 // of moves: their weights, and where they begin
	heads  []int
	chosen []*act[S]        // of few
	offers [][]move[S]      // by node; nil where its state is another one
	taken  map[string]int64 // actions
	swarm  weights
	often  [][]int // by node and action: how often it was taken
	// stepped is called after each step, with its number in the part and its action; nil: nothing
	stepped func(n int, action string)
}

// move is a step that may come next.
type move[S any] struct {
	me     int
	a      *act[S] // nil: the message changes nothing, or a late message is sent
	from   int     // of whom a message is taken; -1 for none
	net    int
	set    func(*S)
	sets   []byte // as a stream has it
	late   bool
	lane   int
	weight float64
}

// Weights of moves by what they do. What a node receives comes first, so that walks come far. Each
// behaviour multiplies them by weights of its own, and divides them by how often a node has taken
// the action.
const (
	weightReceive = 4.0
	weightInput   = 1.0
	weightOwn     = 1.0
	weightTimeout = 0.4
	weightRestart = 0.05
	weightLate    = 2.0
)

func newWorld[S any](m *model[S], enc *encoder[S], random *rand.Rand, swarm weights) *world[S] {
	w := &world[S]{model: m, random: random, enc: enc, steps: make([]int, m.servers), unseen: make([]int, m.servers), taken: map[string]int64{}, swarm: swarm, offers: make([][]move[S], m.servers)}
	for i := range m.servers {
		w.often = append(w.often, make([]int, len(m.names)))
		w.rows = append(w.rows, m.first(i))
		w.wires = append(w.wires, make([][][]flight, m.servers))
		w.late = append(w.late, make([][][]sending, m.servers))
		w.sent = append(w.sent, make([]uint16, m.servers))
		for j := range m.servers {
			w.wires[i][j] = make([][]flight, len(m.nets))
			w.late[i][j] = make([][]sending, m.lanes)
		}
		w.known = append(w.known, table(m.servers))
		w.seen = append(w.seen, []segment[S]{nil})
	}
	return w
}

func table(n int) [][]uint16 {
	out := make([][]uint16, n)
	for k := range out {
		out[k] = make([]uint16, n)
	}
	return out
}

// walk takes the steps of a course and as many others, and returns by node what each sees.
func (w *world[S]) walk(c course, steps int) [][]segment[S] {
	w.follow(c)
	w.steer(steps)
	w.finish()
	return w.seen
}

// steer takes steps.
func (w *world[S]) steer(steps int) {
	for n, tried := 0, 0; n < steps && tried < 8*steps+100; tried++ {
		w.moves = w.moves[:0]
		for me := range w.servers {
			if w.offers[me] == nil {
				first := len(w.moves)
				w.offer(me)
				w.offers[me] = slices.Clone(w.moves[first:])
			} else {
				w.moves = append(w.moves, w.offers[me]...)
			}
		}
		m := w.draw()
		if m == nil {
			break
		}
		if w.do(m) && !m.late {
			n++
			if w.stepped != nil && m.a != nil {
				w.stepped(n, m.a.name)
			}
		}
		w.offers[m.me] = nil
	}
}

// draw draws an action of a node and a peer by weight, and then one of its moves.
func (w *world[S]) draw() *move[S] {
	type group struct{ me, number, peer int }
	of := func(m *move[S]) group {
		switch {
		case m.late:
			return group{m.me, -1, m.from}
		case m.a == nil:
			return group{m.me, -2, m.from}
		}
		return group{m.me, m.a.number, m.a.peer}
	}
	w.groups, w.heads = w.groups[:0], w.heads[:0]
	total := 0.0
	for k := range w.moves {
		m := &w.moves[k]
		if k > 0 && of(&w.moves[w.heads[len(w.heads)-1]]) == of(m) {
			continue // moves of a group stand together
		}
		weight := m.weight
		if m.a != nil {
			weight *= w.swarm[w.weightOf(m.me, m.a.number, m.a.peer)]
			if m.from < 0 {
				n := float64(1 + w.often[m.me][m.a.number])
				weight /= n * n
			}
		}
		w.groups, w.heads = append(w.groups, weight), append(w.heads, k)
		total += weight
	}
	if total == 0 {
		return nil
	}
	x := w.random.Float64() * total
	for g, weight := range w.groups {
		if x -= weight; x >= 0 && g < len(w.groups)-1 {
			continue
		}
		end := len(w.moves)
		if g+1 < len(w.heads) {
			end = w.heads[g+1]
		}
		return &w.moves[w.heads[g]+w.random.IntN(end-w.heads[g])]
	}
	return nil
}

// offer lists the moves of a node.
func (w *world[S]) offer(me int) {
	w.load(me, w.rows[me])
	defer w.unload(me)
	for from := range w.servers {
		for net, wire := range w.wires[from][me] {
			if len(wire) > 0 {
				w.offerMessage(me, from, net, wire[0].msg)
			}
		}
		for l, q := range w.late[me][from] {
			if len(q) > 0 && !w.waits(me, from, l) {
				w.moves = append(w.moves, move[S]{me: me, from: from, late: true, lane: l, weight: weightLate})
			}
		}
	}
	for _, a := range w.few(w.own[me]) {
		weight := weightOwn
		if a.timeout {
			if weight = weightTimeout; w.unseen[me] >= max(w.opt.Unseen, 3) {
				continue
			}
		}
		if w.enabled(a) == stepped {
			w.moves = append(w.moves, move[S]{me: me, a: a, from: -1, weight: weight})
		}
	}
	for _, a := range w.inputs[me] {
		w.offerInput(me, a)
	}
	for _, a := range w.few(w.restarting[me]) {
		if w.steps[me] > 0 && w.enabled(a) == stepped {
			w.moves = append(w.moves, move[S]{me: me, a: a, from: -1, weight: weightRestart})
		}
	}
}

// most is how many parameters of an action are offered at a state, for each peer.
const most = 6

// few returns the acts without some of those that differ in other parameters than the peer: the
// first one and random ones.
func (w *world[S]) few(acts []*act[S]) []*act[S] {
	w.chosen = w.chosen[:0]
	for first := 0; first < len(acts); {
		end := first + 1
		for end < len(acts) && acts[end].number == acts[first].number && acts[end].peer == acts[first].peer {
			end++
		}
		if end-first <= most {
			w.chosen = append(w.chosen, acts[first:end]...)
		} else {
			w.chosen = append(w.chosen, acts[first])
			for range most - 1 {
				w.chosen = append(w.chosen, acts[first+1+w.random.IntN(end-first-1)])
			}
		}
		first = end
	}
	return w.chosen
}

// offerMessage lists the moves that take a message.
func (w *world[S]) offerMessage(me, from, net int, msg []byte) {
	w.deliver(me, from, net, msg)
	defer w.deliver(me, from, net, nil)
	some := false
	for _, a := range w.few(w.receive[me][from*256+int(msg[0])]) {
		switch w.enabled(a) {
		case stepped:
			some = true
			w.moves = append(w.moves, move[S]{me: me, a: a, from: from, net: net, weight: weightReceive})
		case faulty:
			some = true
		}
	}
	if !some {
		w.moves = append(w.moves, move[S]{me: me, from: from, net: net, weight: weightReceive})
	}
}

// tries is how many values of an input are drawn at a state.
const tries = 3

// offerInput lists moves that take an input. What ends a connection is left out.
func (w *world[S]) offerInput(me int, a *act[S]) {
	if a.in.Ends {
		return
	}
	n := 1
	if len(a.sets) > 0 {
		n = tries
	}
	for range n {
		set, text := w.enc.randomSets(a, w.random)
		w.set(set)
		if w.enabled(a) == stepped {
			w.moves = append(w.moves, move[S]{me: me, a: a, from: -1, set: set, sets: text, weight: weightInput})
		}
		w.reset()
	}
}

// waits reports whether a late message of a lane waits for lower lanes.
func (w *world[S]) waits(me, to, lane int) bool {
	if !w.runtime.Ordered {
		return false
	}
	for l := range lane {
		if len(w.late[me][to][l]) > 0 {
			return true
		}
	}
	return false
}

// do takes a move. It reports whether it was possible.
func (w *world[S]) do(m *move[S]) bool {
	if m.late {
		w.send(m.me, w.late[m.me][m.from][m.lane][0])
		w.late[m.me][m.from][m.lane] = w.late[m.me][m.from][m.lane][1:]
		return true
	}
	row, sent := w.rows[m.me], []sending(nil)
	var msg []byte
	if m.from >= 0 {
		msg = w.wires[m.from][m.me][m.net][0].msg
	}
	if m.a != nil {
		var out outcome
		w.load(m.me, row)
		if msg != nil {
			w.deliver(m.me, m.from, m.net, msg)
		}
		w.set(m.set)
		out, row, sent = w.apply(m.me, m.a)
		w.reset()
		if msg != nil {
			w.deliver(m.me, m.from, m.net, nil)
		}
		w.unload(m.me)
		if out != stepped || m.a.class == refine.Spontaneous && len(sent) == 0 && bytes.Equal(row, w.rows[m.me]) {
			return false
		}
		w.taken[m.a.name]++
		w.often[m.me][m.a.number]++
	}
	if m.a != nil && m.a.class == refine.RestartStep {
		w.restart(m.me, row)
		return true
	}
	w.steps[m.me]++
	w.rows[m.me] = row
	switch {
	case m.from >= 0:
		f := w.wires[m.from][m.me][m.net][0]
		w.wires[m.from][m.me][m.net] = w.wires[m.from][m.me][m.net][1:]
		w.received(m.me, m.from, f, w.steps[m.me])
		w.learn(m.me, f)
	case m.a.class == refine.InputClass:
		w.note(m.me, event[S]{kind: refine.Input, peer: -1, in: m.a, set: m.set, line: w.enc.input(m.a, m.sets), step: w.steps[m.me]})
	}
	for _, s := range sent {
		s.step = w.steps[m.me]
		if l := w.lane(s.msg[0]); l > 0 || len(w.late[m.me][s.to][0]) > 0 {
			w.late[m.me][s.to][l] = append(w.late[m.me][s.to][l], s)
		} else {
			w.send(m.me, s)
		}
	}
	switch {
	case len(sent) > 0:
		w.unseen[m.me] = 0
	case m.a != nil && m.a.timeout:
		w.unseen[m.me]++
	}
	return true
}

// received notes that a message has reached me.
func (w *world[S]) received(me, from int, f flight, step int) {
	w.note(me, event[S]{kind: refine.In, peer: from, msg: f.msg, step: step, known: slices.Clone(f.known[me])})
}

// learn adds what the sender of a message knew.
func (w *world[S]) learn(me int, f flight) {
	for i := range f.known {
		for j, n := range f.known[i] {
			w.known[me][i][j] = max(w.known[me][i][j], n)
		}
	}
}

// send puts a message on the wire.
func (w *world[S]) send(me int, s sending) {
	w.sent[me][s.to]++
	f := flight{msg: s.msg, known: table(w.servers)}
	for i := range w.known[me] {
		copy(f.known[i], w.known[me][i])
	}
	f.known[me][s.to] = w.sent[me][s.to]
	net := w.netOf(s.msg)
	w.offers[s.to] = nil
	w.wires[me][s.to][net] = append(w.wires[me][s.to][net], f)
	w.note(me, event[S]{kind: refine.Out, peer: s.to, msg: s.msg, step: s.step})
}

func (w *world[S]) note(me int, e event[S]) {
	last := &w.seen[me][len(w.seen[me])-1]
	*last = append(*last, e)
}

// restart ends the process of me and begins it again. Some of the messages in flight to me arrive
// before; the rest is lost. Messages that me has not sent yet are lost, too.
func (w *world[S]) restart(me int, row []byte) {
	for from := range w.servers {
		for net, wire := range w.wires[from][me] {
			for k := range wire[:w.random.IntN(len(wire)+1)] {
				w.received(me, from, wire[k], never)
			}
			w.wires[from][me][net] = nil
		}
		clear(w.late[me][from])
	}
	w.rows[me], w.unseen[me] = row, 0
	w.seen[me] = append(w.seen[me], nil)
}

// finish has some of the messages in flight arrive.
func (w *world[S]) finish() {
	for me := range w.servers {
		for from := range w.servers {
			for _, wire := range w.wires[from][me] {
				for k := range wire[:w.random.IntN(len(wire)+1)] {
					w.received(me, from, wire[k], never)
				}
			}
		}
	}
	w.encode()
}

// encode writes the lines of all messages.
func (w *world[S]) encode() {
	for _, segments := range w.seen {
		for _, s := range segments {
			for k := range s {
				if s[k].msg != nil {
					s[k].line = w.enc.message(s[k].kind, s[k].peer, s[k].msg)
				}
			}
		}
	}
}
