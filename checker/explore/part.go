package explore

import (
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/exchange"
)

// part is one part of a search that several processes share. Fingerprints decide which
// part owns a node: its owner has it in its visited set, judges it, and expands it.
//
// Why it is right. A part expands its nodes of a level as a search alone does. It keeps successors
// of its own, and sends the others to their owners. An owner treats a node that it is sent as one
// that it found. Frames of one part to another keep their order, and the last one of a level says
// that it ends. So when a part has the last frame of all others, it has all of its nodes of the
// next level. The first part, the leader, begins a level when all parts have reported the one
// before. So levels are distances, as in a search alone, and what a part sleeps or judges by is the
// same in all of them (agreement).
//
// What it costs. A batch of 64 KiB for about a thousand successors of other parts. Successors that
// were sent lately are not sent again.
//
// Example. Two parts; p owns a and c, q owns b:
//
//	p   expands i: keeps a, sends b | end | expands a: keeps c        | end
//	q              has b            | end | expands b: sends c to p   | end
//	                                               c is known to p
type part[T any] struct {
	run         *run[T]
	post        *exchange.Post
	index, many int
	taken       []uint32 // see Part.Taken

	level     int // that is expanded, or comes next
	expanding bool
	out       []parcels[T]     // by part
	away      []leaving        // successors of other parts that are not yet in a batch
	queue     []outgoing       // batches that wait for credits
	frames    [][]byte         // of batches that were sent, to be filled again
	recent    []store.Entry    // nodes that were sent lately, by a part of their fingerprints
	touched   uint64           // see sendAway
	mergers   []*worker[T]     // by part: what takes its nodes
	ended     []bool           // by part: all of its nodes of this level are here
	held      []exchange.Frame // of the next level
	replies   [][]byte         // answers to questions of this part
	agreed    agreement
	fresh     int64 // nodes that were found in the level that has ended
	most      int64 // nodes of all parts, at most; 0: no limit
	told      bool  // the leader, or as the leader all parts, know that the search ends

	finishing, over bool // the leader asked for totals; and let this part end
	reports         []*levelReport
	groups          [][]savedGroup // of the leader, by part
	last            []*partTotals  // of the leader, by part
	beats           []beatCounts   // of the leader, by part: see counted
	err             error
}

// Part makes a run one part of a search, with a post to the others. Part 0 is the leader, and its
// result is that of the search. Fingerprints have 96 bits then. Limits on memory, checkpoints and
// Nearest are not possible.
type Part struct {
	Index, Count int
	Link         exchange.Link
	// Taken are the branches that the program notes, as checker.Branches.Taken; nil: it notes none.
	// Those of the leader get what all parts noted.
	Taken []uint32
}

// Kinds of frames between parts.
const (
	framePruned   = exchange.Others + iota // nodes to which pruned steps lead: see expectation
	frameEnd                               // all nodes of a level were sent
	frameReport                            // to the leader: levelReport
	frameGo                                // from the leader: agreement
	frameHalt                              // to the leader: why the search must end
	frameStop                              // from the leader: why the search ends
	frameFinish                            // from the leader: totals are asked for
	frameGroup                             // to the leader: savedGroup, before the totals
	frameTotals                            // to the leader: partTotals
	frameQuestion                          // how a node was reached, or whether one is known
	frameAnswer
	frameBye // from the leader: nothing is asked any more
)

const (
	// parcelBytes is the size of a batch, recentNodes the number of nodes that are remembered as
	// sent, and mostQueued how many batches may wait for credits.
	parcelBytes = 64 << 10
	recentNodes = 1 << 16
	mostQueued  = 8
	// verifyEvery: of one node of so many that are sent, the fingerprint is computed again.
	verifyEvery = 64
)

// parcels has what is sent to one part.
type parcels[T any] struct {
	nodes  store.Parcel[T]
	pruned []byte
}

// outgoing is a batch that waits for a credit.
type outgoing struct {
	to    int
	frame []byte
}

