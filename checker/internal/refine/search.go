package refine

import (
	"bytes"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
)

// What it computes. The schedules of one node that explain a stream: which message, internal step
// or time-out the node took next. search returns the records, states with positions in the stream,
// that satisfy a goal, such as "the next outgoing message is produced".
//
// Why it is right. expand gives every step that the composition allows the node, so a schedule that
// exists is found unless the budget ends the search. A record is dropped only if a kept one can do
// whatever it can: the same row and positions within the other's intervals. Without a result after
// a complete search, no schedule exists, and that is an alarm.
//
// What it costs. Time and memory are linear in the records that are explored, at most `budget` for
// one search. Nearly all messages need one or two records.
//
// Example. The node received A and B, and C is observed:
//
//	(nothing taken) --A--> (A) --B--> (A, B)
//	                        |
//	                        +-- sends C: the goal; the next search starts here

// searcher explores schedules: which incoming message, internal step or time-out comes next.
type searcher[S any] struct {
	*stepper[S]
	record.Shape
	ins, outs []*lane[S]
	lanes     int // to each peer
	laneOf    func(kind uint8) int
	lossy     func(kind uint8) bool
	elided    func(kind uint8) bool
	arrival   func(kind uint8) int
	ordered   bool  // no message overtakes one of a lower lane
	peerOf    []int // by server: its position among the peers
	queues    *record.Lists
	slab      record.Slab

	avail   []uint32 // by incoming lane: messages that may be consumed
	visible int64    // outgoing messages up to this position must be met
	lenient bool     // a message may be produced that is not visible
	// what is produced and not visible will not be seen: the window reaches up to a crash or a loss
	doomed bool
	enough bool   // the search may end
	lose   bool   // what is produced and not visible is lost: the node crashes
	budget int    // records of one search
	asked  int    // the lane whose message is asked for; nobody or everybody
	also   uint64 // further lanes, into which lazy steps send as well
	pushed uint64 // lanes into which something was sent that is not seen yet
	// lazyLanes are all lanes into which lazy steps send.
	lazyLanes uint64
	early     *uint64 // collects lanes into which is sent before what comes first; may be nil
	unseen    uint32  // unobserved time-outs, before a crash
	equals    bool    // Options.NoDomination
	late      bool    // Options.NoAsap
	total     bool    // Options.Total
	hasty     bool    // takes what may wait

	ended [][]int64 // by incoming lane: the positions in the stream at which connections have ended
	// by peer: the positions at which connections have lost what the node sent, in their order
	losses [][]int64

	after  []record.Record // of successors
	either uint64

	seen  map[uint64]int32 // by hash of the key: the last record, and before
	next  []int32
	all   []record.Record // in the order in which they were met, for next
	queue []record.Record

	attempt attempt[S]
	used    attempt[S] // the one that is made use of

	met    []mismatch // what schedules would have sent instead
	barred bool       // schedules send it, but it would overtake another one
	ahead  foresight[S]
	expect int // the lane for which met is collected, and the message's number there
	number uint32
	faults faults

	halted atomic.Bool // see Checker.Halt
	cut    bool        // a search ended because of it: what it found says nothing

	explored, applied int64
	explosion         int
	sampled           func(record.Record) // is called with what is explored; may be nil
}

// mismatch is a message that was produced where another one was observed.
type mismatch struct {
	msg    []byte
	action string
}

// faults are ends of schedules that are not the node's.
type faults struct {
	partial, folded, crowded int64
	why                      string
}

// expand calls emit for each successor of a record.
func (c *searcher[S]) expand(r record.Record, emit func(record.Record)) {
	c.expandBy(r, math.MaxUint64, true, emit)
}

