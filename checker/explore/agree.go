package explore

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/exchange"
)

// What it computes. How the parts of a search agree that a level has ended, and what they found
// together.
//
//	part   --report-->  leader          a level has ended
//	part   <--go------  leader          expand the next one; or
//	part   <--finish--  leader          the search has ended
//	part   --totals-->  leader
//	part   <-questions- leader, parts   how was node 17 reached?
//	part   <--bye-----  leader
//
// A part that has a reason to end, as an error of the specification, halts and says so. The leader
// then stops all. A part that failed sends no error to the leader: its own process reports it.

// levelReport has what a part reports at the end of a level: the nodes that it found in it, and
// what it has counted since the start.
type levelReport struct {
	Level        int
	New          int64
	Distinct     int64
	Generated    int64
	Dirty        uint64 // invariants with violations
	Violations   int64
	Fired, First []int64 // by action
}

// agreement has what all parts use for a level: sums of the reports.
type agreement struct {
	Level        int
	New, Total   int64
	Dirty        uint64
	Fired, First []int64
	Complete     bool // of the leader: no part has a node that is not expanded
}

// partTotals has what a part has counted when the search ends.
type partTotals struct {
	Distinct, Generated, Masked, Pruned int64
	MaskedBy                            []int64
	Digest, Goals                       uint64
	Actions                             []checker.ActionCount
	Memory, MemoryEnd                   int64
	Taken                               []uint32
	Skipped, Failed                     bool
	groups                              []savedGroup // sent before, one by one
}

// question asks how a node was reached, up to its initial node or another part, or whether it is
// known.
type question struct {
	Node  int64
	Depth int
	Known *store.Entry
}

type answer struct {
	Instances []int // from the node back
	Next      int64 // the node before the first of them, of another part; where Depth is not 0
	Depth     int   // steps that are left
	Initial   int64
	Known     bool
	Error     string
}

// encode returns a message. Messages are made of numbers and texts.
func encode(x any) []byte {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return b
}

// takeMessage takes a message that is no node.
func (p *part[T]) takeMessage(f exchange.Frame) {
	var err error
	switch f.Kind {
	case frameReport:
		rep := &levelReport{}
		if err = json.Unmarshal(f.Body, rep); err == nil {
			p.reports[f.From] = rep
		}
	case frameGo:
		var next agreement
		if err = json.Unmarshal(f.Body, &next); err == nil {
			p.agreed = next
		}
	case frameFinish:
		p.finishing = true
	case frameGroup:
		var g savedGroup
		if err = json.Unmarshal(f.Body, &g); err == nil {
			p.groups[f.From] = append(p.groups[f.From], g)
		}
	case frameTotals:
		t := &partTotals{}
		if err = json.Unmarshal(f.Body, t); err == nil {
			t.groups = p.groups[f.From]
			p.last[f.From] = t
		}
	case frameQuestion:
		var q question
		if err = json.Unmarshal(f.Body, &q); err == nil {
			p.send(f.From, frameAnswer, encode(p.answer(q)))
		}
	case frameAnswer:
		p.replies = append(p.replies, f.Body)
	case frameBye:
		p.over = true
	}
	if err != nil {
		p.garbled(err)
	}
}

// agree reports whether there is a next level. It sets what all parts use for it.
func (p *part[T]) agree() bool {
	r := p.run
	fired, first := r.sums()
	own := &levelReport{Level: p.level, New: p.fresh, Distinct: r.numbered, Violations: r.broken.Total(), Fired: fired, First: first}
	for _, w := range r.workers {
		own.Generated += w.generated
	}
	for k := range r.broken {
		if k.Invariant >= 0 {
			own.Dirty |= 1 << k.Invariant
		}
	}
	if p.index == 0 {
		p.reports[0] = own
		return p.decide()
	}
	if !r.halted.Load() {
		p.send(0, frameReport, encode(own))
	}
	for p.agreed.Level != p.level && !p.finishing && !r.halted.Load() {
		if !p.wait() {
			break
		}
	}
	return p.agreed.Level == p.level && !p.finishing && !r.halted.Load()
}

