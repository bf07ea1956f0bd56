// Package growth finds bounds within which two compositions can be compared.
//
// All bounds start at their smallest values and are raised together by one. The growth ends at the
// largest values, or if two growths in a row show nothing new. If the next bounds have too many
// states, single bounds are raised instead, in turn, as long as one can be raised.
//
// A bound may be a capacity: how many messages a channel has room for. The smallest capacity is no
// small case, it ends the comparison. So a capacity that is exceeded is doubled, and then grows
// from there.
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
//
// Which bound sets a capacity that was exceeded is found out: each bound that has the value of the
// capacity is doubled by itself, until one ends the same failure. With a queue of 1 to 3:
//
//	crashes queue  ends
//	1       1      a channel is full at 1; both bounds are 1
//	2       1      a channel is full at 1: not this one
//	1       2      decided: from here on queue is one larger than it would be, at most 3

// Bound is a bound that grows from Min to Max. One that does not grow has the same Min and Max.
type Bound struct {
	Name     string
	Min, Max int
	// Room is the largest value to which the bound is raised when the capacity that it sets is
	// exceeded; 0: it sets no capacity. It may be above Max.
	Room int
	// Nodes says that it is a number of nodes, which is the last one to be tried as a capacity.
	Nodes bool
	// Most is the largest value that the specification allows. Fault says that the environment
	// spends the bound, and Follows that coarse grains do, as often as faults happen. Vary reads
	// these.
	Most           int
	Fault, Follows bool
}

// Outcome is the result of a comparison within some bounds.
type Outcome struct {
	// Decided says that the comparison ended within its limit.
	Decided bool
	// States is the number of states that it took.
	States int64
	// Shows identifies what it found. Equal values mean that nothing is new.
	Shows string
	// Full names what was full, if the comparison ended since a capacity was exceeded, and Capacity
	// is how much it holds. "" if no capacity was exceeded.
	Full     string
	Capacity int
}

// Try compares within bounds, with at most so many states. It returns false if the composition
// cannot have these bounds, or the search must end.
type Try func(at []int, states int64) (Outcome, bool)

// fruitless is the number of growths that show nothing new and end the search.
const fruitless = 2

// Find returns the largest bounds that it could decide. It returns nil if the smallest ones are
// undecided, or if none could be raised. With no crash and no request hardly anything happens, so a
// result within the smallest bounds means little. Full says that nothing was decided and that the
// last comparison exceeded a capacity that no bound within its Room sets.
func Find(bounds []Bound, states int64, try Try) (best []int, full bool) {
	f := &finder{bounds: bounds, left: states, try: try, lift: make([]int, len(bounds)), needed: make([]int, len(bounds))}
	f.together()
	if f.best != nil && f.over {
		f.inTurn()
	}
	if f.best == nil {
		return nil, f.full
	}
	raised := false
	for k, b := range f.bounds {
		raised = raised || f.best[k] > b.Min
	}
	if !raised && slices.ContainsFunc(bounds, Bound.grows) {
		return nil, false
	}
	return f.found, false
}

func (b Bound) grows() bool { return b.Max > b.Min }

type finder struct {
	bounds []Bound
	left   int64 // states
	try    Try
	best   []int // the bounds of the last comparison that was decided, without lift, and
	found  []int // with it
	lift   []int // what the capacities among the bounds are raised by
	needed []int // the values to which they were raised
	shows  string
	same   int  // growths in a row that showed nothing new
	over   bool // some bounds had too many states
	full   bool // the last comparison exceeded a capacity
}

// actual returns the bounds with what the capacities are raised by. A capacity does not grow above
// Max, unless it needs to.
func (f *finder) actual(at []int) []int {
	out := make([]int, len(at))
	for k, b := range f.bounds {
		out[k] = min(at[k]+f.lift[k], max(b.Max, f.needed[k]))
	}
	return out
}

// attempt compares within bounds, and reports whether that is decided.
func (f *finder) attempt(at []int) bool {
	o, ok := f.ask(at)
	for ok && o.Full != "" {
		next, fits, found := f.roomier(at, o)
		if !found {
			break
		}
		o, ok = next, fits
	}
	if f.full = ok && o.Full != ""; !ok || f.full {
		return false
	}
	if !o.Decided {
		f.over = true
		return false
	}
	if f.best != nil && o.Shows == f.shows {
		f.same++
	} else {
		f.same = 0
	}
	f.best, f.found, f.shows = slices.Clone(at), f.actual(at), o.Shows
	return true
}

// ask compares once. A single comparison takes at most half of the states that are left, so a
// failure leaves some for smaller steps.
func (f *finder) ask(at []int) (o Outcome, ok bool) {
	limit := f.left / 2
	if limit == 0 {
		f.over = true
		return o, false
	}
	o, ok = f.try(f.actual(at), limit)
	f.left -= o.States
	return o, ok
}

// roomier doubles the bound that sets the capacity that was exceeded. Found is false if there is
// none. A bound with which the comparison is undecided may have nothing to do with the capacity.
// It is chosen only if no other one helps.
func (f *finder) roomier(at []int, o Outcome) (next Outcome, ok, found bool) {
	type choice struct {
		bound, lift, needed int
		o                   Outcome
	}
	var open *choice
	for _, nodes := range []bool{false, true} {
		for k, b := range f.bounds {
			value := f.actual(at)[k]
			if b.Nodes != nodes || value != o.Capacity || 2*value > b.Room {
				continue
			}
			before := choice{k, f.lift[k], f.needed[k], o}
			f.lift[k], f.needed[k] = f.lift[k]+value, 2*value
			next, ok = f.ask(at)
			if !ok || next.Full != o.Full && (next.Decided || next.Full != "") {
				return next, ok, true
			}
			if next.Full == "" && open == nil {
				open = &choice{k, f.lift[k], f.needed[k], next}
			}
			f.lift[k], f.needed[k] = before.lift, before.needed
		}
	}
	if open == nil {
		return o, true, false
	}
	f.lift[open.bound], f.needed[open.bound] = open.lift, open.needed
	return open.o, true, true
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
		if f.best != nil && slices.Equal(f.actual(at), f.found) && !last {
			continue
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
	open, growing := make([]bool, len(f.bounds)), 0
	for i, b := range f.bounds {
		if open[i] = b.grows(); open[i] {
			growing++
		}
	}
	for grown := true; grown; {
		grown = false
		for i, b := range f.bounds {
			if !open[i] || f.best[i] == b.Max {
				continue
			}
			at := slices.Clone(f.best)
			at[i]++
			if open[i] = !slices.Equal(f.actual(at), f.found) && f.attempt(at); open[i] {
				grown = true
			}
			if f.same == fruitless*growing {
				return
			}
		}
	}
}
