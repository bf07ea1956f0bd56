package modules

import (
	"fmt"
	"testing"
)

// members returns a set as a map of its elements.
func members(s Set[int8]) map[int8]bool {
	m := map[int8]bool{}
	for e := int8(0); e < MaxSet; e++ {
		if s>>e&1 == 1 {
			m[e] = true
		}
	}
	return m
}

// TestSetAgainstMap goes through all pairs of sets.
func TestSetAgainstMap(t *testing.T) {
	t.Parallel()
	all := make([]map[int8]bool, 256)
	for k := range all {
		all[k] = members(Set[int8](k))
	}
	for x := range 256 {
		s, a := Set[int8](x), all[x]
		if s.Len() != len(a) || s.Empty() != (len(a) == 0) {
			t.Fatalf("%08b: length %d", s, s.Len())
		}
		for y := range 256 {
			u, b := Set[int8](y), all[y]
			union, both, minus, within := map[int8]bool{}, map[int8]bool{}, map[int8]bool{}, true
			for e := range a {
				union[e] = true
				if b[e] {
					both[e] = true
				} else {
					minus[e] = true
					within = false
				}
			}
			for e := range b {
				union[e] = true
			}
			for _, c := range []struct {
				op        string
				got, want any
			}{
				{"Union", members(s.Union(u)), union},
				{"Intersect", members(s.Intersect(u)), both},
				{"Minus", members(s.Minus(u)), minus},
				{"Intersects", s.Intersects(u), len(both) > 0},
				{"Within", s.Within(u), within},
			} {
				if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
					t.Fatalf("%08b.%s(%08b) = %v, want %v", s, c.op, u, c.got, c.want)
				}
			}
		}
	}
}

func TestSetElements(t *testing.T) {
	t.Parallel()
	for x := range 256 {
		for e := int8(-2); e <= MaxSet; e++ {
			s, a := Set[int8](x), members(Set[int8](x))
			if s.Has(e) != a[e] {
				t.Fatalf("%08b.Has(%d) = %v", s, e, s.Has(e))
			}
			if e < 0 || e >= MaxSet {
				for _, err := range []error{
					caught(func() { s.Add(e) }), caught(func() { s.Remove(e) }),
					caught(func() { s.With(e) }), caught(func() { s.Without(e) }), caught(func() { SetOf(e) }),
				} {
					if !isOutside(err, int(e), MaxSet) {
						t.Fatalf("element %d: %v", e, err)
					}
				}
				continue
			}
			with, without := s, s
			with.Add(e)
			without.Remove(e)
			if with != s.With(e) || without != s.Without(e) || !with.Has(e) || without.Has(e) {
				t.Fatalf("%08b and %d: with %08b, without %08b", s, e, with, without)
			}
			if with.Without(e) != without || without.With(e) != with {
				t.Fatalf("%08b and %d: another element changed", s, e)
			}
		}
	}
	if got := SetOf[int8](7, 0, 7); got != 0b1000_0001 {
		t.Errorf("SetOf is %08b", got)
	}
}

func TestBelowAndQuorums(t *testing.T) {
	t.Parallel()
	for n := range MaxSet + 1 {
		below := Below[uint8](n)
		if below.Len() != n || !below.Within(Below[uint8](MaxSet)) || below.Has(uint8(n)) {
			t.Errorf("Below(%d) = %08b", n, below)
		}
		for k := range n + 1 {
			if got, want := Below[uint8](k).IsQuorum(n), k > n-k; got != want {
				t.Errorf("%d of %d is a quorum: %v", k, n, got)
			}
		}
	}
	if err := caught(func() { Below[uint8](MaxSet + 1) }); !isOutside(err, MaxSet+1, MaxSet) {
		t.Error(err)
	}
}

// TestIsQuorumOf compares IsQuorumOf with sums of weights, for all sets.
func TestIsQuorumOf(t *testing.T) {
	t.Parallel()
	for _, q := range []Quorum{
		{Members: 5, Least: 3},
		{Members: 3, Least: 0},
		{Members: 8, Least: 5},
		{Members: 4, Weights: []int{3, 1, 1, 1}, Least: 4},
		{Members: 4, Weights: []int{2, 1}, Least: 2},
		{Members: 2, Weights: []int{1, 1, 5}, Least: 2},
	} {
		for x := range 256 {
			weight := 0
			for e := range members(Set[int8](x)) {
				switch {
				case int(e) >= q.Members:
				case q.Weights == nil:
					weight++
				case int(e) < len(q.Weights):
					weight += q.Weights[e]
				}
			}
			if got := Set[int8](x).IsQuorumOf(q); got != (weight >= q.Least) {
				t.Fatalf("%08b is a quorum of %+v: %v", x, q, got)
			}
		}
	}
}
