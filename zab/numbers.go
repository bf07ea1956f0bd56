//go:build !multigrain_runtime

package zab

import "github.com/multigrain/multigrain/modules"

// Number is an epoch, a counter, a value or a position, and Count counts requests. They are one
// byte wide where behaviours are explored, whose bounds are small, and eight bytes next to a
// server; see numbers_node.go.
type (
	Number = int8
	Count  = uint8
)

// History is a sequence of transactions, Requests a queue of them, and Zxids one of zxids.
type (
	History  = modules.Seq[Txn, [MaxHistory]Txn]
	Requests = modules.Seq[Txn, [MaxHistory]Txn]
	Zxids    = modules.Seq[Zxid, [MaxHistory]Zxid]
)

// unbounded says that histories grow without bounds: so in the build that runs next to a server.
const unbounded = false

// MaxOutstanding is for how many transactions a leader keeps acknowledgements.
const MaxOutstanding = MaxHistory

// What a leader may have committed and not applied, or proposed and not logged, and the like: see
// synchronization_node_leader.go.
const (
	maxUnapplied = MaxTransactions
	maxBehind    = MaxTransactions
	maxAhead     = MaxTransactions
	// maxTaken is how many requests a lonely leader takes, as long as it leads.
	maxTaken = min(1, MaxTransactions)
	// InFlight is 1: what a snapshot in flight holds is known.
	InFlight = 1
)

// ackSlot returns where the acknowledgements of a leader's k-th transaction are.
func ackSlot(k int) int { return k - 1 }

// AckSlot returns where State.AckSid has the acknowledgements of a leader's k-th transaction.
func AckSlot(k int) int { return ackSlot(k) }

// freeSlot returns where those of the next transaction of i will be.
func (s *State) freeSlot(i Server) int { return s.History[i].Len() }

// find returns the position of a transaction in a history, 0 where there is none.
func find(h *History, t Txn) int { return h.Find(t) }

// lacks reports whether a transaction can be added to a history, which does not have it.
func lacks(h *History, t Txn) bool { return h.Find(t) == 0 }

// firstAfter returns the position of the first transaction with a later zxid, Len+1 if there is
// none.
func firstAfter(h *History, z Zxid) int {
	k := 1
	for k <= h.Len() && !h.At(k).Zxid.After(z) {
		k++
	}
	return k
}

// firstFrom returns the position of the first transaction whose zxid is not before z, Len+1 if
// there is none.
func firstFrom(h *History, z Zxid) int {
	k := 1
	for k <= h.Len() && z.After(h.At(k).Zxid) {
		k++
	}
	return k
}

// position finds a zxid in a history: 0 for the zero zxid, Len+1 where there is none.
//
// Deviation: the published ZxidToIndex is -1 for a zxid that occurs twice; I-13 is broken before
// that can be. That hides nothing.
func position(h *History, z Zxid) int {
	if z == (Zxid{}) {
		return 0
	}
	for k := 1; k <= h.Len(); k++ {
		if h.At(k).Zxid == z {
			return k
		}
	}
	return h.Len() + 1
}
