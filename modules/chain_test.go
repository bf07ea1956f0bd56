package modules

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

type link struct {
	A uint8
	B uint64 // after padding
}

// TestChain does the same to Chains and to slices, and folds old elements away.
func TestChain(t *testing.T) {
	defer UseArena(UseArena(NewArena()))
	rng := rand.New(rand.NewPCG(3, 3))
	var chains [6]Chain[link]
	var naive [6][]link
	folded := 0
	for step := range 60_000 {
		k := rng.IntN(len(chains))
		q, s := &chains[k], &naive[k]
		switch x := rng.IntN(10); {
		case x < 6:
			v := link{uint8(rng.IntN(2)), uint64(rng.IntN(2))}
			q.Append(v)
			*s = append(slices.Clip(*s), v)
		case x < 8 && len(*s) > folded:
			n := folded + rng.IntN(len(*s)-folded+1)
			q.Truncate(n)
			*s = (*s)[:n]
		case x == 8:
			from := rng.IntN(len(chains))
			*q, *s = chains[from], slices.Clone(naive[from])
		case step%500 == 0 && len(chains[0].roots(&chains, 0)) > 0:
			short := len(*s)
			for _, o := range naive {
				short = min(short, len(o))
			}
			folded = max(folded, short-1)
			chainArena().Fold(chains[0].roots(&chains, uint64(folded)))
		}
		if q.Len() != len(*s) || q.Empty() != (len(*s) == 0) {
			t.Fatalf("step %d: %d elements, want %d", step, q.Len(), len(*s))
		}
		for p := max(folded, 1); p <= len(*s); p++ {
			if q.At(p) != (*s)[p-1] {
				t.Fatalf("step %d: element %d is %v, want %v", step, p, q.At(p), (*s)[p-1])
			}
		}
		for o := range chains {
			if equal := slices.Equal(naive[o], *s); equal != (chains[o] == *q) && folded == 0 {
				t.Fatalf("step %d: equal %t, as values %t", step, equal, !equal)
			}
		}
		if len(*s) > 60 && folded == 0 {
			q.Clear()
			*s = nil
		}
	}
	if folded == 0 {
		t.Error("nothing was folded away")
	}
}

func chainArena() *Arena { return chains }

// roots returns the nodes of all chains.
func (q *Chain[T]) roots(all *[6]Chain[T], base uint64) (out []Root) {
	for k := range all {
		if all[k].node == 0 && all[k].Len() == 0 {
			continue
		}
		out = append(out, Root{&all[k].node, base})
	}
	return out
}

// TestFolded says what reading a forgotten element is.
func TestFolded(t *testing.T) {
	defer UseArena(UseArena(NewArena()))
	var q Chain[uint8]
	for k := range uint8(10) {
		q.Append(k)
	}
	chains.Fold([]Root{{&q.node, 7}})
	if q.Len() != 10 || q.At(7) != 6 || q.At(10) != 9 || chains.Nodes() != 4 {
		t.Errorf("%d elements, %d, %d, %d nodes", q.Len(), q.At(7), q.At(10), chains.Nodes())
	}
	defer func() {
		var folded *FoldedError
		if err, ok := recover().(error); !ok || !errors.As(err, &folded) || folded.Index != 6 || folded.First != 7 {
			t.Errorf("%v", err)
		}
	}()
	q.At(6)
}

// TestSkip says what a sequence is whose first elements nobody knows, through folding and a copy on
// disk.
func TestSkip(t *testing.T) {
	defer UseArena(UseArena(NewArena()))
	var q, r, known Chain[uint8]
	q.Skip(5)
	r.Skip(5)
	if q != r || q.Len() != 5 || q.Empty() || chains.Nodes() != 1 {
		t.Errorf("%d elements, %d nodes, equal %t", q.Len(), chains.Nodes(), q == r)
	}
	q.Append(6)
	for k := range uint8(6) {
		known.Append(k + 1)
	}
	if !chains.Agree(q.node, known.node) || !chains.Agree(known.node, q.node) {
		t.Error("a sequence does not agree with one of which only the end is known")
	}
	chains.Fold([]Root{{&q.node, 0}, {&r.node, 0}})
	b, err := chains.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	UseArena(NewArena())
	if err := chains.UnmarshalBinary(b, ElementsOf[struct{ Log Chain[uint8] }]()); err != nil {
		t.Fatal(err)
	}
	var again Chain[uint8]
	if again.Skip(5); again != r || q.At(6) != 6 || q.Prefix(5) != r {
		t.Errorf("equal %t, element %d", again == r, q.At(6))
	}
	again.Append(7)
	if chains.Agree(q.node, again.node) {
		t.Error("sequences with different ends agree")
	}
	for _, k := range []int{3, 5} {
		func() {
			defer func() {
				var folded *FoldedError
				if err, ok := recover().(error); !ok || !errors.As(err, &folded) || folded.First != 6 {
					t.Errorf("element %d: %v", k, err)
				}
			}()
			q.At(k)
		}()
	}
	q.Truncate(5)
	if q != r {
		t.Error("what is left is another sequence")
	}
	q.Skip(0)
	if !q.Empty() {
		t.Error("nothing is skipped, and the sequence is not empty")
	}
}

// TestBegins compares Begins with slices, for sequences that share elements and for one whose first
// elements are unknown.
func TestBegins(t *testing.T) {
	a := NewArena()
	defer UseArena(UseArena(a))
	of := func(values ...uint64) (q Chain[link]) {
		for _, v := range values {
			q.Append(link{B: v})
		}
		return q
	}
	long, other := of(1, 2, 3, 4), of(1, 2, 9)
	var end Chain[link] // whose first two elements are unknown
	end.Skip(2)
	end.Append(link{B: 3})
	wrong := Chain[link]{}
	wrong.Skip(2)
	wrong.Append(link{B: 5})
	for _, c := range []struct {
		name  string
		q     Chain[link]
		least uint64
		want  bool
	}{
		{"itself", long, 0, true},
		{"a beginning", of(1, 2), 2, true},
		{"too short", of(1, 2), 3, false},
		{"empty", of(), 0, true},
		{"longer", of(1, 2, 3, 4, 5), 0, false},
		{"another end", other, 0, false},
		{"unknown elements", end, 3, true},
		{"unknown elements and another end", wrong, 3, false},
	} {
		if got := a.Begins(long.node, c.q.node, c.least); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
	if n := a.Length(long.node); n != 4 {
		t.Errorf("%d elements", n)
	}
}
