package speclint

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// flow is what the pointers of a package may point into, and who writes through them: a least fixed point over the SSA
// form of its functions, without regard to the order of instructions.
//
// What a pointer points into is a set of roots: a parameter (what the caller passed), an allocation, a global, or a
// function, for function values. Elements and fields count as their whole. A call replaces the callee's parameters
// by the roots of the arguments. A closure's free variables have the roots of what was bound, so that its writes count
// for the function that makes it, whoever calls it. The wrapper of a bound method, which all its closures share, has its
// receiver as a root, like a parameter.
type flow struct {
	fns    []*ssa.Function
	points map[ssa.Value]roots       // what a value may point into
	held   map[ssa.Value]roots       // the pointers that lie in a root
	result map[*ssa.Function]roots   // what a function returns
	writes map[ssa.Value][]*write    // by root
	known  map[writeKey]bool         // of writes
	moving bool                      // the last round changed something
	mutate func(fn *types.Func) bool // whether a function without a body writes through its receiver
	plain  map[types.Type]bool       // memo of pointerless
}

type roots map[ssa.Value]bool

// write is an instruction that may write into a root: a store, or a call of what writes.
type write struct {
	in     *ssa.Function
	instr  ssa.Instruction
	target ssa.Value // the pointer that is written through
	callee *ssa.Function
	param  ssa.Value   // of callee, through which it writes
	method *types.Func // of package modules
}

type writeKey struct {
	instr       ssa.Instruction
	root, param ssa.Value
}

// newFlow computes the flow of pkg, which has been built.
func newFlow(pkg *ssa.Package, mutate func(fn *types.Func) bool) *flow {
	f := &flow{
		points: map[ssa.Value]roots{}, held: map[ssa.Value]roots{}, result: map[*ssa.Function]roots{},
		writes: map[ssa.Value][]*write{}, known: map[writeKey]bool{}, mutate: mutate, plain: map[types.Type]bool{},
	}
	f.collect(pkg)
	for _, fn := range f.fns {
		for _, p := range fn.Params {
			if !f.pointerless(p.Type()) {
				f.points[p] = roots{p: true}
			}
		}
		if fn.Parent() == nil {
			for _, v := range fn.FreeVars {
				f.points[v] = roots{v: true}
			}
		}
	}
	for f.moving = true; f.moving; {
		f.moving = false
		for _, fn := range f.fns {
			for _, b := range fn.Blocks {
				for _, i := range b.Instrs {
					f.step(fn, i)
				}
			}
		}
	}
	return f
}

// collect finds the functions of pkg with the wrappers that they use.
func (f *flow) collect(pkg *ssa.Package) {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] || fn.Blocks == nil {
			return
		}
		seen[fn] = true
		f.fns = append(f.fns, fn)
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				for _, o := range i.Operands(nil) {
					if g, ok := (*o).(*ssa.Function); ok {
						add(g)
						add(g.Origin())
					}
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
		if fn, ok := pkg.Members[name].(*ssa.Function); ok {
			add(fn)
		}
	}
	for _, name := range pkg.Pkg.Scope().Names() {
		t, ok := pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if n, ok := t.Type().(*types.Named); ok {
			for m := range n.Methods() {
				add(pkg.Prog.FuncValue(m))
			}
		}
	}
}

// of are the roots of v.
func (f *flow) of(v ssa.Value) roots {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return roots{v: true}
	case *ssa.Function:
		if o := v.Origin(); o != nil {
			return roots{o: true}
		}
		return roots{v: true}
	}
	return f.points[v]
}

// flowTo adds the roots to those of v.
func (f *flow) flowTo(v ssa.Value, rs roots) {
	if len(rs) == 0 || f.pointerless(v.Type()) {
		return
	}
	f.merge(f.points, v, rs)
}

func (f *flow) merge(in map[ssa.Value]roots, v ssa.Value, rs roots) {
	have := in[v]
	for r := range rs {
		if !have[r] {
			if have == nil {
				have = roots{}
				in[v] = have
			}
			have[r] = true
			f.moving = true
		}
	}
}

// load are the roots of the pointers that lie in what the roots are.
func (f *flow) load(from roots) roots {
	out := roots{}
	for r := range from {
		switch r.(type) {
		case *ssa.Parameter, *ssa.FreeVar:
			out[r] = true // what the caller's memory points to counts as the caller's memory
		}
		for h := range f.held[r] {
			out[h] = true
		}
	}
	return out
}

func (f *flow) step(fn *ssa.Function, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Phi:
		for _, e := range i.Edges {
			f.flowTo(i, f.of(e))
		}
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.ChangeType, *ssa.Convert, *ssa.MultiConvert, *ssa.SliceToArrayPointer,
		*ssa.Field, *ssa.Index, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.ChangeInterface, *ssa.Range, *ssa.Next:
		f.flowTo(i.(ssa.Value), f.of(*i.Operands(nil)[0]))
	case *ssa.UnOp:
		f.flowTo(i, f.load(f.of(i.X)))
	case *ssa.Lookup:
		f.flowTo(i, f.load(f.of(i.X)))
	case *ssa.Store:
		f.store(fn, i, i.Addr, i.Val)
	case *ssa.MapUpdate:
		f.store(fn, i, i.Map, i.Value)
	case *ssa.MakeClosure:
		f.closure(fn, i, i.Fn.(*ssa.Function))
	case *ssa.Return:
		for _, v := range i.Results {
			f.returns(fn, f.of(v))
		}
	case ssa.CallInstruction:
		f.call(fn, i)
	}
}

func (f *flow) closure(fn *ssa.Function, i *ssa.MakeClosure, made *ssa.Function) {
	f.flowTo(i, roots{made: true})
	for k, v := range made.FreeVars {
		if made.Parent() != nil {
			f.flowTo(v, f.of(i.Bindings[k]))
			continue
		}
		for _, w := range f.writes[v] {
			for r := range f.of(i.Bindings[k]) {
				f.write(r, write{in: fn, instr: i, target: i.Bindings[k], callee: made, param: v, method: w.method})
			}
		}
	}
}

func (f *flow) returns(fn *ssa.Function, rs roots) {
	for r := range rs {
		if !f.result[fn][r] {
			if f.result[fn] == nil {
				f.result[fn] = roots{}
			}
			f.result[fn][r] = true
			f.moving = true
		}
	}
}

// store is the write of val through addr.
func (f *flow) store(fn *ssa.Function, i ssa.Instruction, addr, val ssa.Value) {
	for r := range f.of(addr) {
		f.write(r, write{in: fn, instr: i, target: addr})
		if !f.pointerless(val.Type()) {
			f.merge(f.held, r, f.of(val))
		}
	}
}

func (f *flow) write(root ssa.Value, w write) {
	key := writeKey{w.instr, root, w.param}
	if !f.known[key] {
		f.known[key] = true
		f.writes[root] = append(f.writes[root], &w)
		f.moving = true
	}
}

// pointerless reports whether values of type t hold no pointers, so that nothing can be written through them.
func (f *flow) pointerless(t types.Type) bool {
	if p, ok := f.plain[t]; ok {
		return p
	}
	f.plain[t] = true // a type that contains itself does so behind a pointer
	p := f.holdsNone(t)
	f.plain[t] = p
	return p
}

func (f *flow) holdsNone(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return f.pointerless(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if !f.pointerless(v.Type()) {
				return false
			}
		}
		return true
	case *types.Tuple:
		for v := range u.Variables() {
			if !f.pointerless(v.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
