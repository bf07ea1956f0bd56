package effects

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// What it computes. Which instructions of a function are as before the change.
//
// Why it is right. Two instructions correspond if they do the same with operands that correspond,
// and run under conditions that correspond: as often, and after the same. Instructions with an
// effect are paired in their order, so that none of them moves past another one. Parameters
// correspond by position, constants and declared things by value or name. Names of local variables,
// and how an expression is divided into statements, make no difference in SSA form. A function that
// is called may have changed itself: then its own lines say so.
//
// What it costs. One pass over both functions for each round, until no pair is taken back.
//
// Example. "next := at.index; log(next); commitTo(next)" for "commitTo(at.index)": the load and the
// call correspond, and the call of log is new.

// twins pairs the instructions of a function with those of another version.
type twins struct {
	old, now *Program
	pair     map[ssa.Instruction]ssa.Instruction // from new to old
	values   map[ssa.Value]ssa.Value
	// parted are pairs that were taken back.
	parted map[ssa.Instruction]ssa.Instruction
}

// twinsOf pairs two versions of a function. Instructions that have no pair are new or changed.
func twinsOf(old, now *Program, was, is *ssa.Function) *twins {
	t := &twins{old: old, now: now, pair: map[ssa.Instruction]ssa.Instruction{}, values: map[ssa.Value]ssa.Value{}, parted: map[ssa.Instruction]ssa.Instruction{}}
	if len(was.Params) != len(is.Params) || len(was.FreeVars) != len(is.FreeVars) {
		return t
	}
	for k, p := range is.Params {
		t.values[p] = was.Params[k]
	}
	for k, v := range is.FreeVars {
		t.values[v] = was.FreeVars[k]
	}
	t.align(listed(was), listed(is))
	for t.reject() {
	}
	return t
}

// listed returns the instructions of a function in the order of its blocks, without those that only
// describe the source.
func listed(f *ssa.Function) (out []ssa.Instruction) {
	for _, b := range f.DomPreorder() {
		for _, i := range b.Instrs {
			switch i.(type) {
			case *ssa.DebugRef, *ssa.Jump:
			default:
				out = append(out, i)
			}
		}
	}
	return out
}

// align pairs instructions of the same kind in their order: a longest common subsequence.
func (t *twins) align(was, is []ssa.Instruction) {
	a, b := make([]string, len(was)), make([]string, len(is))
	for k, i := range was {
		a[k] = keyOf(i)
	}
	for k, i := range is {
		b[k] = keyOf(i)
	}
	n, m := len(a), len(b)
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
			t.pair[is[y]] = was[x]
			if v, ok := is[y].(ssa.Value); ok {
				t.values[v] = was[x].(ssa.Value)
			}
			x, y = x+1, y+1
		case longest[x+1][y] >= longest[x][y+1]:
			x++
		default:
			y++
		}
	}
}

// keyOf describes an instruction without its operands, but with those that are constants or
// declared.
func keyOf(i ssa.Instruction) string {
	var b strings.Builder
	if v, ok := i.(ssa.Value); ok {
		b.WriteString(typeText(v.Type()))
	}
	switch i := i.(type) {
	case *ssa.BinOp:
		b.WriteString("op " + i.Op.String())
	case *ssa.UnOp:
		b.WriteString("op1 " + i.Op.String())
		if i.CommaOk {
			b.WriteString(" ok")
		}
	case *ssa.FieldAddr:
		b.WriteString("field " + fieldAt(i.X.Type(), i.Field).Name())
	case *ssa.Field:
		b.WriteString("field " + fieldAt(i.X.Type(), i.Field).Name())
	case *ssa.Extract:
		b.WriteString("extract " + string(rune('0'+i.Index)))
	case *ssa.TypeAssert:
		b.WriteString("assert " + typeText(i.AssertedType))
	case ssa.CallInstruction:
		b.WriteString(calledText(i.Common()))
	case *ssa.Phi:
		b.WriteString("phi")
	case *ssa.MakeClosure:
		b.WriteString("closure " + i.Fn.Name())
	}
	b.WriteString(kindText(i))
	for _, op := range i.Operands(nil) {
		if *op == nil {
			continue
		}
		switch v := (*op).(type) {
		case *ssa.FieldAddr:
			if _, ok := i.(*ssa.Store); ok {
				b.WriteString(" " + fieldAt(v.X.Type(), v.Field).Name())
			}
		case *ssa.Global, *ssa.Function, *ssa.Builtin:
			b.WriteString(" " + v.String())
		}
	}
	return b.String()
}

func typeText(t types.Type) string { return types.TypeString(t, nil) + " " }

func calledText(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return "invoke " + c.Method.FullName()
	}
	return "call " + string(rune('0'+len(c.Args)))
}

func kindText(i ssa.Instruction) string {
	switch i.(type) {
	case *ssa.Store:
		return " store"
	case *ssa.MapUpdate:
		return " update"
	case *ssa.Send:
		return " send"
	case *ssa.Return:
		return " return"
	case *ssa.If:
		return " if"
	case *ssa.Panic:
		return " panic"
	case *ssa.Alloc:
		return " alloc"
	case *ssa.Go:
		return " go"
	case *ssa.Defer:
		return " defer"
	case *ssa.RunDefers:
		return " deferred"
	}
	return ""
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

// corresponds reports whether two paired instructions do the same under the same conditions.
func (t *twins) corresponds(is, was ssa.Instruction) bool {
	a, b := is.Operands(nil), was.Operands(nil)
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !t.same(*a[k], *b[k]) {
			return false
		}
	}
	if phi, ok := is.(*ssa.Phi); ok {
		other := was.(*ssa.Phi)
		for k, q := range phi.Block().Preds {
			if !t.conditions(q, other.Block().Preds[k]) || !t.leads(q, other.Block().Preds[k]) {
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

func (t *twins) same(a, b ssa.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	switch x := a.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Builtin:
		return a.String() == b.String()
	case *ssa.Function:
		y, ok := b.(*ssa.Function)
		return ok && a.String() == b.String() && (x.Parent() == nil) == (y.Parent() == nil)
	}
	return t.values[a] == b && b != nil
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
			if t.pair[by.Instrs[len(by.Instrs)-1]] == other.Instrs[len(other.Instrs)-1] && t.outcome(by, a) == t.outcome(other, b) {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// outcome returns by which of a condition's outcomes a block runs: 1 is true, 2 is false.
func (t *twins) outcome(by, b *ssa.BasicBlock) (mask int) {
	for k, s := range by.Succs {
		if s == b || s.Dominates(b) {
			mask |= 1 << k
		}
	}
	return mask
}

// operands returns the operands in which an instruction differs from before, and whether that is
// all: it does the same with them under the same conditions.
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
		if !t.same(*a[k], *b[k]) {
			out = append(out, *a[k])
		}
	}
	return out, true
}