// towards returns which steps may lead from a record to one of others: the lanes from which a step
// takes a message, and whether spontaneous steps may. It passes over steps after which the record
// takes further messages by itself.
func (c *searcher[S]) towards(r record.Record, others []record.Record) (lanes uint64, spontaneous bool) {
	for _, o := range others {
		same := true
		for l := range c.Ins() {
			if *c.Low(o, l) != *c.Low(r, l) || *c.High(o, l) != *c.High(r, l) {
				lanes |= 1 << l
				same = false
			}
		}
		spontaneous = spontaneous || same
	}
	return lanes, spontaneous
}

// expandBy is expand with the steps that take a message from some lanes and, if spontaneous says
// so, with the spontaneous ones.
func (c *searcher[S]) expandBy(r record.Record, lanes uint64, spontaneous bool, emit func(record.Record)) {
	defer c.explore(c.ahead.now)
	c.explore(r)
	for l := range c.Ins() {
		if lanes&(1<<l) == 0 {
			continue
		}
		low, high := *c.Low(r, l), *c.High(r, l)
		idle := false
		for k := low; k <= high && k < c.avail[l]; k++ {
			if k > low && idle && c.ins[l].same[k] {
				continue
			}
			if !c.hasty && c.mayWait(r, l, k) {
				high, idle = max(high, k+1), false
				continue
			}
			idle = c.takeAt(r, l, k, emit)
		}
		c.stepOver(r, l, emit)
	}
	if !spontaneous {
		return
	}
	for x := range c.others {
		if g := &c.others[x]; c.asksAny(g.to, g.lanes) {
			c.expandGroup(r, g, emit)
		}
	}
}

// expandGroup is expand with the spontaneous steps of a group.
func (c *searcher[S]) expandGroup(r record.Record, g *group[S], emit func(record.Record)) {
	row := r[:c.rowSize]
	for _, in := range c.possibleAt(g, row) {
		if !c.asksAny(g.to, in.lanes) {
			continue
		}
		c.applied++
		res := c.take(in, row, nil, nil)
		if res.outcome == refused {
			continue
		}
		if res.outcome != stepped {
			c.fault(res)
			continue
		}
		if len(res.out) == 0 && bytes.Equal(res.row, row) {
			continue
		}
		for _, t := range c.successors(r, in, res) {
			c.finish(t, emit)
		}
	}
}

// possibleAt returns the instances of a group that are not refused in a row. Their guards may read
// what is foreseen, which is no part of the row; then it returns all.
func (c *searcher[S]) possibleAt(g *group[S], row []byte) []*instance[S] {
	if c.before != nil {
		return g.all
	}
	if ins, ok := g.possible[string(row)]; ok {
		return ins
	}
	var ins []*instance[S]
	c.place(row)
	for k := 0; k < len(g.all); k++ {
		k = c.firstEnabled(g.all, k)
		if k < len(g.all) {
			ins = append(ins, g.all[k])
		}
	}
	if len(g.possible) >= maxPossible {
		clear(g.possible)
	}
	g.possible[string(row)] = ins
	return ins
}

// hidden calls emit for a record right before a crash, and for each that hidden steps make of it,
// except for rows that were met.
func (c *searcher[S]) hidden(r record.Record, met map[string]bool, emit func(record.Record)) {
	void := c.void
	c.void = c.last
	defer func() { c.void = void }()
	var todo []record.Record
	add := func(row []byte) {
		if !met[string(row)] {
			t := slices.Clone(r)
			copy(t, row)
			met[string(row)] = true
			todo = append(todo, t)
		}
	}
	row := slices.Clone(r[:c.rowSize])
	avoid(row, c.last)
	add(row)
	for n := 0; n < len(todo) && !c.stopped(); n++ {
		emit(todo[n])
		for _, in := range c.hiddens {
			c.applied++
			if res := c.take(in, todo[n][:c.rowSize], nil, nil); res.outcome == stepped {
				add(res.row)
			}
		}
	}
}

// finish closes a successor and hands it on.
func (c *searcher[S]) finish(t record.Record, emit func(record.Record)) {
	c.close(t)
	emit(t)
}

