package speclint

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What it computes. What the pointers of a package may point into, and which functions write
// through them. Rules of speclint need it: a guard must not write, and an effect must not write the
// state before.
//
// Why it is right. It is a least fixed point over the SSA form of the functions, without regard to
// the order of instructions, so it errs on one side: the result may let a pointer point where it
// never does. A pointer points into a set of roots. A root is a parameter (what the caller passed),
// the memory beyond a parameter (what the pointers there lead to), an allocation, a global, or a
// function, for function values. Elements and fields count as their whole. A call replaces the
// callee's parameters by the roots of the arguments. A closure's free variables have the roots of
// what was bound, so that its writes count for the function that makes it, wherever it is called.
// The wrapper of a bound method, which all its closures share, has its receiver as a root, like a
// parameter. A pointer that the callee keeps in memory of its own and that is written through later
// counts for the call that handed it over.
//
// What it costs. Rounds over all instructions until no set grows. The sets only grow, and their
// sizes are bounded by the number of roots.
//
// Example. A guard that writes through a helper:
//
//	func ready(s *State, p One) bool { return bump(&s.Term) }   the argument has the root s
//	func bump(x *Number) bool { *x++; return true }             writes its parameter: ready writes s

// flow holds what the pointers of a package may point into, and the writes through them.
type flow struct {
	fns    []*ssa.Function
	points map[ssa.Value]roots     // what a value may point into
	held   map[ssa.Value]roots     // the pointers that lie in a root
	result map[*ssa.Function]roots // what a function returns
	writes map[ssa.Value][]*write  // by root
	known  map[writeKey]bool       // of writes
	moving bool                    // the last round changed something
	// foreign says what a function without a body writes; nil stands for one that is not known
	foreign func(fn *types.Func) reachOfCall
	// declared returns the functions in a field of a variable; nil where none is known
	declared func(g *ssa.Global, field string) roots
	plain    map[types.Type]bool // memo of pointerless
}

type roots map[ssa.Value]bool

// reachOfCall says what a call of a function without a body writes.
type reachOfCall int

const (
	writesNothing  reachOfCall = iota
	writesReceiver             // what its first argument points to
	copiesAll                  // nothing; the result holds the pointers of the arguments
	writesAll                  // everything that its arguments lead to
)

// beyond is the root of what the pointers in a parameter's memory lead to.
type beyond struct{ ssa.Value }

// write is an instruction that may write into a root: a store, or a call of what writes.
type write struct {
	in     *ssa.Function
	instr  ssa.Instruction
	target ssa.Value  // the pointer that is written through, or passed for it
	typ    types.Type // of the pointer that is written through in the end
	callee *ssa.Function
	param  ssa.Value   // of callee, through which it writes
	method *types.Func // of package modules
}

type writeKey struct {
	instr       ssa.Instruction
	root, param ssa.Value
}

// newFlow computes the flow of the functions that are reached from the entries, with what lies
// around literals among them: that is where their free variables are bound.
func newFlow(entries []*ssa.Function, foreign func(fn *types.Func) reachOfCall, declared func(g *ssa.Global, field string) roots) *flow {
	f := &flow{
		points: map[ssa.Value]roots{}, held: map[ssa.Value]roots{}, result: map[*ssa.Function]roots{},
		writes: map[ssa.Value][]*write{}, known: map[writeKey]bool{}, foreign: foreign, declared: declared, plain: map[types.Type]bool{},
	}
	f.collect(entries)
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

// collect finds the functions, the wrappers that they use among them.
func (f *flow) collect(entries []*ssa.Function) {
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
	for _, fn := range entries {
		add(fn)
	}
	for _, fn := range entries {
		for outer := fn.Parent(); outer != nil && !seen[outer]; outer = outer.Parent() {
			seen[outer] = true
			f.fns = append(f.fns, outer)
		}
	}
}

// of returns the roots of v.
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
	for r := range rs {
		if f.leads(v.Type(), r) {
			f.merge(f.points, v, roots{r: true})
		}
	}
}

// leads reports whether a value of type t may point into r: a pointer to pointers does not point
// into memory that holds none, as a State.
func (f *flow) leads(t types.Type, r ssa.Value) bool {
	switch r.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Alloc:
	default:
		return true
	}
	into, ok := r.Type().Underlying().(*types.Pointer)
	if !ok || !f.pointerless(into.Elem()) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return !holdsPointer(u.Elem())
	case *types.Slice:
		return !holdsPointer(u.Elem())
	}
	return true
}

// holdsPointer reports whether every value of type t has room for a pointer. For a type parameter
// that is not known: neither this nor pointerless holds.
func holdsPointer(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && holdsPointer(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if holdsPointer(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
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

// load returns the roots of the pointers that lie in what the roots are.
func (f *flow) load(from roots) roots {
	out := roots{}
	for r := range from {
		f.eachHeld(r, func(h ssa.Value) { out[h] = true })
	}
	return out
}

// eachHeld calls do with the roots of the pointers that lie in r.
func (f *flow) eachHeld(r ssa.Value, do func(h ssa.Value)) {
	switch r.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		do(beyond{r})
	case beyond:
		do(r)
	}
	for h := range f.held[r] {
		do(h)
	}
}

// reach returns the roots of all pointers that can be come by from the roots.
func (f *flow) reach(from roots) roots {
	out := roots{}
	var visit func(r ssa.Value)
	visit = func(r ssa.Value) {
		f.eachHeld(r, func(h ssa.Value) {
			if !out[h] {
				out[h] = true
				visit(h)
			}
		})
	}
	for r := range from {
		visit(r)
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
		if at, ok := i.X.(*ssa.FieldAddr); ok && f.declared != nil {
			if g, ok := at.X.(*ssa.Global); ok {
				f.flowTo(i, f.declared(g, fieldName(at)))
			}
		}
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
		} else {
			f.passWrites(fn, i, made, v, i.Bindings[k])
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
		f.write(r, write{in: fn, instr: i, target: addr, typ: addr.Type()})
		if !f.pointerless(val.Type()) {
			f.merge(f.held, r, f.of(val))
		}
	}
}

func (f *flow) write(root ssa.Value, w write) {
	key := writeKey{w.instr, root, w.param}
	if !f.known[key] && f.leads(w.typ, root) {
		f.known[key] = true
		f.writes[root] = append(f.writes[root], &w)
		f.moving = true
	}
}

// pointerless reports whether values of type t hold no pointers, so that nothing can be written
// through them.
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
