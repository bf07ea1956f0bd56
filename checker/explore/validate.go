package explore

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/store"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// A checkpoint is read as if somebody had changed it and computed the checksums again. Every record
// is compared with another one that says the same:
//
//	head      totals, written after all else from what the workers hold then
//	visited   the head's number and sum of the fingerprints
//	log       the head's numbers of nodes by level and by instance that reached them first; a
//	          node's parent is of the level before
//	frontier  the fingerprints, the log's numbers, and the head's sums of nodes and labels
//
// So one record that is changed is refused, or it changes nothing: the steps of a trace alone, and
// a trace is replayed step by step before anybody sees it. A forger who changes several records,
// and computes what the specification would have computed, makes another checkpoint: then only an
// exploration from the initial nodes would tell the difference, or the seal. With Options.Key a
// checkpoint is refused unless a run with the same key wrote it.
//
// A size that a record states is compared with the size of the file before memory is allocated for
// it. The cost is linear: fingerprints of the frontier's nodes, and a pass over the log.

// order is the place of a kind of frame in a checkpoint.
var order = map[byte]int{
	store.FrameVisited: 1, store.FrameLog: 2, store.FrameRuns: 3, store.FrameChunk: 4, store.FrameTotals: 5, store.FrameEnd: 6,
}

// read takes the frames after the head.
func (r *run[T]) read() error {
	sum, last, again := uint64(0), 0, false
	for {
		kind, b, err := r.kept.from.Next()
		if err != nil {
			return err
		}
		if order[kind] < last || order[kind] == 0 {
			return store.ErrDamaged
		}
		last = order[kind]
		switch kind {
		case store.FrameVisited:
			err = r.table.Read(b, &sum)
		case store.FrameLog:
			err = r.log.ReadBlock(b, r.kept.streams())
		case store.FrameRuns:
			err = r.log.ReadRuns(b, r.kept.streams())
		case store.FrameChunk:
			err = r.readChunk(b)
		case store.FrameTotals:
			totals := &meta{}
			if again || json.Unmarshal(b, totals) != nil || !reflect.DeepEqual(totals, r.kept.meta) {
				err = store.ErrDamaged
			}
			again = true
		case store.FrameEnd: // the seal fits, too
			if !again || sum != r.kept.meta.Digest {
				return store.ErrDamaged
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readChunk takes a chunk of the frontier. All its nodes were visited.
func (r *run[T]) readChunk(b []byte) error {
	var rep T
	sum := uint64(0)
	c, at, err := store.ReadChunk(r.arena, b, r.kept.streams(), func(n *T, labels sleepset.Labels) error {
		if sleeps := r.spec.Pruning.Sleeps(); !sleeps && labels != 0 || sleeps && !r.spec.Pruning.Sleep.Valid(labels) {
			return store.ErrDamaged
		}
		if !r.representing(n, &rep) {
			return store.ErrDamaged
		}
		e := store.EntryOf(r.table, &rep)
		if !r.table.Knows(e) {
			return store.ErrDamaged
		}
		sum += store.SumOf(e.Hash, labels)
		return nil
	})
	if err != nil {
		return err
	}
	c.Sum = sum
	if !at.Next {
		r.rest = append(r.rest, c)
		return nil
	}
	if n := len(r.carried); n == 0 || r.carried[n-1].stream != at.Stream {
		if r.log.Opened(at.Stream) > 0 {
			return store.ErrDamaged // its chunks lie together
		}
		r.carried = append(r.carried, carried{stream: at.Stream})
	}
	x := &r.carried[len(r.carried)-1]
	x.chunks = append(x.chunks, c)
	r.log.Reopen(at.Stream, at.At)
	return nil
}

// representing sets rep to the representative of a node. It reports false where the specification
// panics on it, which it does on no node that it made.
func (r *run[T]) representing(n, rep *T) (ok bool) {
	defer func() { ok = recover() == nil }()
	*rep = *r.represent(*n)
	return true
}

// plausible reports whether the head agrees with itself and with the specification.
func (r *run[T]) plausible(m *meta) bool {
	w := r.workers[0]
	negative := func(n int64) bool { return n < 0 }
	if len(m.Fired) != len(w.fired) || len(m.MaskedBy) != len(w.maskedBy) || len(m.First) != len(w.first) || len(m.Left) != len(w.out.Skipped) ||
		slices.ContainsFunc(slices.Concat(m.Fired, m.First, m.Left, m.MaskedBy), negative) {
		return false
	}
	if m.Elapsed < 0 || m.Masked < 0 || m.Goals&^r.allGoals != 0 || !r.orders(m) || !r.leveled(m) || !r.grouped(m) {
		return false
	}
	// Every node was yielded by Init or reached by a step. The steps were taken or left out.
	steps, first := int64(0), int64(0)
	for k := range m.Fired {
		if m.First[k] > m.Fired[k] {
			return false
		}
		steps += m.Fired[k]
		first += m.First[k]
	}
	for _, n := range m.Left {
		steps += n
	}
	yielded, ok := r.yielded()
	initial := m.Visited
	if len(m.Levels) > 0 {
		initial = m.Levels[0]
	}
	return ok && m.Generated == yielded+steps && m.Visited == initial+first && m.Masked <= m.Generated && initial <= yielded
}

// leveled reports whether the levels are those that were closed, and hold all nodes with a number.
func (r *run[T]) leveled(m *meta) bool {
	var levels []int64
	last := int64(0)
	for _, n := range m.Closed {
		if n < last {
			return false
		}
		if n > last {
			levels = append(levels, n-last)
		}
		last = n
	}
	return slices.Equal(levels, m.Levels) && last == m.Numbered && m.Numbered <= m.Visited
}

// grouped reports whether the violations are those of properties, with numbers of nodes that the
// search has.
func (r *run[T]) grouped(m *meta) bool {
	var n T
	for _, g := range m.Groups {
		if g.Invariant < -1 || g.Invariant >= len(r.spec.Invariants) || g.Instance < -1 || g.Instance >= len(r.spec.Instances) ||
			g.Count < 1 || g.Level < 0 || g.Level > len(m.Closed) || g.Parent < 0 ||
			len(g.Node) != len(checker.Bytes(&n)) || len(g.Before) != 0 && len(g.Before) != len(checker.Bytes(&n)) {
			return false
		}
		if g.Instance < 0 && g.Action != -1 || g.Instance >= 0 && g.Action != r.spec.Instances[g.Instance].Action {
			return false
		}
		if g.Invariant < 0 && (!r.opt.Deadlock || g.Instance >= 0) {
			return false
		}
		// Level 0 is that of initial nodes, whose parent is their position. The parent of others is
		// of the level before.
		if g.Level == 0 {
			continue
		}
		from := int64(0)
		if g.Level > 1 {
			from = m.Closed[g.Level-2]
		}
		if g.Parent < from || g.Parent >= m.Closed[g.Level-1] {
			return false
		}
	}
	return true
}

// yielded counts the initial nodes that the specification yields, those twice that it yields twice.
func (r *run[T]) yielded() (n int64, ok bool) {
	defer func() { ok = recover() == nil }()
	r.spec.Init(func(*T) bool {
		n++
		return true
	})
	return n, true
}

// verified reports whether trace log and frontier agree with the head. left is the number of nodes
// of the last level that are not expanded yet.
func (r *run[T]) verified(m *meta) (left int64, ok bool) {
	if sumOf(r.rest) != m.Rest || r.table.Used() != m.Visited {
		return 0, false
	}
	for _, c := range r.rest {
		left += int64(c.Nodes)
	}
	next := m.Numbered - left
	for _, c := range r.rest { // they are the last ones of their level
		if c.First != next {
			return 0, false
		}
		next += int64(c.Nodes)
	}
	if n := len(m.Levels); n == 0 && left > 0 || n > 0 && left > m.Levels[n-1] {
		return 0, false
	}
	found, sum := int64(0), uint64(0)
	for _, x := range r.carried {
		sum += sumOf(x.chunks)
		for _, c := range x.chunks {
			found += int64(c.Nodes)
			if c.First != 0 {
				return 0, false
			}
		}
	}
	return left, sum == m.Found && m.Numbered+found == m.Visited && r.logged(m, left)
}

// logged reports whether the trace log has a record for every node, and by as many instances as the
// head says.
func (r *run[T]) logged(m *meta, left int64) bool {
	v := &recordCheck{first: make([]int64, len(m.First)), initial: true, last: -1}
	verify := r.log.Verify()
	if m.Numbered > 0 && (len(r.log.Runs) == 0 || r.log.Runs[0].First != 0) || m.Numbered == 0 && len(r.log.Runs) > 0 {
		return false
	}
	level := 0
	if m.Numbered > 0 {
		v.end = m.Levels[0]
	}
	for k, run := range r.log.Runs {
		behind := m.Numbered
		if k+1 < len(r.log.Runs) {
			behind = r.log.Runs[k+1].First
		}
		for run.First >= v.end && level+1 < len(m.Levels) {
			level++
			v.initial = false
			v.from, v.to, v.end = v.end-m.Levels[level-1], v.end, v.end+m.Levels[level]
		}
		if behind <= run.First || behind > v.end || verify.Each(run, behind-run.First, v.record) != nil {
			return false
		}
	}
	// The nodes of the next level come from those that were expanded.
	if n := len(m.Levels); n > 0 {
		v.initial, v.from, v.to = false, m.Numbered-m.Levels[n-1], m.Numbered-left
	}
	for _, x := range r.carried {
		for k, c := range x.chunks {
			if verify.Each(r.log.Open(x.stream, k), int64(c.Nodes), v.record) != nil {
				return false
			}
		}
	}
	return slices.Equal(v.first, m.First)
}

// recordCheck checks the records of a level.
type recordCheck struct {
	initial  bool  // its nodes are initial ones
	from, to int64 // numbers of the nodes that others come from
	end      int64 // of the numbers of the level
	first    []int64
	last     int64 // position of the last initial node
}

func (v *recordCheck) record(parent int64, instance uint64) error {
	if v.initial {
		if parent != 0 || instance > 1<<62 || int64(instance) <= v.last {
			return store.ErrDamaged
		}
		v.last = int64(instance)
		return nil
	}
	if parent < v.from || parent >= v.to || instance >= uint64(len(v.first)) {
		return store.ErrDamaged
	}
	v.first[instance]++
	return nil
}

// orders reports whether a checkpoint's order is one of the instances whose steps are left out, or
// none where none are or no level was closed.
func (r *run[T]) orders(m *meta) bool {
	if !r.spec.Pruning.Sleeps() || len(m.Closed) == 0 {
		return m.Order == nil
	}
	sorted := slices.Sorted(slices.Values(m.Order))
	for k, instance := range sorted {
		if k != instance {
			return false
		}
	}
	return len(sorted) == len(r.spec.Instances)
}
