package refine

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/refine/internal/record"
	"github.com/multigrain/multigrain/checker/internal/refine/internal/shown"
	"github.com/multigrain/multigrain/modules"
)

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
	states       []record.Record
	store        [2][]byte // of states, in turns
	events       []Event[S]
	first        int64 // position of events[0]
	done         int64 // events that are processed
	fed          int64 // events that are in the lanes
	folded       int   // entries that were left by the last folding
	usedBefore   int64 // elements of the arena that were used before the stream
	patience     int64 // until which position nothing more is forced
	faultsBefore faults
	clashes      []clash // of the last reconcile
	barriers     []int64 // positions of events after which no window reaches
	cursor       []uint32
	recent       []Event[S]
	given        []given // by number of the promise
	blind        string  // why nothing can be stated; "" while all is known
	partial      string  // why an alarm could have been a limit's fault
	shows        shown.Stream
	alarm        *Alarm
	part         part[S]
	mark         *mark[S] // before the first event whose check later ones may correct; may be nil
	returns      int64    // to a mark
	resting      bool     // the window of the event under check is not full, since the stream rests
	samples      int64
	values       []modules.Span  // of a State
	tried        map[string]bool // states at which declarations were tried
}

// turn is held by who steps: Chains find their Arena in a variable of the process, so checkers of
// one process take turns.
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

// New makes a checker of node me, from 0, before the first event of its stream. It returns an
// OptionsError for a node that does not exist, or options that make no sense for the composition.
// Other errors say what the specification lacks for running next to a node.
func New[S any](spec *Spec[S], me int, opt Options) (*Checker[S], error) {
	if opt.Steps && (!spec.Runtime.Steps || !opt.Total) {
		return nil, OptionsError("the node's own steps cannot be taken from the stream: this composition does not say how; the order total can be had")
	}
	arena := modules.NewArena()
	defer enter(arena)()
	n, err := newNode(spec, me, opt)
	if err != nil {
		return nil, err
	}
	c := newChecker(n, spec.Runtime, spec.Names, opt, arena)
	c.Decoder = newDecoder(n, spec.Enum)
	c.Decoder.settings = opt.Settings
	c.Decoder.arena = func() *modules.Arena { return c.arena }
	return c, nil
}

// Fresh makes a checker of the same node before the first event of another stream. It shares what
// was derived with c, and c cannot be used any more. What steps lead to is remembered from stream
// to stream, except where Options.Verify compares it with the state.
func (c *Checker[S]) Fresh() *Checker[S] {
	arena, steps := c.arena, c.memo
	if steps == nil && c.opt.Verify == 0 {
		steps = newMemo[S]()
	}
	if arena.Nodes() > mostNodes || steps == nil {
		arena = modules.NewArena()
	}
	defer enter(arena)()
	if arena != c.arena {
		c.forgetPossible()
		c.forgetSteps()
	}
	f := newChecker(c.node, c.runtime, c.names, c.opt, arena)
	f.clean = false // c may have ended within a step
	f.memo = steps
	f.Decoder = c.Decoder
	f.Decoder.arena = func() *modules.Arena { return f.arena }
	return f
}

// newChecker makes a checker without a Decoder.
func newChecker[S any](n *node[S], runtime *modules.Runtime[S], names modules.Names, opt Options, arena *modules.Arena) *Checker[S] {
	c := &Checker[S]{opt: opt.withDefaults(), runtime: runtime, names: names, arena: arena, usedBefore: arena.Used()}
	lanes := max(runtime.Lanes, 1)
	ins := len(n.peers)*len(n.nets)*n.arrivals + 1
	if opt.Total {
		ins = 1
	}
	c.searcher = searcher[S]{
		stepper: newStepper(n), Shape: record.ShapeOf(n.rowSize, len(n.peers)*lanes, ins), lanes: lanes, laneOf: runtime.Lane, ordered: runtime.Ordered, lossy: runtime.Lossy,
		elided: runtime.Elided, losses: make([][]int64, len(n.peers)), arrival: runtime.Arrival,
		peerOf: make([]int, n.servers), queues: record.NewLists(n.msgSize), avail: make([]uint32, ins), ended: make([][]int64, ins), budget: c.opt.Budget, asked: nobody,
		unseen: uint32(c.opt.Unseen), seen: map[uint64]int32{}, expect: -1, equals: c.opt.NoDomination, late: c.opt.NoAsap, total: c.opt.Total,
	}
	if c.laneOf == nil {
		c.laneOf = func(uint8) int { return 0 }
	}
	if c.arrival == nil {
		c.arrival = func(uint8) int { return 0 }
	}
	if c.opt.Verify > 0 {
		c.sampled, c.values = c.sample, modules.Spans(reflect.TypeFor[S]())
	}
	c.slab.Size = c.Size
	if n.foresee != nil {
		c.before = c.foreseen
		c.ahead.of, c.ahead.state, c.ahead.spans = n.foresee, new(S), n.foresees
		*c.ahead.state = n.base
	}
	for range ins {
		c.ins = append(c.ins, &lane[S]{size: n.msgSize, last: -1})
	}
	for range len(n.peers) * lanes {
		c.outs = append(c.outs, &lane[S]{size: n.msgSize, last: -1})
	}
	for x, j := range n.peers {
		c.peerOf[j] = x
	}
	for x := range n.spontaneous {
		if in := &n.spontaneous[x]; in.lazy {
			c.lazyLanes |= in.lanes << (c.peerOf[in.to] * c.lanes)
		}
	}
	c.cursor = make([]uint32, len(c.outs))
	c.given = make([]given, len(runtime.Promises))
	c.shows.Heard = make([]bool, len(n.nets))
	r := make(record.Record, c.Size)
	c.save(r, &n.base)
	c.keep([]record.Record{r})
	return c
}

