package explore

import "testing"

// TestTrim: memory of a frontier that became smaller goes to the table.
func TestTrim(t *testing.T) {
	t.Parallel()
	st := newStore(0)
	defer st.free()
	a := &arena{store: st.beside(), size: slabBytes / 4}
	var blocks [][]byte
	for range 12 {
		b, err := a.get()
		if err != nil {
			t.Fatal(err)
		}
		b[0], b[len(b)-1] = 1, 1
		blocks = append(blocks, b)
	}
	for k, b := range blocks {
		if k != 5 {
			a.put(b)
		}
	}
	a.trim()
	if got := a.store.held / slabBytes; got != 1 {
		t.Errorf("%d slabs are held for one block", got)
	}
	if len(a.idle) != 3 {
		t.Errorf("%d blocks are idle beside it", len(a.idle))
	}
	for range 4 {
		b, err := st.slab()
		if err != nil {
			t.Fatal(err)
		}
		if *b != [slabBytes]byte{} {
			t.Error("a slab that was given back is not zero")
		}
	}
	if got := st.most() / slabBytes; got != 5 {
		t.Errorf("%d slabs at most, want 5: two are used again", got)
	}
}

// TestBoundedArena: as long as blocks are to be had, no kind of them waits for the other kind's.
func TestBoundedArena(t *testing.T) {
	t.Parallel()
	st := newStore(0)
	defer st.free()
	a := &arena{store: st.beside(), size: slabBytes / 4}
	a.bound(40*slabBytes/4, 1, nil)
	take := func(get func() ([]byte, error)) (blocks [][]byte) {
		for {
			b, err := get()
			if err == errSpill {
				return blocks
			}
			if err != nil {
				t.Fatalf("%v, with %d of %d blocks out", err, a.out, a.most)
			}
			blocks = append(blocks, b)
		}
	}
	for _, order := range [][2]func() ([]byte, error){{a.must, a.getLasting}, {a.getLasting, a.must}} {
		blocks := take(order[0])
		for _, b := range blocks[1:] {
			a.put(b)
		}
		blocks = append(blocks[:1], take(order[1])...)
		for _, b := range blocks {
			a.put(b)
		}
	}
}

// TestBudget: a budget hands out no more than its limit.
func TestBudget(t *testing.T) {
	t.Parallel()
	st := newStore(3*slabBytes + 1)
	defer st.free()
	for range 3 {
		b, err := st.slab()
		if err != nil {
			t.Fatal(err)
		}
		b[0], b[slabBytes-1] = 1, 1
	}
	if _, err := st.slab(); err != errLimit {
		t.Errorf("the fourth slab: %v", err)
	}
	if st.held != 3*slabBytes {
		t.Errorf("%d bytes held", st.held)
	}
}
