package refine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// Options are the tolerances and limits of a checker. Zero values are the defaults.
type Options struct {
	// Window is how many events beyond the one under check may be looked at and, with Total, within how many a message that was
	// produced must be observed: more than the largest batch. Default 1024.
	Window int
	// Within is how many events later a received message is processed at the latest. Default 4096.
	Within int
	// Budget is how many records one search explores. Default 100000.
	Budget int
	// History is how many committed entries of a log are kept. Default 65536.
	History int
	// Unseen is how many time-outs of which nothing is observed may come one after the other: before a crash, or where a time-out sends
	// nothing. Default 3.
	Unseen int
	// Total says that the incoming events are in the order in which the node took them.
	Total bool
	// Steps says, with Total, that the stream has the node's own steps, too: modules.Input.Own.
	Steps bool
	// Verify is after how many events derived facts are held against the states that there are; 0: never.
	Verify int
}

func (o Options) withDefaults() Options {
	set := func(x *int, to int) {
		if *x == 0 {
			*x = to
		}
	}
	set(&o.Window, 1024)
	set(&o.Within, 4096)
	set(&o.Budget, 100_000)
	set(&o.History, 65_536)
	set(&o.Unseen, 3)
	return o
}

// Checker checks one node's stream against a composition.
type Checker[S any] struct {
	searcher[S]
	Decoder *Decoder[S]
	Stats   Stats
	// Verified counts what Options.Verify asks for.
	Verified Verification

	opt          Options
	runtime      *modules.Runtime[S]
	names        modules.Names
	arena        *modules.Arena
	states       []record
	store        [2][]byte // of states, in turns
	events       []Event[S]
	first        int64 // position of events[0]
	done         int64 // events that are processed
	fed          int64 // events that are in the lanes
	folded       int   // entries that were left by the last folding
	patience     int64 // until which position nothing more is forced
	faultsBefore faults
	barriers     []int64 // positions of events behind which no window reaches
	cursor       []uint32
	recent       []Event[S]
	blind        string // why nothing can be said; "" while all is known
	partial      string // why an alarm could not be told from a limit
	alarm        *Alarm
}

// Stats count what a checker has done.
type Stats struct {
	Events    int64 `json:"events"`
	In        int64 `json:"in"`
	Out       int64 `json:"out"`
	Inputs    int64 `json:"inputs"`
	Restarts  int64 `json:"restarts"`
	Lost      int64 `json:"lost"`
	Decided   int64 `json:"decided"` // outgoing messages
	Undecided int64 `json:"undecided"`
	Searches  int64 `json:"searches"`
	Explored  int64 `json:"explored"`
	Steps     int64 `json:"steps"`
	Largest   int   `json:"largest_search"`
	States    int   `json:"states"`
	MostState int   `json:"most_states"`
	SumStates int64 `json:"sum_states"`
	Pending   int64 `json:"sum_pending"`
	Entries   int   `json:"log_entries"`
	// Causes are why outgoing messages are undecided.
	Causes []Interval `json:"undecided_intervals,omitempty"`
}

// Interval is a part of the stream in which nothing is decided.
type Interval struct {
	From  int64  `json:"from"` // position of an event, from 1
	To    int64  `json:"to"`
	Out   int64  `json:"out"` // undecided outgoing messages
	Cause string `json:"cause"`
}

// turn is held by who steps: Chains find their Arena in a variable of the process, so checkers of one process take turns.
var turn sync.Mutex

// enter makes a the Arena of all Chains until the returned function is called.
func enter(a *modules.Arena) (leave func()) {
	turn.Lock()
	before := modules.UseArena(a)
	return func() {
		modules.UseArena(before)
		turn.Unlock()
	}
}