// decide waits for the reports of a level and says whether the search continues.
func (p *part[T]) decide() bool {
	r := p.run
	for !p.reported() && !r.halted.Load() {
		if !p.wait() {
			break
		}
	}
	if r.halted.Load() || r.ending() {
		return false
	}
	next := agreement{Level: p.level, Fired: make([]int64, len(r.spec.Actions)), First: make([]int64, len(r.spec.Actions))}
	found, generated := int64(0), int64(0)
	for _, rep := range p.reports {
		next.New += rep.New
		next.Total += rep.Distinct
		next.Dirty |= rep.Dirty
		found += rep.Violations
		generated += rep.Generated
		for k := range next.Fired {
			next.Fired[k] += rep.Fired[k]
			next.First[k] += rep.First[k]
		}
	}
	p.agreed = next
	switch {
	case p.most > 0 && next.Total > p.most:
		r.end(statesReason(p.most))
		return false
	case next.New == 0:
		if generated == 0 {
			r.fail(&SpecError[T]{During: checker.DuringInit, Instance: -1, Value: checker.ErrNoInit}, checker.ErrNoInit.Error())
		}
		p.agreed.Complete = generated > 0
		return false
	case r.opt.Stop > 0 && found >= int64(r.opt.Stop):
		return false
	}
	p.toOthers(frameGo, encode(next))
	return true
}

// reported reports whether all parts have ended the level.
func (p *part[T]) reported() bool {
	for _, rep := range p.reports {
		if rep == nil || rep.Level != p.level || len(rep.Fired) != len(p.run.spec.Actions) || len(rep.First) != len(p.run.spec.Actions) {
			return false
		}
	}
	return true
}

// finish ends the search in all parts. The leader has all totals then.
func (p *part[T]) finish() {
	r := p.run
	if r.halted.Load() || r.ending() {
		p.tell()
	}
	if p.index == 0 {
		p.finishing = true
		p.toOthers(frameFinish, nil)
	}
	p.until(func() bool { return p.finishing })
	for _, w := range r.workers {
		if w.fault != nil && p.err == nil {
			p.err = r.specError(w.fault)
		}
	}
	if p.err == nil {
		p.err = r.wrong
	}
	own := p.totals()
	if p.index != 0 {
		for _, g := range own.groups {
			p.send(0, frameGroup, encode(g))
		}
		p.send(0, frameTotals, encode(own))
		p.until(func() bool { return p.over })
		return
	}
	p.last[0] = own
	p.until(func() bool { return !slices.Contains(p.last, nil) })
	if p.post.Err() == nil {
		p.join()
	}
}

// until waits for something, and answers questions meanwhile. It returns early where the parts have
// lost each other.
func (p *part[T]) until(done func() bool) {
	for !done() {
		if p.post.Err() != nil {
			if p.err == nil {
				p.err = p.post.Err()
			}
			return
		}
		p.wait()
	}
}

// totals returns what this part has counted.
func (p *part[T]) totals() *partTotals {
	r := p.run
	res := r.result(false)
	t := &partTotals{
		Distinct: r.numbered, Generated: res.Generated, Masked: res.Masked, Pruned: res.Pruned, MaskedBy: res.MaskedBy, Digest: res.Digest, Goals: res.Goals,
		Actions: res.Actions, Memory: res.Memory, MemoryEnd: res.MemoryEnd, Taken: p.taken, Skipped: r.skipped(), Failed: p.err != nil,
	}
	for _, k := range r.broken.Sorted() {
		g := r.broken[k]
		parent := g.Parent
		if g.Level > 0 && parent>>refShift == 0 { // else it is a position in the order of Init
			parent = refOf(p.index, parent)
		}
		s := savedGroup{Invariant: k.Invariant, Action: k.Action, Level: g.Level, Count: g.Count, Instance: g.Instance, Parent: parent, Node: checker.Bytes(&g.Node)}
		if g.Known {
			s.Before = checker.Bytes(&g.Before)
		}
		t.groups = append(t.groups, s)
	}
	return t
}

