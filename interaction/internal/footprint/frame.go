package footprint

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/flow"
)

// function holds the facts about a function that all its calls share.
type function struct {
	fn      *ssa.Function
	graph   *flow.Graph
	numbers map[ssa.Value]int // of parameters, free variables and instructions
	cyclic  bool
	returns int
	varies  map[*ssa.Phi]bool // in a loop: not one of a few constants
}

func (a *Analyzer) function(fn *ssa.Function) *function {
	if f := a.functions[fn]; f != nil {
		return f
	}
	f := &function{fn: fn, graph: flow.Of(fn), numbers: map[ssa.Value]int{}, varies: map[*ssa.Phi]bool{}}
	number := func(v ssa.Value) { f.numbers[v] = len(f.numbers) }
	for _, p := range fn.Params {
		number(p)
	}
	for _, v := range fn.FreeVars {
		number(v)
	}
	for k, b := range fn.Blocks {
		f.cyclic = f.cyclic || f.graph.Cyclic[k]
		for _, ins := range b.Instrs {
			if v, ok := ins.(ssa.Value); ok {
				number(v)
			}
			switch x := ins.(type) {
			case *ssa.Return:
				f.returns++
			case *ssa.Phi:
				_, basic := x.Type().Underlying().(*types.Basic)
				f.varies[x] = basic && f.graph.Cyclic[k] && !constantPhi(x, map[*ssa.Phi]bool{})
			}
		}
	}
	a.functions[fn] = f
	return f
}

