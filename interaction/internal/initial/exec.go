package initial

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/flow"
)

// What it computes. The values of a package's variables after its initialisation: the actions,
// rules and the catalog of a specification, with the functions in them, without running the
// program.
//
// Why it is right. The initialiser is interpreted on its SSA form, instruction by instruction.
// Memory consists of cells, so aliases see each other's stores; slices.go has those of slices. What
// the interpreter does not know is an Unknown value with the reason. A branch on an unknown
// condition, a call without a body, a loop that is too long: everything that the code could change
// then becomes unknown. So a value that is known is the one that the program has.
//
// Invariant: memory that a pointer may lead to which is itself unknown is unknown for good. So a
// store through an unknown pointer changes nothing that is known.
//
// What it costs. At most maxSteps instructions and maxDepth nested calls. An initialiser makes
// tables, it does not compute.
//
// Example.
//
//	var ready = func(s *State, p One) bool { ... }
//	var Join = Action[One]{Params: Each, Guard: ready}     a struct; Guard is the function ready
//	var limit = readFile("limit")                          Unknown: readFile has no body here

const conditionWhy = "it depends on a condition that is not known"

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
// bodies, in the order of Go.
func Run(pkg *ssa.Package) *Result {
	r := &Result{Globals: map[*ssa.Global]*Cell{}}
	in := &interp{globals: r.Globals, done: map[*ssa.Function]bool{}}
	for _, p := range inOrder(pkg.Pkg) {
		s := pkg.Prog.Package(p)
		if s == nil || s.Func("init") == nil || len(s.Func("init").Blocks) == 0 {
			continue
		}
		in.done[s.Func("init")] = true
		in.call(s.Func("init"), nil, nil)
	}
	return r
}

// inOrder returns pkg and the packages that it imports in the order in which Go initialises them:
// the first by import path of those whose imports are all initialised.
func inOrder(pkg *types.Package) (out []*types.Package) {
	seen := map[*types.Package]bool{}
	var todo []*types.Package
	var collect func(p *types.Package)
	collect = func(p *types.Package) {
		if !seen[p] {
			seen[p] = true
			todo = append(todo, p)
			for _, imp := range p.Imports() {
				collect(imp)
			}
		}
	}
	collect(pkg)
	slices.SortFunc(todo, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	done := map[*types.Package]bool{}
	for len(todo) > 0 {
		k := slices.IndexFunc(todo, func(p *types.Package) bool {
			return !slices.ContainsFunc(p.Imports(), func(imp *types.Package) bool { return !done[imp] })
		})
		k = max(k, 0) // of types without the full imports
		done[todo[k]] = true
		out = append(out, todo[k])
		todo = slices.Delete(todo, k, k+1)
	}
	return out
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
	// skipping says that the next block follows a branch whose condition is not known.
	skipping bool
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
		if at, from = next, at; f.skipping { // and came from one of several blocks
			from, f.skipping = nil, false
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
		if k := slices.Index(b.Preds, from); k >= 0 {
			phis = append(phis, f.value(p.Edges[k]))
		} else {
			phis = append(phis, f.escape(p, Unknown{Why: conditionWhy, Pos: p.Pos()}))
		}
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
			f.assign(x)
		case *ssa.MapUpdate:
			f.escape(x, Unknown{Why: "it is kept in a map", Pos: x.Pos()})
		case *ssa.Send:
			f.escape(x, Unknown{Why: "it is sent over a channel", Pos: x.Pos()})
		case *ssa.Go:
			f.unfollowed(x, Unknown{Why: "a goroutine may change it", Pos: x.Pos()})
		case *ssa.Defer:
			f.unfollowed(x, Unknown{Why: "a deferred call may change it", Pos: x.Pos()})
		case *ssa.RunDefers, *ssa.DebugRef:
		default:
			if v, ok := ins.(ssa.Value); ok {
				f.env[v] = f.instr(v)
			}
		}
	}
	return nil, Nil{}, true
}

// assign interprets a store.
func (f *frame) assign(x *ssa.Store) {
	v := f.value(x.Val)
	c, ok := f.value(x.Addr).(*Cell)
	if !ok {
		f.in.forget(v, Unknown{Why: "it is stored in a place that is not known", Pos: x.Pos()}, map[*Cell]bool{})
		return
	}
	f.in.store(c, v, x.Pos())
	if isGlobal(x.Addr) {
		hold(v)
	}
}

// isGlobal reports whether the address is that of a package variable or of a part of one.
func isGlobal(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.Global:
			return true
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return false
		}
	}
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
		return nil, Unknown{Why: conditionWhy, Pos: x.Cond.Pos()}, true
	}
	f.skipping = true
	return f.fn.Blocks[after], nil, false
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
	return Unknown{Why: "it is not followed", Pos: v.Pos()}
}

func unknown(pos token.Pos, why string) Value { return Unknown{Why: why, Pos: pos} }
