package footprint

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// value describes a value: where it comes from and what it may be. Values are not changed once
// made; nil is the value of code that is never reached.
type value struct {
	// frame are the elements of the state whose value this may be, unchanged. Below an array, a
	// frame is the whole array and stands for each of its elements at its own place.
	frame Set
	// data, control and idx are the elements from which it is computed, which decided to choose it,
	// and which selected an element of something.
	data, control, idx Set

	consts []int32 // constants that it may be, sorted
	top    bool    // it may be something computed, too
	sym    term    // it is exactly this parameter or constant; anywhere: not known
	sum    sum     // it is exactly a parameter and a number, for positions; zero: not known

	ptrs    []location
	funcs   []*closure
	dynamic []dynamic // of an interface
	// why the analysis does not know what it is: to use it is a finding; "" if it knows
	lost string

	leaves []*value // of a struct or tuple with other than one leaf
	// elems are elements of an array that are known apart; all else of the value describes the
	// other elements.
	elems []element
	// full says that elems are all elements: there are no others.
	full bool
}

// sum is a parameter and the number that is added to it.
type sum struct {
	of  term
	add int64
}

// element is an element of an array that is known apart. It holds own or rest. Own was stored at
// just this index. Rest was stored at another index, which may or may not name the element. To read
// the array at a third index, rest is not needed, because the other index is read there.
type element struct {
	at        index
	own, rest *value
}

// location is a place in memory: a range of the leaves of an object, at an index.
type location struct {
	obj   *object
	start int
	lay   *layout
	at    index
	moved bool // of a slice: it does not start where the array does
}

type closure struct {
	fn   *ssa.Function
	bind []*value
}

type dynamic struct {
	typ *layout
	val *value
}

// object is a piece of memory.
type object struct {
	number int
	name   string
	lay    *layout
	role   role
	// a variable that a function literal of the initialiser captures
	captured bool
	many     bool // stands for several that live at the same time: never written for certain
	// control are the sources of the decision to make it. They also decide all changes within, but
	// nothing leaves there without them as its sources. So they are no sources of the object's
	// content.
	control Set
}

type role uint8

const (
	local  role = iota
	before      // the state before
	after       // the state after
	global      // a package-level variable
)

func (in *interp) join(a, b *value) *value {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	}
	if a.leaves != nil || b.leaves != nil {
		return in.joinLeaves(a, b)
	}
	s := in.sets
	r := &value{
		frame: s.union(a.frame, b.frame), data: s.union(a.data, b.data), control: s.union(a.control, b.control),
		idx: s.union(a.idx, b.idx), top: a.top || b.top, lost: reason(a.lost, b.lost),
	}
	if a.sym == b.sym {
		r.sym = a.sym
	}
	if a.sum == b.sum {
		r.sum = a.sum
	}
	r.consts = union(a.consts, b.consts)
	r.ptrs = a.ptrs
	for _, p := range b.ptrs {
		if !slices.Contains(r.ptrs, p) {
			r.ptrs = append(r.ptrs[:len(r.ptrs):len(r.ptrs)], p)
		}
	}
	r.funcs = in.joinFuncs(a.funcs, b.funcs)
	r.dynamic = in.joinDynamic(a.dynamic, b.dynamic)
	in.joinElems(r, a, b)
	return r
}