// join makes the groups and levels of the leader those of all parts.
func (p *part[T]) join() {
	r := p.run
	r.broken = counterexample.Groups[T]{}
	total := int64(0)
	for _, t := range p.last {
		total += t.Distinct
		if p.agreed.Complete = p.agreed.Complete && !t.Skipped; t.Failed && p.err == nil {
			p.err = &exchange.Error{Text: "another part of the search failed"}
		}
		for k := range min(len(t.Taken), len(p.taken)) {
			p.taken[k] |= t.Taken[k]
		}
		for _, s := range t.groups {
			g := &counterexample.Group[T]{Count: s.Count, Level: s.Level, Lost: true}
			g.Instance, g.Parent, g.Known = s.Instance, s.Parent, s.Before != nil
			copy(checker.Bytes(&g.Node), s.Node)
			copy(checker.Bytes(&g.Before), s.Before)
			if !r.representing(&g.Node, &g.Rep) {
				p.garbled(store.ErrParcel)
				return
			}
			r.broken.Join(counterexample.Key{Invariant: s.Invariant, Action: s.Action}, g)
		}
	}
	before := int64(0)
	if n := len(r.closed); n > 0 {
		before = r.closed[n-1]
	}
	r.note(total-before, total)
}

// result returns what all parts counted: of the leader, and of others nothing.
func (p *part[T]) result(complete bool) checker.Result[T] {
	res := p.run.result(complete)
	if p.index != 0 || slices.Contains(p.last, nil) {
		return res
	}
	res.Workers, res.Distinct = p.many, 0
	res.Generated, res.Masked, res.Pruned, res.Digest, res.Goals, res.Memory, res.MemoryEnd = 0, 0, 0, 0, 0, 0, 0
	clear(res.MaskedBy)
	clear(res.Actions)
	for _, t := range p.last {
		res.Distinct += t.Distinct
		res.Generated += t.Generated
		res.Masked += t.Masked
		res.Pruned += t.Pruned
		res.Digest += t.Digest
		res.Goals |= t.Goals
		res.Memory += t.Memory
		res.MemoryEnd += t.MemoryEnd
		for k := range min(len(t.MaskedBy), len(res.MaskedBy)) {
			res.MaskedBy[k] += t.MaskedBy[k]
		}
		for k := range min(len(t.Actions), len(res.Actions)) {
			a := &res.Actions[k]
			a.Enabled += t.Actions[k].Enabled
			a.Fired += t.Actions[k].Fired
			a.Distinct += t.Actions[k].Distinct
		}
	}
	return res
}

// bye lets the other parts end.
func (p *part[T]) bye() {
	if p.index == 0 {
		p.toOthers(frameBye, nil)
	}
	p.post.Close()
}

// far finds how nodes were reached, in all parts.
type far[T any] struct {
	part *part[T]
	mu   sync.Mutex
}

// Path returns how a node was reached: see store.TraceLog.Path.
func (x *far[T]) Path(node int64, depth int) (initial int64, instances []int, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.part
	for {
		to, number := p.owned(node)
		q := question{Node: number, Depth: depth}
		var a answer
		if to == p.index {
			a = p.answer(q)
		} else if a, err = p.ask(to, q); err != nil {
			return 0, nil, err
		}
		if a.Error != "" {
			return 0, nil, fmt.Errorf("part %d of the search: %s", to+1, a.Error)
		}
		instances = append(instances, a.Instances...)
		if a.Next == 0 {
			slices.Reverse(instances)
			return a.Initial, instances, nil
		}
		node, depth = a.Next, a.Depth
	}
}

// Knows reports whether the owner of a node has visited it.
func (x *far[T]) Knows(e store.Entry) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.part
	to := p.ownerOf(e.More)
	if to == p.index {
		return p.run.table.Knows(e)
	}
	a, err := p.ask(to, question{Known: &e})
	return err == nil && a.Known
}

