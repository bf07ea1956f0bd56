package footprint

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// Code is interpreted in one run.
type Code struct {
	Guards []*initial.Func // func(s *S, p P) bool or func(s *S) bool
	// func(s, n *S, p P) or func(s, n *S), one after the other on the same state after
	Effects []*initial.Func
}

// Result is a footprint. Sources are resolved with Element.
type Result struct {
	Guard   []Read
	Writes  []Write
	Touched []bool // by variable: the code reads or writes it
	// Sends and Receives are where messages of the kinds are sent and taken out, by variable.
	Sends, Receives map[int][]Place
	// Picks are the messages of Bags that are named by a position that is a parameter.
	Picks  []Pick
	ways   ways
	Issues []Issue
	Steps  int // instructions interpreted
	// Never says that a guard is false in every state, whatever the parameters: constants decide
	// it.
	Never bool
}

// ways says how the kinds of messages are read, by variable. The messages of first are read where
// they are the first of their channel, and those of counted wherever they are.
type ways struct{ first, counted map[int]bool }

func newWays() ways { return ways{map[int]bool{}, map[int]bool{}} }

func (w *ways) add(x ways) {
	if w.first == nil {
		*w = newWays()
	}
	maps.Copy(w.first, x.first)
	maps.Copy(w.counted, x.counted)
}

// ofCopies stands for the messages of a copy of a network: which network it was is not known.
const ofCopies = -1

// Counted reports whether messages of a variable, which is a kind, are read wherever they are in
// their channel. First reports whether the first one of a channel is read.
func (r *Result) Counted(variable int) bool {
	return r.ways.counted[variable] || r.ways.counted[ofCopies]
}

// First is described with Counted.
func (r *Result) First(variable int) bool { return r.ways.first[variable] || r.ways.first[ofCopies] }

// Pick is a message of a Bag, of the kind of a variable, in the channel at an index. Its position
// is the parameter At and the number Add.
type Pick struct {
	Variable int
	Index    []string
	At       string
	Add      int
}

// Read is a reading of an element.
type Read struct {
	Variable int
	Index    []string // without the key
	Key      string
	Next     bool
	Place    Place
}

// Write describes the writes to a variable.
type Write struct {
	Variable               int
	Elements               []Element
	Data, Control, Indices []Read
	Constants              []string // exact texts
	Computed               bool
	// Keeps says that an element that is written may keep its value: the write is conditional, or
	// the analysis does not know the element.
	Keeps  bool
	Places []Place
	At     [][]string // by place: the constants assigned there
}

// Element is a symbolic index with a key.
type Element struct {
	Index []string
	Key   string
}

// Property interprets a predicate over one state, or over a step if it has a second one.
func (a *Analyzer) Property(f *initial.Func) *Result {
	r := &Result{Touched: make([]bool, len(a.Variables))}
	in := a.newInterp(f.Fn, true)
	v, _ := in.start(f, in.parameters(f.Fn, true), nil)
	r.Guard = in.readsOf(in.sources(v))
	r.Picks = in.picked()
	r.add(in)
	return r
}

// Init interprets a function that yields initial states: what it sets differently from zero is
// written.
func (a *Analyzer) Init(f *initial.Func) *Result {
	r := &Result{Touched: make([]bool, len(a.Variables))}
	in := a.newInterp(f.Fn, false)
	in.yield = yieldFunction
	in.start(f, []*value{{funcs: []*closure{{fn: yieldFunction}}}}, nil)
	for k := range a.Variables {
		v := in.leaf(in.yieldValue, k)
		if len(a.Variables) == 1 {
			v = in.yieldValue
		}
		if v == nil {
			continue
		}
		w := in.described(k, v)
		if !w.Computed && slices.Equal(w.Constants, []string{"0"}) || slices.Equal(w.Constants, []string{"false"}) && !w.Computed {
			continue
		}
		w.Elements = []Element{{}}
		w.Places = []Place{{At: f.Fn.Pos()}}
		r.Writes = append(r.Writes, w)
		in.touched[k] = true
	}
	r.add(in)
	return r
}

// yieldFunction stands for the function that Init calls.
var yieldFunction = new(ssa.Function)

func (in *interp) yields(fn *ssa.Function) bool { return fn == yieldFunction && in.yield != nil }

func (in *interp) yielded(args []*value) {
	for _, v := range args {
		in.yieldValue = in.join(in.yieldValue, v)
	}
}

func (r *Result) add(in *interp) {
	r.addFound(in.touched, in.issues, in.steps)
	r.ways.add(in.ways)
}

func (r *Result) addFound(touched []bool, issues []Issue, steps int) {
	for k, t := range touched {
		r.Touched[k] = r.Touched[k] || t
	}
	r.Issues = append(r.Issues, issues...)
	r.Steps += steps
}

// start interprets f as the outermost function.
func (in *interp) start(f *initial.Func, args []*value, m *memory) (*value, *memory) {
	if m == nil {
		m = &memory{epoch: in.newEpoch()}
	}
	var bind []*value
	for k, b := range f.Bind {
		bind = append(bind, in.captured(b, f.Fn.FreeVars[k]))
	}
	top := &frame{in: in, f: in.function(f.Fn), calls: map[callSite]*frame{}, objects: map[ssa.Instruction]*object{}, position: token.NoPos}
	v, out := top.run(args, bind, m, 0)
	top.unfollowed()
	return v, out
}

// states makes the state before and the state after.
func (in *interp) states() [2]*object {
	return [2]*object{in.newObject("s", in.state, before), in.newObject("n", in.state, after)}
}

