package modules

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Chain is a sequence for the build that runs beside a node: it has the methods of Seq and no capacity. Its value is the number of
// a node in an Arena, where equal sequences are one: Chains are equal exactly if their sequences are, and copying one costs
// four bytes. Positions start at 1; the zero Chain is empty.
//
// An Arena forgets the elements of old positions (Fold). Reading one of those raises a FoldedError: what it was is not known.
type Chain[T comparable] struct{ node uint32 }

// Len is the number of elements, those that are folded away included.
func (q *Chain[T]) Len() int { return int(chains.index[q.node]) }

// Empty reports whether there are no elements.
func (q *Chain[T]) Empty() bool { return q.node == 0 }

// At is the element at position k, 1 to Len.
func (q *Chain[T]) At(k int) (v T) {
	if k < 1 || k > q.Len() {
		panic(&RangeError{"Chain", k, q.Len(), address(q)})
	}
	return *(*T)(chains.slot(chains.ancestor(q.node, uint64(k))))
}

// Last is the element at position Len, or the zero element where there is none.
func (q *Chain[T]) Last() (v T) {
	if q.node != 0 {
		v = *(*T)(chains.slot(q.node))
	}
	return v
}

// Append adds v behind the last element.
func (q *Chain[T]) Append(v T) {
	chains.hold(reflect.TypeFor[T]())
	q.node = chains.child(q.node, chains.clean(unsafe.Pointer(&v)))
}

// Begin makes q a sequence that is known from position k on, at least 1, where v is.
func (q *Chain[T]) Begin(k int, v T) {
	q.node = 0
	if k <= 1 {
		q.Append(v)
		return
	}
	chains.hold(reflect.TypeFor[T]())
	id := uint32(len(chains.parent))
	q.node = chains.put(id, id, uint64(k), chains.clean(unsafe.Pointer(&v)))
}

// Truncate keeps the first n elements; n at or above Len keeps all, n at or below 0 none.
func (q *Chain[T]) Truncate(n int) {
	switch {
	case n <= 0:
		q.node = 0
	case n < q.Len():
		q.node = chains.ancestor(q.node, uint64(n))
	}
}

// PopFront removes and returns the first element. It costs as much as the sequence is long.
func (q *Chain[T]) PopFront() T {
	first := q.At(1)
	rest := make([]T, 0, q.Len())
	for k := 2; k <= q.Len(); k++ {
		rest = append(rest, q.At(k))
	}
	q.node = 0
	for _, v := range rest {
		q.Append(v)
	}
	return first
}

// Put replaces the element at position k, 1 to Len. It costs as much as the sequence is long behind k.
func (q *Chain[T]) Put(k int, v T) {
	var rest []T
	for x := k + 1; x <= q.Len(); x++ {
		rest = append(rest, q.At(x))
	}
	if k < 1 || k > q.Len() {
		panic(&RangeError{"Chain", k, q.Len(), address(q)})
	}
	q.Truncate(k - 1)
	q.Append(v)
	for _, r := range rest {
		q.Append(r)
	}
}

// Prefix is the sequence of the first n elements, n from 0 to Len.
func (q *Chain[T]) Prefix(n int) Chain[T] {
	if n > q.Len() {
		panic(&RangeError{"Chain", n, q.Len(), address(q)})
	}
	r := *q
	r.Truncate(n)
	return r
}

// HasPrefix reports whether r is a prefix of q.
func (q *Chain[T]) HasPrefix(r *Chain[T]) bool { return r.Len() <= q.Len() && q.Prefix(r.Len()) == *r }

// Find is the first position of v, or 0.
func (q *Chain[T]) Find(v T) int {
	for k := 1; k <= q.Len(); k++ {
		if q.At(k) == v {
			return k
		}
	}
	return 0
}

// Clear removes all elements.
func (q *Chain[T]) Clear() { q.node = 0 }

func (q *Chain[T]) view(names Names) View {
	from := int(chains.known(q.node))
	w := View{Shape: Sequence}
	for k := max(from, q.Len()-shownTail+1, 1); k <= q.Len(); k++ {
		w.Elems = append(w.Elems, ViewOf(q.At(k), names))
	}
	return w
}

// shownTail is how many elements of a Chain are shown.
const shownTail = 8

// FoldedError is the panic of a Chain of which an element was asked for that its Arena has forgotten.
type FoldedError struct {
	Index uint64 // the position asked for
	First uint64 // the first one that is known
}

func (e *FoldedError) Error() string { return "the element was folded away" }

