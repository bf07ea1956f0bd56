package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// What it computes. For each event of a log with vector clocks, how many events of each other node
// have come before it.
//
// Why it is right. A clock has a number for each node: how many events of that node are known to
// have happened, as the logger of the event counts them. So an event of another node is before it
// if that node's own number there is not greater. Events without a clock have the order of their
// node's log only. A search that takes an event when all of these are matched visits exactly the
// orders that the clocks allow.
//
// What it costs. A number for each event and node, and for each of them a binary search.
//
// Example. Node b has received from a after the second event of a:
//
//	a: {a:1}  {a:2}  {a:3}
//	b: {b:1}  {b:2, a:2}     it comes after two events of a

// clock returns the vector clock of an event; nil where it has none. ok is false for a field that
// is no clock.
func (e *Event) clock() (clock map[string]int64, ok bool) {
	field, has := e.Fields["clock"]
	if !has {
		return nil, true
	}
	numbers, ok := field.(map[string]any)
	if !ok {
		return nil, false
	}
	clock = map[string]int64{}
	for node, x := range numbers {
		if clock[node], ok = x.(int64); !ok || clock[node] < 0 {
			return nil, false
		}
	}
	return clock, true
}

// clocks orders the events of each node by its own numbers, where all of them have one, and notes
// what each event waits for. It returns why the clocks say nothing; "" where they do.
func (v *validator[S]) clocks() string {
	all := make([]map[string]int64, len(v.events))
	some := false
	for k := range v.events {
		clock, ok := v.events[k].clock()
		if !ok {
			return fmt.Sprintf("the field clock of %s is no object of numbers by node", v.events[k].place())
		}
		some = some || clock != nil
		all[k] = clock
	}
	if !some && len(v.events) > 0 {
		return "no event of the log has a field clock"
	}
	own := func(event int) (n int64, ok bool) {
		n, ok = all[event][v.events[event].Node]
		return n, ok
	}
	for _, lane := range v.lanes {
		if !slices.ContainsFunc(lane, func(event int) bool { _, ok := own(event); return !ok }) {
			slices.SortStableFunc(lane, func(a, b int) int {
				x, _ := own(a)
				y, _ := own(b)
				return cmp.Compare(x, y)
			})
		}
	}
	least := make([][]int64, len(v.lanes)) // of each lane, the least own number from an event on
	for l, lane := range v.lanes {
		least[l] = make([]int64, len(lane))
		next := int64(math.MaxInt64)
		for k, event := range slices.Backward(lane) {
			if n, ok := own(event); ok {
				next = min(next, n)
			}
			least[l][k] = next
		}
	}
	v.needs = make([][]int32, len(v.events))
	for event, clock := range all {
		v.needs[event] = make([]int32, len(v.lanes))
		for l, lane := range v.lanes {
			node := v.events[lane[0]].Node
			if known, ok := clock[node]; ok && node != v.events[event].Node {
				n, _ := slices.BinarySearch(least[l], known+1)
				v.needs[event][l] = int32(n)
			}
		}
	}
	return v.contradiction()
}

// contradiction returns which event can never come next, since the events before it, as the clocks
// have it, come after it too; "" where all events have an order.
func (v *validator[S]) contradiction() string {
	p := position{cut: make([]int32, len(v.lanes)), due: -1}
	for n := 0; n < len(v.events); n++ {
		heads := v.heads(&p)
		if len(heads) == 0 {
			for l, lane := range v.lanes {
				if int(p.cut[l]) < len(lane) {
					return fmt.Sprintf("the clocks contradict each other: %s waits for events that come after it", v.events[lane[p.cut[l]]].place())
				}
			}
		}
		p.cut[heads[0]]++
	}
	return ""
}

// place is where an event stands in the log.
func (e *Event) place() string { return fmt.Sprintf("%s:%d", e.File, e.Line) }
