package zab

import (
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// delivering is broadcasting where all have logged and committed both transactions, and the ghosts
// say so.
func delivering(t *testing.T) State {
	t.Helper()
	s := broadcasting(t)
	s.EpochLeader[0] = Set(0).With(2)
	s.Established[0] = true
	for i := range Server(Servers) {
		s.History[i] = s.History[2]
		s.LastCommitted[i] = 2
	}
	s.ProposalMsgsLog.Add(s.History[2].At(1))
	s.ProposalMsgsLog.Add(s.History[2].At(2))
	s.CommittedLog = s.History[2]
	return s
}

// TestInvariantsCanFail: each protocol invariant holds in a state in which all have delivered the
// same, and fails in a state that breaks it in one place.
func TestInvariantsCanFail(t *testing.T) {
	t.Parallel()
	other := Txn{Zxid{1, 2}, 99}
	bad := map[string][]func(s *State){
		"I-1": {
			func(s *State) { s.EpochLeader[0].Add(0) },
			func(s *State) { s.State[0] = LEADING },
		},
		"I-2": {
			func(s *State) { s.ProposalMsgsLog.Remove(s.History[2].At(2)) },
			func(s *State) { s.ProposalMsgsLog.Clear(); s.LastCommitted = [Servers]Number{} },
		},
		"I-3": {
			func(s *State) { s.History[0].Put(2, other) },
			func(s *State) { s.CommittedLog.Put(2, other) },
		},
		"I-4": {
			func(s *State) { s.History[0] = history(s.History[2].At(2), s.History[2].At(1)) },
			func(s *State) { s.CommittedLog = history(s.History[2].At(2)) },
		},
		"I-5": {
			func(s *State) { s.History[0] = history(s.History[2].At(2)); s.LastCommitted[0] = 1 },
			func(s *State) { s.CommittedLog = history(s.History[2].At(2), s.History[2].At(1)) },
		},
		"I-6": {
			func(s *State) { s.History[0] = history(txn(2, 1), txn(1, 1)) },
			func(s *State) { s.CommittedLog = history(txn(2, 1), txn(1, 1)) },
		},
		"I-7": {
			func(s *State) {
				s.Established[1] = true
				s.EpochHistory[1] = history(s.History[2].At(1))
				s.ProposalMsgsLog.Clear()
				s.ProposalMsgsLog.Add(txn(2, 1))
			},
		},
		"I-8": {
			func(s *State) { // the initial history of an established epoch is lost
				s.EpochHistory[0] = history(s.History[2].At(1))
				s.CommittedLog.Clear()
				s.EpochLeader[1].Add(0)
			},
			func(s *State) { s.EpochLeader[1].Add(0) }, // what was delivered is lost
			func(s *State) { // of two established epochs
				s.EpochHistory[0] = history(s.History[2].At(1))
				s.EpochHistory[1] = history(s.History[2].At(2))
				s.EpochHistory[2] = s.EpochHistory[1]
				s.CommittedLog.Clear()
				s.Established[1], s.EpochLeader[1], s.EpochLeader[2] = true, 1, 1
			},
		},
		"I-9": {
			func(s *State) { s.EpochHistory[0] = history(s.History[2].At(1)); s.LastCommitted[0] = 0 },
			func(s *State) { s.EpochHistory[0] = history(other) },
		},
		"I-10": {
			func(s *State) { s.History[0].Put(2, other) },
			func(s *State) { s.History[1] = history(s.History[2].At(2)) },
		},
	}
	good := delivering(t)
	for k := range protocolInvariants {
		v := &protocolInvariants[k]
		if !v.State(&good) {
			t.Errorf("%s fails where it holds", v.ID)
		}
		if len(bad[v.ID]) == 0 {
			t.Errorf("%s has no state in which it fails", v.ID)
		}
		for x, spoil := range bad[v.ID] {
			s := good
			spoil(&s)
			if v.State(&s) {
				t.Errorf("%s holds in bad state %d", v.ID, x+1)
			}
		}
	}
}

// TestGhosts: deliveries are remembered over a restart, epochs that fail leave nothing.
func TestGhosts(t *testing.T) {
	t.Parallel()
	s := broadcasting(t)
	s.LastCommitted[2] = 2
	s.recordDeliveries(2)
	s.LastCommitted[0], s.History[0] = 1, history(txn(1, 9))
	s.recordDeliveries(0)
	if s.CommittedLog != s.History[2] {
		t.Errorf("delivered is %v", s.CommittedLog)
	}
	s.Established = [MaxEpochs]bool{}
	s.EpochHistory[0] = s.History[2]
	s.State[2], s.AcceptedEpoch[0] = LOOKING, 2 // nobody leads epoch 1
	s.recordEpoch(0)
	if !s.EpochHistory[0].Empty() || s.EpochHistory[1] != s.History[0] {
		t.Errorf("epochs began with %v", s.EpochHistory)
	}
}

// TestAssertionsAreForbidden: every assertion that is not for running next to a server is forbidden
// by one invariant, and no two by the same name.
func TestAssertionsAreForbidden(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	forbidden := uint32(0)
	for _, g := range System.Grains {
		for _, v := range g.Invariants {
			if v.Raises == 0 {
				continue
			}
			if names[g.Name+g.Covers[0]+v.Name()] {
				t.Errorf("%s is offered twice by grain %s of %s", v.Name(), g.Name, g.Covers[0])
			}
			names[g.Name+g.Covers[0]+v.Name()] = true
			forbidden |= v.Raises
		}
	}
	for a := SyncInOtherPhase; a <= InfoInOtherPhase; a++ {
		if a != ValueUnknown && forbidden&modules.Bit(a) == 0 {
			t.Errorf("assertion %d is not forbidden by any invariant", a)
		}
	}
}

// TestLateEpoch: an epoch whose leader has not yet noticed that its followers have left can still
// be established after the next election. So the history with which it began is kept for I-7.
func TestLateEpoch(t *testing.T) {
	t.Parallel()
	s := synchronizing(t, history(txn(1, 1)), history(txn(1, 1)), history(txn(1, 1)))
	epoch := s.AcceptedEpoch[2]
	s.recordEpoch(2)
	s.State[0], s.AcceptedEpoch[0] = LEADING, epoch+1
	s.recordEpoch(0)
	if s.EpochHistory[epoch-1].Len() != 1 {
		t.Error("the history of an epoch that is led is forgotten")
	}
	s.State[2] = LOOKING
	s.recordEpoch(0)
	if s.EpochHistory[epoch-1].Len() != 0 {
		t.Error("the history of an epoch that nobody leads is kept")
	}
}