func (in *interp) parameters(fn *ssa.Function, property bool) []*value {
	return in.parametersOf(fn, in.states(), property)
}

// parametersOf gives the first one or two pointers to State the states and the rest symbols.
func (in *interp) parametersOf(fn *ssa.Function, states [2]*object, two bool) (args []*value) {
	next := 0
	for _, p := range fn.Params {
		if ptr, ok := p.Type().Underlying().(*types.Pointer); ok && types.Identical(ptr.Elem(), in.state.typ) && (next == 0 || next == 1 && two) {
			args = append(args, pointerTo(states[next]))
			next++
			continue
		}
		args = append(args, in.parameter(p.Type()))
	}
	return args
}

// parameter returns a value in which each leaf is a symbol of its own.
func (in *interp) parameter(t types.Type) *value {
	lay := in.layouts.of(t)
	symbol := func(l leaf) *value {
		v := &value{top: true}
		if l.dims == 0 {
			name := "p"
			if l.path != "" {
				name = "p." + l.path
			}
			v.sym = in.names.term(name, true)
			if b, ok := l.typ.Underlying().(*types.Basic); ok {
				in.names.basic[v.sym] = b.Kind()
			}
		}
		return v
	}
	if len(lay.leaves) == 1 {
		return symbol(lay.leaves[0])
	}
	r := &value{leaves: []*value{}}
	for _, l := range lay.leaves {
		r.leaves = append(r.leaves, symbol(l))
	}
	return r
}

// result lists the variables of the state after that may differ from before.
func (in *interp) result(m *memory, n *object) (out []Write) {
	c := in.at(m, n)
	for k := range in.Variables {
		e := in.writes[k]
		if e == nil || len(e.elements) == 0 {
			continue
		}
		v := c.leaves[k]
		if v.pure() && len(v.elems) == 0 && v.frame == in.sets.one(in.names.source(k, 0)) {
			continue // put back as it was
		}
		w := in.described(k, v)
		for _, x := range in.widest(e.elements) {
			w.Elements = append(w.Elements, in.element(x))
		}
		w.Places = slices.Clone(e.places)
		for _, cs := range e.consts {
			var texts []string
			for _, c := range cs {
				texts = append(texts, in.names.consts[c])
			}
			w.At = append(w.At, texts)
		}
		out = append(out, w)
	}
	return out
}

// described says what a variable's value is made of. What stays in its own element is no source.
func (in *interp) described(k int, v *value) Write {
	w := Write{Variable: k}
	var data, control, idx Set
	var consts []int32
	s := in.sets
	var add func(v *value, own Set)
	add = func(v *value, own Set) {
		if v == nil {
			return
		}
		others := s.without(v.frame, func(x Source) bool { return s.one(x) == own })
		data = s.all(data, v.data, others)
		control, idx = s.union(control, v.control), s.union(idx, v.idx)
		w.Computed = w.Computed || v.top || others != 0 || len(v.funcs)+len(v.ptrs) > 0
		consts = union(consts, v.consts)
		for _, x := range v.leaves {
			add(x, own)
		}
		for _, e := range v.elems {
			add(e.own, s.one(in.names.source(k, e.at)))
			add(e.rest, s.one(in.names.source(k, e.at)))
		}
	}
	add(v, s.one(in.names.source(k, 0)))
	w.Keeps = in.keeps(k, v)
	w.Data, w.Control, w.Indices = in.readsOf(data), in.readsOf(control), in.readsOf(idx)
	for _, c := range consts {
		w.Constants = append(w.Constants, in.names.consts[c])
	}
	return w
}

// keeps reports whether an element of variable k that was written may have its old value.
func (in *interp) keeps(k int, v *value) bool {
	has := func(v *value, at index) bool {
		own := in.names.source(k, at)
		return slices.Contains(in.sets.members[v.frame], own)
	}
	if len(v.elems) == 0 {
		return has(v, 0)
	}
	return slices.ContainsFunc(v.elems, func(e element) bool {
		return e.own == nil || has(e.own, e.at) || has(e.own, 0) || e.rest != nil && (has(e.rest, e.at) || has(e.rest, 0))
	})
}

func (in *interp) element(x index) Element {
	n := in.names.indices[x]
	var e Element
	terms := n.terms
	if n.key {
		e.Key = in.names.terms[terms[len(terms)-1]]
		terms = terms[:len(terms)-1]
	}
	for _, t := range terms {
		e.Index = append(e.Index, in.names.terms[t])
	}
	return e
}

// widest leaves out the indices that lie within others.
func (in *interp) widest(xs []index) (out []index) {
	for k, x := range xs {
		covered := false
		for j, y := range xs {
			covered = covered || in.names.within(x, y) && (j < k || !in.names.within(y, x))
		}
		if !covered {
			out = append(out, x)
		}
	}
	return out
}

// readsOf resolves sources; one that lies within another of the set is left out.
func (in *interp) readsOf(s Set) (out []Read) {
	byVariable := map[int][]index{}
	for _, x := range in.sets.members[s] {
		n := in.names.sources[x]
		byVariable[n.variable] = append(byVariable[n.variable], n.index)
	}
	for _, x := range in.sets.members[s] {
		n := in.names.sources[x]
		if !slices.Contains(in.widest(byVariable[n.variable]), n.index) {
			continue
		}
		e := in.element(n.index)
		r := Read{Variable: n.variable, Index: e.Index, Key: e.Key, Place: in.reads[x]}
		if r.Variable >= len(in.Variables) {
			r.Variable -= len(in.Variables)
			r.Next = true
		}
		out = append(out, r)
	}
	return out
}
