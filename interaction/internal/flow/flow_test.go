package flow

import (
	"math/rand"
	"slices"
	"testing"
)

// random makes a graph of n blocks with at most two successors each; block 0 is the entry.
func random(r *rand.Rand, n int) [][]int {
	succs := make([][]int, n)
	for k := range succs {
		for range r.Intn(3) {
			if s := r.Intn(n); !slices.Contains(succs[k], s) {
				succs[k] = append(succs[k], s)
			}
		}
	}
	return succs
}

// avoids reports whether a way leads from one block to another that passes a third nowhere.
func avoids(succs [][]int, from, to, never int) bool {
	if from == never {
		return false
	}
	seen := make([]bool, len(succs))
	todo := []int{from}
	for len(todo) > 0 {
		k := todo[0]
		todo = todo[1:]
		if k == never || seen[k] {
			continue
		}
		if k == to {
			return true
		}
		seen[k] = true
		todo = append(todo, succs[k]...)
	}
	return false
}

// TestAgainstDefinition compares both relations with their definitions, by removing blocks.
func TestAgainstDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	for range 300 {
		n := 1 + r.Intn(9)
		succs := ended(random(r, n))
		end := n
		after := immediate(succs)
		// every path between k and the end passes x
		follows := func(x, k int) bool { return !avoids(succs, k, end, x) }
		for k := range n {
			if !follows(after[k], k) {
				t.Fatalf("%v: %d does not always follow %d", succs, after[k], k)
			}
			for x := range n {
				if x != k && x != after[k] && follows(x, k) && !follows(x, after[k]) {
					t.Fatalf("%v: %d follows %d before %d does", succs, x, k, after[k])
				}
			}
		}
		deps := control(succs, after)
		direct := make([][]int, n)
		for k := range n {
			for c := range n {
				decides := len(succs[c]) > 1 && (k == c || !follows(k, c)) && slices.ContainsFunc(succs[c], func(s int) bool { return s == k || s != end && follows(k, s) })
				if decides {
					direct[k] = append(direct[k], c)
				}
			}
		}
		for k := range n {
			want := map[int]bool{}
			todo := slices.Clone(direct[k])
			for len(todo) > 0 {
				c := todo[0]
				todo = todo[1:]
				if !want[c] {
					want[c] = true
					todo = append(todo, direct[c]...)
				}
			}
			for c := range n {
				if want[c] != slices.Contains(deps[k], c) {
					t.Fatalf("%v: block %d is decided by %v, want %v", succs, k, deps[k], want)
				}
			}
		}
	}
}
