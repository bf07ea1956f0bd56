package zab

import "testing"

// txn returns a transaction of an epoch whose value tells it from others.
func txn(epoch, counter Number) Txn {
	return Txn{Zxid: Zxid{epoch, counter}, Value: 10*epoch + counter}
}

func history(ts ...Txn) (h History) {
	for _, t := range ts {
		h.Append(t)
	}
	return h
}

// initial returns the only initial state.
func initial() (s State) {
	Init(func(x State) bool {
		s = x
		return false
	})
	return s
}

// take takes a step, which must be enabled.
func take[P any](t *testing.T, a *Action[P], s *State, p P) {
	t.Helper()
	if a.Guard != nil && !a.Guard(s, p) {
		t.Fatalf("%s%+v is not enabled", a.Name, p)
	}
	n := *s
	a.Effect(s, &n, p)
	*s = n
}

// synchronizing returns a state in which server 2 leads epoch 2 with all others, and none is
// synchronised yet. Histories are those given, by server; all have accepted epoch 1.
func synchronizing(t *testing.T, hs ...History) State {
	t.Helper()
	s := initial()
	for i, h := range hs {
		s.History[i] = h
		s.LastProcessed[i] = Number(h.Len())
		s.AcceptedEpoch[i], s.CurrentEpoch[i] = 1, 1
	}
	s.CurrentEpoch[2] = 2 // whatever its history
	s.AcceptedEpoch[2] = 2
	take(t, &ElectionAndDiscovery, &s, Party{I: 2, S: Everyone})
	return s
}

// serving returns a state in which server 2 leads epoch 1 in Broadcast, with follower 0, and
// follower 1 has still to be synchronised.
func serving(t *testing.T) State {
	t.Helper()
	s := initial()
	take(t, &ElectionAndDiscovery, &s, Party{I: 2, S: Everyone})
	take(t, &LeaderSyncFollower, &s, Pair{I: 2, J: 0})
	take(t, &FollowerProcessSyncMessage, &s, Pair{I: 0, J: 2})
	take(t, &FollowerProcessNEWLEADER, &s, Pair{I: 0, J: 2})
	take(t, &LeaderProcessACKLD, &s, Pair{I: 2, J: 0})
	take(t, &FollowerProcessUPTODATE, &s, Pair{I: 0, J: 2})
	return s
}

// kinds returns the kinds of the messages in flight from i to j.
func (s *State) kinds(i, j Server) (ks []Kind) {
	for k := 1; k <= s.Msgs.Len(i, j); k++ {
		ks = append(ks, s.Msgs.At(i, j, k).Kind)
	}
	return ks
}