func newPart[T any](r *run[T], of *Part) *part[T] {
	p := &part[T]{
		run: r, index: of.Index, many: of.Count, taken: of.Taken, out: make([]parcels[T], of.Count), recent: make([]store.Entry, recentNodes),
		mergers: make([]*worker[T], of.Count), ended: make([]bool, of.Count), most: r.opt.MaxStates, groups: make([][]savedGroup, of.Count),
		reports: make([]*levelReport, of.Count), last: make([]*partTotals, of.Count), beats: make([]beatCounts, of.Count),
	}
	for k := range of.Count {
		if k != p.index {
			p.mergers[k] = newWorker(r, len(r.workers))
			r.workers = append(r.workers, p.mergers[k])
		}
	}
	return p
}

// ownerOf returns the part that owns a node. The table places nodes by other bits.
func (p *part[T]) ownerOf(more uint32) int { return int(uint64(more) * uint64(p.many) >> 32) }

// refOf returns the number of a node of a part as other parts know it.
func refOf(part int, number int64) int64 { return int64(part+1)<<refShift | number }

// owned takes a number apart: the part, and its own number of the node. A node without a part is
// one of this part.
func (p *part[T]) owned(ref int64) (part int, number int64) {
	if ref>>refShift == 0 {
		return p.index, ref
	}
	return int(ref>>refShift) - 1, ref & (1<<refShift - 1)
}

const refShift = 44

// leaving is a successor that another part owns.
type leaving struct {
	k  int // its position in the worker's output
	to int
	store.Entry
}

// leaves reports whether the k-th successor of a worker belongs to another part. If so, sendAway
// sends it.
func (p *part[T]) leaves(k int, e store.Entry) bool {
	to := p.ownerOf(e.More)
	if to == p.index {
		return false
	}
	p.away = append(p.away, leaving{k, to, e})
	return true
}

// sendAway sends the successors of a worker that leave to their owners. Memory brings their places
// in recent at the same time, since each is touched before any is needed.
func (p *part[T]) sendAway(w *worker[T]) {
	for _, s := range p.away {
		p.touched ^= p.recent[s.Hash%recentNodes].Hash
	}
	for _, s := range p.away {
		p.put(w, s)
	}
	p.away = p.away[:0]
}

// put sends a successor to its owner, unless it was sent lately.
func (p *part[T]) put(w *worker[T], s leaving) {
	seen := &p.recent[s.Hash%recentNodes]
	if *seen == s.Entry {
		return
	}
	*seen = s.Entry
	o := &p.out[s.to].nodes
	if o.Nodes == 0 {
		o.Reset(p.frame(), exchange.HeaderBytes)
	}
	parent := refOf(p.index, w.read.Chunk.First+int64(w.out.Parent[s.k]))
	o.Put(&w.out.Node[s.k], w.out.Labels[s.k], s.Entry, parent, w.out.Instance[s.k])
	if o.Full() {
		p.queue = append(p.queue, outgoing{s.to, o.Take()})
	}
}

// frame returns a frame for a batch.
func (p *part[T]) frame() []byte {
	if n := len(p.frames); n > 0 {
		f := p.frames[n-1]
		p.frames = p.frames[:n-1]
		return f[:cap(f)]
	}
	return make([]byte, store.ParcelFor[T](parcelBytes, exchange.HeaderBytes))
}

// between is called between two nodes: it takes what came, and sends what waits.
func (p *part[T]) between() {
	if p.post.Waiting() {
		p.takeAll()
	}
	if len(p.queue) == 0 {
		return
	}
	p.sendQueued()
	for len(p.queue) > mostQueued && !p.run.halted.Load() {
		if !p.wait() {
			return
		}
		p.sendQueued()
	}
}