// Cause returns why something is undecided; "" while all is decided.
func (c *Checker[S]) Cause() string { return c.blind }

// Plan returns what was derived of the composition.
func (c *Checker[S]) Plan() *Plan { return &c.plan }

// keep copies records into the checker's own store.
func (c *Checker[S]) keep(rs []record.Record) {
	c.store[0], c.store[1] = c.store[1], c.store[0]
	b := c.store[0]
	if cap(b) < len(rs)*c.Size {
		b = make([]byte, 0, 2*len(rs)*c.Size)
	}
	b = b[:0]
	c.states = c.states[:0]
	for _, r := range rs {
		b = append(b, r...)
	}
	for k := range rs {
		c.states = append(c.states, b[k*c.Size:(k+1)*c.Size])
	}
	c.store[0] = b
	c.Stats.States = len(rs)
	c.Stats.MostState = max(c.Stats.MostState, len(rs))
}

// Add takes the next event of the stream. It does not process it: see Run.
func (c *Checker[S]) Add(e Event[S]) {
	if e.bounds() {
		c.barriers = append(c.barriers, c.first+int64(len(c.events)))
	}
	c.hear(&e)
	c.events = append(c.events, e)
}

// hear notes what an event that is read says about what the stream shows.
func (c *Checker[S]) hear(e *Event[S]) {
	switch {
	case e.Kind == In || e.Kind == Out:
		c.shows.Message(int(c.netAt[kind(e.Msg)]), kind(e.Msg), e.Kind == Out)
	case e.Kind == Input && e.Input != nil && e.Input.instance.about >= 0:
		c.shows.Heard[e.Input.instance.about] = true
	case e.Kind == LeftOut:
		c.shows.Other(e.Network)
	case e.Kind == Header:
		c.shows.State(&c.compares, e.header, e.line)
	}
}

// Waiting returns the number of events that are not processed.
func (c *Checker[S]) Waiting() int { return len(c.events) - int(c.done-c.first) }

// Run processes the events whose window is full, or all of them if flush says that the stream
// rests: the stream then has all that the node has sent. If it had not, the events since the rest
// are checked again before anything is an alarm. Run stops at each new alarm and returns the last
// one, so the caller calls it until it returns no new one. After an alarm nothing is decided until
// a restart whose state is known.
func (c *Checker[S]) Run(flush bool) *Alarm {
	defer enter(c.arena)()
	last := c.alarm
	for c.alarm == last && !c.halted.Load() && c.Waiting() > 0 && (flush || c.Waiting() > c.opt.Window || c.barrier() < int64(c.opt.Window)) {
		c.step(flush)
	}
	return c.alarm
}

// Halt makes Run return soon, also from within a search. The event under check then counts as not
// processed. The checker can be asked for its statistics afterwards, and for nothing else. Halt may
// be called from another goroutine.
func (c *Checker[S]) Halt() { c.halted.Store(true) }

// Torn reports whether Halt came within an event: the checker's state is then that of no event.
func (c *Checker[S]) Torn() bool { return c.cut }

// Processed returns the number of events of the stream that are checked.
func (c *Checker[S]) Processed() int64 { return c.done }

// barrier returns the distance in events to the next event that no window crosses: a crash, a loss
// or the end. Without one it returns the window's size.
func (c *Checker[S]) barrier() int64 {
	for len(c.barriers) > 0 && c.barriers[0] < c.done {
		c.barriers = c.barriers[1:]
	}
	if len(c.barriers) > 0 {
		return min(c.barriers[0]-c.done, int64(c.opt.Window))
	}
	return int64(c.opt.Window)
}

