package growth

import (
	"reflect"
	"slices"
	"testing"
)

// TestVary compares the bounds of the variations with those that the numbers of nodes and the
// faults mean.
func TestVary(t *testing.T) {
	t.Parallel()
	bounds := []Bound{
		{Name: "servers", Min: 1, Max: 3, Most: 7, Nodes: true}, {Name: "requests", Max: 4, Most: 9},
		{Name: "crashes", Max: 1, Most: 9, Fault: true}, {Name: "epochs", Min: 1, Max: 2, Most: 9, Follows: true},
	}
	cases := []struct {
		what   string
		change func(b []Bound)
		found  []int
		states int64
		want   []Varied
	}{
		{"all", nil, []int{3, 2, 1, 2}, 1e6, []Varied{
			{[]int{2, 4, 1, 2}, true}, {[]int{5, 2, 1, 2}, true}, {[]int{3, 2, 2, 3}, true},
		}},
		{"four nodes at most", func(b []Bound) { b[0].Most = 4 }, []int{3, 2, 1, 2}, 1e6, []Varied{
			{[]int{2, 4, 1, 2}, true}, {[]int{3, 2, 2, 3}, true},
		}},
		{"few faults are allowed", func(b []Bound) { b[2].Most = 1 }, []int{2, 2, 1, 2}, 1e6, []Varied{
			{[]int{3, 2, 1, 2}, true}, {[]int{5, 2, 1, 2}, true},
		}},
		{"no faults", nil, []int{2, 2, 0, 2}, 1e6, []Varied{{[]int{3, 2, 0, 2}, true}, {[]int{5, 2, 0, 2}, true}}},
		{"no nodes", func(b []Bound) { b[0].Nodes = false }, []int{3, 2, 1, 2}, 1e6, []Varied{{[]int{3, 2, 2, 3}, true}}},
		{"too few states for all", nil, []int{3, 2, 1, 2}, 200, []Varied{
			{[]int{2, 4, 1, 2}, true}, {[]int{5, 2, 1, 2}, false}, {[]int{3, 2, 2, 3}, false},
		}},
	}
	for _, c := range cases {
		b := slices.Clone(bounds)
		if c.change != nil {
			c.change(b)
		}
		var tried [][]int
		if got := Vary(b, c.found, c.states, boxes(&tried, each)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v; tried %v", c.what, got, c.want, tried)
		}
	}
	refused := func([]int, int64) (Outcome, bool) { return Outcome{}, false }
	if got := Vary(bounds, []int{3, 2, 1, 2}, 1e6, refused); got != nil {
		t.Errorf("bounds that the composition cannot have: %v", got)
	}
}