// New makes a checker of node me, before the first event of its stream.
func New[S any](spec *Spec[S], me int, opt Options) (*Checker[S], error) {
	if opt.Steps && (!spec.Runtime.Steps || !opt.Total) {
		return nil, OptionsError("the node's own steps cannot be taken from the stream: this composition does not say how; the order total can be had")
	}
	arena := modules.NewArena()
	defer enter(arena)()
	n, err := newNode(spec, me, opt.Steps)
	if err != nil {
		return nil, err
	}
	c := &Checker[S]{opt: opt.withDefaults(), runtime: spec.Runtime, names: spec.Names, arena: arena, Decoder: newDecoder(n, spec.Enum)}
	lanes := max(spec.Runtime.Lanes, 1)
	ins := len(n.peers) + 1
	if opt.Total {
		ins = 1
	}
	c.searcher = searcher[S]{
		stepper: newStepper(n), shape: shapeOf(n.rowSize, len(n.peers)*lanes, ins), lanes: lanes, laneOf: spec.Runtime.Lane, ordered: spec.Runtime.Ordered,
		peerOf: make([]int, len(n.wires.Of)), queues: newLists(n.msgSize), avail: make([]uint32, ins), budget: c.opt.Budget, asked: nobody,
		unseen: uint32(c.opt.Unseen), seen: map[uint64]int32{}, expect: -1,
	}
	if c.laneOf == nil {
		c.laneOf = func(uint8) int { return 0 }
	}
	c.slab.size = c.size
	for range ins {
		c.ins = append(c.ins, &lane[S]{size: n.msgSize})
	}
	for range len(n.peers) * lanes {
		c.outs = append(c.outs, &lane[S]{size: n.msgSize})
	}
	for x, j := range n.peers {
		c.peerOf[j] = x
	}
	c.cursor = make([]uint32, len(c.outs))
	r := make(record, c.size)
	c.save(r, &n.base)
	c.keep([]record{r})
	return c, nil
}

// Cause is why something is undecided; "" while all is decided.
func (c *Checker[S]) Cause() string { return c.blind }

// Plan is what was derived of the composition.
func (c *Checker[S]) Plan() *Plan { return &c.plan }

// keep copies records into the checker's own store.
func (c *Checker[S]) keep(rs []record) {
	c.store[0], c.store[1] = c.store[1], c.store[0]
	b := c.store[0]
	if cap(b) < len(rs)*c.size {
		b = make([]byte, 0, 2*len(rs)*c.size)
	}
	b = b[:0]
	c.states = c.states[:0]
	for _, r := range rs {
		b = append(b, r...)
	}
	for k := range rs {
		c.states = append(c.states, b[k*c.size:(k+1)*c.size])
	}
	c.store[0] = b
	c.Stats.States = len(rs)
	c.Stats.MostState = max(c.Stats.MostState, len(rs))
}

// Add takes the next event of the stream. It does not process it: see Run.
func (c *Checker[S]) Add(e Event[S]) {
	if e.Kind == Restart || e.Kind == Lost || e.Kind == End {
		c.barriers = append(c.barriers, c.first+int64(len(c.events)))
	}
	c.events = append(c.events, e)
}

// Waiting is the number of events that are not processed.
func (c *Checker[S]) Waiting() int { return len(c.events) - int(c.done-c.first) }

// Run processes the events whose window is full, or all of them where flush says that the stream rests: what a node has sent is in
// it. It returns the alarm,
// nil while there is none. Behind an alarm nothing is decided until a restart whose state is known.
func (c *Checker[S]) Run(flush bool) *Alarm {
	defer enter(c.arena)()
	for c.Waiting() > 0 && (flush || c.Waiting() > c.opt.Window || c.barrier() < int64(c.opt.Window)) {
		c.step()
	}
	return c.alarm
}

// barrier is how many events further an event is behind which no window reaches: a crash, a loss, the end. It is the window's
// size where there is none.
func (c *Checker[S]) barrier() int64 {
	for len(c.barriers) > 0 && c.barriers[0] < c.done {
		c.barriers = c.barriers[1:]
	}
	if len(c.barriers) > 0 {
		return min(c.barriers[0]-c.done, int64(c.opt.Window))
	}
	return int64(c.opt.Window)
}

// reveal puts the events of the window into the lanes and returns the position of the last that may be looked at.
func (c *Checker[S]) reveal() (last int64, ends bool) {
	reach := c.barrier()
	last = c.done + reach
	ends = reach < int64(c.opt.Window)
	if end := c.first + int64(len(c.events)) - 1; last > end || last == end && !c.opt.Total {
		last, ends = end, true
	}
	for ; c.fed <= last; c.fed++ {
		e := &c.events[c.fed-c.first]
		switch e.Kind {
		case In:
			c.ins[c.inLane(e)].add(e.Msg, c.fed, e.Peer, nil)
		case Input:
			if e.Input == nil {
				continue
			}
			c.ins[len(c.ins)-1].add(make([]byte, c.msgSize), c.fed, -1, e.Input)
		case Out:
			c.outs[c.outLane(e)].add(e.Msg, c.fed, c.me, nil)
		}
	}
	return last, ends
}

