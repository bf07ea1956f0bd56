package store

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore/internal/memory"
)

func roundTrip[T comparable](t *testing.T) {
	t.Helper()
	st := memory.NewBudget(0)
	defer st.Free()
	block, err := BlockFor[T](512)
	if err != nil {
		t.Fatal(err)
	}
	a := &memory.Arena{Budget: st, Size: block}
	w := Writer[T]{Arena: a, Most: 50}
	r := rand.New(rand.NewPCG(3, 4))
	var n T
	var all []T
	b := checker.Bytes(&n)
	for range 300 {
		for range r.IntN(2 + len(b)/3) { // few bytes differ, sometimes none
			mask := byte(r.Uint32())
			b[r.IntN(len(b))] = byte(r.Uint32()) & mask
		}
		if r.IntN(50) == 0 {
			for k := range b {
				b[k] = ^b[k]
			}
		}
		if _, err := w.Room(); err != nil {
			t.Fatal(err)
		}
		w.Put(&n, 0)
		all = append(all, n)
	}
	at := 0
	for _, c := range w.Take() {
		if c.used > len(c.mem) || c.Nodes > 50 {
			t.Fatalf("%T: a chunk of %d nodes in %d of %d bytes", n, c.Nodes, c.used, len(c.mem))
		}
		var read Reader[T]
		read.Start(c)
		for range c.Nodes {
			if got := read.Next(); *got != all[at] {
				t.Fatalf("%T: node %d came out as %v", n, at, *got)
			}
			at++
		}
	}
	if at != len(all) {
		t.Errorf("%T: %d nodes of %d", n, at, len(all))
	}
}

func TestFrontierRoundTrip(t *testing.T) {
	t.Parallel()
	roundTrip[[1]uint8](t)
	roundTrip[[7]uint8](t)
	roundTrip[[8]uint8](t)
	roundTrip[[13]uint8](t)
	roundTrip[[24]uint64](t)
	roundTrip[[199]uint8](t)
	roundTrip[[512]uint8](t)
	roundTrip[[513]uint8](t)
	roundTrip[[1023]uint8](t)
	roundTrip[[5000]uint8](t)
}

// FuzzFrontier: whatever two nodes follow each other, both come out.
func FuzzFrontier(f *testing.F) {
	f.Add([]byte("one"), []byte("another"))
	f.Add(make([]byte, 75), []byte{255, 0, 0, 255})
	f.Fuzz(func(t *testing.T, x, y []byte) {
		var p, q padded[[75]uint8]
		copy(p.node[:], x)
		copy(q.node[:], y)
		n := len(p.words())
		var zero padded[[75]uint8]
		mem := make([]byte, 2*worstNode(n))
		used := encode(mem, p.words(), zero.words())
		end := used + encode(mem[used:], q.words(), p.words())
		if used > worstNode(n)-excess || end-used > worstNode(n)-excess {
			t.Fatalf("%d and %d bytes", used, end-used)
		}
		var got padded[[75]uint8]
		if decode(mem, got.words()) != used || got != p {
			t.Fatal("the first node came out differently")
		}
		if decode(mem[used:], got.words()) != end-used || got != q {
			t.Fatal("the second node came out differently")
		}
	})
}

// TestWords: whatever differs, what is written with vector instructions is read without them, and
// the other way round.
func TestWords(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		var before, node [64]uint64
		blocks := 1 + r.IntN(8)
		for k := range 8 * blocks {
			before[k] = r.Uint64()
			node[k] = before[k]
			if r.IntN(3) == 0 {
				node[k] ^= r.Uint64() & (0xff << (8 * r.IntN(8)))
			}
			if r.IntN(16) == 0 {
				node[k] ^= r.Uint64() & (0xff00ff00ff00ff00 >> (8 * r.IntN(2)))
			}
			if r.IntN(16) == 0 {
				node[k] = r.Uint64()
			}
		}
		for name, write := range map[string]func(at unsafe.Pointer, word, before *uint64, blocks int) unsafe.Pointer{"Go": encodeWords, "vectors": encodeBlocks} {
			var mem [64*9 + 8 + excess]byte
			at := unsafe.Pointer(&mem)
			used := uintptr(write(at, &node[0], &before[0], blocks)) - uintptr(at)
			for by, read := range map[string]func(at unsafe.Pointer, word *uint64, blocks int) unsafe.Pointer{"Go": decodeWords, "vectors": decodeBlocks} {
				got := before
				if n := uintptr(read(at, &got[0], blocks)) - uintptr(at); got != node || n != used {
					t.Fatalf("written by %s, %d bytes, and read by %s, %d:\n%x\nfor %x\nafter %x", name, used, by, n, got, node, before)
				}
			}
		}
	}
}

