package growth

import (
	"fmt"
	"slices"
	"testing"
)

// boxes returns a comparison whose states are the points within the bounds.
func boxes(tried *[][]int, shows func(at []int) string) Try {
	return func(at []int, most int64) (Outcome, bool) {
		*tried = append(*tried, slices.Clone(at))
		states := int64(1)
		for _, n := range at {
			states *= int64(n + 1)
		}
		return Outcome{Decided: states <= most, States: min(states, most), Shows: shows(at)}, true
	}
}

func each(at []int) string { return fmt.Sprint(at) }

// TestFind compares the bounds that are found with those that the limit allows.
func TestFind(t *testing.T) {
	three := []Bound{{Name: "a", Max: 3}, {Name: "b", Min: 1, Max: 5}, {Name: "c", Max: 1}}
	cases := []struct {
		what   string
		states int64
		shows  func([]int) string
		want   []int
	}{
		{"enough states", 1000, each, []int{3, 5, 1}},
		{"too few for the smallest", 3, each, nil},
		{"enough for the smallest alone", 4, each, nil},
		{"too few for all", 60, each, []int{1, 2, 1}},
		{"more", 100, each, []int{2, 3, 1}},
		{"nothing new", 1000, func([]int) string { return "" }, []int{3, 4, 1}},
		{"nothing new after a while", 1000, func(at []int) string { return fmt.Sprint(min(at[1], 2)) }, []int{3, 4, 1}},
	}
	for _, c := range cases {
		var tried [][]int
		got, _ := Find(three, c.states, boxes(&tried, c.shows))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v after %v", c.what, got, tried)
		}
	}
}

// TestInTurn raises single bounds if all of them together have too many states.
func TestInTurn(t *testing.T) {
	try := func(at []int, most int64) (Outcome, bool) {
		states := int64(1) // one bound costs nothing
		for range at[1] {
			states *= 10
		}
		return Outcome{Decided: states <= most, States: min(states, most), Shows: each(at)}, true
	}
	if got, _ := Find([]Bound{{Name: "a", Max: 5}, {Name: "b", Max: 5}}, 1000, try); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("got %v", got)
	}
}

// TestTotal checks that all comparisons together stay within the limit, and that the bounds which
// are returned were decided.
func TestTotal(t *testing.T) {
	for states := int64(1); states < 3000; states += 7 {
		total := int64(0)
		decided := map[string]bool{}
		var tried [][]int
		try := boxes(&tried, each)
		got, _ := Find([]Bound{{Name: "a", Max: 9}, {Name: "b", Max: 4}, {Name: "c", Min: 1, Max: 6}}, states, func(at []int, most int64) (Outcome, bool) {
			o, ok := try(at, most)
			total += o.States
			decided[fmt.Sprint(at)] = o.Decided
			return o, ok
		})
		if total > states || got != nil && !decided[fmt.Sprint(got)] {
			t.Fatalf("%d states: %v after %d states and %v", states, got, total, tried)
		}
	}
}

// TestImpossible skips bounds that a composition cannot have.
func TestImpossible(t *testing.T) {
	var tried [][]int
	try := boxes(&tried, each)
	got, _ := Find([]Bound{{Name: "a", Max: 3}}, 100, func(at []int, most int64) (Outcome, bool) {
		if at[0] < 2 {
			return Outcome{}, false
		}
		return try(at, most)
	})
	if !slices.Equal(got, []int{3}) || len(tried) != 2 {
		t.Errorf("got %v after %v", got, tried)
	}
}

// TestCapacity raises the capacities that are exceeded, and no other bound, whatever their order
// and whether the manifest sets them.
func TestCapacity(t *testing.T) {
	faults := Bound{Name: "faults", Max: 2}
	nodes := Bound{Name: "nodes", Min: 1, Max: 2, Room: 5, Nodes: true}
	terms := Bound{Name: "terms", Min: 1, Max: 3, Room: 16}
	queue := Bound{Name: "queue", Min: 1, Max: 3, Room: 64}
	unset := Bound{Name: "queue", Min: 2, Max: 2, Room: 64}
	for _, c := range []struct {
		name   string
		bounds []Bound
		needs  func(at map[string]int) int // the room that is needed
		states int64
		want   []int
		full   bool
	}{
		{"one", []Bound{faults, nodes, terms, queue}, func(map[string]int) int { return 2 }, 1 << 30, []int{2, 2, 3, 3}, false},
		{"another order", []Bound{queue, terms, nodes, faults}, func(map[string]int) int { return 2 }, 1 << 30, []int{3, 3, 2, 2}, false},
		{"more than the manifest has", []Bound{faults, terms, queue}, func(map[string]int) int { return 7 }, 1 << 30, []int{2, 3, 8}, false},
		{"not set", []Bound{faults, terms, unset}, func(map[string]int) int { return 5 }, 1 << 30, []int{2, 3, 8}, false},
		{"more with more faults", []Bound{faults, terms, queue}, func(at map[string]int) int { return 2 * at["faults"] }, 1 << 30, []int{2, 3, 6}, false},
		{"more than there may be", []Bound{faults, terms, queue}, func(map[string]int) int { return 65 }, 1 << 30, nil, true},
		{"less with more faults", []Bound{faults, queue}, func(at map[string]int) int { return 3 - at["faults"] }, 1 << 30, []int{2, 4}, false},
	} {
		decided := map[string]bool{}
		total := int64(0)
		got, full := Find(c.bounds, c.states, func(at []int, most int64) (Outcome, bool) {
			named, states := map[string]int{}, int64(1)
			for k, b := range c.bounds {
				named[b.Name] = at[k]
				states *= int64(at[k] + 1)
			}
			if decided[fmt.Sprint(at)] {
				t.Errorf("%s: %v is compared twice", c.name, at)
			}
			if q := named["queue"]; q < c.needs(named) {
				return Outcome{Full: fmt.Sprint("channel ", q), Capacity: q}, true
			}
			o := Outcome{Decided: states <= most, States: min(states, most), Shows: each(at)}
			decided[fmt.Sprint(at)] = o.Decided
			total += o.States
			return o, true
		})
		if !slices.Equal(got, c.want) || full != c.full || got != nil && !decided[fmt.Sprint(got)] || total > c.states {
			t.Errorf("%s: %v, full %t", c.name, got, full)
		}
	}
}

// TestCapacityWithinLimit holds that bounds which were returned were decided, and that the states
// stay within the limit, also where capacities are raised.
func TestCapacityWithinLimit(t *testing.T) {
	bounds := []Bound{{Name: "a", Max: 4}, {Name: "b", Min: 1, Max: 4, Room: 8}, {Name: "queue", Min: 1, Max: 2, Room: 32}}
	for states := int64(1); states < 3000; states += 13 {
		total, decided := int64(0), map[string]bool{}
		got, _ := Find(bounds, states, func(at []int, most int64) (Outcome, bool) {
			size := int64(at[0]+1) * int64(at[1]+1) * int64(at[2]+1)
			if at[2] <= at[0]+1 && size <= most {
				return Outcome{Full: fmt.Sprint(at[2]), Capacity: at[2]}, true
			}
			o := Outcome{Decided: size <= most, States: min(size, most), Shows: each(at)}
			total, decided[fmt.Sprint(at)] = total+o.States, o.Decided
			return o, true
		})
		if total > states || got != nil && !decided[fmt.Sprint(got)] {
			t.Fatalf("%d states: %v after %d states", states, got, total)
		}
	}
}
