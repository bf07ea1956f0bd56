package modules

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestMapAgainstMap(t *testing.T) {
	t.Parallel()
	mapAgainstMap[[0]item](t)
	mapAgainstMap[[3]item](t)
	mapAgainstMap[[8]item](t)
}

func mapAgainstMap[A Array[item]](t *testing.T) {
	var m Map[int8, item, A]
	capacity := len(m.val)
	t.Run(fmt.Sprint(capacity), func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(3, uint64(capacity)))
		want := map[int8]item{}
		for range 20_000 {
			k, v := int8(r.IntN(capacity+3)-1), randomItem(r)
			_, present := want[k]
			switch r.IntN(4) {
			case 0:
				err := caught(func() { m.Put(k, v) })
				if valid := k >= 0 && int(k) < capacity; valid && err == nil {
					want[k] = v
				} else if valid || !isFull(err, capacity) {
					t.Fatalf("Put(%d): %v", k, err)
				}
			case 1:
				m.Delete(k)
				delete(want, k)
			case 2:
				var got item
				err := caught(func() { got = m.At(k) })
				if present && (err != nil || got != want[k]) || !present && !isOutside(err, int(k), len(want)) {
					t.Fatalf("At(%d) = %v, panic %v; want %v", k, got, err, want[k])
				}
			case 3:
				if r.IntN(20) == 0 {
					m.Clear()
					clear(want)
				}
			}
			checkMap(t, &m, want)
		}
	})
}

func checkMap[A Array[item]](t *testing.T, m *Map[int8, item, A], want map[int8]item) {
	t.Helper()
	var fresh Map[int8, item, A]
	var keys, ones Set[int8]
	for k, v := range want {
		fresh.Put(k, v)
		keys.Add(k)
		if v.A == 1 {
			ones.Add(k)
		}
		if !m.Has(k) {
			t.Fatalf("%d is missing", k)
		}
	}
	sameBytes(t, "Map", m, &fresh)
	if m.Len() != len(want) || m.Keys() != keys || m.Has(-1) {
		t.Fatalf("keys %08b, want %08b", m.Keys(), keys)
	}
	if got := m.Where(func(k int8, v item) bool { return v.A == 1 }); got != ones {
		t.Fatalf("where A is 1: %08b, want %08b", got, ones)
	}
}

func TestRecordsAgainstMap(t *testing.T) {
	t.Parallel()
	recordsAgainstMap[[0]item](t)
	recordsAgainstMap[[1]item](t)
	recordsAgainstMap[[4]item](t)
	recordsAgainstMap[[7]item](t)
}

func recordsAgainstMap[A Array[item]](t *testing.T) {
	var s Records[item, A]
	capacity := len(s.elem)
	t.Run(fmt.Sprint(capacity), func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(4, uint64(capacity)))
		want := map[item]bool{}
		for range 20_000 {
			v := randomItem(r)
			switch op := r.IntN(20); {
			case op < 10:
				before := s
				err := caught(func() { s.Add(v) })
				switch full := len(want) == capacity && !want[v]; {
				case full && (!isFull(err, capacity) || s != before):
					t.Fatalf("Add to a full set: %v", err)
				case !full && err != nil:
					t.Fatal(err)
				case !full:
					want[v] = true
				}
			case op < 19:
				s.Remove(v)
				delete(want, v)
			default:
				s.Clear()
				clear(want)
			}
			checkRecords(t, &s, want)
		}
	})
}

// checkRecords builds the same set in the random order of the map.
func checkRecords[A Array[item]](t *testing.T, s *Records[item, A], want map[item]bool) {
	t.Helper()
	var fresh Records[item, A]
	for v := range want {
		fresh.Add(v)
		if !s.Has(v) {
			t.Fatalf("%v is missing", v)
		}
	}
	sameBytes(t, "Records", s, &fresh)
	if s.Len() != len(want) || s.Has(item{9, 9}) {
		t.Fatalf("%d records, want %d", s.Len(), len(want))
	}
	seen := map[item]bool{}
	for k := range s.Len() {
		seen[s.At(k+1)] = true
	}
	if len(seen) != len(want) {
		t.Fatalf("a record is there twice: %v", s)
	}
	for _, k := range []int{-1, 0, s.Len() + 1} {
		if err := caught(func() { s.At(k) }); !isOutside(err, k, len(want)) {
			t.Fatalf("At(%d): %v", k, err)
		}
	}
}
