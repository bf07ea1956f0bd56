//go:build multigrain_runtime

package zab

import "github.com/multigrain/multigrain/modules"

// Number and Count are as wide as ZooKeeper's zxids and epochs: nothing of a running server is out
// of range.
type (
	Number = int64
	Count  = uint64
)

// History shares the transactions that histories have in common, and folds away old ones; Requests
// and Zxids are queues without bounds.
type (
	History  = modules.Chain[Txn]
	Requests = modules.Deque[Txn]
)

// Zxids is a queue of zxids.
type Zxids struct{ txns modules.Deque[Txn] }

// Len returns the number of elements.
func (q *Zxids) Len() int { return q.txns.Len() }

// Empty reports whether there are none.
func (q *Zxids) Empty() bool { return q.txns.Empty() }

// At returns the element at position k, from 1.
func (q *Zxids) At(k int) Zxid { return q.txns.At(k).Zxid }

// Last returns the last element, or the zero zxid.
func (q *Zxids) Last() Zxid { return q.txns.Last().Zxid }

// Append adds z after the last element.
func (q *Zxids) Append(z Zxid) { q.txns.Append(Txn{Zxid: z}) }

// PopFront takes the first element.
func (q *Zxids) PopFront() Zxid { return q.txns.PopFront().Zxid }

// Clear removes all elements.
func (q *Zxids) Clear() { q.txns.Clear() }

func asReceived(t Txn) Txn   { return t }
func withoutValue(t Txn) Txn { return Txn{Zxid: t.Zxid} }

// unbounded says that histories grow without bounds.
const unbounded = true

// MaxOutstanding is how many proposals of a leader may wait for a quorum.
const MaxOutstanding = 256

// maxUnapplied is the largest number of transactions that a leader has committed and not applied,
// or has proposed and not logged. That it has committed one, a COMMIT on the wire shows. maxAhead
// is the largest number that it applies between deciding on a snapshot and beginning to write it.
//
// Acknowledgements are taken as soon as they come, although a leader takes them some time later. So
// of what it might have committed, it has not applied up to maxBehind transactions.
const (
	maxUnapplied = 64
	maxBehind    = 127
	maxAhead     = 16
	// maxTaken is how many requests a lonely leader takes at most, as long as it leads.
	maxTaken = 16
	// InFlight is 0: what a snapshot in flight holds is not known.
	InFlight = 0
)

// ackSlot returns where the acknowledgements of a leader's k-th transaction are, while it is
// outstanding.
func ackSlot(k int) int { return (k - 1) % MaxOutstanding }

// freeSlot returns where those of the next transaction of i will be. There must not be too many
// that wait.
func (s *State) freeSlot(i Server) int {
	if s.History[i].Len()-int(s.LastCommitted[i]) >= MaxOutstanding {
		panic(&modules.CapacityError{Type: "AckSid", Capacity: MaxOutstanding})
	}
	return ackSlot(s.History[i].Len() + 1)
}

// position is that of the model's build, in a history whose zxids increase: 0 for the zero zxid,
// Len+1 where there is none.
func position(h *History, z Zxid) int {
	if z == (Zxid{}) {
		return 0
	}
	if k := atOrBefore(h, h.Len(), z); k > 0 && h.At(k).Zxid == z {
		return k
	}
	return h.Len() + 1
}

// The functions below are those of the model's build, in histories whose zxids increase. They
// examine the end first: what is far back may be folded away.

func find(h *History, t Txn) int {
	if k := atOrBefore(h, h.Len(), t.Zxid); k > 0 && h.At(k) == t {
		return k
	}
	return 0
}

// lacks reports whether a transaction can be added to a history: it is later than the last one.
//
// Deviation: FileTxnLog.append writes an earlier transaction, too, and warns. That hides what a
// restart reads after later transactions.
func lacks(h *History, t Txn) bool { return t.Zxid.After(h.Last().Zxid) }

func firstAfter(h *History, z Zxid) int { return atOrBefore(h, h.Len(), z) + 1 }

func firstFrom(h *History, z Zxid) int {
	k := atOrBefore(h, h.Len(), z)
	if k > 0 && h.At(k).Zxid == z {
		return k
	}
	return k + 1
}