// Arena holds the elements of Chains of one type. Chains made in one Arena mean nothing in another.
type Arena struct {
	typ    reflect.Type
	size   uintptr
	parent []uint32 // of node x; itself where what is before is forgotten
	jump   []uint32 // an ancestor farther away, as in Myers' "An applicative random-access stack" (1983)
	index  []uint64 // the length of the sequence that ends in node x
	latest []uint32 // the child of x that was made or found last
	elem   []byte
	spans  []Span   // of an element, without padding
	buf    []byte   // an element whose padding is zero
	table  []uint32 // of nodes by parent and element, open addressing; 0 is free
}

// chains is the Arena of this process.
var chains = NewArena()

// NewArena returns an empty Arena.
func NewArena() *Arena {
	return &Arena{parent: []uint32{0}, jump: []uint32{0}, index: []uint64{0}, latest: []uint32{0}, table: make([]uint32, 1024)}
}

// UseArena makes a the Arena of all Chains from now on and returns the one before. It is not safe beside steps in other goroutines.
func UseArena(a *Arena) *Arena {
	before := chains
	chains = a
	return before
}

// Nodes is the number of elements that are held.
func (a *Arena) Nodes() int { return len(a.parent) - 1 }

func (a *Arena) hold(t reflect.Type) {
	if a.typ == t {
		return
	}
	if a.typ != nil {
		panic("modules: an Arena holds elements of " + a.typ.String() + " and of " + t.String())
	}
	a.typ, a.size = t, t.Size()
	a.elem = make([]byte, a.size)
	a.spans, a.buf = Spans(t), make([]byte, a.size)
}

// clean is the element at p with zero padding. It is valid until the next call.
func (a *Arena) clean(p unsafe.Pointer) []byte {
	for _, s := range a.spans {
		copy(a.buf[s.Offset:s.Offset+s.Size], unsafe.Slice((*byte)(unsafe.Add(p, s.Offset)), s.Size))
	}
	return a.buf
}

func (a *Arena) slot(x uint32) unsafe.Pointer { return unsafe.Pointer(&a.elem[uintptr(x)*a.size]) }

func (a *Arena) bytes(x uint32) []byte { return a.elem[uintptr(x)*a.size : (uintptr(x)+1)*a.size] }

// known is the first position of x's sequence that is known.
func (a *Arena) known(x uint32) uint64 {
	for x != 0 && a.parent[x] != x {
		x = a.jump[x]
	}
	return a.index[x]
}

// ancestor is the node at position k of x's sequence.
func (a *Arena) ancestor(x uint32, k uint64) uint32 {
	for a.index[x] > k {
		if a.parent[x] == x {
			panic(&FoldedError{k, a.index[x]})
		}
		if j := a.jump[x]; a.index[j] >= k {
			x = j
		} else {
			x = a.parent[x]
		}
	}
	return x
}

// child is the node that continues x with an element.
func (a *Arena) child(x uint32, elem []byte) uint32 {
	if y := a.latest[x]; y != 0 && string(a.bytes(y)) == string(elem) {
		return y
	}
	at := a.find(x, elem)
	if a.table[at] == 0 {
		a.table[at] = a.add(x, elem)
		if 2*len(a.parent) > len(a.table) {
			a.rehash(2 * len(a.table))
			at = a.find(x, elem)
		}
	}
	a.latest[x] = a.table[at]
	return a.table[at]
}

