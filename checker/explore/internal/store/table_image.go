package store

import (
	"encoding/binary"
	"math"
	"sync"
)

// HomesFor returns how many homes a segment needs for a table of n entries that has not to grow at
// once.
func HomesFor(n int64, wide bool) uint64 {
	t := Table{wide: wide}
	homes := uint64(n)*loadDen/(loadNum*segments*uint64(t.slots())) + 1
	return (homes+tailBuckets+pageBuckets-1)/pageBuckets*pageBuckets - tailBuckets
}

// entryBytes returns what an entry takes in an image.
func (t *Table) entryBytes() int {
	if t.wide {
		return 12
	}
	return 8
}

// Write writes all fingerprints into an image. It must not run next to insertions.
func (t *Table) Write(w *ImageWriter) {
	buf := make([]byte, 0, MaxFrame/4)
	slots := t.slots()
	for segment := range uint64(segments) {
		for x := range t.homes + tailBuckets {
			b := t.at(segment, x)
			for k := 0; k < slots && b[k] != 0; k++ {
				buf = binary.LittleEndian.AppendUint64(buf, b[k])
				if t.wide {
					buf = binary.LittleEndian.AppendUint32(buf, b.parts()[wideMore+k])
				}
			}
			if len(buf)+bucketBytes > cap(buf) {
				w.Frame(FrameVisited, buf)
				buf = buf[:0]
			}
		}
	}
	if len(buf) > 0 {
		w.Frame(FrameVisited, buf)
	}
}

// Read puts the fingerprints of a frame in and adds them to a sum, modulo 2^64.
func (t *Table) Read(b []byte, sum *uint64) error {
	size := t.entryBytes()
	if len(b)%size != 0 {
		return ErrDamaged
	}
	for ; len(b) > 0; b = b[size:] {
		e := Entry{Hash: binary.LittleEndian.Uint64(b)}
		if t.wide {
			e.More = binary.LittleEndian.Uint32(b[8:])
		}
		if err := t.add(e); err != nil {
			return err
		}
		*sum += e.Hash
		t.used.Add(1)
	}
	return nil
}

// mostGrowth bounds how many times the homes of a table that is read become more than its entries
// need. Fingerprints that were computed spread evenly. Others might have one home however large
// the table is.
const mostGrowth = 8

// add puts in an entry that is not there, and grows the table where it has to.
func (t *Table) add(e Entry) error {
	if e.Hash == 0 {
		return ErrDamaged
	}
	for {
		switch t.Put(e.Hash, e.More) {
		case Fresh:
			return nil
		case Seen:
			return ErrDamaged
		}
		if t.homes > mostGrowth*max(HomesFor(t.Used(), t.wide), LeastHomes) {
			return ErrDamaged
		}
		if err := t.Grow(); err != nil {
			return err
		}
		t.Move()
	}
}

// Nearest returns the smallest difference between the first 64 bits of two fingerprints; 0 where
// there are not two. The workers share the segments. It must not run next to insertions.
func (t *Table) Nearest(workers int) uint64 {
	found := make([]uint64, workers)
	var wait sync.WaitGroup
	for k := range workers {
		wait.Go(func() {
			found[k] = math.MaxUint64
			for s := uint64(k); s < segments; s += uint64(workers) {
				found[k] = min(found[k], t.nearestIn(s))
			}
		})
	}
	wait.Wait()
	least := uint64(math.MaxUint64)
	for _, d := range found {
		least = min(least, d)
	}
	if least == math.MaxUint64 {
		return 0
	}
	return least
}

// nearestIn is that of a segment. Its entries are sorted except for those of a bucket and what was
// displaced, so that sorting them by insertion hardly moves any. Of two neighbours in the end the
// one that is inserted later meets the other.
func (t *Table) nearestIn(segment uint64) uint64 {
	const window = 1 << 12 // entries that are kept for those who come after
	sorted := make([]uint64, 0, 2*window)
	least := uint64(math.MaxUint64)
	for x := range t.homes + tailBuckets {
		b := t.at(segment, x)
		for k := 0; k < t.slots() && b[k] != 0; k++ {
			if len(sorted) == cap(sorted) {
				sorted = sorted[:copy(sorted, sorted[window:])]
			}
			sorted = append(sorted, b[k])
			at := len(sorted) - 1
			for ; at > 0 && sorted[at-1] > sorted[at]; at-- {
				sorted[at-1], sorted[at] = sorted[at], sorted[at-1]
			}
			if at > 0 {
				least = min(least, sorted[at]-sorted[at-1])
			}
			if at+1 < len(sorted) {
				least = min(least, sorted[at+1]-sorted[at])
			}
		}
	}
	return least
}
