package sleepset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker/internal/bitset"
)

// TestLabels: labels of either width behave like a list of instances that keeps the newest ones, as
// many as fit.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ instances, width, room int }{{40, 8, 8}, {255, 8, 8}, {256, 16, 4}, {900, 16, 4}} {
		r := rand.New(rand.NewPCG(uint64(c.instances), 1))
		var dependents []bitset.Set
		for a := range c.instances {
			dependent := bitset.New(c.instances)
			dependent.Add(a)
			for b := range c.instances {
				if r.IntN(6) == 0 {
					dependent.Add(b)
				}
			}
			dependents = append(dependents, dependent)
		}
		fixed := bitset.New(c.instances)
		fixed.Add(3)
		x := New(dependents, fixed)
		order := r.Perm(c.instances)
		if c.instances == 255 {
			slices.Sort(order) // as it is at first
		} else {
			x = x.Ordered(order)
		}
		place := make([]int, c.instances) // in the order
		for at, a := range order {
			place[a] = at
		}
		var labels Labels
		var want []int
		for range 5000 {
			a := r.IntN(c.instances)
			labels = x.After(labels, uint32(a))
			want = slices.DeleteFunc(want, func(b int) bool { return !x.keep[a].Has(b) })
			if x.free[a] != nil {
				want = slices.Insert(want, 0, a)
			}
			want = want[:min(len(want), c.room)]
			var got []int
			for l := labels; l != 0; l >>= c.width {
				got = append(got, int(l&(1<<c.width-1))-1)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%d instances: labels %v, want %v", c.instances, got, want)
			}
			var sleep Set
			x.Sleeping(labels, &sleep)
			for b := range c.instances {
				left := slices.ContainsFunc(want, func(a int) bool {
					return place[b] > place[a] && b != 3 && !dependents[a].Has(b)
				})
				if sleep.Has(b) != left {
					t.Fatalf("%d instances, labels %v: instance %d sleeps: %v", c.instances, want, b, sleep.Has(b))
				}
			}
		}
	}
}
