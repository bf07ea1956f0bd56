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
	three := []Bound{{"a", 0, 3}, {"b", 1, 5}, {"c", 0, 1}}
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
		got := Find(three, c.states, boxes(&tried, c.shows))
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
	if got := Find([]Bound{{"a", 0, 5}, {"b", 0, 5}}, 1000, try); !slices.Equal(got, []int{3, 2}) {
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
		got := Find([]Bound{{"a", 0, 9}, {"b", 0, 4}, {"c", 1, 6}}, states, func(at []int, most int64) (Outcome, bool) {
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
	got := Find([]Bound{{"a", 0, 3}}, 100, func(at []int, most int64) (Outcome, bool) {
		if at[0] < 2 {
			return Outcome{}, false
		}
		return try(at, most)
	})
	if !slices.Equal(got, []int{3}) || len(tried) != 2 {
		t.Errorf("got %v after %v", got, tried)
	}
}