// TestTraceLog writes runs of several streams over many small blocks and finds every record.
func TestTraceLog(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	l := NewTraceLog(&memory.Arena{Budget: st, Size: 128}, 3)
	r := rand.New(rand.NewPCG(5, 6))
	type record struct {
		parent   int64
		instance uint32
	}
	var want []record
	for range 40 { // levels
		written := make([][]record, 3)
		chunks := make([][]*Chunk, 3)
		for k := range 3 {
			parent := int64(0)
			for range r.IntN(3) {
				c := &Chunk{Nodes: 1 + r.IntN(30)}
				chunks[k] = append(chunks[k], c)
				for x := range c.Nodes {
					if err := l.Room(k); err != nil {
						t.Fatal(err)
					}
					if x == 0 {
						l.Start(k)
					}
					parent += int64(r.Uint64() >> (16 + r.IntN(47)))
					rec := record{parent, r.Uint32() >> r.IntN(32)}
					l.Put(k, rec.parent, rec.instance)
					written[k] = append(written[k], rec)
				}
			}
		}
		for k := range 3 {
			first := int64(len(want))
			for _, c := range chunks[k] {
				c.First = first
				first += int64(c.Nodes)
			}
			want = append(want, written[k]...)
			l.Number(k, chunks[k])
		}
	}
	for x, w := range want {
		if parent, instance, err := l.Find(int64(x)); err != nil || parent != w.parent || instance != w.instance {
			t.Fatalf("record %d: %d %d, want %+v", x, parent, instance, w)
		}
	}
}

// TestManyChunks: however many chunks a level needs, the blocks of the last ones are filled as the
// first ones are.
func TestManyChunks(t *testing.T) {
	t.Parallel()
	st := memory.NewBudget(0)
	defer st.Free()
	a := &memory.Arena{Budget: st, Size: 4096}
	w := Writer[[8]uint64]{Arena: a, Most: 2}
	r := rand.New(rand.NewPCG(5, 6))
	const nodes = 100_000
	for range nodes {
		var n [8]uint64
		for k := range n {
			n[k] = r.Uint64()
		}
		if _, err := w.Room(); err != nil {
			t.Fatal(err)
		}
		w.Put(&n, 0)
	}
	chunks := w.Take()
	if len(chunks) < 66*manyChunks {
		t.Fatalf("%d chunks are too few for the doubling to overflow", len(chunks))
	}
	if last := chunks[len(chunks)-2]; last.Nodes < 40 {
		t.Errorf("a late chunk holds %d nodes in %d bytes", last.Nodes, len(last.mem))
	}
}

// TestLinesDiffer compares what compares lines with comparing their bytes.
func TestLinesDiffer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var a, b [64 * 64]byte
		for k := range a {
			a[k] = byte(r.Uint32())
		}
		b = a
		count, want := 1+r.IntN(64), uint64(0)
		for range r.IntN(5) {
			at := r.IntN(len(a))
			b[at]++
			if at/64 < count {
				want |= 1 << (at / 64)
			}
		}
		p, q := unsafe.Pointer(&a), unsafe.Pointer(&b)
		if got := linesDiffer(p, q, count); got != want {
			t.Fatalf("%d lines: %x, want %x", count, got, want)
		}
		if got := linesInGo(p, q, count); got != want {
			t.Fatalf("%d lines in Go: %x, want %x", count, got, want)
		}
	}
}