func (c *Checker[S]) inLane(e *Event[S]) int {
	if c.opt.Total {
		return 0
	}
	return c.peerOf[e.Peer]
}

func (c *Checker[S]) outLane(e *Event[S]) int {
	return c.peerOf[e.Peer]*c.lanes + c.laneOf(kind(e.Msg))
}

// step processes one event.
func (c *Checker[S]) step() {
	last, ends := c.reveal()
	p := c.done
	e := &c.events[p-c.first]
	c.visible, c.lenient = last, ends
	c.Stats.Events++
	switch e.Kind {
	case In:
		c.Stats.In++
		c.avail[c.inLane(e)]++
	case Input:
		if e.Input != nil {
			c.Stats.Inputs++
			c.avail[len(c.avail)-1]++
		}
	case Out:
		c.Stats.Out++
		c.out(p, e)
	case Restart:
		c.Stats.Restarts++
		c.restarted(p, e)
	case Lost:
		c.Stats.Lost += e.Count
		c.goBlind(cmp.Or(e.Cause, fmt.Sprintf("the tap lost %d events", e.Count)))
	}
	c.remember(e)
	if c.opt.Verify > 0 && c.done%int64(c.opt.Verify) == 0 {
		for _, r := range c.states {
			c.verify(r)
		}
	}
	c.done++
	if c.done%foldEvery == 0 {
		c.fold()
	}
}

// goBlind makes the checker blind: what the node's state is, is not known any more.
func (c *Checker[S]) goBlind(cause string) {
	if c.blind == "" {
		c.blind = cause
		c.states = nil
	}
}

// out processes an outgoing message.
func (c *Checker[S]) out(p int64, e *Event[S]) {
	l := c.outLane(e)
	number := c.cursor[l]
	c.cursor[l]++
	if c.blind != "" {
		c.undecided(p, c.blind)
		return
	}
	if c.faultsBefore = c.faults; !c.reconcile() || len(c.states) == 0 {
		c.fail(p, nil)
		return
	}
	goal := func(r record) bool { return *c.sent(r, l) > number }
	if !slices.ContainsFunc(c.states, func(r record) bool { return !goal(r) }) {
		c.decided(p)
		return
	}
	before := c.copies()
	c.force(p)
	c.Stats.Searches++
	c.asked = e.Peer
	found, complete := c.search(c.states, goal)
	c.asked = nobody
	if !complete {
		c.partial = fmt.Sprintf("a search explored %d records and ended before it was complete", c.budget)
	}
	if len(found) == 0 {
		c.fail(p, before)
		return
	}
	c.keep(c.reduce(found))
	c.decided(p)
}

func (c *Checker[S]) copies() []record {
	var out []record
	for _, r := range c.states {
		out = append(out, slices.Clone(r))
	}
	return out
}

func (c *Checker[S]) decided(p int64) {
	c.Stats.Decided++
	c.Stats.SumStates += int64(len(c.states))
	if len(c.states) > 0 {
		r := c.states[0]
		for l := range c.avail {
			c.Stats.Pending += int64(c.avail[l] - *c.high(r, l))
		}
	}
}

func (c *Checker[S]) undecided(p int64, cause string) {
	c.Stats.Undecided++
	p++ // events are counted from 1
	if k := len(c.Stats.Causes) - 1; k >= 0 && c.Stats.Causes[k].Cause == cause {
		c.Stats.Causes[k].To = p
		c.Stats.Causes[k].Out++
		return
	}
	if len(c.Stats.Causes) < maxIntervals {
		c.Stats.Causes = append(c.Stats.Causes, Interval{p, p, 1, cause})
	}
}

// maxIntervals bounds how many intervals are listed.
const maxIntervals = 1000

