package store

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

func grown(t *testing.T, tab *Table) {
	t.Helper()
	if err := tab.Grow(); err != nil {
		t.Fatal(err)
	}
	tab.Move()
}

// TestTableFillsItsLimit: where the limit leaves no room for a quarter, the table grows to the
// limit. It ends with an error when less than a 32nd is left.
func TestTableFillsItsLimit(t *testing.T) {
	t.Parallel()
	for _, wide := range []bool{false, true} {
		for limit := int64(5); limit < 12; limit++ { // MiB
			st := memory.NewBudget(limit << 20)
			tab, err := NewTable(st, LeastHomes, wide)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(uint64(limit), 2))
			var known []Entry
			for {
				if tab.Crowded(tab.Used() + 1) {
					if err = tab.Grow(); err != nil {
						break
					}
					tab.Move()
				}
				e := Entry{Hash: r.Uint64() | 1}
				if wide {
					e.More = r.Uint32()
				}
				if tab.Put(e.Hash, e.More) != Fresh {
					t.Fatalf("a limit of %d MiB: an entry has no room among %d", limit, len(known))
				}
				known = append(known, e)
				tab.Add(1)
			}
			for _, e := range known {
				if !tab.Knows(e) {
					t.Fatalf("a limit of %d MiB: an entry is lost", limit)
				}
			}
			if full := float64(limit<<20) / bucketBytes * float64(tab.slots()); !errors.Is(err, memory.ErrLimit) || float64(len(known)) < 0.75*full {
				t.Errorf("a limit of %d MiB: %v after %d entries, %.2f of what the limit holds", limit, err, len(known), float64(len(known))/full)
			}
			st.Free()
		}
	}
}

// TestTableIsASet inserts random fingerprints, some twice, into a table that starts with one home
// for each segment.
func TestTableIsASet(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	tab, err := NewTable(st, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var known []uint64
	in := map[uint64]bool{}
	check := func() {
		t.Helper()
		for _, h := range known {
			if !tab.has(h) {
				t.Fatalf("%x is lost at %d homes", h, tab.homes)
			}
		}
		for range 1000 {
			if h := r.Uint64(); tab.has(h) != in[h] {
				t.Fatalf("%x was found", h)
			}
		}
	}
	for len(known) < 100_000 {
		h := r.Uint64() | 1
		if r.IntN(4) == 0 && len(known) > 0 {
			h = known[r.IntN(len(known))]
		}
		got := tab.insert(h, tab.home(h))
		for got == Full {
			grown(t, tab)
			got = tab.insert(h, tab.home(h))
		}
		if (got == Seen) != in[h] {
			t.Fatalf("insertion of %x: %d, it was there: %v", h, got, in[h])
		}
		if got == Fresh {
			in[h] = true
			known = append(known, h)
			if tab.used.Add(1) > tab.limit {
				grown(t, tab)
				check()
			}
		}
	}
	check()
}

// TestTableDisplaces fills neighbouring homes far beyond their room, so that entries lie up to the
// tail, and grows.
func TestTableDisplaces(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	tab, err := NewTable(st, 64, false)
	if err != nil {
		t.Fatal(err)
	}
	const segment = uint64(5) << (64 - segmentBits)
	var in []uint64
	next := uint64(0)
	for {
		h := segment | (1<<(64-segmentBits) - 1 - next) // the last homes of the segment
		next++
		if tab.insert(h, tab.home(h)) == Full {
			break
		}
		in = append(in, h)
	}
	if len(in) != (tailBuckets+1)*len(bucket{}) {
		t.Fatalf("%d entries fit into the last home and the tail", len(in))
	}
	for range 12 {
		grown(t, tab)
		for _, h := range in {
			if !tab.has(h) {
				t.Fatalf("%x is lost at %d homes", h, tab.homes)
			}
			if tab.insert(h, tab.home(h)) != Seen {
				t.Fatalf("%x is inserted twice", h)
			}
		}
	}
}

// TestTableShared: if several workers insert the same fingerprints, exactly one learns of each that
// it is fresh.
func TestTableShared(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	tab, err := NewTable(st, 512, false)
	if err != nil {
		t.Fatal(err)
	}
	var news atomic.Int64
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(7, 7))
			if k%2 == 1 {
				r = rand.New(rand.NewPCG(8, 8))
			}
			for range 60_000 {
				h := r.Uint64() | 1
				switch tab.insert(h, tab.home(h)) {
				case Fresh:
					news.Add(1)
				case Full:
					t.Error("the table is full")
				}
			}
		})
	}
	wait.Wait()
	if news.Load() != 120_000 {
		t.Errorf("%d fresh", news.Load())
	}
}