// reason chooses one of two reasons why a value is not known, whichever order they come in.
func reason(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

func union(a, b []int32) []int32 {
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	if len(a) == 0 {
		return b
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func (in *interp) joinLeaves(a, b *value) *value {
	n := max(len(a.leaves), len(b.leaves))
	r := &value{leaves: make([]*value, n)}
	for k := range n {
		r.leaves[k] = in.join(in.leaf(a, k), in.leaf(b, k))
	}
	return r
}

func (in *interp) joinFuncs(a, b []*closure) []*closure {
	if len(b) == 0 {
		return a
	}
	out := slices.Clone(a)
	for _, c := range b {
		k := slices.IndexFunc(out, func(x *closure) bool { return x.fn == c.fn })
		if k < 0 {
			out = append(out, c)
			continue
		}
		both := &closure{fn: c.fn}
		for x := range c.bind {
			both.bind = append(both.bind, in.join(out[k].bind[x], c.bind[x]))
		}
		out[k] = both
	}
	return out
}

func (in *interp) joinDynamic(a, b []dynamic) []dynamic {
	if len(b) == 0 {
		return a
	}
	out := slices.Clone(a)
	for _, d := range b {
		k := slices.IndexFunc(out, func(x dynamic) bool { return x.typ == d.typ })
		if k < 0 {
			out = append(out, d)
			continue
		}
		out[k].val = in.join(out[k].val, d.val)
	}
	return out
}

// leaf is leaf k of a struct or tuple: of one whose parts are not known apart, something computed
// from it.
func (in *interp) leaf(v *value, k int) *value {
	switch {
	case v == nil:
		return nil
	case v.leaves != nil:
		if k < len(v.leaves) {
			return v.leaves[k]
		}
		return nil
	}
	return in.computed(v)
}

// parts returns the n leaves from start on, as one value.
func (in *interp) parts(v *value, start, n int) *value {
	if v == nil {
		return nil
	}
	if n == 1 {
		return in.leaf(v, start)
	}
	r := &value{leaves: make([]*value, n)}
	for k := range n {
		r.leaves[k] = in.leaf(v, start+k)
	}
	return r
}

// inner passes all values in v to yield, except those that closures capture.
func (v *value) inner(yield func(*value) bool) {
	for _, x := range v.leaves {
		if !yield(x) {
			return
		}
	}
	for _, e := range v.elems {
		if !yield(e.own) || !yield(e.rest) {
			return
		}
	}
	for _, d := range v.dynamic {
		if !yield(d.val) {
			return
		}
	}
}

// sources returns all elements on which a value depends, in any way.
func (in *interp) sources(v *value) Set {
	if v == nil {
		return 0
	}
	u := in.sets.all(v.frame, v.data, v.control, v.idx)
	for x := range v.inner {
		u = in.sets.union(u, in.sources(x))
	}
	return u
}

// computed returns a value computed from others.
func (in *interp) computed(vs ...*value) *value {
	r := &value{top: true}
	for _, v := range vs {
		in.addComputed(r, v)
	}
	return r
}

func (in *interp) addComputed(r, v *value) {
	if v == nil {
		return
	}
	s := in.sets
	r.data = s.all(r.data, v.data, v.frame)
	r.control = s.union(r.control, v.control)
	r.idx = s.union(r.idx, v.idx)
	r.lost = reason(r.lost, v.lost)
	for x := range v.inner {
		in.addComputed(r, x)
	}
}

// with adds sources to every part of a value.
func (in *interp) with(v *value, data, control, idx Set) *value {
	if v == nil || data|control|idx == 0 {
		return v
	}
	r := *v
	s := in.sets
	if v.leaves == nil {
		r.data, r.control, r.idx = s.union(v.data, data), s.union(v.control, control), s.union(v.idx, idx)
		if r.data == v.data && r.control == v.control && r.idx == v.idx && len(v.elems) == 0 {
			return v
		}
	} else {
		r.leaves = make([]*value, len(v.leaves))
		for k, x := range v.leaves {
			r.leaves[k] = in.with(x, data, control, idx)
		}
	}
	if len(v.elems) > 0 {
		r.elems = make([]element, len(v.elems))
		for k, e := range v.elems {
			r.elems[k] = element{e.at, in.with(e.own, data, control, idx), in.with(e.rest, data, control, idx)}
		}
	}
	return &r
}

// made reports whether v, or another element of it than those known apart, may be anything but a
// value of its frame.
func (v *value) made() bool {
	return v.top || len(v.consts) > 0 || len(v.ptrs) > 0 || len(v.funcs) > 0 || len(v.dynamic) > 0 || v.leaves != nil || v.lost != ""
}

// pure reports whether v is the value that an element had before, and nothing else.
func (v *value) pure() bool {
	return v != nil && v.frame != 0 && v.data == 0 && v.control == 0 && v.idx == 0 && !v.made()
}

// equal compares deeply. Pointers, functions, dynamic values and elements are sets: their order has
// no meaning.
func equal(a, b *value) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.frame != b.frame || a.data != b.data || a.control != b.control || a.idx != b.idx ||
		a.top != b.top || a.sym != b.sym || a.sum != b.sum || a.lost != b.lost || a.full != b.full || (a.leaves == nil) != (b.leaves == nil) {
		return false
	}
	return slices.Equal(a.consts, b.consts) && slices.EqualFunc(a.leaves, b.leaves, equal) &&
		sameSet(a.ptrs, b.ptrs, func(x, y location) bool { return x == y }) &&
		sameSet(a.elems, b.elems, func(x, y element) bool { return x.at == y.at && equal(x.own, y.own) && equal(x.rest, y.rest) }) &&
		sameSet(a.funcs, b.funcs, func(x, y *closure) bool {
			return x == y || x.fn == y.fn && slices.EqualFunc(x.bind, y.bind, equal)
		}) &&
		sameSet(a.dynamic, b.dynamic, func(x, y dynamic) bool { return x.typ == y.typ && equal(x.val, y.val) })
}

// sameSet compares two sets whose members are listed once each, most often in the same order.
func sameSet[T any](a, b []T, same func(x, y T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k, x := range a {
		if same(x, b[k]) {
			continue
		}
		if !slices.ContainsFunc(b[:k], func(y T) bool { return same(x, y) }) &&
			!slices.ContainsFunc(b[k+1:], func(y T) bool { return same(x, y) }) {
			return false
		}
	}
	return true
}

// maxNesting bounds how deeply interfaces and closures are followed that hold each other by value.
// Only these nest without a bound that types give, as in v = Box{v}.
const maxNesting = 16

// nested is v, held by an interface or a closure. Below maxNesting it is something that is not
// known.
func (in *interp) nested(v *value) *value {
	if v == nil || v.nesting() < maxNesting {
		return v
	}
	r := in.computed(v)
	r.lost = reason(r.lost, "values nest without a bound")
	return r
}

// nesting counts the interfaces and closures around the innermost value in v.
func (v *value) nesting() (n int) {
	if v == nil {
		return 0
	}
	for x := range v.inner {
		n = max(n, x.nesting())
	}
	if len(v.dynamic) > 0 {
		n++
	}
	for _, c := range v.funcs {
		for _, b := range c.bind {
			n = max(n, 1+b.nesting())
		}
	}
	return n
}
