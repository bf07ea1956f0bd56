package initial

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/flow"
)

// What it computes. The values of a package's variables after its initialisation: the actions,
// rules and the catalog of a specification, with the functions in them, without running the
// program.
//
// Why it is right. The initialiser is interpreted on its SSA form, instruction by instruction.
// Memory consists of cells, so aliases see each other's stores. What the interpreter does not know
// is an Unknown value with the reason. A branch on an unknown condition, a call without a body, a
// loop that is too long: everything that the code could change then becomes unknown. So a value
// that is known is the one that the program has.
//
// What it costs. At most maxSteps instructions and maxDepth nested calls. An initialiser makes
// tables, it does not compute.
//
// Example.
//
//	var ready = func(s *State, p One) bool { ... }
//	var Join = Action[One]{Params: Each, Guard: ready}     a struct; Guard is the function ready
//	var limit = readFile("limit")                          Unknown: readFile has no body here

// Limits of what is followed: a specification's initialiser makes tables, it does not compute.
const (
	maxSteps = 1 << 20
	maxDepth = 100
)

// Result holds the values of a package's variables.
type Result struct {
	Globals map[*ssa.Global]*Cell
}

// Run interprets the initialiser of pkg and, first, those of the imported packages that have
// bodies.
func Run(pkg *ssa.Package) *Result {
	r := &Result{Globals: map[*ssa.Global]*Cell{}}
	in := &interp{globals: r.Globals, done: map[*ssa.Function]bool{}}
	in.call(pkg.Func("init"), nil, nil)
	return r
}

type interp struct {
	globals map[*ssa.Global]*Cell
	done    map[*ssa.Function]bool // initialisers already run
	steps   int
	depth   int
}

type frame struct {
	in    *interp
	fn    *ssa.Function
	env   map[ssa.Value]Value
	graph *flow.Graph
}

func (in *interp) global(g *ssa.Global) *Cell {
	c := in.globals[g]
	if c == nil {
		c = &Cell{}
		if g.Pkg != nil && g.Pkg.Func("init") != nil && len(g.Pkg.Func("init").Blocks) > 0 {
			c.Value = zero(g.Type().(*types.Pointer).Elem())
		} else {
			c.Value = Unknown{Why: "it belongs to another package", Pos: g.Pos()}
		}
		in.globals[g] = c
	}
	return c
}

// call interprets fn, which has a body.
func (in *interp) call(fn *ssa.Function, args, bind []Value) Value {
	if in.depth >= maxDepth {
		return in.giveUp(fn, args, bind, "calls nest too deeply")
	}
	in.depth++
	defer func() { in.depth-- }()
	f := &frame{in: in, fn: fn, env: map[ssa.Value]Value{}}
	for k, p := range fn.Params {
		f.env[p] = args[k]
	}
	for k, v := range fn.FreeVars {
		f.env[v] = bind[k]
	}
	at, from := fn.Blocks[0], (*ssa.BasicBlock)(nil)
	for {
		next, ret, done := f.block(at, from)
		if done {
			return ret
		}
		at, from = next, at
	}
}

// giveUp makes everything unknown that a call of fn could change.
func (in *interp) giveUp(fn *ssa.Function, args, bind []Value, why string) Value {
	u := Unknown{why, fn.Pos()}
	for _, v := range slices.Concat(args, bind) {
		in.forget(v, u, map[*Cell]bool{})
	}
	in.forgetGlobals(fn, u, map[*ssa.Function]bool{})
	return u
}

// forget makes unknown what can be reached through pointers from v.
func (in *interp) forget(v Value, u Unknown, seen map[*Cell]bool) {
	cells := func(cs []*Cell, lose bool) {
		for _, c := range cs {
			if !seen[c] {
				seen[c] = true
				in.forget(c.Value, u, seen)
				if lose {
					c.Value = u
				}
			}
		}
	}
	switch v := v.(type) {
	case *Cell:
		cells([]*Cell{v}, true)
	case Slice:
		cells(v.Elems, true)
	case *Struct:
		cells(v.Fields, false)
	case *Array:
		cells(v.Elems, false)
	case Interface:
		in.forget(v.Value, u, seen)
	case *Func:
		for _, b := range v.Bind {
			in.forget(b, u, seen)
		}
	case Tuple:
		for _, x := range v {
			in.forget(x, u, seen)
		}
	}
}

// forgetGlobals makes the variables unknown that fn names, itself or in what it calls.
func (in *interp) forgetGlobals(fn *ssa.Function, u Unknown, seen map[*ssa.Function]bool) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		in.forgetBlock(b, u, seen)
	}
}

