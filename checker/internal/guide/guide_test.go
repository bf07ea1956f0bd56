package guide_test

import (
	"math/rand/v2"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/guide"
)

// TestLearn: a walk is kept up to the last new feature, and only if it has one.
func TestLearn(t *testing.T) {
	t.Parallel()
	c := guide.New(0)
	rng := rand.New(rand.NewPCG(1, 1))
	if p := c.Plan(rng); p.Start != -1 || p.Steps != nil {
		t.Errorf("an empty corpus plans %+v", p)
	}
	if !c.Learn(2, []int32{5, 6, 7, 8}, []guide.Feature{{Hash: 1, At: 0}, {Hash: 2, At: 2}}) {
		t.Error("a walk with new features is not kept")
	}
	if c.Learn(0, []int32{9}, []guide.Feature{{Hash: 2, At: 1}}) || c.Kept() != 1 || c.Features() != 2 {
		t.Errorf("%d walks are kept for %d features", c.Kept(), c.Features())
	}
	for range 100 {
		p := c.Plan(rng)
		if p.Start != 2 {
			t.Fatalf("a plan starts at %d", p.Start)
		}
		for _, k := range p.Steps {
			if k != 5 && k != 6 {
				t.Fatalf("a plan has step %d, which is after the last new feature", k)
			}
		}
	}
}

// TestWalker: planned steps that are not enabled are left out, and actions of weight 0 are not
// drawn.
func TestWalker(t *testing.T) {
	t.Parallel()
	c := guide.New(0)
	c.Learn(0, []int32{0, 1, 0}, []guide.Feature{{Hash: 1, At: 3}})
	w := guide.NewWalker(c, []int{0, 0, 1, 2}, []float64{1, 0, 1})
	for seed := range uint64(200) {
		w.Begin(rand.New(rand.NewPCG(seed, 0)))
		for range 5 {
			k := w.Draw([]int32{1, 2, 3})
			if k != 1 && k != 3 {
				t.Fatalf("instance %d is drawn: 0 is not enabled, and 2 has weight 0", k)
			}
			w.Took(k)
		}
		if k := w.Draw([]int32{2}); k != -1 {
			t.Fatalf("instance %d of weight 0 is drawn", k)
		}
	}
}
