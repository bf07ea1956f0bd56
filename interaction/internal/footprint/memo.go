package footprint

import "slices"

// A call in a loop is interpreted in each round, and a call in nested loops in each round of each
// of them, although in most rounds nothing that it can see has changed. So a frame remembers its
// last run: what went in, and what came out. A run with equal inputs has the same result, and has
// the same effects on the interpretation, which all are sets that only grow: reads, writes,
// touched variables, issues.
//
// A run is not remembered if its result depends on more than its inputs:
//
//   - a recursive call, whose result depends on how far the outer call is;
//   - an allocation that asks whether an older object of it is still in use by the calls under way.
//
// A run that is remembered is forgotten when an object changes outside of memory (object.many and
// object.control): interp.changes counts that.

// memo is the last run of a frame.
type memo struct {
	args, bind []*value
	entry      *memory
	control    Set
	loops      bool
	key        term // interp.key
	changes    int  // interp.changes at the end of the run

	ret    *value
	retMem *memory
}

// recall returns the result of the last run if it had the same inputs.
func (f *frame) recall(args, bind []*value, m *memory, control Set) (*value, *memory, bool) {
	x := f.last
	if x == nil || f.in.forgetful || x.control != control || x.loops != f.loops || x.key != f.in.key || x.changes != f.in.changes ||
		!slices.EqualFunc(x.args, args, equal) || !slices.EqualFunc(x.bind, bind, equal) || !equalMemory(x.entry, m) {
		return nil, nil, false
	}
	if x.retMem == nil {
		return x.ret, nil, true
	}
	return x.ret, f.in.clone(x.retMem), true
}

// remember keeps the result of a run, unless something happened in it that its inputs do not
// determine: unsure and changes are what interp counted before the run.
func (f *frame) remember(args, bind []*value, m *memory, control Set, unsure, changes int) {
	f.last = nil
	if f.recurs || f.in.unsure != unsure || f.in.changes != changes {
		return
	}
	f.last = &memo{args: args, bind: bind, entry: m, control: control, loops: f.loops, key: f.in.key, changes: changes, ret: f.ret}
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