func (in *interp) forgetBlock(b *ssa.BasicBlock, u Unknown, seen map[*ssa.Function]bool) {
	var ops []*ssa.Value
	for _, ins := range b.Instrs {
		_, loads := ins.(*ssa.UnOp)
		for _, op := range ins.Operands(ops[:0]) {
			switch x := (*op).(type) {
			case *ssa.Global:
				if !loads {
					in.forget(in.global(x), u, map[*Cell]bool{})
				}
			case *ssa.Function:
				in.forgetGlobals(x, u, seen)
			}
		}
	}
}

// block interprets b and says where control goes.
func (f *frame) block(b, from *ssa.BasicBlock) (next *ssa.BasicBlock, ret Value, done bool) {
	// All phis read the values of before.
	var phis []Value
	for _, ins := range b.Instrs {
		p, ok := ins.(*ssa.Phi)
		if !ok {
			break
		}
		v := Value(Unknown{"it depends on a condition that is not known", p.Pos()})
		if k := slices.Index(b.Preds, from); k >= 0 {
			v = f.value(p.Edges[k])
		}
		phis = append(phis, v)
	}
	for k, ins := range b.Instrs {
		if f.in.steps++; f.in.steps > maxSteps {
			return nil, f.abandon(b, "it computes too much"), true
		}
		switch x := ins.(type) {
		case *ssa.Phi:
			f.env[x] = phis[k]
		case *ssa.Jump:
			return b.Succs[0], nil, false
		case *ssa.If:
			return f.branch(x, b)
		case *ssa.Return:
			return nil, f.results(x), true
		case *ssa.Panic:
			return nil, f.abandon(b, "it panics"), true
		case *ssa.Store:
			if c, ok := f.value(x.Addr).(*Cell); ok {
				c.store(f.value(x.Val), x.Pos())
			}
		case *ssa.MapUpdate, *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.DebugRef:
			if m, ok := ins.(*ssa.MapUpdate); ok {
				f.in.forget(f.value(m.Value), Unknown{"it is kept in a map", m.Pos()}, map[*Cell]bool{})
			}
		default:
			if v, ok := ins.(ssa.Value); ok {
				f.env[v] = f.instr(v)
			}
		}
	}
	return nil, Nil{}, true
}

func (f *frame) results(x *ssa.Return) Value {
	switch len(x.Results) {
	case 0:
		return Nil{}
	case 1:
		return f.value(x.Results[0])
	}
	var t Tuple
	for _, r := range x.Results {
		t = append(t, f.value(r))
	}
	return t
}

// branch continues after a branch whose condition is not known, and makes unknown what the branch
// may have done.
func (f *frame) branch(x *ssa.If, b *ssa.BasicBlock) (*ssa.BasicBlock, Value, bool) {
	if c, ok := f.value(x.Cond).(constant.Value); ok && c.Kind() == constant.Bool {
		if constant.BoolVal(c) {
			return b.Succs[0], nil, false
		}
		return b.Succs[1], nil, false
	}
	if f.graph == nil {
		f.graph = flow.Of(f.fn)
	}
	after := f.graph.After[b.Index]
	f.skip(b, after)
	if after == len(f.fn.Blocks) {
		return nil, Unknown{"it depends on a condition that is not known", x.Cond.Pos()}, true
	}
	return f.fn.Blocks[after], nil, false
}

// skip makes unknown what the blocks between b and after may change.
func (f *frame) skip(b *ssa.BasicBlock, after int) {
	u := Unknown{"it depends on a condition that is not known", b.Instrs[len(b.Instrs)-1].Pos()}
	seen := map[int]bool{after: true}
	todo := slices.Clone(b.Succs)
	var skipped []ssa.Value
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if seen[x.Index] {
			continue
		}
		seen[x.Index] = true
		todo = append(todo, x.Succs...)
		f.in.forgetBlock(x, u, map[*ssa.Function]bool{})
		for _, ins := range x.Instrs {
			if v, ok := ins.(ssa.Value); ok {
				skipped = append(skipped, v)
			}
			switch ins.(type) {
			case *ssa.Store, *ssa.Call:
				for _, op := range ins.Operands(nil) {
					if *op != nil {
						f.in.forget(f.value(*op), u, map[*Cell]bool{})
					}
				}
			}
		}
	}
	for _, v := range skipped { // in a loop, also what earlier rounds computed
		f.env[v] = u
	}
}

// abandon ends a function in the middle.
func (f *frame) abandon(b *ssa.BasicBlock, why string) Value {
	f.skip(b, len(f.fn.Blocks))
	return Unknown{why, f.fn.Pos()}
}

func (f *frame) value(v ssa.Value) Value {
	switch x := v.(type) {
	case *ssa.Const:
		if x.Value == nil {
			return zero(x.Type())
		}
		return x.Value
	case *ssa.Global:
		return f.in.global(x)
	case *ssa.Function:
		return &Func{Fn: x}
	}
	if r, ok := f.env[v]; ok {
		return r
	}
	return Unknown{"it is not followed", v.Pos()}
}

func unknown(pos token.Pos, why string) Value { return Unknown{why, pos} }
