package effects

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// control says which conditions of a function decide whether a block runs. That is control
// dependence after Ferrante, Ottenstein and Warren, "The Program Dependence Graph and Its Use in
// Optimization" (1987), section 3.1. Blocks that end in a panic are left out, since a panic shows
// by itself.
type control struct {
	reachable []bool
	// by are the blocks whose condition decides directly whether the block runs; decides is the
	// other direction.
	by, decides [][]*ssa.BasicBlock
}

// successors returns where a block may continue: a condition that is a constant, or that depends on
// a field which is absent, has one.
func (p *Program) successors(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if len(b.Instrs) == 0 {
		return b.Succs
	}
	if x, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
		if c, ok := x.Cond.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
			if constant.BoolVal(c.Value) {
				return b.Succs[:1]
			}
			return b.Succs[1:]
		}
		if holds, fields := p.decided(x.Cond); len(fields) > 0 && holds {
			return b.Succs[:1]
		} else if len(fields) > 0 {
			return b.Succs[1:]
		}
	}
	return b.Succs
}

func panics(b *ssa.BasicBlock) bool {
	if len(b.Instrs) == 0 {
		return false
	}
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}

// controlOf returns what decides the blocks of a function.
func (p *Program) controlOf(f *ssa.Function) *control {
	if c := p.controls[f]; c != nil {
		return c
	}
	n := len(f.Blocks)
	c := &control{reachable: make([]bool, n), by: make([][]*ssa.BasicBlock, n), decides: make([][]*ssa.BasicBlock, n)}
	p.controls[f] = c
	for todo := []*ssa.BasicBlock{f.Blocks[0]}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !c.reachable[b.Index] {
			c.reachable[b.Index] = true
			todo = append(todo, p.successors(b)...)
		}
	}
	if f.Recover != nil {
		c.reachable[f.Recover.Index] = true
	}
	after := c.postdominators(p, f)
	for _, a := range f.Blocks {
		if !c.reachable[a.Index] || len(p.successors(a)) < 2 {
			continue
		}
		for _, x := range f.Blocks {
			decided := false
			for _, s := range p.successors(a) {
				decided = decided || (after[s.Index][x.Index] || s == x) && (x == a || !after[a.Index][x.Index])
			}
			if c.reachable[x.Index] && decided {
				c.by[x.Index] = append(c.by[x.Index], a)
				c.decides[a.Index] = append(c.decides[a.Index], x)
			}
		}
	}
	return c
}

// postdominators returns for each block those that every path from it to an end passes, itself
// among them.
func (c *control) postdominators(p *Program, f *ssa.Function) [][]bool {
	n := len(f.Blocks)
	after := make([][]bool, n)
	for k, b := range f.Blocks {
		after[k] = make([]bool, n)
		for j := range after[k] {
			after[k][j] = j == k || len(p.successors(b)) > 0
		}
	}
	for changed := true; changed; {
		changed = false
		for k := n - 1; k >= 0; k-- {
			b := f.Blocks[k]
			for j := range n {
				if j == k || !after[k][j] {
					continue
				}
				all := true
				for _, s := range p.successors(b) {
					all = all && (after[s.Index][j] || panics(s) && s.Index != j)
				}
				if !all {
					after[k][j], changed = false, true
				}
			}
		}
	}
	return after
}

// region returns the blocks that run or not as a block's condition decides, directly or through
// other conditions.
func (c *control) region(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	out := map[*ssa.BasicBlock]bool{}
	todo := []*ssa.BasicBlock{b}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, d := range c.decides[x.Index] {
			if !out[d] {
				out[d] = true
				todo = append(todo, d)
			}
		}
	}
	return out
}
