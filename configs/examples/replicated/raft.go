package replicated

import "github.com/multigrain/multigrain/raft"

// OfRaft maps a state of Raft to what its servers have committed. A server has committed its log up
// to its commit index, as far as it still has that. Chosen is hidden.
//
// Deviation: a configuration change is an entry without a command. Logs that are folded away lack
// entries, so the bound compactions of Raft must be 0.
func OfRaft(s *raft.State, a *State) {
	if len(s.Snap) > 0 {
		panic("the bound compactions must be 0: an entry that is folded away is not known any more")
	}
	for i := range s.Log {
		for k := 1; k <= min(int(s.Commit[i]), s.Log[i].Len()); k++ {
			e := s.Log[i].At(k)
			a.Committed[i].Append(Entry{int8(e.Term), int8(e.Value)})
		}
	}
}
