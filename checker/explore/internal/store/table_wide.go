package store

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// A wide table keeps 96 bits of a node: fingerprint.Of and fingerprint.Wide. Its buckets are cache
// lines, too: five words of Hash, then, counted in words of 32 bits, five of Check and a lock. All
// else is as in table.go, where the first word of a slot says whether it is filled.
const (
	wideSlots = 5
	wideMore  = 10 // the first word of Check
	wideLock  = 15
)

// parts returns the bucket as words of 32 bits.
func (b *bucket) parts() *[16]uint32 { return (*[16]uint32)(unsafe.Pointer(b)) }

// Put puts fingerprint h in, which must not be 0 and whose home need not have been looked for. A
// wide table stores more, the second hash, with it; other tables ignore more. The outcome is Fresh
// if h was not there, and Full if there is no slot for it.
func (t *Table) Put(h uint64, more uint32) Outcome {
	if t.wide {
		return t.insertWide(h, more, t.home(h))
	}
	return t.insert(h, t.home(h))
}

// insertWide is insert for wide tables.
func (t *Table) insertWide(h uint64, more uint32, b *bucket) Outcome {
	if got := b.insertWide(h, more); got != Full {
		return got
	}
	segment := h >> (64 - segmentBits)
	for x := homeOf(h, t.homes) + 1; x < t.homes+tailBuckets; x++ {
		if got := t.at(segment, x).insertWide(h, more); got != Full {
			return got
		}
	}
	return Full
}

// insertWide puts a fingerprint into the bucket's first free slot, unless it is there or there is
// none. Only a fresh one takes the lock: a fingerprint is longer than what can be exchanged at
// once.
func (b *bucket) insertWide(h uint64, more uint32) Outcome {
	if got := b.lookWide(h, more); got != Fresh {
		return got
	}
	parts := b.parts()
	for tries := 0; !atomic.CompareAndSwapUint32(&parts[wideLock], 0, 1); tries++ {
		if tries%64 == 63 {
			runtime.Gosched()
		}
	}
	got := Full
	for k := range wideSlots {
		if b[k] == 0 {
			atomic.StoreUint32(&parts[wideMore+k], more) // first: who sees h reads it, too
			atomic.StoreUint64(&b[k], h)
			got = Fresh
			break
		}
		if b[k] == h && parts[wideMore+k] == more {
			got = Seen
			break
		}
	}
	atomic.StoreUint32(&parts[wideLock], 0)
	return got
}

// lookWide returns Fresh where a fingerprint is not in the bucket, which has a free slot. Slots are
// filled from the first on and stay so.
func (b *bucket) lookWide(h uint64, more uint32) Outcome {
	v4, v3 := atomic.LoadUint64(&b[4]), atomic.LoadUint64(&b[3])
	v2, v1, v0 := atomic.LoadUint64(&b[2]), atomic.LoadUint64(&b[1]), atomic.LoadUint64(&b[0])
	if ifEqual(v0, h)|ifEqual(v1, h)|ifEqual(v2, h)|ifEqual(v3, h)|ifEqual(v4, h) != 0 {
		for k := range wideSlots {
			if atomic.LoadUint64(&b[k]) == h && atomic.LoadUint32(&b.parts()[wideMore+k]) == more {
				return Seen
			}
		}
	}
	if v4 != 0 {
		return Full
	}
	return Fresh
}

// Knows reports whether an entry is there. It must not run next to insertions.
func (t *Table) Knows(e Entry) bool {
	if !t.wide {
		return t.has(e.Hash)
	}
	segment := e.Hash >> (64 - segmentBits)
	for x := homeOf(e.Hash, t.homes); x < t.homes+tailBuckets; x++ {
		b := t.at(segment, x)
		for k := range wideSlots {
			if b[k] == 0 {
				return false
			}
			if b[k] == e.Hash && b.parts()[wideMore+k] == e.More {
				return true
			}
		}
	}
	return false
}