// sendQueued sends the batches that have credits.
func (p *part[T]) sendQueued() {
	left := p.queue[:0]
	for _, o := range p.queue {
		sent, err := p.post.SendBatch(o.to, p.level, o.frame)
		if err != nil {
			p.lost()
			return
		}
		if !sent {
			left = append(left, o)
		} else {
			p.frames = append(p.frames, o.frame)
		}
	}
	clear(p.queue[len(left):])
	p.queue = left
}

// lost ends the run: the parts lost each other.
func (p *part[T]) lost() { p.run.halt(p.post.Err().Error()) }

// wait waits until something comes, and takes it. It returns false where nothing can come, or this
// part has a reason to end that the leader does not know.
func (p *part[T]) wait() bool {
	if p.takeAll() {
		return true
	}
	ends := p.run.ends
	if p.told {
		ends = nil
	}
	select {
	case <-p.post.Failed():
		p.lost()
		return false
	case <-ends:
		p.tell()
	case <-p.post.News():
	}
	return true
}

// tell says that the run ends: to the leader, or from the leader to all.
func (p *part[T]) tell() {
	r := p.run
	r.mu.Lock()
	reason := r.reason
	r.mu.Unlock()
	r.halted.Store(true)
	switch {
	case p.told:
	case p.index != 0:
		p.send(0, frameHalt, []byte(reason))
	default:
		p.toOthers(frameStop, []byte(reason))
	}
	p.told = true
}

// send sends a message to a part.
func (p *part[T]) send(to int, kind exchange.Kind, body []byte) {
	if p.post.Send(to, kind, p.level, append(make([]byte, exchange.HeaderBytes), body...)) != nil {
		p.lost()
	}
}

func (p *part[T]) toOthers(kind exchange.Kind, body []byte) {
	for k := range p.many {
		if k != p.index {
			p.send(k, kind, body)
		}
	}
}

// urgent takes what must not wait until a part that is busy looks: that the search ends, and what
// parts count. Another goroutine calls it.
func (p *part[T]) urgent(f exchange.Frame) {
	switch f.Kind {
	case frameStop, frameHalt:
		p.run.halt(string(f.Body))
	case exchange.Beat:
		p.counted(f)
	}
}

// takeAll takes all frames that are here. It reports whether there was one.
func (p *part[T]) takeAll() (some bool) {
	for {
		f, ok := p.post.Take()
		if !ok {
			return some
		}
		some = true
		p.take(f)
	}
}

// take takes one frame.
func (p *part[T]) take(f exchange.Frame) {
	switch f.Kind {
	case exchange.Batch, framePruned, frameEnd:
		if f.Level > p.level || !p.expanding {
			p.held = append(p.held, f)
			return
		}
		p.takeNodes(f)
	default:
		p.takeMessage(f)
	}
}

// takeNodes takes a frame of the level that is expanded.
func (p *part[T]) takeNodes(f exchange.Frame) {
	switch f.Kind {
	case exchange.Batch:
		if !p.run.halted.Load() {
			p.merge(p.mergers[f.From], f.Body)
		}
		if p.post.Taken(f.From) != nil {
			p.lost()
		}
	case framePruned:
		p.expectAll(p.mergers[f.From], f.Body)
	case frameEnd:
		p.ended[f.From] = true
	}
}

// merge takes nodes of another part, as the worker takes those that it finds.
func (p *part[T]) merge(w *worker[T], body []byte) {
	defer w.caught()
	w.judged = -1
	var from store.ParcelReader[T]
	err := from.Open(body)
	if err != nil {
		p.garbled(err)
		return
	}
	w.read.Chunk = &store.Chunk{First: from.First}
	for from.Left > 0 {
		n := min(from.Left, checker.Batch)
		for k := range n {
			if err := from.Next(); err != nil || int(from.Instance) >= len(p.run.spec.Instances) || p.ownerOf(from.More) != p.index {
				p.garbled(store.ErrParcel)
				return
			}
			w.out.Node[k], w.out.Instance[k], w.out.Labels[k] = *from.Node(), from.Instance, from.Labels()
			w.out.Parent[k] = uint32(from.Parent - from.First)
			w.live[k], w.batch.Hash[k], w.batch.More[k] = uint32(k), from.Hash, from.More
			if from.Left%verifyEvery == 0 && store.EntryOf(p.run.table, p.run.spec.Representative(from.Node(), &w.rep)) != from.Entry {
				p.garbled(store.ErrParcel)
				return
			}
		}
		w.batch.Locate(p.run.table, 0, n)
		w.lookUp(n)
		w.judged = -1
	}
}

