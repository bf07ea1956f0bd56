package rank

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// axis is a name of a grid with its values, as texts.
type axis struct {
	name   string
	values []string
}

// mostConfigurations limits the size of a grid.
const mostConfigurations = 1000

// parseGrid reads a grid: NAME=VALUES, with commas between. VALUES is a range of whole numbers,
// as 0..2, or values with bars between, as none|stale. No name and no value of a name occurs
// twice. The error is a sentence without its period.
func parseGrid(text string) (grid []axis, err error) {
	size := 1
	for part := range strings.SplitSeq(text, ",") {
		name, list, ok := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, fmt.Errorf("%q is no part of a grid: write NAME=VALUES, as in crashes=0..2 or mistake=none|stale", strings.TrimSpace(part))
		}
		if slices.ContainsFunc(grid, func(a axis) bool { return a.name == name }) {
			return nil, fmt.Errorf("the grid names %s twice", name)
		}
		a := axis{name: name}
		if a.values, err = parseValues(strings.TrimSpace(list)); err != nil {
			return nil, fmt.Errorf("the values of %s: %w", name, err)
		}
		if size *= len(a.values); size > mostConfigurations {
			return nil, fmt.Errorf("the grid has more than %d configurations", mostConfigurations)
		}
		grid = append(grid, a)
	}
	return grid, nil
}

// parseValues reads the values of one name.
func parseValues(list string) (values []string, err error) {
	if first, last, ok := strings.Cut(list, ".."); ok {
		from, wrong := strconv.Atoi(strings.TrimSpace(first))
		to, also := strconv.Atoi(strings.TrimSpace(last))
		switch {
		case wrong != nil || also != nil:
			return nil, fmt.Errorf("%q is no range of whole numbers, such as 0..2", list)
		case from > to:
			return nil, fmt.Errorf("the range %s is empty: write the smaller number first", list)
		case to-from >= mostConfigurations:
			return nil, fmt.Errorf("the range %s has more than %d values", list, mostConfigurations)
		}
		for n := from; n <= to; n++ {
			values = append(values, strconv.Itoa(n))
		}
		return values, nil
	}
	for value := range strings.SplitSeq(list, "|") {
		value = strings.TrimSpace(value)
		switch {
		case value == "":
			return nil, fmt.Errorf("one of them is empty")
		case slices.Contains(values, value):
			return nil, fmt.Errorf("%s occurs twice", value)
		}
		values = append(values, value)
	}
	return values, nil
}

// points returns all configurations of a grid. The first name varies slowest.
func points(grid []axis) [][]string {
	all := [][]string{nil}
	for _, a := range grid {
		var longer [][]string
		for _, p := range all {
			for _, v := range a.values {
				longer = append(longer, append(slices.Clone(p), v))
			}
		}
		all = longer
	}
	return all
}
