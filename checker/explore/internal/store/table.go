package store

import (
	"errors"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
	"github.com/multigrain/multigrain/checker/internal/fingerprint"
)

// What it computes. The visited set: fingerprints in an open-addressing table of cache lines.
//
// Why it is right. An entry lies in the first bucket from its home on that had a free slot, and
// nothing is ever removed while workers insert. So a look-up may stop at the first bucket with a
// free slot. Insertion is one compare-and-swap of a free slot. If two workers insert the same
// fingerprint, one swap fails, and that worker finds the entry.
//
// What it costs. 9.8 to 12.3 bytes for an entry of 8 bytes, and mostly one cache miss for a
// look-up. The table grows in place by a quarter when 13/16 of it are used.
//
// Example. Two entries have bucket 5 as home, which is full:
//
//	bucket    5           6
//	          [8 entries] [x . . . . . . .]     x was displaced; y goes after x

// bucket is a cache line of fingerprints. They fill it from the front; 0 is an empty slot.
// fingerprint.Of is never 0.
type bucket [8]uint64

const (
	bucketBytes  = 64
	slabBuckets  = memory.SlabBytes / bucketBytes
	pageBuckets  = 64 // buckets of one segment that lie together, 4 KiB
	segmentBits  = 6
	segments     = 1 << segmentBits
	tailBuckets  = 8 // after a segment's last home, for what does not fit at home
	LeastHomes   = pageBuckets - tailBuckets
	doubledBelow = 1 << 10 // homes of a segment (4 MiB in all) up to which the table doubles
	leastGrowth  = 32      // the table grows by a 32nd at least: each growth moves all entries
)

// Table is the set of fingerprints of the distinct nodes: open addressing in buckets, insertion by
// compare-and-swap, nothing is ever taken out. A fingerprint's first bits choose one of 64
// segments. The other bits, read as a fraction, choose its home among the segment's buckets; it
// lies in the first bucket from there on that had a free slot.
//
// So a segment is sorted by fingerprints except for displaced ones, and it grows in place (see
// move). No second copy is ever held, and any factor of growth will do. All segments have the same
// number of homes, and their pages are interleaved in memory. So the table as a whole is one run of
// slabs that only grows at its end.
type Table struct {
	store *memory.Budget
	wide  bool // entries are those of wide.go
	slabs []memory.Slab
	homes uint64 // home buckets of each segment
	limit int64  // entries above which the table has to grow
	used  atomic.Int64

	// While it grows:
	from uint64       // homes before
	next atomic.Int32 // the segment that is moved next
}

// NewTable makes a table of 64-bit fingerprints, or of wide ones, whose segments have so many
// homes.
func NewTable(st *memory.Budget, homes uint64, wide bool) (*Table, error) {
	t := &Table{store: st, wide: wide}
	if err := t.extend(homes); err != nil {
		return nil, err
	}
	t.settle(homes)
	return t, nil
}

// The table grows above 13/16 of its slots, and then by a quarter: between 9.8 and 12.3 bytes for
// each entry. A table that is filled to 7/8 takes a byte less, and made exploration a sixth slower,
// as look-ups then often continue after their home.
const loadNum, loadDen = 13, 16

func (t *Table) settle(homes uint64) {
	t.homes = homes
	t.limit = int64(homes * segments * uint64(t.slots()) * loadNum / loadDen)
}

// slots returns how many entries a bucket holds.
func (t *Table) slots() int {
	if t.wide {
		return wideSlots
	}
	return len(bucket{})
}

// Wide reports whether fingerprints have 96 bits.
func (t *Table) Wide() bool { return t.wide }

// Used returns the number of entries, as far as Add counted them.
func (t *Table) Used() int64 { return t.used.Load() }

// Add counts n entries that were inserted, and returns the number of all.
func (t *Table) Add(n int64) int64 { return t.used.Add(n) }

// Crowded reports whether the table should grow at so many entries.
func (t *Table) Crowded(entries int64) bool { return entries > t.limit }

// Fill lets the table be filled up to its last slots: it cannot grow. No one may insert meanwhile.
func (t *Table) Fill() { t.limit = math.MaxInt64 }

