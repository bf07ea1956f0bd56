package reduce

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

type inner struct {
	A, B [64]uint8
}

type outer struct {
	inner
	X     [4]inner
	Y     [3][4][64]uint8
	Log   [2]modules.Seq[uint8, [63]uint8]
	Slots [10][32]uint8 `inuse:"Count"`
	Rest  [4000]uint8
	Count uint16
}

// TestWritten: lines follow from a variable's path and index, and from what is in use.
func TestWritten(t *testing.T) {
	type node = checker.Node[outer, [0]uint8]
	const x, y, log, slots, rest, count, end = 2, 10, 22, 24, 29, 91, 92
	span := func(from, to int) (out []int) {
		for k := from; k < to; k++ {
			out = append(out, k)
		}
		return out
	}
	members := func(set []uint64) (out []int) {
		for k := range 64 * len(set) {
			if set[k/64]>>(k%64)&1 != 0 {
				out = append(out, k)
			}
		}
		return out
	}
	for _, c := range []struct {
		variable string
		index    []int
		want     []int
	}{
		{"A", nil, span(0, 1)},
		{"inner.B", nil, span(1, 2)},
		{"X.A", []int{1}, span(x+2, x+3)},
		{"X.B", []int{3, 7}, span(x+7, x+8)},
		{"X", []int{2}, span(x+4, x+6)},
		{"X.A", []int{-1}, []int{x, x + 2, x + 4, x + 6}},
		{"X.A", []int{9}, []int{x, x + 2, x + 4, x + 6}},
		{"X", nil, span(x, y)},
		{"Y", []int{1, 2}, span(y+6, y+7)},
		{"Y", []int{1}, span(y+4, y+8)},
		{"Y", []int{-1, 2, 5}, []int{y + 2, y + 6, y + 10}},
		{"Log", []int{1}, span(log+1, log+2)},
		{"Log.n", []int{0, 3}, span(log, log+1)},
		{"Slots", []int{3}, span(slots+1, slots+2)},
		{"Slots", []int{-1}, span(slots, rest)},
		{"Count", nil, span(count, end)},
		{"X.Unknown", []int{1}, span(x+2, x+4)},
		{"Unknown", nil, span(0, end)},
	} {
		got := written[outer, [0]uint8]([]touch{{variable: c.variable, index: c.index, key: -1}})
		if fmt.Sprint(members(got)) != fmt.Sprint(c.want) {
			t.Errorf("%s %v: lines %v, want %v", c.variable, c.index, members(got), c.want)
		}
	}
	rooms := roomsOf(reflect.TypeFor[outer](), 0)
	every := written[outer, [0]uint8]([]touch{{variable: "Unknown"}})
	known := &lines[node]{writes: [][]uint64{every}, rooms: rooms}
	out := make([]uint64, len(every))
	for _, c := range []struct{ before, after uint16 }{{0, 0}, {0, 1}, {3, 2}, {2, 4}, {10, 3}, {9, 9}, {65535, 0}} {
		s, n := new(node), new(node)
		s.State.Count, n.State.Count = c.before, c.after
		known.within(s, n, 0, out)
		used := min((int(max(c.before, c.after))+1)/2, rest-slots)
		if want := slices.Concat(span(0, slots+used), span(rest, end)); fmt.Sprint(members(out)) != fmt.Sprint(want) {
			t.Errorf("%v in use: lines %v, want %v", c, members(out), want)
		}
	}
}

// TestUnset: bits are taken out of one word and of several.
func TestUnset(t *testing.T) {
	for from := range uintptr(190) {
		for to := uintptr(0); to < 190; to++ {
			set := []uint64{^uint64(0), ^uint64(0), ^uint64(0)}
			unset(set, from, to)
			for k := range uintptr(192) {
				if has := set[k/64]>>(k%64)&1 != 0; has == (from <= k && k < to) {
					t.Fatalf("from %d to %d: bit %d is %v", from, to, k, has)
				}
			}
		}
	}
}