// successors returns the records after a step; none where what it sends is not what was observed.
// There are several where a connection may have lost a message that is equal to an observed one.
// They are valid until the next call.
func (c *searcher[S]) successors(r record.Record, in *instance[S], res *result) []record.Record {
	c.after = c.after[:0]
	c.choose(r, in, res, 0, 0)
	return c.after
}

// choose adds the records after a step whose messages in lost are lost, and those in which further
// ones are, from the k-th on.
func (c *searcher[S]) choose(r record.Record, in *instance[S], res *result, lost uint64, k int) {
	c.either = 0
	if t := c.successor(r, in, res, lost); t != nil {
		c.after = append(c.after, t)
	}
	for either := c.either; k < min(len(res.out), 64); k++ {
		if either&(1<<k) != 0 {
			c.choose(r, in, res, lost|1<<k, k+1)
		}
	}
}

// successor returns the record after a step whose messages in lost are lost, nil where what it
// sends is not what was observed. It notes in either which of the others may be lost as well.
func (c *searcher[S]) successor(r record.Record, in *instance[S], res *result, lost uint64) record.Record {
	t := c.slab.Get()
	copy(t, r)
	copy(t, res.row)
	seen := false
	for k := range res.out {
		o := &res.out[k]
		l := c.peerOf[o.peer]*c.lanes + c.laneOf(kind(o.msg))
		lane, sent, queue := c.outs[l], c.Sent(t, l), c.queueOf(t, l)
		if lost&(1<<k) != 0 {
			continue
		}
		if !c.queued(t, l) && int(*sent) < lane.len() && lane.pos[*sent] <= c.visible {
			if c.same(o.msg, lane.at(*sent)) {
				if c.mayBeLost(t, l) {
					c.either |= 1 << k
				}
				if c.ordered && c.overtakes(t, l, lane.pos[*sent]) {
					c.barred = c.barred || l == c.expect && *sent == c.number
					c.slab.Release()
					return nil
				}
				*sent++
				seen = true
				continue
			}
			if c.goesMissing(t, l, o.msg) {
				continue
			}
			c.note(l, *sent, o.msg, in.name)
			if c.early != nil && (c.lenient || c.comes(lane, *sent+1, o.msg)) {
				*c.early |= 1 << l
			}
			c.slab.Release()
			return nil
		}
		switch {
		case c.lossy != nil && c.lossy(kind(o.msg)):
			c.slab.Release()
			return nil
		case c.lose:
		case c.goesMissing(t, l, o.msg):
		case c.doomed:
			if c.ordered && l%c.lanes < c.lanes-1 && !c.queued(t, l) {
				// one will do to say that nothing overtakes it
				any := make([]byte, c.msgSize)
				any[0] = kind(o.msg)
				*queue = c.queues.Push(*queue, any)
			}
		case !c.lenient || c.queues.Len(*queue) >= maxQueue:
			c.slab.Release()
			return nil
		default:
			*queue = c.queues.Push(*queue, c.padded(o.msg))
			c.pushed |= 1 << l
		}
	}
	if !c.sayable(t) {
		c.slab.Release()
		return nil
	}
	switch unseen := c.Shape.Unseen(t); {
	case seen && c.outstanding(t):
	case seen:
		*unseen = 0
	case !in.timeout:
	case (c.lose || len(res.out) == 0 || c.awaits(t)) && *unseen < c.unseen:
		*unseen++
	default:
		c.slab.Release()
		return nil
	}
	return t
}

// outstanding reports whether a message is produced that is not seen, in a stream whose connections
// may lose messages. Then a time-out that is not seen may be sent to one server, and lost to the
// others, again and again.
func (c *searcher[S]) outstanding(t record.Record) bool {
	if !slices.ContainsFunc(c.losses, func(at []int64) bool { return len(at) > 0 }) {
		return false
	}
	for l := range c.outs {
		if *c.queueOf(t, l) != 0 {
			return true
		}
	}
	return false
}