// reveal puts the events of the window into the lanes and says what may be looked at.
func (c *Checker[S]) reveal() {
	reach := c.barrier()
	last := c.done + reach
	c.lenient = reach < int64(c.opt.Window)
	c.doomed = c.lenient && c.events[last-c.first].Kind != End // a stream that ends may continue
	if end := c.first + int64(len(c.events)) - 1; last > end || last == end && !c.opt.Total {
		last, c.lenient = end, true
	}
	if c.opt.NoAhead {
		last, c.lenient, c.doomed = c.done, true, false
	}
	c.visible = last
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
			c.breaks(e.Input, c.fed)
			if c.runtime.Early {
				c.avail[len(c.avail)-1]++
			}
		case Out:
			if e.Stream >= 0 {
				c.losesAt(e.Peer, c.fed)
				continue
			}
			c.outs[c.outLane(e)].add(e.Msg, c.fed, c.me, nil)
		}
	}
}

// unordered is why a message of another stream than its kind's is undecided.
const unordered = "a message was sent by a stream that keeps no order with the others of its kind"

func (c *Checker[S]) inLane(e *Event[S]) int {
	if c.opt.Total {
		return 0
	}
	k := kind(e.Msg)
	if e.Stream >= 0 {
		return (c.peerOf[e.Peer]*len(c.nets)+int(c.netAt[k]))*c.arrivals + e.Stream
	}
	return (c.peerOf[e.Peer]*len(c.nets)+int(c.netAt[k]))*c.arrivals + c.arrival(k)
}

func (c *Checker[S]) outLane(e *Event[S]) int {
	return c.peerOf[e.Peer]*c.lanes + c.laneOf(kind(e.Msg))
}

// step processes one event, or goes back to the mark.
func (c *Checker[S]) step(flush bool) {
	if c.resting = flush && !c.opt.NoAhead && c.rests(); c.resting && c.mark == nil && c.blind == "" {
		c.mark = c.here()
	}
	c.reveal()
	p, before, last, blind := c.done, c.Stats, c.alarm, c.blind
	e := &c.events[p-c.first]
	c.Stats.Events++
	switch e.Kind {
	case In:
		c.Stats.In++
		c.avail[c.inLane(e)]++
	case Input:
		if e.Input != nil {
			c.Stats.Inputs++
			if !c.runtime.Early {
				c.avail[len(c.avail)-1]++
			}
			c.end(e.Input, p)
		}
	case Out:
		c.Stats.Out++
		c.promise(p, e)
		if e.Stream >= 0 {
			c.undecided(p, cmp.Or(c.blind, unordered))
			break
		}
		c.out(p, e)
	case Restart:
		c.Stats.Restarts++
		c.restarted(p, e)
	case Lost:
		c.Stats.Lost += e.Count
		c.goBlind(cmp.Or(e.Cause, fmt.Sprintf("the tap lost %d events", e.Count)))
	case LeftOut:
		c.Stats.leaveOut(e.Network)
	case Begin:
		c.begin(e)
	}
	if c.cut && c.alarm == last {
		c.Stats = before
		return
	}
	on := c.occasion(last, before.Unexplained, blind)
	if on != "" && c.goBack(last) {
		return
	}
	c.remember(e)
	c.part.add(c, e, on)
	if c.sampled != nil {
		for _, r := range c.states {
			c.sample(r)
		}
	}
	c.done++
	if c.blind != "" {
		c.mark = nil
	}
	if c.done%foldEvery == 0 && !c.goBack(c.alarm) {
		c.fold()
	}
}

// occasion returns why finer grains should judge the stream up to the event under check again. The
// parameters are the checker's last alarm, unexplained restarts and blindness before the event.
func (c *Checker[S]) occasion(alarm *Alarm, unexplained int64, blind string) Occasion {
	switch e := &c.events[c.done-c.first]; {
	case c.alarm != alarm:
		return OnAlarm
	case c.Stats.Unexplained > unexplained || blind == "" && c.blind != "" && e.Kind != Lost:
		return OnUndecided
	}
	return ""
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
	goal := func(r record.Record) bool { return *c.Sent(r, l) > number }
	if !slices.ContainsFunc(c.states, func(r record.Record) bool { return !goal(r) }) {
		c.decided(p)
		return
	}
	before := c.copies()
	c.age(p)
	c.Stats.Searches++
	found, complete := c.ask(l, c.states, goal)
	if c.cut {
		return
	}
	if !complete {
		c.partial = fmt.Sprintf("a search explored %d records and ended before it was complete", c.budget)
	}
	if len(found) == 0 && complete && c.resting {
		if found = c.askMore(l, goal); c.cut {
			return
		}
	}
	if len(found) == 0 {
		c.fail(p, before)
		return
	}
	c.keep(c.reduce(found))
	c.decided(p)
	c.force(p)
}

