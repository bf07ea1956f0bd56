package effects

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What it computes. Which steps of a function are as before the change.
//
// Why it is right. A step reads or writes memory, calls, decides, or returns. Two steps correspond
// if they do the same with operands that correspond, and run under conditions that correspond.
// Steps are paired in their order. One that moved is paired if it commutes with each step that it
// passed; see moves. Operands correspond if the same operators make them of values that correspond:
// the results of paired steps, parameters by position, constants by value, declared things by name.
// So names of local variables, and how an expression is divided into statements, make no
// difference. A function that is called may have changed itself: then its own lines say so.
//
// What it costs. The steps before times those after, then rounds until no pair is taken back.
//
// Example. "next := at.index; log(next); commitTo(next)" for "commitTo(at.index)": the load and the
// call correspond, and the call of log is new.

// twins pairs the steps of a function with those of another version.
type twins struct {
	old, now *Program
	pair     map[ssa.Instruction]ssa.Instruction // from new to old
	values   map[ssa.Value]ssa.Value
	// parted are pairs that were taken back.
	parted map[ssa.Instruction]ssa.Instruction
	// late pairs a step with the last of several that are alike, and not with the first.
	late bool
}

// twinsOf pairs two versions of a function. Steps that have no pair are new or changed.
// Of two ways to pair steps that are alike, that with more pairs in the end counts.
func twinsOf(old, now *Program, was, is *ssa.Function) *twins {
	early, late := pairedTwins(old, now, was, is, false), pairedTwins(old, now, was, is, true)
	if len(late.pair) > len(early.pair) {
		return late
	}
	return early
}

func pairedTwins(old, now *Program, was, is *ssa.Function, late bool) *twins {
	t := &twins{old: old, now: now, late: late, pair: map[ssa.Instruction]ssa.Instruction{}, values: map[ssa.Value]ssa.Value{}, parted: map[ssa.Instruction]ssa.Instruction{}}
	if len(was.Params) != len(is.Params) || len(was.FreeVars) != len(is.FreeVars) {
		return t
	}
	for k, p := range is.Params {
		t.values[p] = was.Params[k]
	}
	for k, v := range is.FreeVars {
		t.values[v] = was.FreeVars[k]
	}
	a, b := steps(was), steps(is)
	t.align(a, b, true)
	t.moves(a, b)
	t.align(a, b, false)
	for t.reject() {
	}
	t.align(a, b, true) // what those that were taken back stood between
	for t.reject() {
	}
	return t
}

// align pairs steps with equal keys in their order, between the pairs that there are: a longest
// common subsequence. Exact keys have the operands. Steps whose pair was taken back stay alone.
func (t *twins) align(was, is []ssa.Instruction, exact bool) {
	from, to := 0, 0
	taken := map[ssa.Instruction]bool{}
	place := map[ssa.Instruction]int{}
	for k, i := range was {
		place[i] = k
	}
	for _, pairs := range []map[ssa.Instruction]ssa.Instruction{t.pair, t.parted} {
		for _, o := range pairs {
			taken[o] = true
		}
	}
	for k, i := range is {
		if o := t.pair[i]; o != nil && place[o] >= to {
			t.between(free(was[to:place[o]], taken), t.unpaired(is[from:k]), exact)
			from, to = k+1, place[o]+1
		}
	}
	t.between(free(was[to:], taken), t.unpaired(is[from:]), exact)
}

func free(list []ssa.Instruction, taken map[ssa.Instruction]bool) (out []ssa.Instruction) {
	for _, i := range list {
		if !taken[i] {
			out = append(out, i)
		}
	}
	return out
}

func (t *twins) unpaired(list []ssa.Instruction) (out []ssa.Instruction) {
	for _, i := range list {
		if t.pair[i] == nil && t.parted[i] == nil {
			out = append(out, i)
		}
	}
	return out
}

func (t *twins) between(was, is []ssa.Instruction, exact bool) {
	a, b := make([]string, len(was)), make([]string, len(is))
	for k, i := range was {
		a[k] = t.old.keyOf(i, exact)
	}
	for k, i := range is {
		b[k] = t.now.keyOf(i, exact)
	}
	n, m := len(a), len(b)
	if t.late {
		was, is = slices.Clone(was), slices.Clone(is)
		slices.Reverse(was)
		slices.Reverse(is)
		slices.Reverse(a)
		slices.Reverse(b)
	}
	longest := make([][]int32, n+1)
	for k := range longest {
		longest[k] = make([]int32, m+1)
	}
	for x := n - 1; x >= 0; x-- {
		for y := m - 1; y >= 0; y-- {
			if a[x] == b[y] {
				longest[x][y] = longest[x+1][y+1] + 1
			} else {
				longest[x][y] = max(longest[x+1][y], longest[x][y+1])
			}
		}
	}
	for x, y := 0, 0; x < n && y < m; {
		switch {
		case a[x] == b[y]:
			t.match(is[y], was[x])
			x, y = x+1, y+1
		case longest[x+1][y] >= longest[x][y+1]:
			x++
		default:
			y++
		}
	}
}

func (t *twins) match(is, was ssa.Instruction) {
	t.pair[is] = was
	if v, ok := is.(ssa.Value); ok {
		t.values[v] = was.(ssa.Value)
	}
}