// at returns a bucket of a segment.
func (t *Table) at(segment, b uint64) *bucket {
	x := (b/pageBuckets*segments+segment)*pageBuckets + b%pageBuckets
	return (*bucket)(unsafe.Add(unsafe.Pointer(t.slabs[x/slabBuckets]), x%slabBuckets*bucketBytes))
}

// homeOf returns the home of a fingerprint among n buckets. It grows with the fingerprint and with
// n.
func homeOf(h, n uint64) uint64 {
	b, _ := bits.Mul64(h<<segmentBits, n)
	return b
}

// home returns the bucket from which the search for h starts.
func (t *Table) home(h uint64) *bucket { return t.at(h>>(64-segmentBits), homeOf(h, t.homes)) }

// Outcome of an insertion.
type Outcome uint8

const (
	Fresh Outcome = iota // h was put in
	Seen                 // h was there
	Full                 // there is no room near h's home: the table has to grow first
)

// insert adds h, whose home is bucket b. Several workers may insert at the same time. If several
// insert the same h, exactly one learns that it is fresh.
func (t *Table) insert(h uint64, b *bucket) Outcome {
	if got := b.insert(h); got != Full {
		return got
	}
	return t.insertBehind(h)
}

// insertBehind puts h in, whose home is full and does not hold it.
func (t *Table) insertBehind(h uint64) Outcome {
	segment := h >> (64 - segmentBits)
	for x := homeOf(h, t.homes) + 1; x < t.homes+tailBuckets; x++ {
		if got := t.at(segment, x).insert(h); got != Full {
			return got
		}
	}
	return Full
}

// following appends the four buckets after h's home to at, or fewer at the end of the table.
func (t *Table) following(at []*bucket, h uint64) []*bucket {
	segment, home := h>>(64-segmentBits), homeOf(h, t.homes)
	for x := home + 1; x <= home+4 && x < t.homes+tailBuckets; x++ {
		at = append(at, t.at(segment, x))
	}
	return at
}

// insert puts h into the bucket's first free slot, unless it is there or there is none. Whether it
// is there and which slot is free is found without a branch for each slot, which could not be
// predicted.
func (b *bucket) insert(h uint64) Outcome {
	// From the last slot to the first: what is filled meanwhile leaves no gap before a slot that
	// was read as filled.
	v7, v6 := atomic.LoadUint64(&b[7]), atomic.LoadUint64(&b[6])
	v5, v4 := atomic.LoadUint64(&b[5]), atomic.LoadUint64(&b[4])
	v3, v2 := atomic.LoadUint64(&b[3]), atomic.LoadUint64(&b[2])
	v1, v0 := atomic.LoadUint64(&b[1]), atomic.LoadUint64(&b[0])
	if ifEqual(v0, h)|ifEqual(v1, h)|ifEqual(v2, h)|ifEqual(v3, h)|ifEqual(v4, h)|ifEqual(v5, h)|ifEqual(v6, h)|ifEqual(v7, h) != 0 {
		return Seen
	}
	// The slots that were free when they were read are looked at again: another worker may have
	// filled them since.
	free := uint64(ifEqual(v0, 0) + ifEqual(v1, 0) + ifEqual(v2, 0) + ifEqual(v3, 0) +
		ifEqual(v4, 0) + ifEqual(v5, 0) + ifEqual(v6, 0) + ifEqual(v7, 0))
	for k := uint64(len(b)) - free; k < uint64(len(b)); k++ {
		if atomic.CompareAndSwapUint64(&b[k], 0, h) {
			return Fresh
		}
		if atomic.LoadUint64(&b[k]) == h {
			return Seen
		}
	}
	return Full
}

// ifEqual is 1 if x is y, and else 0: the compiler makes no branch of it.
func ifEqual(x, y uint64) (is uint8) {
	if x == y {
		is = 1
	}
	return is
}

// has reports whether h is there. It must not run next to insertions.
func (t *Table) has(h uint64) bool {
	segment := h >> (64 - segmentBits)
	for x := homeOf(h, t.homes); x < t.homes+tailBuckets; x++ {
		for _, v := range t.at(segment, x) {
			if v == h || v == 0 {
				return v == h
			}
		}
	}
	return false
}

