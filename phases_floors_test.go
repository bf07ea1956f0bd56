package multigrain_test

import (
	"maps"
	"math/bits"
	"slices"
	"testing"
)

// floorsOf returns the number of floors on which the files stand: a file stands above each file
// whose names it uses. Where files use each other in a circle, their order is one with the fewest
// arrows that climb, which are not counted as uses and are returned as well.
func floorsOf(uses []use, order []phase) (floors, climbing int) {
	below := map[string]map[string]bool{}
	for _, u := range uses {
		if phaseOf(u.file, order) > phaseOf(u.declared, order) {
			continue // climb counts it
		}
		for _, f := range []string{u.file, u.declared} {
			if below[f] == nil {
				below[f] = map[string]bool{}
			}
		}
		below[u.file][u.declared] = true
	}
	for _, circle := range circlesOf(below) {
		position := leastClimbing(circle, below)
		for i, f := range circle {
			for j, g := range circle {
				if below[f][g] && position[i] < position[j] {
					delete(below[f], g)
					climbing++
				}
			}
		}
	}
	height := map[string]int{}
	var floor func(f string) int
	floor = func(f string) int {
		if height[f] == 0 {
			height[f] = 1
			for g := range below[f] {
				height[f] = max(height[f], floor(g)+1)
			}
		}
		return height[f]
	}
	for f := range below {
		floors = max(floors, floor(f))
	}
	return floors, climbing
}

// circlesOf returns the sets of at least two files in which each file reaches all others.
func circlesOf(below map[string]map[string]bool) (circles [][]string) {
	reach := map[string]map[string]bool{}
	for f := range below {
		reach[f] = map[string]bool{}
		for next := []string{f}; len(next) > 0; next = next[1:] {
			for g := range below[next[0]] {
				if !reach[f][g] {
					reach[f][g] = true
					next = append(next, g)
				}
			}
		}
	}
	done := map[string]bool{}
	for _, f := range slices.Sorted(maps.Keys(below)) {
		if done[f] || !reach[f][f] {
			continue
		}
		var circle []string
		for _, g := range slices.Sorted(maps.Keys(below)) {
			if reach[f][g] && reach[g][f] {
				circle = append(circle, g)
				done[g] = true
			}
		}
		circles = append(circles, circle)
	}
	return circles
}

// leastClimbing returns the position of each file of a circle, from the bottom, so that the fewest
// arrows climb. It tries all sets of files that can be at the bottom, at most 2^20.
func leastClimbing(circle []string, below map[string]map[string]bool) []int {
	n := len(circle)
	if n > 20 {
		panic("phases_test: a circle of more than 20 files")
	}
	uses := make([]uint32, n) // the files of the circle that a file uses
	for i, f := range circle {
		for j, g := range circle {
			if below[f][g] {
				uses[i] |= 1 << j
			}
		}
	}
	cost := make([]int, 1<<n)
	last := make([]int, 1<<n)
	for set := uint32(1); set < 1<<n; set++ {
		cost[set] = 1 << 30
		for i := range n {
			if set&(1<<i) == 0 {
				continue
			}
			// i is the highest of the set: what it uses outside of the set is above it.
			c := cost[set&^(1<<i)] + bits.OnesCount32(uses[i]&^set)
			if c < cost[set] {
				cost[set], last[set] = c, i
			}
		}
	}
	position := make([]int, n)
	for set := uint32(1<<n - 1); set != 0; set &^= 1 << last[set] {
		position[last[set]] = bits.OnesCount32(set)
	}
	return position
}

// TestPhasesSeesAUseThatGoesUp plants a use that goes up, one that goes down, and a file that no
// phase has.
func TestPhasesSeesAUseThatGoesUp(t *testing.T) {
	t.Parallel()
	order := []phase{{"top", "high*.go"}, {"grains", "*_node.go"}, {"bottom", "low*.go high_types.go"}}
	uses := []use{
		{file: "high.go", declared: "low.go", name: "down"},
		{file: "high.go", declared: "high_types.go", name: "Type"},
		{file: "low.go", declared: "high.go", name: "up"},
		{file: "low_more.go", declared: "high.go", name: "up"},
		{file: "low_node.go", declared: "high.go", name: "also"},
		{file: "other.go", declared: "low.go", name: "down"},
	}
	up, unknown := climb(uses, order)
	var got []string
	for _, u := range up {
		got = append(got, u.from+" "+u.name+" "+u.to)
	}
	if want := []string{"bottom up top", "grains also top"}; !slices.Equal(got, want) {
		t.Errorf("uses that go up: %q, want %q", got, want)
	}
	if !slices.Equal(unknown, []string{"other.go"}) {
		t.Errorf("files without a phase: %q", unknown)
	}
}

// TestFloors compares floorsOf with pictures of a few files.
func TestFloors(t *testing.T) {
	t.Parallel()
	order := []phase{{"all", "*.go"}}
	for _, tt := range []struct {
		name             string
		uses             []use
		floors, climbing int
	}{
		{"chain", []use{{file: "c.go", declared: "b.go"}, {file: "b.go", declared: "a.go"}}, 3, 0},
		{"two files side by side", []use{{file: "c.go", declared: "a.go"}, {file: "b.go", declared: "a.go"}}, 2, 0},
		{"circle of two", []use{{file: "a.go", declared: "b.go"}, {file: "b.go", declared: "a.go"}}, 2, 1},
		{"circle of three with a chord", []use{{file: "a.go", declared: "b.go"}, {file: "b.go", declared: "c.go"},
			{file: "c.go", declared: "a.go"}, {file: "a.go", declared: "c.go"}}, 3, 1},
	} {
		if floors, climbing := floorsOf(tt.uses, order); floors != tt.floors || climbing != tt.climbing {
			t.Errorf("%s: %d floors and %d climbing arrows, want %d and %d", tt.name, floors, climbing, tt.floors, tt.climbing)
		}
	}
}
