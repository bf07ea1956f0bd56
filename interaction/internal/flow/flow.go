// Package flow computes post-dominators and control dependence of SSA functions, as Ferrante,
// Ottenstein and Warren define them. Functions of specifications have tens of blocks, so sets of
// blocks are plain bit vectors.
package flow

import (
	"math/big"

	"golang.org/x/tools/go/ssa"
)

// What it computes. For each block of a function the immediate post-dominator, and the blocks whose
// branches decide whether the block is executed.
//
// Why it is right. Block j post-dominates block k if every path from k to the end passes j. So the
// post-dominators of k are k and what post-dominates all its successors. The iteration begins with
// all blocks and removes, until nothing changes, so it ends with the largest solution of these
// equations. The post-dominators of a block form a chain, and the nearest one has all others
// itself. A branch at c decides about k if k post-dominates a successor of c, and not c. Those k
// are met on the walk from the successor along immediate post-dominators up to that of c (Ferrante,
// Ottenstein and Warren, "The program dependence graph and its use in optimization", TOPLAS 1987).
//
// What it costs. A round of the iteration takes a conjunction of bit vectors for each edge.
// Functions of specifications have tens of blocks, and few rounds suffice.
//
// Example. The branch in 0 decides about 1 and 2, and not about 3, which follows in any case:
//
//	0: if a      0 -> 1 -> 3      After[0] = 3
//	1:   x = 1   0 -> 2 -> 3      Control[1] = Control[2] = {0}
//	2: else y    3 -> end         Control[3] = {}
//	3: return

// Graph describes a function's control flow. Blocks are numbered as in the function.
type Graph struct {
	// After is the immediate post-dominator of each block: the first block that every path from it
	// to the end passes. It is the number of blocks where that is the end itself.
	After []int
	// Control lists the blocks whose branches decide whether a block is executed, directly or
	// through other branches.
	Control [][]int
	// Cyclic marks the blocks that can follow themselves.
	Cyclic []bool
	// Order is a reverse postorder from the entry; blocks that cannot be reached are left out.
	Order []int
}

// Of computes the graph of fn, which must have a body.
func Of(fn *ssa.Function) *Graph {
	n := len(fn.Blocks)
	succs := make([][]int, n)
	for k, b := range fn.Blocks {
		for _, s := range b.Succs {
			succs[k] = append(succs[k], s.Index)
		}
	}
	g := &Graph{Order: order(succs)}
	g.Cyclic = cyclic(succs)
	ends := ended(succs)
	g.After = immediate(ends)
	g.Control = control(ends, g.After)
	return g
}

// order returns a reverse postorder from block 0.
func order(succs [][]int) (out []int) {
	seen := make([]bool, len(succs))
	var visit func(k int)
	visit = func(k int) {
		seen[k] = true
		for _, s := range succs[k] {
			if !seen[s] {
				visit(s)
			}
		}
		out = append(out, k)
	}
	visit(0)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func reach(succs [][]int, from int) []bool {
	seen := make([]bool, len(succs))
	todo := append([]int(nil), succs[from]...)
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[k] {
			seen[k] = true
			todo = append(todo, succs[k]...)
		}
	}
	return seen
}

func cyclic(succs [][]int) []bool {
	out := make([]bool, len(succs))
	for k := range succs {
		out[k] = reach(succs, k)[k]
	}
	return out
}

// ended adds an end, numbered len(succs), to which blocks without successors lead, and those that
// loop for ever.
func ended(succs [][]int) [][]int {
	n := len(succs)
	out := make([][]int, n+1)
	stop := make([]bool, n)
	for k := range succs {
		stop[k] = len(succs[k]) == 0
	}
	for k := range succs {
		out[k] = append(out[k], succs[k]...)
		leaves := stop[k]
		for j, r := range reach(succs, k) {
			leaves = leaves || r && stop[j]
		}
		if stop[k] || !leaves {
			out[k] = append(out[k], n)
		}
	}
	return out
}

// immediate solves the equations of post-dominance by iteration and picks the nearest of each
// block's.
func immediate(succs [][]int) []int {
	n := len(succs) - 1
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n+1)), big.NewInt(1))
	pdom := make([]*big.Int, n+1)
	for k := range n {
		pdom[k] = new(big.Int).Set(all)
	}
	pdom[n] = new(big.Int).SetBit(new(big.Int), n, 1)
	for changed := true; changed; {
		changed = false
		for k := n - 1; k >= 0; k-- {
			next := new(big.Int).Set(all)
			for _, s := range succs[k] {
				next.And(next, pdom[s])
			}
			next.SetBit(next, k, 1)
			if next.Cmp(pdom[k]) != 0 {
				pdom[k], changed = next, true
			}
		}
	}
	size := make([]int, n+1)
	for k := range pdom {
		for j := range n + 1 {
			size[k] += int(pdom[k].Bit(j))
		}
	}
	after := make([]int, n)
	for k := range n {
		// The post-dominators of a block form a chain; the nearest has itself all the others.
		best := n
		for j := range n + 1 {
			if j != k && pdom[k].Bit(j) == 1 && size[j] > size[best] {
				best = j
			}
		}
		after[k] = best
	}
	return after
}

// control walks from each successor of a branch up to the block that follows the branch in any
// case, and closes the relation.
func control(succs [][]int, after []int) [][]int {
	n := len(after)
	deps := make([]*big.Int, n)
	for k := range deps {
		deps[k] = new(big.Int)
	}
	for c := range n {
		if len(succs[c]) < 2 {
			continue
		}
		for _, s := range succs[c] {
			for k := s; k != n && k != after[c]; k = after[k] {
				deps[k].SetBit(deps[k], c, 1)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for k := range deps {
			for c := range n {
				if deps[k].Bit(c) == 1 {
					if next := new(big.Int).Or(deps[k], deps[c]); next.Cmp(deps[k]) != 0 {
						deps[k], changed = next, true
					}
				}
			}
		}
	}
	out := make([][]int, n)
	for k := range deps {
		for c := range n {
			if deps[k].Bit(c) == 1 {
				out[k] = append(out[k], c)
			}
		}
	}
	return out
}