// reject takes back pairs whose operands or conditions do not correspond. It reports whether there
// was one.
func (t *twins) reject() (found bool) {
	for is, was := range t.pair {
		if t.corresponds(is, was) {
			continue
		}
		found = true
		t.parted[is] = was
		delete(t.pair, is)
		if v, ok := is.(ssa.Value); ok {
			delete(t.values, v)
		}
	}
	return found
}

// corresponds reports whether two paired steps do the same under the same conditions.
func (t *twins) corresponds(is, was ssa.Instruction) bool {
	a, b := is.Operands(nil), was.Operands(nil)
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !t.same(*a[k], *b[k], 0) {
			return false
		}
	}
	if phi, ok := is.(*ssa.Phi); ok {
		for k, q := range phi.Block().Preds {
			other := was.Block().Preds[k]
			if !t.conditions(q, other) || !t.leads(q, other) {
				return false
			}
		}
	}
	return t.conditions(is.Block(), was.Block())
}

// leads reports whether two blocks end with conditions that correspond, or without.
func (t *twins) leads(a, b *ssa.BasicBlock) bool {
	x, ok1 := a.Instrs[len(a.Instrs)-1].(*ssa.If)
	y, ok2 := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return ok1 == ok2 && (!ok1 || t.pair[x] == ssa.Instruction(y))
}

// same reports whether two values correspond.
func (t *twins) same(a, b ssa.Value, depth int) bool {
	if a == nil || b == nil {
		return a == b
	}
	switch x := a.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Builtin, *ssa.Function:
		return fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) && a.String() == b.String()
	case ssa.Instruction:
		y, ok := b.(ssa.Instruction)
		if ok && pure(x) && pure(y) && depth < 40 {
			return t.made(x, y, depth+1)
		}
	}
	return t.values[a] == b
}

// made reports whether two pure instructions make the same of values that correspond.
func (t *twins) made(a, b ssa.Instruction, depth int) bool {
	x, y := a.(ssa.Value), b.(ssa.Value)
	if fmt.Sprintf("%T", a) != fmt.Sprintf("%T", b) || x.Type().String() != y.Type().String() {
		return false
	}
	switch a := a.(type) {
	case *ssa.FieldAddr:
		if t.now.fieldName(fieldAt(a.X.Type(), a.Field)) != t.old.fieldName(fieldAt(b.(*ssa.FieldAddr).X.Type(), b.(*ssa.FieldAddr).Field)) {
			return false
		}
	case *ssa.Field:
		if t.now.fieldName(fieldAt(a.X.Type(), a.Field)) != t.old.fieldName(fieldAt(b.(*ssa.Field).X.Type(), b.(*ssa.Field).Field)) {
			return false
		}
	case *ssa.BinOp:
		if a.Op != b.(*ssa.BinOp).Op {
			return false
		}
	case *ssa.UnOp:
		if a.Op != b.(*ssa.UnOp).Op {
			return false
		}
	case *ssa.Extract:
		if a.Index != b.(*ssa.Extract).Index {
			return false
		}
	}
	p, q := a.Operands(nil), b.Operands(nil)
	if len(p) != len(q) {
		return false
	}
	for k := range p {
		if !t.same(*p[k], *q[k], depth) {
			return false
		}
	}
	return true
}

// conditions reports whether two blocks run under conditions that correspond, with the same
// outcomes.
func (t *twins) conditions(a, b *ssa.BasicBlock) bool {
	x, y := t.now.controlOf(a.Parent()).by[a.Index], t.old.controlOf(b.Parent()).by[b.Index]
	if len(x) != len(y) {
		return false
	}
	for _, by := range x {
		found := false
		for _, other := range y {
			if t.pair[by.Instrs[len(by.Instrs)-1]] == other.Instrs[len(other.Instrs)-1] && outcome(by, a) == outcome(other, b) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// outcome returns by which outcomes of a condition a block runs: 1 is true, 2 is false, 3 both.
func outcome(by, b *ssa.BasicBlock) (mask int) {
	for k, s := range by.Succs {
		if s == b || s.Dominates(b) {
			mask |= 1 << k
		}
	}
	return mask
}

// operands returns the operands in which a step differs from before, and whether that is all: it
// does the same with them under the same conditions.
func (t *twins) operands(i ssa.Instruction) (out []ssa.Value, all bool) {
	was := t.parted[i]
	if was == nil || !t.conditions(i.Block(), was.Block()) {
		return nil, false
	}
	a, b := i.Operands(nil), was.Operands(nil)
	if len(a) != len(b) {
		return nil, false
	}
	for k := range a {
		if !t.same(*a[k], *b[k], 0) {
			out = append(out, *a[k])
		}
	}
	return out, true
}

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
			key := t.old.keyOf(i, true)
			byKey[key] = append(byKey[key], i)
		}
	}
	for k, i := range is {
		if t.pair[i] != nil {
			continue
		}
		for _, o := range byKey[t.now.keyOf(i, true)] {
			if !taken[o] && t.passes(is, k, place, place[o]) {
				t.match(i, o)
				taken[o] = true
				break
			}
		}
	}
}

// passes reports whether a step commutes with the paired steps that are on its other side in the
// old order. New steps and steps that are gone are followed by themselves.
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
