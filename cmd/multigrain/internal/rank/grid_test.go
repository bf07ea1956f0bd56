package rank

import (
	"reflect"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

func TestParseGrid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"crashes=0..2, mistake = none|stale": []axis{{"crashes", []string{"0", "1", "2"}}, {"mistake", []string{"none", "stale"}}},
		"a=true":                             []axis{{"a", []string{"true"}}},
		"":                                   "is no part of a grid",
		"a=1..2,":                            "is no part of a grid",
		"a=2..1":                             "is empty",
		"a=1..x":                             "is no range of whole numbers",
		"a=1|1":                              "occurs twice",
		"a=1||2":                             "one of them is empty",
		"a=1,a=2":                            "names a twice",
		"a=0..5000":                          "has more than 1000 values",
		"a=0..99,b=0..99":                    "more than 1000 configurations",
	} {
		grid, err := parseGrid(text)
		if part, wrong := want.(string); wrong {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: the error is %v, want %q", text, err, part)
			}
		} else if err != nil || !reflect.DeepEqual(grid, want) {
			t.Errorf("%q is %v, %v", text, grid, err)
		}
	}
}

func TestPoints(t *testing.T) {
	t.Parallel()
	have := points([]axis{{"a", []string{"0", "1"}}, {"b", []string{"x", "y"}}})
	if want := [][]string{{"0", "x"}, {"0", "y"}, {"1", "x"}, {"1", "y"}}; !reflect.DeepEqual(have, want) {
		t.Errorf("the points are %v", have)
	}
}

// TestCompare: algorithm 1 of SandTable, section 3.3: branches, then events, both most first, then
// depth, least first. Configurations without a rank come last.
func TestCompare(t *testing.T) {
	t.Parallel()
	of := func(rank, branches, actions, depth int) result.Configuration {
		return result.Configuration{Rank: rank, Branches: result.BranchCount{Taken: branches}, Events: result.EventCount{Actions: actions}, Depth: depth}
	}
	order := []result.Configuration{of(1, 9, 2, 50), of(1, 8, 5, 20), of(1, 8, 4, 10), of(1, 8, 4, 11), of(0, 10, 10, 1)}
	for a := range order {
		for b := range order {
			have := compare(&order[a], &order[b])
			if (have < 0) != (a < b) || (have > 0) != (a > b) {
				t.Errorf("%d compared with %d: %d", a, b, have)
			}
		}
	}
}
