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

// Ends are the ends of appends in flight to one server: tracker.Inflights.
// They are in entries, since an Arena has elements of one type.
type Ends struct{ All modules.Deque[Entry] }

// Append, At, Len, Empty, PopFront and Clear are those of a modules.Seq.
func (e *Ends) Append(k Number)  { e.All.Append(Entry{Value: k}) }
func (e *Ends) At(k int) Number  { return e.All.At(k).Value }
func (e *Ends) Len() int         { return e.All.Len() }
func (e *Ends) Empty() bool      { return e.All.Empty() }
func (e *Ends) PopFront() Number { return e.All.PopFront().Value }
func (e *Ends) Clear()           { e.All.Clear() }

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