// awaits reports whether a message that is visible may come after all that is produced and not
// visible. Otherwise a time-out that shows nothing explains nothing.
func (c *searcher[S]) awaits(t record.Record) bool {
	for l, lane := range c.outs {
		if sent := *c.Sent(t, l); int(sent) < lane.len() && lane.pos[sent] <= c.visible && !c.queued(t, l) &&
			!(c.ordered && c.overtakes(t, l, lane.pos[sent])) {
			return true
		}
	}
	return false
}

// ask searches for a message of a lane, with lazy steps of it alone. Where there is no schedule,
// those of other lanes join in which something would come too early without them. Near a rest or an
// end, that may be a message that is never seen. A schedule may send a message that is not seen
// yet. A lazy step into the same lane may come before it, and the rest of the stream may show that.
// This matters if all schedules send such a message there: where one does not, it can come later.
func (c *searcher[S]) ask(lane int, from []record.Record, goal func(record.Record) bool) (found []record.Record, complete bool) {
	c.asked, c.also = lane, 0
	defer func() { c.asked, c.also, c.early = nobody, 0, nil }()
	c.pushed = 0
	if found, complete = c.search(from, goal); !c.lazies {
		return found, complete
	}
	for complete && len(found) > 0 {
		more := c.also | c.forced(found, c.pushed&c.lazyLanes&^(1<<lane))
		if more == c.also {
			return found, complete
		}
		c.also = more
		found, complete = c.search(from, goal)
	}
	for len(found) == 0 && complete {
		early := c.also
		c.early = &early
		if found, complete = c.search(from, goal); early == c.also {
			break
		}
		c.also = early
	}
	return found, complete
}

// forced returns those of some lanes into which all records have sent a message that is not seen
// yet.
func (c *searcher[S]) forced(rs []record.Record, lanes uint64) uint64 {
	for l := range c.outs {
		if lanes&(1<<l) != 0 && slices.ContainsFunc(rs, func(r record.Record) bool { return !c.queued(r, l) }) {
			lanes &^= 1 << l
		}
	}
	return lanes
}

// comes reports whether a message is among those of a lane that are visible, from the k-th on.
func (c *searcher[S]) comes(l *lane[S], k uint32, msg []byte) bool {
	for ; int(k) < l.len() && l.pos[k] <= c.visible; k++ {
		if c.same(msg, l.at(k)) {
			return true
		}
	}
	return false
}

// overtakes reports whether a message of lane l that was observed at position p has overtaken one
// of a lower lane on its connection.
func (c *searcher[S]) overtakes(t record.Record, l int, p int64) bool {
	for x := l - l%c.lanes; x < l; x++ {
		if sent := *c.Sent(t, x); c.queued(t, x) || sent > 0 && c.outs[x].pos[sent-1] > p {
			return true
		}
	}
	return false
}

// asksAny reports whether a message is asked for in some lanes to a server. A step that is not lazy
// needs none, and its server is -1.
func (c *searcher[S]) asksAny(to int, lanes uint64) bool {
	if to < 0 {
		return true
	}
	if c.asked < 0 {
		return c.asked == everybody
	}
	return lanes<<(c.peerOf[to]*c.lanes)&(c.also|1<<c.asked) != 0
}

// Whom a search asks for a message.
const (
	nobody    = -1
	everybody = -2
)

// sayable reports whether the node, in the state after the step that was taken last, can continue
// with the next messages that are visible.
func (c *searcher[S]) sayable(t record.Record) bool {
	if c.says == nil && c.sends == nil {
		return true
	}
	if c.stale {
		c.load(c.n, t[:c.rowSize])
	}
	for l, lane := range c.outs {
		sent := *c.Sent(t, l)
		if c.queued(t, l) || int(sent) >= lane.len() || lane.pos[sent] > c.visible {
			continue
		}
		msg, peer := lane.at(sent), c.peers[l/c.lanes]
		if c.says != nil && !c.says(c.n, c.me, peer, kind(msg)) || c.sends != nil && !c.sends(c.n, c.me, peer, unsafe.Pointer(&msg[0])) {
			return false
		}
	}
	return true
}

