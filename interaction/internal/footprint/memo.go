package footprint

import (
	"iter"
	"math/bits"
	"slices"
)

// A call in a loop is interpreted in each round, and a call in nested loops in each round of each
// of them, although in most rounds nothing that it can see has changed. So a frame remembers its
// last run: what went in, and what came out. A run with equal inputs has the same result, and has
// the same effects on the interpretation, which all are sets that only grow: reads, writes,
// touched variables, issues.
//
// Of the memory, a run depends only on the objects whose contents it asks for or sets, in the call
// itself or in one that it leads to. It passes all other objects on as they are. So memory is
// compared for the objects that the run used, and a result is the caller's memory with the contents
// that the run left in these:
//
//	memory before:  s n x y        the run used n and x, and left n' and x'
//	memory now:     s n x z   ->   s n' x' z
//
// An allocation in a loop asks whether an older object of it is still in use. The answer may depend
// on the callers and on objects that the run does not use. So the question is asked again before a
// result is used, also for allocations that were in no loop then.
//
// A run is not remembered if it meets a recursive call, whose result depends on how far the outer
// call is. A run is forgotten when an object changes outside of memory (object.many and
// object.control): interp.changes counts that.

// memo is the last run of a frame.
type memo struct {
	args, bind []*value
	entry      *memory
	used       objectSet // objects whose contents the run asked for or set
	asked      objectSet // objects that were found not to be in use
	control    Set
	changes    int // interp.changes before the run

	ret    *value
	retMem *memory
}

// recall returns the result of the last run if it had the same inputs.
func (f *frame) recall(args, bind []*value, m *memory, control Set) (*value, *memory, bool) {
	x := f.last
	if x == nil || f.in.forgetful || x.control != control || x.changes != f.in.changes ||
		!slices.EqualFunc(x.args, args, equal) || !slices.EqualFunc(x.bind, bind, equal) ||
		!f.in.alike(x.entry, m, x.used) || f.in.anyInUse(x.asked, m) {
		return nil, nil, false
	}
	f.in.used.addAll(x.used)
	f.in.asked.addAll(x.asked)
	if x.retMem == nil {
		return x.ret, nil, true
	}
	out := f.in.clone(m)
	for k := range x.used.all() {
		out.set(k, x.retMem.get(k))
	}
	return x.ret, out, true
}

// anyInUse reports whether one of the objects is in use.
func (in *interp) anyInUse(objects objectSet, m *memory) bool {
	for k := range objects.all() {
		if in.inUse(in.objects[k], m) {
			return true
		}
	}
	return false
}

// alike reports whether two memories have the same contents of some objects.
func (in *interp) alike(a, b *memory, of objectSet) bool {
	for k := range of.all() {
		x, y := a.get(k), b.get(k)
		switch o := in.objects[k]; {
		case x == y:
			continue
		case (x == nil || y == nil) && o.role == local:
			return false
		case x == nil:
			x = &content{leaves: in.entry(o)} // made on demand in one of the memories only
		case y == nil:
			y = &content{leaves: in.entry(o)}
		}
		if !slices.EqualFunc(x.leaves, y.leaves, equal) {
			return false
		}
	}
	return true
}

// remember keeps the result of a run, unless it met a recursive call: unsure and changes are
// interp's counts before the run.
func (f *frame) remember(args, bind []*value, m *memory, control Set, unsure, changes int) {
	f.last = nil
	if f.in.unsure != unsure {
		return
	}
	f.last = &memo{args: args, bind: bind, entry: m, used: slices.Clone(f.in.used), asked: slices.Clone(f.in.asked), control: control, changes: changes,
		ret: f.ret}
	if f.retMem != nil {
		f.last.retMem = f.in.clone(f.retMem)
	}
}

// leave drops the variables of a call that has returned: nothing refers to those that do not
// escape.
func (f *frame) leave() {
	if f.retMem == nil || f.recurs {
		return
	}
	for _, o := range f.locals {
		if o.number < len(f.retMem.contents) {
			f.retMem.contents[o.number] = nil
		}
	}
}

// objectSet is a set of objects by their numbers, 64 to a word.
type objectSet []uint64

func (s *objectSet) add(k int) {
	for len(*s) <= k/64 {
		*s = append(*s, 0)
	}
	(*s)[k/64] |= 1 << (k % 64)
}

func (s *objectSet) addAll(t objectSet) {
	for len(*s) < len(t) {
		*s = append(*s, 0)
	}
	for w, word := range t {
		(*s)[w] |= word
	}
}

// all yields the numbers in the set.
func (s objectSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(64*w + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
