package explore

import (
	"math/bits"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/counterexample"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// What it computes. The next level of a breadth-first search: the successors of the nodes in a
// chunk, judged and looked up in the visited set.
//
// Why it is right. Every node of a level is in exactly one chunk, and every enabled step of a node
// is taken unless it sleeps. A successor within the constraints joins the next level exactly if its
// insertion into the visited set succeeds, which happens once for each fingerprint. A level ends
// when all chunks are done. So levels are distances, and a violation of the first level that has
// one has a shortest counterexample.
//
// What it costs. Time is linear in the generated successors. Successors are judged in batches, so
// that the cache misses of their look-ups overlap.
//
// Example.
//
//	level 0   i              chunk: i
//	level 1   a b            both new
//	level 2   c              reached from a and from b; one insertion succeeds

// worker expands nodes and judges their successors. It owns everything but the run.
type worker[T any] struct {
	run   *run[T]
	spec  *checker.Spec[T]
	id    int
	out   checker.Successors[T]
	read  store.Reader[T]
	write store.Writer[T]
	rep   T               // the representative of the current node
	again store.Reader[T] // of the current chunk, from its start
	asked uint32          // nodes that it has read

	// The current batch: those successors in out that must be looked up.
	live  [checker.Batch]uint32 // position in out
	batch store.Batch
	// judged is the position in out of the successor that is judged, -1 while Next runs.
	judged int

	generated, masked int64
	digest, goals     uint64
	maskedBy          []int64 // by number of the masked assertion
	fired, first      []int64 // by instance: steps, and nodes that they reached first
	broken            counterexample.Groups[T]
	skipped           bool // something was left out because the run is halted
	noting            bool // edges are kept
	fault             *fault[T]
	checks            pruningChecks[T]
	same              same[T]

	published atomic.Int64 // generated, for those who watch
}

func newWorker[T any](r *run[T], id int) *worker[T] {
	w := &worker[T]{run: r, spec: r.spec, id: id, judged: -1, broken: counterexample.Groups[T]{}}
	w.write.Arena = r.arena
	w.fired = make([]int64, len(r.spec.Instances))
	w.first = make([]int64, len(r.spec.Instances))
	w.maskedBy = make([]int64, len(r.spec.Masked))
	w.out.Steps = r.spec.Steps
	w.out.Skipped = make([]int64, len(r.spec.Actions))
	w.out.Full = w.judge
	w.out.Single = fingerprint.IsLarge[T]()
	w.same = newSame(w.read.Node(), &w.out.Node[0])
	w.checks.judgeTwice = w.judgeTwice
	return w
}

// expand makes the successors of all nodes of a chunk.
func (w *worker[T]) expand(c *store.Chunk) {
	defer w.caught()
	w.judged = -1
	w.out.Skip = sleepset.Set{}
	w.read.Start(c)
	w.noting = w.run.edges.Start(w.id, c.First)
	for k := range c.Nodes {
		if w.run.halted.Load() {
			w.skipped = true
			break
		}
		s := w.read.Node()
		if fingerprint.IsLarge[T]() {
			w.nextLarge(k)
		} else {
			w.read.Next()
		}
		w.out.Current, w.out.From = uint32(k), w.read.Labels()
		if w.spec.Pruning != nil {
			w.prune(s, k)
		}
		if w.run.between != nil {
			w.run.between()
		}
		before := w.generated + int64(w.out.N) + w.out.Left
		w.spec.Next(s, &w.out)
		if w.run.opt.Deadlock && w.generated+int64(w.out.N)+w.out.Left == before {
			w.broken.Add(counterexample.Deadlock, w.example(s, -1, c.First+int64(k)), nil)
		}
		if fingerprint.IsLarge[T]() {
			w.leave()
		}
	}
	w.judge()
	w.countLeft()
}

// judge takes the successors in out and empties it.
func (w *worker[T]) judge() {
	if w.run.gate.wanted.Load() {
		w.run.gate.wait()
	}
	w.generated += int64(w.out.N)
	large := fingerprint.IsLarge[T]() && w.out.N > 0
	if large {
		w.lineUp()
	} else {
		w.published.Store(w.generated)
	}
	w.lookUp(w.screen())
	if large {
		w.putBack()
	}
	w.judged = -1
	w.out.N = 0
}

// screen judges what does not depend on the visited nodes, and collects the successors that must be
// looked up.
func (w *worker[T]) screen() (live int) {
	wide := w.run.table.Wide()
	for k := range w.out.N {
		w.judged = k
		n := &w.out.Node[k]
		w.fired[w.out.Instance[k]]++
		if w.spec.Raised != nil {
			if raised, broken := w.spec.Raised(n); raised {
				if broken == 0 {
					w.mask(n)
				}
				w.found(broken, k, nil)
				continue
			}
		}
		if w.out.Steps != nil && w.out.Broken[k] != 0 {
			w.found(w.out.Broken[k], k, nil)
		}
		if w.spec.Within != nil && !w.spec.Within(n) {
			w.found(w.spec.State(n), k, nil)
			continue
		}
		w.live[live] = uint32(k)
		rep := w.spec.Representative(n, &w.rep)
		if fingerprint.IsLarge[T]() && rep == n {
			w.batch.Hash[live] = w.same.hash()
		} else {
			w.batch.Hash[live] = fingerprint.Of(rep)
		}
		if wide {
			w.batch.More[live] = fingerprint.Wide(rep)
		}
		if p := w.run.part; p != nil && p.leaves(k, store.Entry{Hash: w.batch.Hash[live], More: w.batch.More[live]}) {
			continue
		}
		live++
		if live%store.Prefetched == 0 {
			w.batch.Locate(w.run.table, live-store.Prefetched, live)
		}
	}
	w.batch.Locate(w.run.table, live&^(store.Prefetched-1), live)
	if w.run.part != nil {
		w.run.part.sendAway(w)
	}
	return live
}

// mask counts a node that ended in a masked assertion.
func (w *worker[T]) mask(n *T) {
	w.masked++
	if w.spec.MaskedBy == nil {
		return
	}
	for by := w.spec.MaskedBy(n); by != 0; by &= by - 1 {
		w.maskedBy[bits.TrailingZeros64(by)]++
	}
}

// lookUp inserts the fingerprints of the first live successors into the table and keeps those that
// are new. They are kept after the last insertion: an insertion that changes the table has to wait
// for all that was written before.
func (w *worker[T]) lookUp(live int) {
	t := w.run.table
	w.batch.Start(t, live)
	for !w.batch.Insert(t) {
		if w.run.halted.Load() {
			w.skipped = true
			w.batch.Omit()
			continue
		}
		w.run.gate.wanted.Store(true)
		w.run.gate.wait()
	}
	news := w.batch.News()
	if w.noting {
		w.note(^uint64(0)>>(checker.Batch-live), news)
	}
	if news == 0 {
		return
	}
	count := bits.OnesCount64(news)
	for ; news != 0; news &= news - 1 {
		x := bits.TrailingZeros64(news)
		w.keep(int(w.live[x]), w.batch.Hash[x])
	}
	w.run.count(t.Add(int64(count)))
}

// note keeps edges to some successors. Those to new nodes are in the trace log, too.
func (w *worker[T]) note(of, news uint64) {
	if !w.run.notesAll {
		of &^= news
	}
	for ; of != 0; of &= of - 1 {
		x := bits.TrailingZeros64(of)
		w.run.edges.Put(w.id, w.out.Parent[w.live[x]], w.batch.Hash[x])
	}
}

// keep takes the k-th successor, a new node.
func (w *worker[T]) keep(k int, hash uint64) {
	w.judged = k
	n, instance := &w.out.Node[k], w.out.Instance[k]
	w.first[instance]++
	var labels sleepset.Labels
	var broken uint64
	if x := w.spec.Pruning; x == nil {
		broken = w.spec.State(n)
	} else {
		broken = w.judgeMeeting(n, instance)
		if x.Sleep != nil {
			labels = x.Sleep.After(w.out.Labels[k], instance)
		}
	}
	w.push(n, hash, w.read.Chunk.First+int64(w.out.Parent[k]), instance, labels)
	if broken != 0 {
		w.found(broken, k, w.write.Chunk)
	}
}

// push puts a new node into the next level and into the trace log.
func (w *worker[T]) push(n *T, hash uint64, parent int64, instance uint32, labels sleepset.Labels) {
	log := w.run.log
	err := log.Room(w.id)
	started := false
	if err == nil {
		started, err = w.write.Room()
	}
	if err != nil {
		w.run.outOfMemory(err)
		w.skipped = true
		return
	}
	if started {
		log.Start(w.id)
	}
	w.write.Put(n, labels)
	w.write.Chunk.Sum += store.SumOf(hash, labels)
	log.Put(w.id, parent, instance)
	w.digest += hash
	if w.goals != w.run.allGoals {
		w.goals |= w.spec.Reached(n)
	}
}

// initial takes an initial node, the x-th, unless another part owns it.
func (w *worker[T]) initial(n *T, x int) {
	if p := w.run.part; p != nil && p.ownerOf(fingerprint.Wide(w.spec.Representative(n, &w.rep))) != p.index {
		return
	}
	w.generated++
	at := w.example(n, -1, int64(x))
	if w.spec.Raised != nil {
		if raised, broken := w.spec.Raised(n); raised {
			if broken == 0 {
				w.mask(n)
			}
			w.broken.AddAll(broken, -1, at, nil)
			return
		}
	}
	if w.spec.Within != nil && !w.spec.Within(n) {
		w.broken.AddAll(w.spec.State(n), -1, at, nil)
		return
	}
	rep := w.spec.Representative(n, &w.rep)
	t := w.run.table
	e := store.EntryOf(t, rep)
	got := t.Put(e.Hash, e.More)
	for got == store.Full && !w.run.halted.Load() {
		w.run.gate.wanted.Store(true)
		w.run.gate.wait()
		got = t.Put(e.Hash, e.More)
	}
	if got != store.Fresh {
		w.skipped = w.skipped || got == store.Full
		return
	}
	w.broken.AddAll(w.spec.State(n), -1, at, nil)
	w.push(n, e.Hash, 0, uint32(x), 0)
	w.run.count(t.Add(1))
	if w.run.gate.wanted.Load() {
		w.run.gate.wait()
	}
}

// found records a violation at the k-th successor of the batch. If the successor is new, chunk is
// the chunk whose last node it is. Otherwise chunk is nil.
func (w *worker[T]) found(broken uint64, k int, chunk *store.Chunk) {
	if broken == 0 {
		return
	}
	instance := int(w.out.Instance[k])
	at := w.example(&w.out.Node[k], instance, w.read.Chunk.First+int64(w.out.Parent[k]))
	if chunk != nil {
		at.Chunk, at.Place = chunk, chunk.Nodes-1
	}
	before := func() T { return *w.run.represent(w.parent(w.out.Parent[k])) }
	if w.id > 0 && w.run.part != nil {
		before = nil // it is a node of another part
	}
	w.broken.AddAll(broken, w.spec.Instances[instance].Action, at, before)
}

func (w *worker[T]) example(n *T, instance int, parent int64) *counterexample.Example[T] {
	return &counterexample.Example[T]{Node: *n, Rep: *w.run.represent(*n), Instance: instance, Parent: parent}
}

// represent returns the node that stands for n.
func (r *run[T]) represent(n T) *T {
	return r.spec.Representative(&n, new(T))
}

// parent returns the x-th node of the current chunk, read again. Calls in increasing order of x
// read the chunk once.
func (w *worker[T]) parent(x uint32) T {
	if w.again.Chunk != w.read.Chunk || w.asked > x+1 {
		w.again.Start(w.read.Chunk)
		w.asked = 0
	}
	for ; w.asked <= x; w.asked++ {
		w.again.Next()
	}
	return *w.again.Node()
}