// extend takes the memory for segments of so many homes.
func (t *Table) extend(homes uint64) error {
	pages := (homes + tailBuckets + pageBuckets - 1) / pageBuckets * segments
	for uint64(len(t.slabs))*slabBuckets < pages*pageBuckets {
		b, err := t.store.Slab()
		if err != nil {
			return err
		}
		t.slabs = append(t.slabs, b)
	}
	return nil
}

// Grow makes the table larger, by a quarter once it is large: memory is judged at its peak. Where
// the limit leaves no room for a quarter, it grows to the limit. If it would grow by less than a
// 32nd, the error is memory.ErrLimit. The workers must be stopped. The entries are moved by Move,
// which each of them calls.
func (t *Table) Grow() error {
	homes := t.homes * 2
	if t.homes >= doubledBelow {
		homes = t.homes + t.homes/4
	}
	if homes > pageBuckets { // up to a whole page
		homes = (homes+tailBuckets+pageBuckets-1)/pageBuckets*pageBuckets - tailBuckets
	}
	if err := t.extend(homes); err != nil {
		pages := uint64(len(t.slabs)) * slabBuckets / pageBuckets / segments
		if homes = pages*pageBuckets - tailBuckets; !errors.Is(err, memory.ErrLimit) || homes < t.homes+t.homes/leastGrowth {
			return err
		}
	}
	t.from = t.homes
	t.settle(homes)
	t.next.Store(0)
	return nil
}

// Move takes segments that have not been moved to their new homes, until none is left. Several may
// call it at once.
func (t *Table) Move() {
	m := mover{table: t, filled: make([]uint8, t.homes+tailBuckets)}
	for s := t.next.Add(1) - 1; s < segments; s = t.next.Add(1) - 1 {
		m.move(uint64(s))
	}
}

// mover moves the entries of one segment to their new homes.
type mover struct {
	table   *Table
	segment uint64
	filled  []uint8 // by bucket: slots, of those that were emptied
	waiting []Entry
}

// Entry is the entry of a node in a table: its fingerprint, and the further bits of a wide table.
type Entry struct {
	Hash uint64
	More uint32
}

// move empties the buckets of a segment from the last to the first. An entry's new home is never
// before its old one, so most of what a bucket held goes straight to a bucket that was emptied
// before. A displaced entry may have its new home before the current bucket. It waits, since the
// buckets there still hold entries that must be removed, and removing an entry would hide those
// that lie after it.
func (m *mover) move(segment uint64) {
	t := m.table
	slots := t.slots()
	m.segment = segment
	clear(m.filled)
	for x := t.from + tailBuckets; x > 0; {
		x--
		b := t.at(segment, x)
		held := *b
		*b = bucket{}
		if len(m.waiting) > 0 {
			late := m.waiting
			m.waiting = m.waiting[:0]
			for _, e := range late {
				m.settle(e, homeOf(e.Hash, t.homes), x)
			}
		}
		for k := 0; k < slots && held[k] != 0; k++ {
			h := held[k]
			to := homeOf(h, t.homes)
			// Most entries have room at home.
			if n := m.filled[to]; to >= x && n < uint8(len(bucket{})) && !t.wide {
				t.at(segment, to)[n] = h
				m.filled[to] = n + 1
				continue
			}
			e := Entry{Hash: h}
			if t.wide {
				e.More = held.parts()[wideMore+k]
			}
			m.settle(e, to, x)
		}
	}
}

// settle places an entry if its home is not before bucket x, and else lets it wait. There is a free
// slot: a segment that grows has more room than before, and what is displaced across its last home
// then was so before.
func (m *mover) settle(e Entry, to, x uint64) {
	t := m.table
	if to < x {
		m.waiting = append(m.waiting, e)
		return
	}
	for m.filled[to] == uint8(t.slots()) {
		to++
	}
	t.set(t.at(m.segment, to), int(m.filled[to]), e)
	m.filled[to]++
}

// EntryOf returns what a table holds of a node.
func EntryOf[T any](t *Table, n *T) Entry {
	e := Entry{Hash: fingerprint.Of(n)}
	if t.wide {
		e.More = fingerprint.Wide(n)
	}
	return e
}

// set fills a slot of a bucket.
func (t *Table) set(b *bucket, k int, e Entry) {
	b[k] = e.Hash
	if t.wide {
		b.parts()[wideMore+k] = e.More
	}
}