// maxQueue bounds what is produced and not observed, for each lane.
const maxQueue = 256

// padded returns a message with zero padding.
func (c *searcher[S]) padded(msg []byte) []byte {
	out := make([]byte, len(msg))
	for _, s := range c.netOf(msg).spans {
		copy(out[s.Offset:s.Offset+s.Size], msg[s.Offset:s.Offset+s.Size])
	}
	return out
}

// note keeps what was produced instead of the message that is asked for.
func (c *searcher[S]) note(l int, k uint32, msg []byte, action string) {
	if l != c.expect || k != c.number || len(c.met) >= maxAlternatives {
		return
	}
	p := c.padded(msg)
	for _, m := range c.met {
		if bytes.Equal(m.msg, p) {
			return
		}
	}
	c.met = append(c.met, mismatch{p, action})
}

// maxAlternatives bounds what an alarm lists.
const maxAlternatives = 8

// search explores breadth-first from some records, and returns the first records on each path that
// satisfy goal. They are valid until the next search. It reports whether all were explored.
func (c *searcher[S]) search(from []record.Record, goal func(record.Record) bool) (found []record.Record, complete bool) {
	clear(c.seen)
	c.next, c.all, c.queue = c.next[:0], c.all[:0], c.queue[:0]
	c.slab.Reset()
	add := func(t record.Record) {
		h := record.Hash(c.Key(t))
		head, ok := c.seen[h]
		if !ok {
			head = -1
		}
		for x := head; x >= 0; x = c.next[x] {
			if bytes.Equal(c.Key(c.all[x]), c.Key(t)) && (c.Within(t, c.all[x]) && !c.equals || bytes.Equal(c.all[x], t)) {
				return
			}
		}
		c.seen[h] = int32(len(c.all))
		c.all = append(c.all, t)
		c.next = append(c.next, head)
		if goal(t) {
			found = append(found, t)
		} else {
			c.queue = append(c.queue, t)
		}
	}
	for _, r := range from {
		t := c.slab.Get()
		copy(t, r)
		c.close(t)
		add(t)
	}
	n := 0
	for ; n < len(c.queue); n++ {
		if n >= c.budget || c.stopped() {
			c.explored += int64(n)
			return found, false
		}
		if c.sampled != nil {
			c.sampled(c.queue[n])
		}
		if c.enough {
			break
		}
		c.expand(c.queue[n], add)
	}
	c.explored += int64(n)
	c.explosion = max(c.explosion, n)
	if len(c.seen) > 64 { // clearing takes time for its largest size
		c.seen = map[uint64]int32{}
	}
	return found, true
}

// stopped reports whether the check was halted.
func (c *searcher[S]) stopped() bool {
	c.cut = c.cut || c.halted.Load()
	return c.cut
}

// reduce leaves an antichain of records: none is within another one, or reached by steps from one.
func (c *searcher[S]) reduce(rs []record.Record) []record.Record {
	if c.equals {
		return rs
	}
	mark := c.slab.Used
	hasty := c.hasty
	c.hasty = true
	defer func() { c.hasty = hasty }()
	return c.Antichain(rs, func(r record.Record, among []record.Record, emit func(record.Record)) {
		if c.stopped() {
			return // more records than needed are still right
		}
		lanes, spontaneous := uint64(math.MaxUint64), true
		if among != nil {
			lanes, spontaneous = c.towards(r, among)
			c.takeUpTo(r, among, lanes, emit)
		}
		c.expandBy(r, lanes, spontaneous, emit)
		c.slab.Used = mark
	})
}