// ask asks another part and waits for its answer. Other questions are answered meanwhile.
func (p *part[T]) ask(to int, q question) (a answer, err error) {
	p.send(to, frameQuestion, encode(q))
	for len(p.replies) == 0 {
		if err := p.post.Err(); err != nil {
			return a, err
		}
		p.wait()
	}
	b := p.replies[0]
	p.replies = p.replies[1:]
	return a, json.Unmarshal(b, &a)
}

// answer follows the log of this part from one of its nodes back.
func (p *part[T]) answer(q question) (a answer) {
	r := p.run
	if q.Known != nil {
		return answer{Known: r.table.Knows(*q.Known)}
	}
	if q.Node < 0 || q.Node >= r.numbered {
		return answer{Error: fmt.Sprintf("there is no node %d", q.Node)}
	}
	node := q.Node
	for depth := q.Depth; ; depth-- {
		parent, instance, err := r.log.Find(node)
		switch {
		case err != nil:
			return answer{Error: err.Error()}
		case depth == 0:
			a.Initial = int64(instance)
			return a
		}
		a.Instances = append(a.Instances, int(instance))
		if parent>>refShift != 0 {
			a.Next, a.Depth = parent, depth-1
			return a
		}
		node = parent
	}
}

// prunedBytes is the length of a pruned node as it is sent: the fingerprint and the instance of an
// expectation.
const prunedBytes = 16

// handOver sends the expectations for nodes of other parts to these.
func (p *part[T]) handOver() {
	for _, w := range p.run.workers {
		own := w.checks.expected[:0]
		for _, x := range w.checks.expected {
			to := p.ownerOf(x.More)
			if to == p.index || x.Hash == 0 {
				own = append(own, x)
				continue
			}
			b := p.out[to].pruned
			b = binary.LittleEndian.AppendUint64(b, x.Hash)
			b = binary.LittleEndian.AppendUint32(b, x.More)
			b = binary.LittleEndian.AppendUint32(b, uint32(x.instance))
			if p.out[to].pruned = b; len(b) >= parcelBytes {
				p.send(to, framePruned, b)
				p.out[to].pruned = nil
			}
		}
		w.checks.expected = own
	}
}

// expectAll takes expectations of another part.
func (p *part[T]) expectAll(w *worker[T], b []byte) {
	for ; len(b) >= prunedBytes; b = b[prunedBytes:] {
		e := store.Entry{Hash: binary.LittleEndian.Uint64(b), More: binary.LittleEndian.Uint32(b[8:])}
		w.checks.expected = append(w.checks.expected, expectation{e, int(binary.LittleEndian.Uint32(b[12:]))})
	}
}

// beat returns what this part says of itself at intervals. Another goroutine calls it.
func (p *part[T]) beat() []byte {
	g := p.run.progress()
	b := binary.LittleEndian.AppendUint64(nil, uint64(g.Distinct))
	b = binary.LittleEndian.AppendUint64(b, uint64(g.Generated))
	b = binary.LittleEndian.AppendUint64(b, uint64(g.Queue))
	return binary.LittleEndian.AppendUint64(b, uint64(g.Memory))
}

// counted takes a beat. The leader ends the search where parts have too many nodes together.
func (p *part[T]) counted(f exchange.Frame) {
	if p.index != 0 || len(f.Body) != 32 {
		return
	}
	x := &p.beats[f.From]
	for k, to := range []*atomic.Int64{&x.Distinct, &x.Generated, &x.Queue, &x.Memory} {
		to.Store(int64(binary.LittleEndian.Uint64(f.Body[8*k:])))
	}
	if total := p.together(checker.Progress{Distinct: p.run.table.Used()}); p.most > 0 && total.Distinct > p.most {
		p.run.end(statesReason(p.most))
	}
}

// together adds what other parts count to what this one does.
func (p *part[T]) together(own checker.Progress) checker.Progress {
	for k := range p.beats {
		x := &p.beats[k]
		own.Distinct += x.Distinct.Load()
		own.Generated += x.Generated.Load()
		own.Queue += x.Queue.Load()
		own.Memory += x.Memory.Load()
	}
	return own
}
