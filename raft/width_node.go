//go:build multigrain_runtime

package raft

import (
	"math"

	"github.com/multigrain/multigrain/modules"
)

// Number is as wide as the library's terms and indices: nothing of a running node is out of range.
type Number = uint64

// Log shares the entries that logs have in common, and folds away old ones.
type Log = modules.Chain[Entry]

// Ends are the ends of appends in flight to one server: tracker.Inflights. The first ones are
// First, First+1 and so on to Last, as many as there are of these; 0 and 0 where there is none.
// Most appends have one entry, so Rest is empty nearly always. Then Ends with equal elements are
// equal: a Deque also depends on what was taken from it. Rest has entries, since an Arena has
// elements of one type.
type Ends struct {
	First, Last Number
	Rest        modules.Deque[Entry]
}

// Append, At, Len, Empty, PopFront and Clear are those of a modules.Seq.
func (e *Ends) Append(k Number) {
	switch {
	case e.Empty():
		e.First, e.Last = k, k
	case e.Rest.Empty() && k == e.Last+1:
		e.Last = k
	default:
		e.Rest.Append(Entry{Value: k})
	}
}

func (e *Ends) At(k int) Number {
	if n := e.run(); k > n {
		return e.Rest.At(k - n).Value
	}
	return e.First + Number(k) - 1
}

func (e *Ends) Len() int    { return e.run() + e.Rest.Len() }
func (e *Ends) Empty() bool { return e.Last == 0 }
func (e *Ends) Clear()      { *e = Ends{} }

func (e *Ends) PopFront() Number {
	k := e.At(1)
	if e.First++; e.First <= e.Last {
		return k
	}
	e.First, e.Last = 0, 0
	for !e.Rest.Empty() && (e.Empty() || e.Rest.At(1).Value == e.Last+1) {
		if e.Last = e.Rest.PopFront().Value; e.First == 0 {
			e.First = e.Last
		}
	}
	return k
}

// run returns how many ends are in First to Last.
func (e *Ends) run() int {
	if e.Empty() {
		return 0
	}
	return int(e.Last-e.First) + 1
}

// lastTerm does not end the elections of a running node.
const lastTerm = math.MaxUint64

// liveNode says that the specification runs next to one node.
const liveNode = true

const nodeSlots = 1

// transfers are all that a running leader may be asked for, to itself, too.
func transfers(yield func(Pair) bool) {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if !yield(Pair{I: i, J: j}) {
				return
			}
		}
	}
}

// skip makes a log begin after index k.
func skip(l *Log, k Number) { l.Skip(int(k)) }
