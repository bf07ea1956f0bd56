package layout

import (
	"bytes"
	"math/bits"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

func move(src, dst unsafe.Pointer, size uintptr) {
	if size >= 8 && size <= 16 { // the usual ones, without a call; the two parts may overlap
		a, b := *(*uint64)(src), *(*uint64)(unsafe.Add(src, size-8))
		*(*uint64)(dst), *(*uint64)(unsafe.Add(dst, size-8)) = a, b
		return
	}
	copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size))
}

// apply writes all bytes of dst. n is the number of identities.
func (s *shape) apply(to *[modules.MaxSet]uint8, n uint8, src, dst unsafe.Pointer) {
	switch s.kind {
	case ofIdentity:
		v := *(*uint8)(src)
		if v < n {
			v = to[v]
		}
		*(*uint8)(dst) = v
	case ofIdentities:
		modules.PutSet(dst, permuted(modules.SetAt(src), to, n))
	case ofArray:
		s.applyArray(to, n, src, dst)
	case ofStruct:
		for k := range s.parts {
			x := &s.parts[k]
			if x.of == nil {
				move(unsafe.Add(src, x.at), unsafe.Add(dst, x.at), x.size)
			} else {
				x.of.apply(to, n, unsafe.Add(src, x.at), unsafe.Add(dst, x.at))
			}
		}
	case ofSequence, ofSorted:
		move(src, dst, s.size)
		have := s.used(src)
		for k := range have {
			at := uintptr(k) * s.stride
			s.elem.apply(to, n, unsafe.Add(src, at), unsafe.Add(dst, at))
		}
		if s.kind == ofSorted {
			sortElements(dst, have, s.stride)
		}
	case ofMap:
		move(src, dst, s.size)
		s.applyMap(to, n, src, dst)
	}
}

// used returns the length of the sequence at p. It panics if that is beyond the capacity. No step
// makes such a state, but a damaged checkpoint can hold one.
func (s *shape) used(p unsafe.Pointer) int {
	n := int(*(*uint8)(unsafe.Add(p, s.count)))
	if n > s.length {
		panic("the length of a sequence is beyond its capacity")
	}
	return n
}

func permuted(set uint64, to *[modules.MaxSet]uint8, n uint8) (out uint64) {
	own := uint64(1)<<n - 1
	out = set &^ own
	for m := set & own; m != 0; m &= m - 1 {
		out |= 1 << to[bits.TrailingZeros64(m)]
	}
	return out
}

// placeOf returns the place of element k after the permutation: those of other nodes stay.
func placeOf(k int, to *[modules.MaxSet]uint8, n uint8) int {
	if k >= int(n) {
		return k
	}
	return int(to[k&(modules.MaxSet-1)])
}

func (s *shape) applyArray(to *[modules.MaxSet]uint8, n uint8, src, dst unsafe.Pointer) {
	if s.elem == nil && s.stride == 1 {
		for k := range s.length {
			*(*uint8)(unsafe.Add(dst, placeOf(k, to, n))) = *(*uint8)(unsafe.Add(src, k))
		}
		return
	}
	for k := range s.length {
		x := k
		if s.moved {
			x = placeOf(k, to, n)
		}
		a, b := unsafe.Add(src, uintptr(k)*s.stride), unsafe.Add(dst, uintptr(x)*s.stride)
		if s.elem == nil {
			move(a, b, s.stride)
		} else {
			s.elem.apply(to, n, a, b)
		}
	}
}

func (s *shape) applyMap(to *[modules.MaxSet]uint8, n uint8, src, dst unsafe.Pointer) {
	in := modules.SetAt(unsafe.Add(src, s.count))
	if s.moved {
		clear(unsafe.Slice((*byte)(dst), uintptr(s.length)*s.stride))
		modules.PutSet(unsafe.Add(dst, s.count), permuted(in, to, n))
	}
	for k := range s.length {
		if in>>k&1 == 0 {
			continue
		}
		x := k
		if s.moved {
			x = placeOf(k, to, n)
		}
		a, b := unsafe.Add(src, uintptr(k)*s.stride), unsafe.Add(dst, uintptr(x)*s.stride)
		if s.elem == nil {
			move(a, b, s.stride)
		} else {
			s.elem.apply(to, n, a, b)
		}
	}
}

// sortElements sorts the first n elements at p by their bytes, as Bag and Records keep them.
func sortElements(p unsafe.Pointer, n int, size uintptr) {
	at := func(k int) []byte { return unsafe.Slice((*byte)(unsafe.Add(p, uintptr(k)*size)), size) }
	for k := 1; k < n; k++ {
		for x := k; x > 0 && bytes.Compare(at(x), at(x-1)) < 0; x-- {
			a, b := at(x), at(x-1)
			for y := range a {
				a[y], b[y] = b[y], a[y]
			}
		}
	}
}