// reconcile holds what was produced and not observed against what is visible by now. It reports whether a state is left.
func (c *Checker[S]) reconcile() bool {
	left := c.states[:0]
	for _, r := range c.states {
		if c.agrees(r) {
			left = append(left, r)
		}
	}
	c.states = left
	return len(left) > 0
}

func (c *Checker[S]) agrees(r record) bool {
	for l := range c.outs {
		sent, queue := c.sent(r, l), c.shape.queue(r, l)
		for *queue != 0 && int(*sent) < c.outs[l].len() && c.outs[l].pos[*sent] <= c.visible {
			if !c.same(c.queues.first(*queue), c.outs[l].at(*sent)) {
				return false
			}
			*queue = c.queues.pop(*queue)
			*sent++
		}
	}
	return true
}

// force makes states consume what was received more than Within events ago.
func (c *Checker[S]) force(p int64) {
	old := p - int64(c.opt.Within)
	if old <= 0 || p < c.patience {
		return
	}
	late := func(r record) bool {
		for l := range c.ins {
			k := c.ins[l].before(old)
			if *c.high(r, l) < k {
				return true
			}
			*c.low(r, l) = max(*c.low(r, l), k)
		}
		return false
	}
	if !slices.ContainsFunc(c.states, late) {
		return
	}
	found, _ := c.search(c.states, func(r record) bool { return !late(r) })
	if len(found) == 0 {
		c.patience = p + int64(c.opt.Within)/2
		return
	}
	c.keep(c.reduce(found))
}

// restarted processes a crash: whatever the node did before that nobody saw is possible, what it had received and not processed is
// lost, and it goes on from what it had kept.
func (c *Checker[S]) restarted(p int64, e *Event[S]) {
	if c.restart == nil {
		c.goBlind("the node restarted, and the composition has no restart")
		return
	}
	defer func() {
		for l := range c.ins {
			c.avail[l] = c.ins[l].before(p)
		}
	}()
	if c.blind != "" && e.State != nil {
		c.resume(p, e)
		return
	}
	if c.blind == "" {
		c.visible, c.lose, c.lenient = p, true, false
		all := map[string]record{}
		var order []string
		for _, r := range c.states {
			for l := range c.outs {
				*c.shape.queue(r, l) = 0
			}
		}
		_, complete := c.search(c.states, func(r record) bool {
			if c.visibleDone(r, p) && c.toldDone(r, p) {
				if t := c.again(r, p, e); t != nil && all[string(t)] == nil {
					all[string(t)] = t
					order = append(order, string(t))
				}
			}
			return false
		})
		c.lose = false
		if !complete {
			c.partial = "a crash could have come in more states than were explored"
		}
		var states []record
		for _, k := range order {
			states = append(states, all[k])
		}
		c.keep(states)
		if len(states) == 0 {
			c.goBlind("no state explains the node's restart")
		}
	}
}

// resume ends a blindness: the node starts from what it has kept, all of which the event tells.
func (c *Checker[S]) resume(p int64, e *Event[S]) {
	*c.s = c.base
	e.State(c.s)
	r := make(record, c.size)
	c.save(r, c.s)
	*c.s = c.base
	for l := range c.outs {
		*c.sent(r, l) = c.cursor[l]
	}
	known := Event[S]{State: nil}
	if t := c.again(r, p, &known); t != nil {
		c.blind, c.partial, c.alarm = "", "", nil
		c.keep([]record{t})
	}
}

// visibleDone reports whether all that was observed before p is produced.
func (c *Checker[S]) visibleDone(r record, p int64) bool {
	for l := range c.outs {
		if *c.sent(r, l) != c.outs[l].before(p) {
			return false
		}
	}
	return true
}

// toldDone reports whether all that the stream says the node has done before p is taken.
func (c *Checker[S]) toldDone(r record, p int64) bool {
	for l := range c.ins {
		for k := c.ins[l].before(p); k > *c.high(r, l); k-- {
			if in := c.ins[l].in[k-1]; in != nil && in.instance.done {
				return false
			}
		}
	}
	return true
}