func (c *Checker[S]) copies() []record.Record {
	var out []record.Record
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
			c.Stats.Pending += int64(c.avail[l] - *c.High(r, l))
		}
	}
}

func (c *Checker[S]) undecided(p int64, cause string) {
	c.Stats.Undecided++
	c.undecidedAt(p, cause, 1)
}

// undecidedAt notes why n outgoing messages at event p are undecided.
func (c *Checker[S]) undecidedAt(p int64, cause string, n int64) {
	p++ // events are counted from 1
	if k := len(c.Stats.Causes) - 1; k >= 0 && c.Stats.Causes[k].Cause == cause {
		c.Stats.Causes[k].To = p
		c.Stats.Causes[k].Out += n
		return
	}
	if len(c.Stats.Causes) < maxIntervals {
		c.Stats.Causes = append(c.Stats.Causes, Interval{p, p, n, cause})
	}
}

// maxIntervals bounds how many intervals are listed.
const maxIntervals = 1000

// reconcile compares what was produced and not observed with what is visible by now. It reports
// whether a state is left.
func (c *Checker[S]) reconcile() bool {
	c.clashes = c.clashes[:0]
	left := c.states[:0]
	for _, r := range c.states {
		if c.agrees(r) {
			left = append(left, r)
		}
	}
	c.states = left
	return len(left) > 0
}

func (c *Checker[S]) agrees(r record.Record) bool {
	for {
		l, at := c.nextQueued(r)
		if l < 0 {
			return true
		}
		sent, queue := c.Sent(r, l), c.queueOf(r, l)
		if c.ordered && c.behindLower(*queue, at) {
			return false
		}
		if first := c.queues.At(*queue, at); !c.same(first, c.outs[l].at(*sent)) {
			c.clashed(c.outs[l].pos[*sent], first)
			c.guessed(first, c.outs[l].at(*sent))
			if !c.mayBeLost(r, l) {
				return false
			}
			*queue = c.queues.Remove(*queue, at)
			continue
		}
		*queue = c.queues.Remove(*queue, at)
		*sent++
	}
}

// age takes out of the intervals what was received more than Within events ago: it has changed
// nothing, and is not taken later.
func (c *Checker[S]) age(p int64) {
	old := p - int64(c.opt.Within)
	if old <= 0 {
		return
	}
	for l := range c.ins {
		k := c.ins[l].before(old)
		for _, r := range c.states {
			if *c.High(r, l) >= k {
				*c.Low(r, l) = max(*c.Low(r, l), k)
			}
		}
	}
}

// force makes states take what waits before mostWaiting later messages of its lane, so that these
// need not be kept. A state that takes it later is lost, so what cannot be explained from here on
// may be the fault of that. The search does not examine messages after the one under check, which
// may be explained with many states.
func (c *Checker[S]) force(p int64) {
	late := func(r record.Record) bool {
		for l := range c.ins {
			if c.avail[l]-*c.High(r, l) > mostWaiting {
				return true
			}
		}
		return false
	}
	if p < c.patience || !slices.ContainsFunc(c.states, late) {
		return
	}
	visible, lenient, doomed := c.visible, c.lenient, c.doomed
	c.visible, c.lenient, c.doomed, c.hasty = p, false, false, true
	found, _ := c.search(c.states, func(r record.Record) bool { return !late(r) })
	c.visible, c.lenient, c.doomed, c.hasty = visible, lenient, doomed, false
	if len(found) == 0 {
		c.patience = p + mostWaiting/2
		return
	}
	c.partial = fmt.Sprintf("a received message may have waited while %d later ones came", mostWaiting)
	c.keep(c.reduce(found))
}

// mostWaiting is how many received messages of a lane wait for one before them at most.
const mostWaiting = 1 << 14

// remember keeps the last events for an alarm.
func (c *Checker[S]) remember(e *Event[S]) {
	if e.Kind == LeftOut || e.Kind == Header {
		return
	}
	if len(c.recent) >= 2*maxRecent {
		c.recent = append(c.recent[:0], c.recent[maxRecent:]...)
	}
	c.recent = append(c.recent, *e)
}

// maxRecent is how many events an alarm shows.
const maxRecent = 32

// Finish returns the statistics of the whole stream. Call it after the last Run.
func (c *Checker[S]) Finish() Stats {
	c.Stats.Explored, c.Stats.Steps, c.Stats.Largest, c.Stats.Entries = c.explored, c.applied, c.explosion, c.arena.Nodes()
	c.Stats.Elements, c.Stats.Returns = c.arena.Used()-c.usedBefore, c.returns
	return c.Stats
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(&b[0]) }
