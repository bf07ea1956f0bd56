package plan

import "math"

// What it computes. The number of states of a composition, from the levels of the first part of a
// search by breadth and from the length of random walks.
//
// Why it is plausible. Bounds end a specification's behaviours, so the numbers of new states of
// successive levels rise and fall like a bell: their logarithms lie near a parabola. It is fitted
// to the last levels that are complete, and to a level with one state where behaviours end. That is
// beyond the longest of some random walks, which hardly ever meet the longest behaviour.
//
// What it costs. The levels are those of an exploration that a limit ended, and walks take less
// than a second.
//
// What it does not know. How far beyond is a factor that other compositions showed, and a module
// that begins late lets levels rise once more. docs/results/plan.md has predicted and actual
// numbers.
//
// Example. Levels 1, 9, 45, 156, 381, 795, and walks of 25 steps at most: the parabola ends at
// level 33. Its top is at level 16, and all states are some 90,000. They are 31,498 in fact.

// Estimate is how many states a composition has.
type Estimate struct {
	States int64
	// Low and High are the bounds between which nine of ten compositions of docs/results/plan.md
	// lie. They are States where all of them were explored.
	Low, High int64
	// Factor is that between States and the range; 1 where all were explored, 0 for Unknown. Half
	// of the compositions with such a share are within Median.
	Factor, Median float64
	// Share is the part of States that was explored; 0 for Unknown.
	Share float64
	// Exact says that all states were explored.
	Exact bool
	// Unknown says that the levels do not show an end: High is no bound, and States counts those
	// that were seen.
	Unknown bool
}

// Bounds of an estimate.
const (
	leastLevels = 6 // that are complete, for a parabola
	mostLevels  = 10_000
	// reach is how deep a search goes, in lengths of the longest walk. It is the middle of what the
	// compositions of docs/results/plan.md show.
	reach = 1.35
	// endWeight makes the end count like several levels.
	endWeight = 3
)

// accuracy is by which factor predictions are off, in both directions.
type accuracy struct {
	least        float64 // part of the predicted states that was explored, and more
	median, most float64 // half of the predictions are within median, and nine of ten within most
}

// accuracies are those of the compositions of docs/results/plan.md, by the explored part: the
// largest first. A test compares them with what these compositions show.
var accuracies = []accuracy{{0.1, 1.6, 8}, {0.01, 2.5, 32}, {0.001, 4, 32}, {0, 12, 1000}}

// accuracyOf returns the accuracy of predictions from a part of the predicted states.
func accuracyOf(share float64) accuracy {
	for _, a := range accuracies {
		if share >= a.least {
			return a
		}
	}
	return accuracies[len(accuracies)-1]
}

// Of estimates the number of states from the numbers of new states of successive levels. Complete
// says that the last level is the last one of the search; otherwise it may be a part of one, and
// does not count. Longest is the length of the longest random walk that ended by itself; 0 for
// none.
func Of(levels []int64, complete bool, longest int) Estimate {
	seen := int64(0)
	for _, n := range levels {
		seen += n
	}
	if complete {
		return Estimate{States: seen, Low: seen, High: seen, Factor: 1, Median: 1, Share: 1, Exact: true}
	}
	whole := levels[:max(len(levels)-1, 0)]
	total, ok := extrapolated(whole, longest)
	if !ok {
		return Estimate{States: seen, Low: seen, High: math.MaxInt64, Unknown: true}
	}
	total = max(total, float64(seen))
	share := float64(seen) / total
	e := accuracyOf(share)
	return Estimate{States: toCount(total), Low: max(seen, toCount(total/e.most)), High: toCount(total * e.most), Factor: e.most, Median: e.median, Share: share}
}

func toCount(x float64) int64 {
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(x)
}

// extrapolated returns the sum of levels with those that follow. It reports false where there are
// too few levels, or more than walks have steps.
func extrapolated(levels []int64, longest int) (total float64, ok bool) {
	return extrapolatedTo(levels, longest, reach)
}

// extrapolatedTo is extrapolated to a depth in lengths of the longest walk.
func extrapolatedTo(levels []int64, longest int, lengths float64) (total float64, ok bool) {
	if longest == 0 || longest > mostLevels || len(levels) < leastLevels {
		return 0, false
	}
	longest = max(int(lengths*float64(longest)), len(levels)+1)
	last := len(levels) - 1
	end, top := float64(longest), math.Log(float64(levels[last]))
	// The parabola goes through the last level: y = top + (x - last) (a + b x). Other points are
	// the third of the levels before it, and the end.
	var aa, ab, bb, ay, by float64
	point := func(x, y, weight float64) {
		d := x - float64(last)
		f, g := d, d*x/end
		aa, ab, bb, ay, by = aa+weight*f*f, ab+weight*f*g, bb+weight*g*g, ay+weight*f*(y-top), by+weight*g*(y-top)
	}
	for k := max(len(levels)-max(len(levels)/3, leastLevels-1), 1); k < last; k++ {
		if levels[k] > 0 {
			point(float64(k), math.Log(float64(levels[k])), 1)
		}
	}
	point(end, 0, endWeight)
	det := aa*bb - ab*ab
	if det == 0 {
		return 0, false
	}
	a, b := (ay*bb-by*ab)/det, (by*aa-ay*ab)/det
	for _, n := range levels {
		total += float64(n)
	}
	for k := last + 1; k <= longest; k++ {
		x := float64(k)
		total += math.Exp(top + (x-float64(last))*(a+b*x/end))
	}
	return total, !math.IsInf(total, 0) && !math.IsNaN(total)
}