// Rows puts a number for each identity into sig. The number depends on the identity's group, on its
// own elements of the State's variables and on which of these name the identity itself. It does not
// depend on the numbers of the others: where identities change places, these numbers go with
// them. An identity that stays has a number of its own, whatever the state.
func (p *Permutation) Rows(at unsafe.Pointer, sig *[modules.MaxSet]uint64) {
	var others [modules.MaxSet]uint64
	for i := range p.count {
		if p.group[i] == 0 {
			others[i] = fold(uint64(i), 7)
		} else {
			others[i] = uint64(p.group[i]-1) * i1 // 0 for the first group
		}
	}
	*sig = others
	for _, g := range p.groups {
		for i := g.First; i < g.End(); i++ {
			colour := others
			colour[i] = own
			h := i0 ^ others[i]
			for k := range p.rows {
				r := &p.rows[k]
				if i >= r.of.length { // an array of other roles
					continue
				}
				x := unsafe.Add(at, r.at+uintptr(i)*r.of.stride)
				h = fold(h, viewOf(r.of.elem, &colour, uint8(p.count), x, r.of.stride))
			}
			sig[i] = h
		}
	}
}

// Seen returns a number that depends on the state at the given address and on the identities'
// colours, and on nothing else of an identity. It is equal for equal states with equal colours.
func (p *Permutation) Seen(at unsafe.Pointer, colour *[modules.MaxSet]uint64) uint64 {
	return p.root.view(colour, uint8(p.count), at)
}

// own is the colour of the identity that looks.
const (
	own = 0x6ae12c972399d29d
	i0  = 0xd1342543de82ef95
	i1  = 0xa24baed4963ee407
)

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^i0, b^i1)
	return hi ^ lo
}

// hashed returns a number for size bytes.
func hashed(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 1:
		return fold(1, uint64(*(*uint8)(p)))
	case 2, 3:
		return fold(uint64(size), uint64(*(*uint16)(p))|uint64(*(*uint8)(unsafe.Add(p, size-1)))<<16)
	case 4, 5, 6, 7: // the two parts overlap
		return fold(uint64(size), uint64(*(*uint32)(p))|uint64(*(*uint32)(unsafe.Add(p, size-4)))<<32)
	}
	h := uint64(size)
	for at := uintptr(0); at+8 < size; at += 8 {
		h = fold(h, *(*uint64)(unsafe.Add(p, at)))
	}
	if size >= 8 { // it may overlap what was taken already
		return fold(h, *(*uint64)(unsafe.Add(p, size-8)))
	}
	return h // of nothing
}

func viewOf(s *shape, colour *[modules.MaxSet]uint64, n uint8, p unsafe.Pointer, size uintptr) uint64 {
	if s == nil {
		return hashed(p, size)
	}
	return s.view(colour, n, p)
}

// view returns the number that Seen returns, for one value. It adds up what identities index
// and what has no order, so that places do not count.
func (s *shape) view(colour *[modules.MaxSet]uint64, n uint8, p unsafe.Pointer) uint64 {
	h := uint64(i1)
	switch s.kind {
	case ofIdentity:
		if v := *(*uint8)(p); v < n {
			return fold(colour[v], 1)
		} else {
			return fold(uint64(v), 2)
		}
	case ofIdentities:
		set := modules.SetAt(p)
		for k := range n {
			if set>>k&1 != 0 {
				h += fold(colour[k], 3)
			}
		}
		return fold(h, set>>n)
	case ofArray:
		for k := range s.length {
			x := viewOf(s.elem, colour, n, unsafe.Add(p, uintptr(k)*s.stride), s.stride)
			switch {
			case s.moved && k < int(n):
				h += fold(colour[k], x)
			case s.moved: // of another node
				h += fold(fold(uint64(k), 6), x)
			default:
				h = fold(h, x)
			}
		}
	case ofStruct:
		for k := range s.parts {
			x := &s.parts[k]
			h = fold(h, viewOf(x.of, colour, n, unsafe.Add(p, x.at), x.size))
		}
	case ofSequence, ofSorted:
		have := s.used(p)
		for k := range have {
			x := viewOf(s.elem, colour, n, unsafe.Add(p, uintptr(k)*s.stride), s.stride)
			if s.kind == ofSorted {
				h += fold(x, 4)
			} else {
				h = fold(h, x)
			}
		}
	case ofMap:
		in := modules.SetAt(unsafe.Add(p, s.count))
		for k := range s.length {
			if in>>k&1 == 0 {
				continue
			}
			x, key := viewOf(s.elem, colour, n, unsafe.Add(p, uintptr(k)*s.stride), s.stride), uint64(k)
			if s.moved && k < int(n) {
				key = colour[k]
			}
			h += fold(key, fold(x, 5))
		}
	}
	return h
}
