package memory

import (
	"testing"

	"github.com/multigrain/multigrain/checker/host"
)

// TestTrim: memory of a frontier that became smaller goes to the table.
func TestTrim(t *testing.T) {
	t.Parallel()
	st := NewBudget(0)
	defer st.Free()
	a := &Arena{Budget: st.Unlimited(), Size: SlabBytes / 4}
	var blocks [][]byte
	for range 12 {
		b, err := a.Get()
		if err != nil {
			t.Fatal(err)
		}
		b[0], b[len(b)-1] = 1, 1
		blocks = append(blocks, b)
	}
	for k, b := range blocks {
		if k != 5 {
			a.Put(b)
		}
	}
	a.Trim()
	if got := a.Budget.held / SlabBytes; got != 1 {
		t.Errorf("%d slabs are held for one block", got)
	}
	if len(a.idle) != 3 {
		t.Errorf("%d blocks are idle beside it", len(a.idle))
	}
	for range 4 {
		b, err := st.Slab()
		if err != nil {
			t.Fatal(err)
		}
		if *b != [SlabBytes]byte{} {
			t.Error("a slab that was given back is not zero")
		}
	}
	if got := st.Peak() / SlabBytes; got != 5 {
		t.Errorf("%d slabs at most, want 5: two are used again", got)
	}
}

// TestBoundedArena: as long as blocks are free, neither kind of user waits for the other.
func TestBoundedArena(t *testing.T) {
	t.Parallel()
	st := NewBudget(0)
	defer st.Free()
	a := &Arena{Budget: st.Unlimited(), Size: SlabBytes / 4}
	a.Bound(40*SlabBytes/4, 1, nil)
	take := func(get func() ([]byte, error)) (blocks [][]byte) {
		for {
			b, err := get()
			if err == ErrSpill {
				return blocks
			}
			if err != nil {
				t.Fatalf("%v, with %d of %d blocks out", err, a.out, a.most)
			}
			blocks = append(blocks, b)
		}
	}
	for _, order := range [][2]func() ([]byte, error){{a.Must, a.GetLasting}, {a.GetLasting, a.Must}} {
		blocks := take(order[0])
		for _, b := range blocks[1:] {
			a.Put(b)
		}
		blocks = append(blocks[:1], take(order[1])...)
		for _, b := range blocks {
			a.Put(b)
		}
	}
}

// TestBudget: a budget hands out no more than its limit.
func TestBudget(t *testing.T) {
	t.Parallel()
	st := NewBudget(3*SlabBytes + 1)
	defer st.Free()
	for range 3 {
		b, err := st.Slab()
		if err != nil {
			t.Fatal(err)
		}
		b[0], b[SlabBytes-1] = 1, 1
	}
	if _, err := st.Slab(); err != ErrLimit {
		t.Errorf("the fourth slab: %v", err)
	}
	if st.held != 3*SlabBytes {
		t.Errorf("%d bytes held", st.held)
	}
}

// TestMemoryGone: a budget takes memory while it is short, and none when it is gone.
func TestMemoryGone(t *testing.T) {
	for left, want := range map[int64]error{900: nil, 30: nil, 20: ErrMemory, 1: ErrMemory} {
		end := host.ForTestsMemory(func() (int64, int64) { return left, 1000 })
		b := NewBudget(0)
		if _, err := b.Slab(); err != want {
			t.Errorf("%d of 1000 left: %v, want %v", left, err, want)
		}
		b.Free()
		end()
	}
}
