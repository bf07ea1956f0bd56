package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// moves pairs steps that moved within a function and commute with each step that they passed:
// loads and stores of fields with other fields, and logs with all.
func (t *twins) moves(was, is []ssa.Instruction) {
	place := map[ssa.Instruction]int{}
	byKey := map[string][]ssa.Instruction{}
	taken := map[ssa.Instruction]bool{}
	for _, o := range t.pair {
		taken[o] = true
	}
	for k, i := range was {
		place[i] = k
		if !taken[i] {
			key := keyOf(i, true)
			byKey[key] = append(byKey[key], i)
		}
	}
	for k, i := range is {
		if t.pair[i] != nil {
			continue
		}
		for _, o := range byKey[keyOf(i, true)] {
			if !taken[o] && t.passes(is, k, place, place[o]) {
				t.match(i, o)
				taken[o] = true
				break
			}
		}
	}
}

// passes reports whether a step commutes with those that are on its other side in the old order:
// paired ones, and those that are new or gone between the two places.
func (t *twins) passes(is []ssa.Instruction, k int, place map[ssa.Instruction]int, was int) bool {
	for y, i := range is {
		o := t.pair[i]
		if y == k || o == nil || (y < k) == (place[o] < was) {
			continue
		}
		if !commute(is[k], i) {
			return false
		}
	}
	return true
}

// commute reports whether two steps have the same effect in either order.
func commute(a, b ssa.Instruction) bool {
	if logsOnly(a) || logsOnly(b) {
		return true
	}
	x, store1, ok1 := accessed(a)
	y, store2, ok2 := accessed(b)
	return ok1 && ok2 && (x != y || !store1 && !store2)
}

// logsOnly reports whether a step writes a log, or makes what a log gets.
func logsOnly(i ssa.Instruction) bool {
	call, ok := i.(ssa.CallInstruction)
	return ok && useOf(call.Common()) == silent
}

// accessed returns the field or local variable that a step loads or stores. Fields of types with
// parts, and conditions, are left out.
func accessed(i ssa.Instruction) (of any, store, ok bool) {
	var addr ssa.Value
	switch i := i.(type) {
	case *ssa.Store:
		addr, store = i.Addr, true
	case *ssa.UnOp:
		if i.Op != token.MUL {
			return nil, false, false
		}
		addr = i.X
	default:
		return nil, false, false
	}
	if _, whole := elemOf(addr.Type()).Underlying().(*types.Struct); whole {
		return nil, false, false
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return fieldAt(a.X.Type(), a.Field), store, true
	case *ssa.Global:
		return a, store, true
	}
	return nil, false, false
}
