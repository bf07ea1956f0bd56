package published

import (
	"github.com/multigrain/multigrain/zab/published/internal/tla"
	"testing"
)

// TestMSpec2PropertiesCanFail: each property of MSPEC_2 holds after its first step, and fails where
// that state is spoilt in one place.
func TestMSpec2PropertiesCanFail(t *testing.T) {
	if asSystem {
		t.Skip("compiled for other sizes")
	}
	var start State
	Init(func(s State) bool {
		start = s
		return false
	})
	good := start
	SetInitState.Effect(&start, &good, None{})
	recordCommittedLog(&start, &good)
	l, f := Server(Servers-1), Server(0)
	other := tla.Txn{Zxid: tla.Zxid{Epoch: 1, Counter: 1}, Value: 99}
	bad := map[string]func(s, n *State){
		"leadership":        func(s, n *State) { n.EpochLeader[0].Add(f) },
		"prefixConsistency": func(s, n *State) { n.History[f].Put(1, other) },
		"integrity":         func(s, n *State) { n.ProposalMsgsLog.Clear() },
		"agreement": func(s, n *State) {
			n.State[l] = tla.FOLLOWING
			n.History[f].Put(1, other)
		},
		"totalOrder": func(s, n *State) {
			n.LastCommitted[l], n.LastCommitted[f] = 2, 2
			n.History[f].Clear()
			n.History[f].Append(n.History[l].At(2))
			n.History[f].Append(n.History[l].At(1))
		},
		"primaryOrder": func(s, n *State) {
			n.LastCommitted[l] = 2
			n.History[l].Put(1, tla.Txn{Zxid: tla.Zxid{Epoch: 2, Counter: 1}, Value: 1})
		},
		"monotonicRead":      func(s, n *State) { n.LastCommitted[l] = 0 },
		"processConsistency": func(s, n *State) { n.History[f].Put(1, other) },
		"leaderLogCompleteness": func(s, n *State) {
			n.ZabState[l], n.InitialHistory[l] = tla.SYNCHRONIZATION, 0
		},
		"committedLogDurability": func(s, n *State) { n.History[f].Clear() },
		"messageLegal":           func(s, n *State) { n.Msgs.Send(f, l, tla.Msg{Kind: tla.UPTODATE}) },
	}
	for k := range mspec2Properties {
		v := &mspec2Properties[k]
		holds := func(s, n *State) bool {
			switch {
			case v.State != nil:
				return v.State(n)
			case v.Step != nil:
				return v.Step(s, n)
			}
			return committedLogDurability(s, n, Pair{I: f, J: l})
		}
		if n := good; !holds(&good, &n) {
			t.Errorf("%s fails where it holds", v.ID)
		}
		spoil, ok := bad[v.ID]
		if !ok {
			t.Errorf("%s has no state in which it fails", v.ID)
			continue
		}
		s, n := good, good
		spoil(&s, &n)
		if holds(&s, &n) {
			t.Errorf("%s holds in its bad state", v.ID)
		}
	}
}
