package footprint

import (
	"encoding/binary"
	"slices"
)

// Set is a set of sources, by number: equal sets have equal numbers, and 0 is the empty one.
type Set int32

// Source is an element of the state: a variable at a symbolic index. Sources are numbered.
type Source int32

// sets numbers sets of sources. Provenance is united far more often than it is new, so unions are
// remembered.
type sets struct {
	members [][]Source // sorted
	numbers map[string]Set
	unions  map[[2]Set]Set
}

func newSets() *sets {
	s := &sets{numbers: map[string]Set{}, unions: map[[2]Set]Set{}}
	s.number(nil)
	return s
}

// number returns the set of the sources, which are sorted and each once.
func (s *sets) number(members []Source) Set {
	key := make([]byte, 0, 4*len(members))
	for _, m := range members {
		key = binary.LittleEndian.AppendUint32(key, uint32(m))
	}
	if n, ok := s.numbers[string(key)]; ok {
		return n
	}
	n := Set(len(s.members))
	s.members = append(s.members, members)
	s.numbers[string(key)] = n
	return n
}

func (s *sets) one(m Source) Set { return s.number([]Source{m}) }

func (s *sets) union(a, b Set) Set {
	switch {
	case a == b || b == 0:
		return a
	case a == 0:
		return b
	case a > b:
		a, b = b, a
	}
	if u, ok := s.unions[[2]Set{a, b}]; ok {
		return u
	}
	all := slices.Concat(s.members[a], s.members[b])
	slices.Sort(all)
	u := s.number(slices.Compact(all))
	s.unions[[2]Set{a, b}] = u
	return u
}

func (s *sets) all(xs ...Set) (u Set) {
	for _, x := range xs {
		u = s.union(u, x)
	}
	return u
}

// without returns a without the members for which drop holds.
func (s *sets) without(a Set, drop func(Source) bool) Set {
	kept := slices.DeleteFunc(slices.Clone(s.members[a]), drop)
	if len(kept) == len(s.members[a]) {
		return a
	}
	return s.number(kept)
}

func (s *sets) has(a Set, m Source) bool {
	_, ok := slices.BinarySearch(s.members[a], m)
	return ok
}