// find is the place of a child in the table.
func (a *Arena) find(x uint32, elem []byte) int {
	h := uint64(x)*0x9e3779b97f4a7c15 + 1
	for _, b := range elem {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	h ^= h >> 29
	mask := len(a.table) - 1
	for at := int(h) & mask; ; at = (at + 1) & mask {
		y := a.table[at]
		if y == 0 || a.parent[y] == x && y != x && string(a.bytes(y)) == string(elem) {
			return at
		}
	}
}

// Agree reports whether the sequences that end in x and y are equal as far as both are known.
func (a *Arena) Agree(x, y uint32) bool {
	for a.index[x] == a.index[y] {
		if x == y {
			return true
		}
		if string(a.bytes(x)) != string(a.bytes(y)) {
			return false
		}
		if a.parent[x] == x || a.parent[y] == y {
			return true
		}
		x, y = a.parent[x], a.parent[y]
	}
	return false
}

// add makes a node behind x.
func (a *Arena) add(x uint32, elem []byte) uint32 {
	jump := x
	if j := a.jump[x]; a.index[x]-a.index[j] == a.index[j]-a.index[a.jump[j]] {
		jump = a.jump[j]
	}
	return a.put(x, jump, a.index[x]+1, elem)
}

func (a *Arena) put(parent, jump uint32, index uint64, elem []byte) uint32 {
	a.parent = append(a.parent, parent)
	a.jump = append(a.jump, jump)
	a.index = append(a.index, index)
	a.latest = append(a.latest, 0)
	a.elem = append(a.elem, elem...)
	return uint32(len(a.parent) - 1)
}

func (a *Arena) rehash(size int) {
	a.table = make([]uint32, size)
	for y := 1; y < len(a.parent); y++ {
		if a.parent[y] != uint32(y) {
			a.table[a.find(a.parent[y], a.bytes(uint32(y)))] = uint32(y)
		}
	}
}

// Root is a Chain that an Arena keeps, and the first position of it that is still to be known.
type Root struct {
	Node *uint32
	Base uint64
}

// Fold forgets the Chains that are not among roots, and of these the elements before their bases. It renumbers them in place. What two
// of them share is known as far as one of them asks for it.
func (a *Arena) Fold(roots []Root) {
	old := *a
	*a = *NewArena()
	a.typ, a.size, a.spans, a.buf = old.typ, old.size, old.spans, old.buf
	a.elem = make([]byte, old.size)
	slices.SortStableFunc(roots, func(x, y Root) int { return cmp.Compare(x.Base, y.Base) })
	renamed := map[uint32]uint32{0: 0}
	for _, r := range roots {
		*r.Node = a.copyFrom(&old, *r.Node, r.Base, renamed)
	}
	size := 1024
	for size < 4*len(a.parent) {
		size *= 2
	}
	a.rehash(size)
}

// copyFrom takes over a node of another Arena with what is known before it, as far as base.
func (a *Arena) copyFrom(old *Arena, x uint32, base uint64, renamed map[uint32]uint32) uint32 {
	var path []uint32
	for y := x; ; y = old.parent[y] {
		if _, ok := renamed[y]; ok {
			break
		}
		path = append(path, y)
		if old.index[y] <= base || old.parent[y] == y {
			break
		}
	}
	for k := len(path) - 1; k >= 0; k-- {
		y := path[k]
		if p, ok := renamed[old.parent[y]]; ok && old.parent[y] != y && old.index[y] > base {
			renamed[y] = a.add(p, old.bytes(y))
			continue
		}
		if old.index[y] == 1 && old.parent[y] == 0 { // nothing is before it
			renamed[y] = a.add(0, old.bytes(y))
			continue
		}
		id := uint32(len(a.parent))
		renamed[y] = a.put(id, id, old.index[y], old.bytes(y))
	}
	return renamed[x]
}

// arenaImage is an Arena on disk.
type arenaImage struct {
	Parent, Jump []uint32
	Index        []uint64
	Elem         []byte
}

// MarshalBinary is all that the Arena holds.
func (a *Arena) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&arenaImage{a.parent, a.jump, a.index, a.elem})
	return b.Bytes(), err
}

// UnmarshalBinary makes an empty Arena hold what another one of elements of type t did.
func (a *Arena) UnmarshalBinary(b []byte, t reflect.Type) error {
	var im arenaImage
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&im); err != nil {
		return fmt.Errorf("arena: %w", err)
	}
	n := len(im.Parent)
	if len(im.Elem) == 0 { // nothing was ever appended
		return nil
	}
	if t == nil || n == 0 || len(im.Jump) != n || len(im.Index) != n || len(im.Elem) != n*int(t.Size()) {
		return errors.New("arena: damaged")
	}
	for x := range n {
		if int(im.Parent[x]) > x || int(im.Jump[x]) > x {
			return errors.New("arena: damaged")
		}
	}
	a.hold(t)
	a.parent, a.jump, a.index, a.elem, a.latest = im.Parent, im.Jump, im.Index, im.Elem, make([]uint32, n)
	size := 1024
	for size < 4*n {
		size *= 2
	}
	a.rehash(size)
	return nil
}

// ElementsOf is the type of the elements of the Chains in S; nil where there are none.
func ElementsOf[S any]() reflect.Type { return elementsOf(reflect.TypeFor[S]()) }

func elementsOf(t reflect.Type) reflect.Type {
	switch {
	case isOurs(t) && strings.HasPrefix(t.Name(), "Chain["):
		at, _ := reflect.PointerTo(t).MethodByName("At")
		return at.Type.Out(0)
	case t.Kind() == reflect.Array:
		return elementsOf(t.Elem())
	case t.Kind() == reflect.Struct:
		for f := range t.Fields() {
			if e := elementsOf(f.Type); e != nil {
				return e
			}
		}
	}
	return nil
}