// garbled ends the run: another part sent what no part sends.
func (p *part[T]) garbled(err error) {
	p.err = &exchange.Error{Text: "another part sent what no part sends: " + err.Error()}
	p.run.halt(p.err.Error())
}

// explore reports whether the parts reached every node.
func (p *part[T]) explore() (complete bool) {
	r := p.run
	p.post = exchange.Open(r.opt.Part.Link, p.index, p.many, p.beat, p.urgent)
	r.between = p.between
	r.initial()
	for p.level = 1; ; p.level++ {
		level := p.close()
		if !p.agree() {
			break
		}
		r.note(p.agreed.New, p.agreed.Total)
		p.expand(level)
	}
	p.finish()
	return p.agreed.Complete && p.err == nil
}

// close ends a level, as run.close.
func (p *part[T]) close() []*store.Chunk {
	r := p.run
	before := r.numbered
	level := r.number()
	p.fresh = r.numbered - before
	if !r.halted.Load() {
		r.confirm()
	}
	return level
}

// expand makes the successors of this part's nodes of a level, and takes those of other parts.
func (p *part[T]) expand(level []*store.Chunk) {
	r := p.run
	r.orderBy(p.agreed.Fired, p.agreed.First)
	r.prepare(p.agreed.New)
	r.dirty |= p.agreed.Dirty
	most := max(int(min(p.agreed.New, 1<<30))/(chunksEach*p.many), checker.Batch)
	for _, w := range r.workers {
		w.write.Most = most
	}
	clear(p.ended)
	p.ended[p.index] = true
	r.gate.start(1)
	defer r.gate.leave()
	p.expanding = true
	defer func() { p.expanding = false }()
	held := p.held
	p.held = nil
	for _, f := range held {
		p.take(f)
	}
	for _, c := range level {
		if r.halted.Load() {
			r.workers[0].skipped = true
			break
		}
		r.expandChunk(r.workers[0], c)
	}
	p.flush()
	for !p.allEnded() && !r.halted.Load() {
		if !p.wait() {
			break
		}
	}
	if r.halted.Load() {
		r.workers[0].skipped = true
	}
}

// flush sends all that is left of a level, and that it has ended.
func (p *part[T]) flush() {
	for k := range p.out {
		if o := &p.out[k].nodes; o.Nodes > 0 {
			p.queue = append(p.queue, outgoing{k, o.Take()})
		}
	}
	p.handOver()
	for p.sendQueued(); len(p.queue) > 0 && !p.run.halted.Load(); p.sendQueued() {
		if !p.wait() {
			return
		}
	}
	for k := range p.out {
		if len(p.out[k].pruned) > 0 {
			p.send(k, framePruned, p.out[k].pruned)
			p.out[k].pruned = nil
		}
	}
	p.toOthers(frameEnd, nil)
}

func (p *part[T]) allEnded() bool {
	for _, e := range p.ended {
		if !e {
			return false
		}
	}
	return true
}

// beatCounts has what a part reports of itself at intervals.
type beatCounts struct{ Distinct, Generated, Queue, Memory atomic.Int64 }

// outcome returns the result of a run that has other parts, when that has ended.
func (p *part[T]) outcome(res checker.Result[T]) (checker.Result[T], error) {
	defer p.bye()
	if p.err != nil || p.index != 0 {
		return res, p.err
	}
	var err error
	res.Violations, err = p.run.record().Violations()
	return res, err
}
