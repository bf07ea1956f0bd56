package store

import (
	"math/bits"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
)

// Prefetched is how many homes a Batch asks memory for at once: few, so that memory answers while
// the next nodes are hashed.
const Prefetched = 8

// Batch looks up the fingerprints of several nodes together, so that cache misses overlap. Its
// owner fills Hash and More, calls Locate for every Prefetched of them, then Start, and Insert
// until all are done. Fingerprints whose home has room are inserted first, while memory brings the
// buckets after the full ones.
type Batch struct {
	Hash [checker.Batch]uint64
	More [checker.Batch]uint32 // of wide fingerprints

	home   [checker.Batch]*bucket
	homes  uint64 // of the table at the start
	early  uint64 // positions that wait to be inserted, as a mask: those whose home has room
	late   uint64 // those whose home is full
	behind uint64 // those whose home was full at the start
	news   uint64 // those that were not in the table
}

// Locate finds the homes of the fingerprints from one position to before another, and asks memory
// for them.
func (b *Batch) Locate(t *Table, from, to int) {
	for k := from; k < to; k++ {
		b.home[k] = t.home(b.Hash[k])
	}
	prefetch(b.home[from:to])
}

// Start begins the insertion of the first n fingerprints, which must be located.
func (b *Batch) Start(t *Table, n int) {
	b.homes, b.news = t.homes, 0
	left, behind := ^uint64(0)>>(checker.Batch-n), uint64(0)
	if t.wide {
		behind = b.fullWide(n)
	} else {
		left, behind = unseen(&b.Hash, &b.home, n)
	}
	b.askBehind(t, behind)
	b.early, b.late, b.behind = left&^behind, left&behind, behind
}

// fullWide returns the mask of the first n fingerprints whose home in a wide table is full.
func (b *Batch) fullWide(n int) (full uint64) {
	for k, home := range b.home[:n] {
		if atomic.LoadUint64(&home[wideSlots-1]) != 0 {
			full |= 1 << k
		}
	}
	return full
}

// askBehind asks memory for the buckets after the full homes of some fingerprints.
func (b *Batch) askBehind(t *Table, of uint64) {
	if of == 0 {
		return
	}
	var room [4 * checker.Batch]*bucket
	at := room[:0]
	for ; of != 0; of &= of - 1 {
		at = t.following(at, b.Hash[bits.TrailingZeros64(of)])
	}
	prefetch(at)
}

// Insert inserts what is left. It reports false where the table is full for a fingerprint: the
// table has to grow before Insert is called again, or Omit drops the fingerprint.
func (b *Batch) Insert(t *Table) (done bool) {
	for b.early != 0 {
		x := bits.TrailingZeros64(b.early)
		switch b.insert(t, x) {
		case Full:
			return false
		case Fresh:
			b.news |= 1 << x
		}
		b.early &= b.early - 1
	}
	for b.late != 0 {
		x := bits.TrailingZeros64(b.late)
		switch b.insert(t, x) {
		case Full:
			return false
		case Fresh:
			b.news |= 1 << x
		}
		b.late &= b.late - 1
	}
	return true
}

func (b *Batch) insert(t *Table, x int) Outcome {
	switch {
	case t.homes != b.homes: // it has grown since
		return t.Put(b.Hash[x], b.More[x])
	case t.wide:
		return t.insertWide(b.Hash[x], b.More[x], b.home[x])
	case b.behind>>x&1 != 0:
		return t.insertBehind(b.Hash[x])
	}
	return t.insert(b.Hash[x], b.home[x])
}

// Omit drops the fingerprint for which Insert found the table full.
func (b *Batch) Omit() {
	if b.early != 0 {
		b.early &= b.early - 1
	} else {
		b.late &= b.late - 1
	}
}

// News returns the mask of the positions of fingerprints that were not in the table.
func (b *Batch) News() uint64 { return b.news }