// constantPhi reports whether a phi chooses among constants, possibly through other phis.
func constantPhi(x *ssa.Phi, seen map[*ssa.Phi]bool) bool {
	seen[x] = true
	for _, e := range x.Edges {
		switch e := e.(type) {
		case *ssa.Const:
		case *ssa.Phi:
			if !seen[e] && !constantPhi(e, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// frame is one call of a function. Calls are identified by the calls that lead to them, so that
// each is interpreted with its own arguments. Calls that recur share one frame.
type frame struct {
	in      *interp
	f       *function
	caller  *frame
	site    ssa.Instruction
	calls   map[callSite]*frame
	env     []*value
	outs    []*memory
	entry   *memory
	control Set // what decides whether the call happens
	loops   bool
	changed bool // a value grew in this round

	ret      *value
	retMem   *memory
	recurs   bool
	dirty    bool // a recurring call has brought new arguments
	objects  map[ssa.Instruction]*object
	running  bool
	last     *memo     // nil where the last run is not remembered
	locals   []*object // of objects: those that do not escape
	position token.Pos
}

type callSite struct {
	site ssa.Instruction
	fn   *ssa.Function
}

// enter finds the frame for a call.
func (f *frame) enter(site ssa.Instruction, fn *ssa.Function) *frame {
	k := callSite{site, fn}
	g := f.calls[k]
	if g == nil {
		g = &frame{in: f.in, f: f.in.function(fn), caller: f, site: site, calls: map[callSite]*frame{},
			objects: map[ssa.Instruction]*object{}, position: site.Pos()}
		f.calls[k] = g
	}
	g.loops = f.loops || f.f.graph.Cyclic[site.Block().Index]
	return g
}

// run interprets the call: args and bind are the parameters and what the function captured. The
// memory returned is nil if the call does not return.
func (f *frame) run(args, bind []*value, m *memory, control Set) (*value, *memory) {
	if len(args) != len(f.f.fn.Params) || len(bind) != len(f.f.fn.FreeVars) {
		f.in.cannot(f.position, "it calls %s with arguments that are not followed", f.f.fn.Name())
		return &value{top: true}, m
	}
	if v, out, ok := f.recall(args, bind, m, control); ok {
		return v, out
	}
	unsure, changes, used, asked := f.in.unsure, f.in.changes, f.in.used, f.in.asked
	f.in.used, f.in.asked = nil, nil
	f.env = make([]*value, len(f.f.numbers))
	copy(f.env, args)
	copy(f.env[len(args):], bind)
	f.entry, f.control = m, control
	f.ret, f.retMem, f.recurs, f.running = nil, nil, false, true
	f.outs = make([]*memory, len(f.f.fn.Blocks))
	f.in.stack = append(f.in.stack, f)
	f.in.depth++
	for round := 0; ; round++ {
		ret, retMem := f.ret, f.retMem
		f.dirty = false
		f.body(round)
		if !f.recurs || !f.dirty && equal(ret, f.ret) && equalMemory(retMem, f.retMem) {
			break
		}
	}
	f.in.depth--
	f.in.stack = f.in.stack[:len(f.in.stack)-1]
	f.running = false
	f.leave()
	f.remember(args, bind, m, control, unsure, changes)
	used.addAll(f.in.used)
	asked.addAll(f.in.asked)
	f.in.used, f.in.asked = used, asked
	return f.ret, f.retMem
}

// unfollowed reports instructions that are reached and have no value, in this call and those that
// it led to: they would count as never executed.
func (f *frame) unfollowed() {
	for k, b := range f.f.fn.Blocks {
		if f.outs == nil || f.outs[k] == nil {
			continue
		}
		for _, ins := range b.Instrs {
			if v, ok := ins.(ssa.Value); ok && f.env[f.f.numbers[v]] == nil && !isBuiltin(ins) {
				f.in.stack = []*frame{f}
				for c := f.caller; c != nil; c = c.caller {
					f.in.stack = append([]*frame{c}, f.in.stack...)
				}
				f.in.cannot(ins.Pos(), "the value of %s is not followed", v.Name())
				f.in.stack = nil
			}
		}
	}
	for _, g := range f.calls {
		g.unfollowed()
	}
}

func isBuiltin(ins ssa.Instruction) bool {
	c, ok := ins.(*ssa.Call)
	if !ok {
		return false
	}
	_, ok = c.Call.Value.(*ssa.Builtin)
	return ok
}

// again joins the arguments of a recurring call into those of the call that is under way, which is
// then interpreted again.
func (f *frame) again(args, bind []*value, m *memory, control Set) (*value, *memory) {
	f.recurs, f.loops = true, true
	f.in.unsure++
	for k, v := range slices.Concat(args, bind) {
		if j := f.in.join(f.env[k], v); !equal(j, f.env[k]) {
			f.env[k], f.dirty = j, true
		}
	}
	if c := f.in.sets.union(f.control, control); c != f.control {
		f.control, f.dirty = c, true
	}
	before := f.in.clone(f.entry)
	f.entry = f.in.joinMemory(f.entry, m)
	if !equalMemory(before, f.entry) {
		f.dirty = true
	}
	if f.retMem == nil {
		return f.ret, nil
	}
	// The variables of the calls under way have their own values still: they are not those of the
	// recurring call.
	out := f.in.clone(f.retMem)
	for k, c := range m.contents {
		if c != nil && f.in.objects[k].role == local {
			f.in.at(out, f.in.objects[k])
			f.in.joinContent(out, f.in.objects[k], c)
		}
	}
	return f.ret, out
}

// maxRounds bounds the rounds of a loop: values only grow, so this is for mistakes of the analysis
// alone.
const maxRounds = 200

// body interprets the blocks until nothing changes.
func (f *frame) body(round int) {
	for k := 0; ; k++ {
		f.changed = round > 0 && k == 0
		grew := false
		for _, b := range f.f.graph.Order {
			m := f.before(b)
			if m == nil {
				continue
			}
			out := f.block(f.f.fn.Blocks[b], m)
			if f.f.graph.Cyclic[b] {
				// Joined with the round before, memory only grows, whatever the transfer functions
				// do.
				if out = f.in.joinMemory(out, f.outs[b]); !equalMemory(f.outs[b], out) {
					grew = true
				}
			}
			f.outs[b] = out
		}
		if !f.f.cyclic || !grew && !f.changed {
			return
		}
		if k > maxRounds {
			f.in.cannot(f.f.fn.Pos(), "a loop does not settle")
			return
		}
	}
}

// before returns the memory before block b, nil if no way leads there.
func (f *frame) before(b int) *memory {
	if b == 0 && len(f.f.fn.Blocks[0].Preds) == 0 {
		return f.in.clone(f.entry)
	}
	var m *memory
	if b == 0 {
		m = f.in.clone(f.entry)
	}
	for _, p := range f.f.fn.Blocks[b].Preds {
		if f.leads(p, f.f.fn.Blocks[b]) {
			m = f.in.joinMemory(m, f.outs[p.Index])
		}
	}
	return m
}

// leads reports whether control may go from p to b.
func (f *frame) leads(p, b *ssa.BasicBlock) bool {
	if f.outs[p.Index] == nil {
		return false
	}
	branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
	if !ok {
		return true
	}
	switch f.decided(branch) {
	case yes:
		return p.Succs[0] == b
	case no:
		return p.Succs[1] == b
	}
	return true
}

type answer uint8

const (
	maybe answer = iota
	yes
	no
)

// decided says whether a condition is a constant.
func (f *frame) decided(x *ssa.If) answer {
	if c, ok := f.in.known(f.value(x.Cond)); ok && c.Kind() == constant.Bool {
		if constant.BoolVal(c) {
			return yes
		}
		return no
	}
	return maybe
}

// deciders returns what decides whether block b is executed, within the function.
func (f *frame) deciders(b *ssa.BasicBlock) (u Set) {
	for _, c := range f.f.graph.Control[b.Index] {
		block := f.f.fn.Blocks[c]
		if f.outs[c] == nil && c != b.Index {
			continue
		}
		if branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If); ok {
			u = f.in.sets.union(u, f.in.sources(f.value(branch.Cond)))
		}
	}
	return u
}

// block interprets b.
func (f *frame) block(b *ssa.BasicBlock, m *memory) *memory {
	within := f.deciders(b)
	control := f.in.sets.union(f.control, within)
	for _, ins := range b.Instrs {
		f.in.steps++
		switch x := ins.(type) {
		case *ssa.Return:
			f.returned(x, m, within)
		case *ssa.Phi:
			f.phi(x, b)
		case *ssa.If, *ssa.Jump, *ssa.Panic, *ssa.DebugRef, *ssa.RunDefers:
		default:
			if m = f.instr(ins, m, control); m == nil {
				return nil // a call does not return
			}
		}
	}
	return m
}

func (f *frame) returned(x *ssa.Return, m *memory, within Set) {
	var v *value
	switch len(x.Results) {
	case 0:
		v = &value{leaves: []*value{}}
	case 1:
		v = f.value(x.Results[0])
	default:
		v = &value{leaves: []*value{}}
		for _, r := range x.Results {
			n := len(f.in.layouts.of(r.Type()).leaves)
			for k := range n {
				if n == 1 {
					v.leaves = append(v.leaves, f.value(r))
				} else {
					v.leaves = append(v.leaves, f.in.leaf(f.value(r), k))
				}
			}
		}
	}
	if f.f.returns > 1 {
		v = f.in.with(v, 0, within, 0)
	}
	f.ret = f.in.join(f.ret, v)
	f.retMem = f.in.joinMemory(f.retMem, m)
}

// phi joins the values of the ways that lead here. What decides which way is taken decides the
// value.
func (f *frame) phi(x *ssa.Phi, b *ssa.BasicBlock) {
	var v *value
	var control Set
	ways := 0
	for k, e := range x.Edges {
		p := b.Preds[k]
		if !f.leads(p, b) {
			continue
		}
		ways++
		v = f.in.join(v, f.value(e))
		control = f.in.sets.union(control, f.deciders(p))
		if branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok {
			control = f.in.sets.union(control, f.in.sources(f.value(branch.Cond)))
		}
	}
	if ways > 1 {
		v = f.in.with(v, 0, control, 0)
	}
	if v != nil && v.leaves == nil && f.f.varies[x] && len(v.consts) > 0 {
		// It is another value in the next round: not to be treated as a constant in this one.
		r := *v
		r.consts, r.top, r.sym, r.sum = nil, true, anywhere, sum{}
		v = &r
	}
	f.set(x, v)
}

func (f *frame) set(x ssa.Value, v *value) {
	k := f.f.numbers[x]
	if f.f.cyclic || f.recurs {
		v = f.in.join(f.env[k], v)
		if !equal(v, f.env[k]) {
			f.changed = true
		}
	}
	f.env[k] = v
}

func (f *frame) value(v ssa.Value) *value {
	switch x := v.(type) {
	case *ssa.Const:
		return f.in.constant(x)
	case *ssa.Function:
		return &value{funcs: []*closure{{fn: x}}}
	case *ssa.Global:
		return f.in.globalPointer(x)
	case *ssa.Builtin:
		return nil
	}
	return f.env[f.f.numbers[v]]
}