// again is the record behind a restart.
func (c *Checker[S]) again(r record, p int64, e *Event[S]) record {
	row := slices.Clone(r[:c.rowSize])
	res := c.take(c.restartInstance(), row, nil, nil)
	if res.outcome != stepped {
		c.fault(res)
		return nil
	}
	t := slices.Clone(r)
	copy(t, res.row)
	if e.State != nil && !c.knows(t, e) {
		return nil
	}
	*c.shape.unseen(t) = 0
	for l := range c.ins {
		k := c.ins[l].before(p)
		*c.low(t, l), *c.high(t, l) = k, k
	}
	for l := range c.outs {
		*c.shape.queue(t, l) = 0
	}
	return t
}

func (c *Checker[S]) restartInstance() *instance[S] { return c.node.restart }

// knows reports whether a state agrees with what an event knows of it.
func (c *Checker[S]) knows(r record, e *Event[S]) bool {
	a, b := new(S), new(S)
	*a = c.base
	c.load(a, r[:c.rowSize])
	*b = *a
	e.State(b)
	x := make([]byte, c.rowSize)
	c.save(x, b)
	return bytes.Equal(x, r[:c.rowSize])
}

const foldEvery = 4096

// fold forgets what all states have behind them.
func (c *Checker[S]) fold() {
	if len(c.states) == 0 {
		c.forget(c.done)
		return
	}
	for l := range c.ins {
		low := *c.low(c.states[0], l)
		for _, r := range c.states {
			low = min(low, *c.low(r, l))
		}
		for _, r := range c.states {
			*c.low(r, l) -= low
			*c.high(r, l) -= low
		}
		c.ins[l].drop(int(low))
		c.avail[l] -= low
	}
	for l := range c.outs {
		low := c.cursor[l]
		for _, r := range c.states {
			low = min(low, *c.sent(r, l))
		}
		for _, r := range c.states {
			*c.sent(r, l) -= low
		}
		c.outs[l].drop(int(low))
		c.cursor[l] -= low
	}
	c.forget(c.done)
	c.foldLogs()
	c.foldQueues()
}

// forget drops the events before position p.
func (c *Checker[S]) forget(p int64) {
	k := int(p - c.first)
	c.events = append(c.events[:0], c.events[k:]...)
	c.first = p
}

// foldLogs forgets committed entries beyond History.
func (c *Checker[S]) foldLogs() {
	if len(c.chains) == 0 || c.arena.Nodes() < 2*c.opt.History && c.arena.Nodes() < 4*c.folded {
		return
	}
	base := ^uint64(0)
	for _, r := range c.states {
		*c.s = c.base
		c.load(c.s, r[:c.rowSize])
		if c.runtime.Committed != nil {
			base = min(base, c.runtime.Committed(c.s, c.me))
		}
	}
	*c.s = c.base
	if base == ^uint64(0) || base < uint64(c.opt.History) {
		base = uint64(c.opt.History)
	}
	var roots []modules.Root
	for _, r := range c.states {
		for _, at := range c.chains {
			root := modules.Root{Node: word(r, at.node), Base: base - uint64(c.opt.History)}
			if at.taken >= 0 {
				root.Base = uint64(*word(r, at.taken))
			}
			roots = append(roots, root)
		}
	}
	c.arena.Fold(roots)
	c.folded = c.arena.Nodes()
	c.Stats.Entries = c.folded
}

// foldQueues forgets lists of messages that no state has.
func (c *Checker[S]) foldQueues() {
	if len(c.queues.bytes) < 1<<12 {
		return
	}
	old := c.queues
	c.queues = newLists(c.msgSize)
	for _, r := range c.states {
		for l := range c.outs {
			q := c.shape.queue(r, l)
			*q = c.queues.of(old.bytes[*q])
		}
	}
}

// remember keeps the last events for an alarm.
func (c *Checker[S]) remember(e *Event[S]) {
	if len(c.recent) >= 2*maxRecent {
		c.recent = append(c.recent[:0], c.recent[maxRecent:]...)
	}
	c.recent = append(c.recent, *e)
}

// maxRecent is how many events an alarm shows.
const maxRecent = 32

// Finish counts what is left and returns the final statistics.
func (c *Checker[S]) Finish() Stats {
	c.Stats.Explored, c.Stats.Steps, c.Stats.Largest, c.Stats.Entries = c.explored, c.applied, c.explosion, c.arena.Nodes()
	return c.Stats
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(&b[0]) }
