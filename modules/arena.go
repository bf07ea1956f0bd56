package modules

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// What it computes. Sequences of any length that share their beginnings: a Chain is the number of
// its last element. Equal sequences have equal numbers.
//
// Why it is right. Each node has its parent, the element before it. A child is looked up by parent
// and element before it is made (hash consing), so a sequence has one node. The node of a position
// is found by jumps. The jump of a node leads as far as its parent's jump if the two jumps before
// have equal lengths, and to the parent otherwise (Myers, "An applicative random-access stack",
// 1983). Fold copies what the roots need and renumbers them. What is before the base of all of them
// becomes unknown, and asking for it is an error.
//
// What it costs. Appending takes one look-up. A position is found in a number of jumps that grows
// with the logarithm of the length. Fold takes time and memory for what stays.
//
// Example. Two logs that differ in the last entry:
//
//	0 <- 1:a <- 2:b <- 3:c       Chain 3 is [a b c]
//	             ^---- 4:d       Chain 4 is [a b d]; appending d to 2 again gives 4

// Arena holds the elements of Chains of one type. Chains made in one Arena mean nothing in another.
type Arena struct {
	typ    reflect.Type
	size   uintptr
	parent []uint32 // of node x; itself where what is before is forgotten
	// an ancestor farther away, as in Myers' "An applicative random-access stack" (1983)
	jump   []uint32
	index  []uint64 // the length of the sequence that ends in node x
	latest []uint32 // the child of x that was made or found last
	elem   []byte
	spans  []Span            // of an element, without padding
	buf    []byte            // an element whose padding is zero
	table  []uint32          // of nodes by parent and element, open addressing; 0 is free
	skips  map[uint64]uint32 // by length: the node of a sequence without a known element
	pairs  map[pair]uint32   // what is known of two Deques
	used   int64             // see Used
}

// pair is two Deques, and what is asked of them: the address of a function, or 0.
type pair struct {
	of           uintptr
	x, y         uint32 // nodes
	fromX, fromY uint32 // elements that were taken
}

// mostPairs bounds what an Arena remembers of pairs.
const mostPairs = 1 << 12

// chains is the Arena of this process.
var chains = NewArena()

// NewArena returns an empty Arena.
func NewArena() *Arena {
	return &Arena{parent: []uint32{0}, jump: []uint32{0}, index: []uint64{0}, latest: []uint32{0}, table: make([]uint32, 1024), skips: map[uint64]uint32{}, pairs: map[pair]uint32{}}
}

// UseArena makes a the Arena of all Chains from now on and returns the one before. It is not safe
// next to steps in other goroutines.
func UseArena(a *Arena) *Arena {
	before := chains
	chains = a
	return before
}

// Nodes returns the number of elements that are held.
func (a *Arena) Nodes() int { return len(a.parent) - 1 }

// Used counts the elements that Chains and Deques have read or added.
func (a *Arena) Used() int64 { return a.used }

// remember keeps what is known of a pair, and returns it.
func (a *Arena) remember(p pair, x uint32) uint32 {
	if len(a.pairs) >= mostPairs {
		clear(a.pairs)
	}
	a.pairs[p] = x
	return x
}

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

// clean returns the element at p with zero padding. It is valid until the next call.
func (a *Arena) clean(p unsafe.Pointer) []byte {
	for _, s := range a.spans {
		copy(a.buf[s.Offset:s.Offset+s.Size], unsafe.Slice((*byte)(unsafe.Add(p, s.Offset)), s.Size))
	}
	return a.buf
}

func (a *Arena) slot(x uint32) unsafe.Pointer { return unsafe.Pointer(&a.elem[uintptr(x)*a.size]) }

func (a *Arena) bytes(x uint32) []byte { return a.elem[uintptr(x)*a.size : (uintptr(x)+1)*a.size] }

// known returns the first position of x's sequence that is known.
func (a *Arena) known(x uint32) uint64 {
	for x != 0 && a.parent[x] != x {
		x = a.jump[x]
	}
	if a.skipped(x) {
		return a.index[x] + 1
	}
	return a.index[x]
}

// skip returns the node of a sequence of n unknown elements, and skipped reports whether a node is
// one.
func (a *Arena) skip(n uint64) uint32 {
	if x, ok := a.skips[n]; ok {
		return x
	}
	x := uint32(len(a.parent))
	a.skips[n] = a.put(x, x, n, make([]byte, a.size))
	return x
}

func (a *Arena) skipped(x uint32) bool {
	return x != 0 && a.parent[x] == x && a.skips[a.index[x]] == x
}

// ancestor returns the node at position k of x's sequence.
func (a *Arena) ancestor(x uint32, k uint64) uint32 {
	for a.index[x] > k {
		if a.parent[x] == x {
			panic(&FoldedError{k, a.known(x)})
		}
		if j := a.jump[x]; a.index[j] >= k {
			x = j
		} else {
			x = a.parent[x]
		}
	}
	return x
}

// child returns the node that continues x with an element.
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

// find returns the place of a child in the table.
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
		if x == y || a.skipped(x) || a.skipped(y) {
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

// Begins reports whether the sequence that ends in y is a beginning of the one that ends in x, as
// far as both are known. It must have at least so many elements.
func (a *Arena) Begins(x, y uint32, least uint64) bool {
	n := a.index[y]
	if n < least || n > a.index[x] || n+1 < a.known(x) {
		return false
	}
	return n == 0 || n < a.known(x) || a.Agree(a.ancestor(x, n), y)
}

// Length returns the number of elements of the sequence that ends in x.
func (a *Arena) Length(x uint32) uint64 { return a.index[x] }

// add makes a node after x.
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

// Fold forgets the Chains that are not among roots, and of these the elements before their bases.
// It renumbers them in place. What two of them share is known as far as one of them asks for it.
func (a *Arena) Fold(roots []Root) {
	old := *a
	*a = *NewArena()
	a.typ, a.size, a.spans, a.buf, a.used = old.typ, old.size, old.spans, old.buf, old.used
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
		if old.skipped(y) {
			renamed[y] = a.skip(old.index[y])
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
	Skips        map[uint64]uint32
}

// MarshalBinary returns all that the Arena holds.
func (a *Arena) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&arenaImage{a.parent, a.jump, a.index, a.elem, a.skips})
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
	for k, x := range im.Skips {
		if int(x) >= n || im.Index[x] != k {
			return errors.New("arena: damaged")
		}
		a.skips[k] = x
	}
	size := 1024
	for size < 4*n {
		size *= 2
	}
	a.rehash(size)
	return nil
}
