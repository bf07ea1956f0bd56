package consistency

import "github.com/multigrain/multigrain/raft/ccf"

// OfConsensus maps a state of CCF's consensus to what its clients have seen. The ledgers of the
// leaders are hidden: any that explain the history will do.
//
// The option observations must be "recorded", so that the transactions that a response returns are
// compared, too.
func OfConsensus(s *ccf.State, a *State) {
	for _, c := range s.Clients {
		for k := 1; k <= c.History.Len(); k++ {
			e := c.History.At(k)
			seen := Event{Type: Kind(e.Type), Tx: e.Tx, View: e.View, SeqNum: e.SeqNum, Status: Status(e.Status)}
			for x := 1; x <= e.Observed.Len(); x++ {
				seen.Observed.Append(e.Observed.At(x))
			}
			a.History.Append(seen)
		}
	}
}
