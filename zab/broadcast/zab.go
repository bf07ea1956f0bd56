package broadcast

import "github.com/multigrain/multigrain/zab"

// OfZab maps a state of ZooKeeper to what its servers have delivered, and to the leaders that
// serve. A server has delivered its history up to the last transaction that it knows to be
// committed. Order and Longest are hidden.
func OfZab(s *zab.State, a *State) {
	for i := range s.History {
		for k := 1; k <= min(int(s.LastCommitted[i]), s.History[i].Len()); k++ {
			t := s.History[i].At(k)
			a.Delivered[i].Append(Txn{int8(t.Zxid.Epoch), int8(t.Zxid.Counter), int8(t.Value)})
		}
		if s.Status.Has(zab.Server(i)) && s.State[i] == zab.LEADING && s.ZabState[i] == zab.BROADCAST {
			a.Primaries.Add(int8(i))
		}
	}
}