// TestNearest compares the smallest difference with that of the sorted fingerprints.
func TestNearest(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		st := memory.NewBudget(0)
		tab, err := NewTable(st, 1, false)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 21))
		var all []uint64
		for range []int{0, 1, 2, 50, 9000}[seed%5] {
			h := r.Uint64() | 1
			if err := tab.add(Entry{Hash: h}); err != nil {
				t.Fatal(err)
			}
			all = append(all, h)
		}
		slices.Sort(all)
		want := uint64(0)
		for k := 1; k < len(all); k++ {
			if d := all[k] - all[k-1]; all[k]>>58 == all[k-1]>>58 && (want == 0 || d < want) {
				want = d
			}
		}
		if got := tab.Nearest(3); got != want {
			t.Errorf("of %d: %d, want %d", len(all), got, want)
		}
		st.Free()
	}
}

// TestTogether: two workers look up the same hashes of one home and insert the missing ones.
// Exactly one learns that a hash is new, also where the home fills meanwhile.
func TestTogether(t *testing.T) {
	t.Parallel()
	const rounds, news = 20_000, 12
	st := memory.NewBudget(0)
	defer st.Free()
	table, err := NewTable(st, 1<<13, false)
	if err != nil {
		t.Fatal(err)
	}
	var started, told [rounds]atomic.Int32
	look := func(seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		for k := range rounds {
			var hash [64]uint64
			var home [64]*bucket
			for n, x := range r.Perm(news) {
				hash[n] = uint64(k)*(1<<64/rounds) + 1 + uint64(x)
				home[n] = table.home(hash[n])
			}
			for started[k].Add(1); started[k].Load() < 2; {
				runtime.Gosched()
			}
			for n := range news { // one after the other, as the home fills
				one, at := [64]uint64{hash[n]}, [64]*bucket{home[n]}
				left, behind := unseen(&one, &at, 1)
				got := Seen
				switch {
				case left == 0:
				case behind != 0:
					got = table.insertBehind(hash[n])
				default:
					got = table.insert(hash[n], home[n])
				}
				if got == Fresh {
					told[k].Add(1)
				}
			}
		}
	}
	var wait sync.WaitGroup
	wait.Go(func() { look(1) })
	wait.Go(func() { look(2) })
	wait.Wait()
	for k := range told {
		if n := told[k].Load(); n != news {
			t.Fatalf("round %d: %d of %d hashes are new", k, n, news)
		}
	}
}

// TestTableRefusesUneven reads fingerprints that all belong to one home, as no exploration has
// computed them. They are refused before the table has grown far beyond what so many entries need.
func TestTableRefusesUneven(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	tab, err := NewTable(st, LeastHomes, false)
	if err != nil {
		t.Fatal(err)
	}
	var frame []byte
	const entries = 100_000
	for k := range uint64(entries) {
		frame = binary.LittleEndian.AppendUint64(frame, 1<<63+k)
	}
	var sum uint64
	if err := tab.Read(frame, &sum); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want %v", err, ErrDamaged)
	}
	if most := 2 * mostGrowth * HomesFor(entries, false); tab.homes > most {
		t.Errorf("the table has %d homes, want at most %d", tab.homes, most)
	}
}
