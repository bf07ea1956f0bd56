// Package growth finds bounds within which two compositions can be compared.
//
// All bounds start at their smallest values and are raised together by one. The growth ends at the
// largest values, or if two growths in a row show nothing new. If the next bounds have too many
// states, single bounds are raised instead, in turn, as long as one can be raised.
//
// The limit is a number of states for all comparisons together. No clock is read, so the bounds
// are the same on every machine.
package growth

import "slices"

// What it computes. The bounds of a comparison, as large as a number of states allows, and not
// larger than needed to see what the comparison shows.
//
// Why it is right. Every result is one of a comparison within the returned bounds, which was
// decided. So the bounds need not be the largest ones, or the best. They never depend on time: each
// attempt has a limit in states, and the sum of all attempts is limited.
//
// What it costs. Bounds that are raised together double the states, or more. So the last attempt
// costs more than all before it. An attempt may take half of the states that are left, so one that
// fails leaves as many for raising single bounds.
//
// Example. Two bounds from 0 to 3, with 1,000 states:
//
//	crashes requests  states  decided
//	0       0         10      yes, shows nothing
//	1       1         90      yes, shows a gap
//	2       2         450     no: half of what is left
//	2       1         150     yes: single bounds from here on
//	2       2         150     no, so requests stays 1

// Bound is a bound that grows from Min to Max.
type Bound struct {
	Name     string
	Min, Max int
}

// Outcome is the result of a comparison within some bounds.
type Outcome struct {
	// Decided says that the comparison ended within its limit.
	Decided bool
	// States is the number of states that it took.
	States int64
	// Shows identifies what it found. Equal values mean that nothing is new.
	Shows string
}

// Try compares within bounds, with at most so many states. It returns false if the composition
// cannot have these bounds, or the search must end.
type Try func(at []int, states int64) (Outcome, bool)

// fruitless is the number of growths that show nothing new and end the search.
const fruitless = 2

// Find returns the largest bounds that it could decide. It returns nil if the smallest ones are
// undecided, or if none could be raised. With no crash and no request hardly anything happens, so a
// result within the smallest bounds means little.
func Find(bounds []Bound, states int64, try Try) []int {
	f := &finder{bounds: bounds, left: states, try: try}
	f.together()
	if f.best != nil && f.over {
		f.inTurn()
	}
	for k, b := range f.bounds {
		if f.best != nil && f.best[k] > b.Min {
			return f.best
		}
	}
	if slices.ContainsFunc(bounds, func(b Bound) bool { return b.Max > b.Min }) {
		return nil
	}
	return f.best
}

type finder struct {
	bounds []Bound
	left   int64 // states
	try    Try
	best   []int
	shows  string
	same   int  // growths in a row that showed nothing new
	over   bool // some bounds had too many states
}

// attempt compares within bounds. A single comparison takes at most half of the states that are
// left, so a failure leaves some for smaller steps. It reports whether the bounds are decided.
func (f *finder) attempt(at []int) bool {
	limit := f.left / 2
	if limit == 0 {
		f.over = true
		return false
	}
	o, ok := f.try(at, limit)
	if !ok {
		return false
	}
	f.left -= o.States
	if !o.Decided {
		f.over = true
		return false
	}
	if f.best != nil && o.Shows == f.shows {
		f.same++
	} else {
		f.same = 0
	}
	f.best, f.shows = slices.Clone(at), o.Shows
	return true
}

// together raises all bounds by one, again and again. Below one of each nothing can happen, so
// growths count as fruitless only after every bound was raised once.
func (f *finder) together() {
	for k := 0; ; k++ {
		at, last := make([]int, len(f.bounds)), true
		for i, b := range f.bounds {
			at[i] = min(b.Min+k, b.Max)
			last = last && at[i] == b.Max
		}
		decided := f.attempt(at)
		if k <= 1 {
			f.same = 0
		}
		if last || f.over || f.best != nil && !decided || f.same == fruitless {
			return
		}
	}
}

// inTurn raises one bound after the other, until none can be raised.
func (f *finder) inTurn() {
	f.same = 0
	open := make([]bool, len(f.bounds))
	for i := range open {
		open[i] = true
	}
	for grown := true; grown; {
		grown = false
		for i, b := range f.bounds {
			if !open[i] || f.best[i] == b.Max {
				continue
			}
			at := slices.Clone(f.best)
			at[i]++
			if open[i] = f.attempt(at); open[i] {
				grown = true
			}
			if f.same == fruitless*len(f.bounds) {
				return
			}
		}
	}
}
