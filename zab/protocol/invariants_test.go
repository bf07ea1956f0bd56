package protocol

import (
	"testing"

	"github.com/multigrain/multigrain/modules"
)

// A badState breaks one invariant by hand. Where only some invariants must see it, others may too.
type badState struct {
	name   string
	breaks string // Name of the invariant; "" for a state that breaks none
	change func(s *State)
}

var (
	a1 = Txn{Zxid: Zxid{1, 1}, Value: 0}
	b1 = Txn{Zxid: Zxid{1, 2}, Value: 1}
	a2 = Txn{Zxid: Zxid{2, 1}, Value: 2}

	other Server = 1 // no constant, so that the tests compile for a single server
)

// deliver gives i a history that it has delivered.
func (s *State) deliver(i Server, txns ...Txn) {
	s.History[i] = history(txns...)
	s.LastCommitted[i] = Position{Index: uint8(len(txns)), Zxid: lastZxid(&s.History[i])}
}

// propose has source broadcast transactions as the primary of epoch e.
func (s *State) propose(source Server, e uint8, txns ...Txn) {
	s.EpochLeader[e].Add(source)
	for _, t := range txns {
		s.ProposalMsgsLog.Add(Proposal{Source: source, Epoch: e, Zxid: t.Zxid, Value: t.Value})
	}
}

// accept has servers accept NEWLEADER of epoch e.
func (s *State) accept(e uint8, who Set) { s.NewLeaderAcks[e] = who }

var badStates = []badState{
	{"nothing", "", func(*State) {}},
	{"what was broadcast is delivered", "", func(s *State) {
		s.propose(0, 1, a1, b1)
		s.deliver(0, a1, b1)
		s.deliver(1, a1)
	}},
	{"two primaries of an epoch", "I-1", func(s *State) { s.propose(0, 1); s.propose(1, 1) }},
	{"delivered and never broadcast", "I-2", func(s *State) { s.deliver(0, a1) }},
	{"delivered with another value", "I-2", func(s *State) {
		s.propose(1, 1, Txn{Zxid: a1.Zxid, Value: 7})
		s.deliver(0, a1)
	}},
	{"each delivers its own", "I-3", func(s *State) {
		s.propose(0, 1, a1)
		s.propose(1, 2, a2)
		s.deliver(0, a1)
		s.deliver(1, a2)
	}},
	{"the second without the first", "I-4", func(s *State) {
		s.propose(0, 1, a1, b1)
		s.deliver(0, a1, b1)
		s.deliver(1, b1)
	}},
	{"the other way round", "I-4", func(s *State) {
		s.propose(0, 1, a1, b1)
		s.deliver(0, a1, b1)
		s.deliver(1, b1, a1)
	}},
	{"a primary's second without its first", "I-5", func(s *State) {
		s.propose(0, 1, a1, b1)
		s.deliver(1, b1)
	}},
	{"a primary's transactions the other way round", "I-5", func(s *State) {
		s.propose(0, 1, a1, b1)
		s.deliver(1, b1, a1)
	}},
	{"a later epoch first", "I-6", func(s *State) {
		s.propose(0, 1, a1)
		s.propose(0, 2, a2)
		s.deliver(1, a2, a1)
	}},
	{"a primary without what was delivered before it", "I-7", func(s *State) {
		s.propose(0, 1, a1)
		s.deliver(0, a1)
		s.State[other], s.ZabState[other], s.CurrentEpoch[other] = LEADING, BROADCAST, 2
	}},
	{"an established initial history is lost", "I-8", func(s *State) {
		s.propose(0, 1)
		s.propose(0, 2, a1)
		s.propose(1, 3)
		s.accept(2, Set(1<<Servers-1))
	}},
	{"the initial history of an epoch that is not established", "", func(s *State) {
		s.propose(0, 1)
		s.propose(0, 2, a1)
		s.propose(1, 3)
		s.accept(2, modules.SetOf[Server](0))
	}},
	{"in Broadcast without the initial history", "I-9", func(s *State) {
		s.propose(0, 2, a1)
		s.History[other] = history(a1)
		s.ZabState[other], s.CurrentEpoch[other] = BROADCAST, 2
	}},
	{"histories of an epoch that differ", "I-10", func(s *State) {
		s.History[0], s.CurrentEpoch[0] = history(a1), 2
		s.History[other], s.CurrentEpoch[other] = history(a2), 2
	}},
	{"between the halves of f.2.1", "", func(s *State) {
		s.History[0], s.CurrentEpoch[0] = history(a1), 2
		s.History[other], s.CurrentEpoch[other] = history(a2), 2
		s.Halfway.Add(0)
	}},
	{"the history of a newer epoch", "", func(s *State) {
		s.History[0], s.CurrentEpoch[0] = history(a1), 1
		s.History[other], s.CurrentEpoch[other] = history(a2), 1
	}},
	{"acknowledgements do not count", "", func(s *State) {
		with := a1
		with.AckSid.Add(1)
		s.History[0], s.History[other] = history(a1), history(with)
	}},
	{"a message to a server that looks for a leader", "ShouldNotBeTriggered.messageIllegal", func(s *State) {
		s.Msgs.Send(1, 0, Msg{Kind: CEPOCH})
	}},
	{"a follower's message to a follower", "ShouldNotBeTriggered.messageIllegal", func(s *State) {
		s.State[0], s.ConnectInfo[0] = FOLLOWING, 1
		s.Msgs.Send(1, 0, Msg{Kind: ACK})
	}},
}

// TestInvariantsCanFail finds, for each protocol invariant, states that break it, and that the
// others are kept.
func TestInvariantsCanFail(t *testing.T) {
	t.Parallel()
	invs := append([]modules.Invariant[State]{}, System.Invariants...)
	for _, g := range System.Grains {
		invs = append(invs, g.Invariants...)
	}
	broken := map[string]bool{}
	for _, c := range badStates {
		s := initial()
		c.change(&s)
		seen := false
		for k := range invs {
			v := &invs[k]
			if v.State == nil || v.State(&s) {
				continue
			}
			broken[v.Name()] = true
			seen = seen || v.Name() == c.breaks
			if c.breaks == "" {
				t.Errorf("%s: breaks %s", c.name, v.Name())
			}
		}
		if c.breaks != "" && !seen {
			t.Errorf("%s: keeps %s", c.name, c.breaks)
		}
	}
	for k := range invs {
		if v := &invs[k]; v.State != nil && !broken[v.Name()] {
			t.Errorf("no state breaks %s", v.Name())
		}
	}
}

// TestAssertionsCanBeRaised makes each assertion happen.
func TestAssertionsCanBeRaised(t *testing.T) {
	t.Parallel()
	pair := Pair{I: 0, J: 1}
	// meets is server 0 in a state and a phase, connected to 1, with m before it.
	meets := func(role ServerState, phase ZabState, m Msg, change func(s *State)) (s State) {
		s = initial()
		s.State[0], s.ZabState[0] = role, phase
		s.ConnectInfo[0] = 1
		s.Learners[0] = modules.SetOf[Server](0, 1)
		s.CepochRecv[0].Put(0, Cepoch{})
		s.AckeRecv[0].Put(0, Ackepoch{})
		s.AckldRecv[0].Sids.Add(0)
		if change != nil {
			change(&s)
		}
		s.Msgs.Send(1, 0, m)
		return s
	}
	for _, c := range []struct {
		name  string
		on    *Action[Pair]
		given State
		want  Assertion
	}{
		{"CEPOCH behind Discovery", &LeaderProcessCEPOCH, meets(LEADING, SYNCHRONIZATION, Msg{Kind: CEPOCH}, nil), StateInconsistent},
		{"NEWEPOCH behind Discovery", &FollowerProcessNEWEPOCH, meets(FOLLOWING, BROADCAST, Msg{Kind: NEWEPOCH}, nil), StateInconsistent},
		{"ACKEPOCH behind Discovery", &LeaderProcessACKEPOCH, meets(LEADING, BROADCAST, Msg{Kind: ACKEPOCH}, nil), StateInconsistent},
		{"NEWLEADER before Synchronization", &FollowerProcessNEWLEADER, meets(FOLLOWING, DISCOVERY, Msg{Kind: NEWLEADER}, nil), StateInconsistent},
		{"first half before Synchronization", &FollowerUpdateHistory, meets(FOLLOWING, DISCOVERY, Msg{Kind: NEWLEADER}, nil), StateInconsistent},
		{"ACKLD before Synchronization", &LeaderProcessACKLD, meets(LEADING, DISCOVERY, Msg{Kind: ACKLD}, nil), StateInconsistent},
		{"ACKLD of an established epoch before Broadcast", &LeaderProcessACKLD,
			meets(LEADING, SYNCHRONIZATION, Msg{Kind: ACKLD}, func(s *State) { s.AckldRecv[0].Sids = Set(1<<Servers - 1) }), StateInconsistent},
		{"COMMITLD of an unknown transaction", &FollowerProcessCOMMITLD,
			meets(FOLLOWING, SYNCHRONIZATION, Msg{Kind: COMMITLD, Zxid: a1.Zxid}, nil), ProposalInconsistent},
		{"PROPOSE with a gap", &FollowerProcessPROPOSE, meets(FOLLOWING, BROADCAST, Msg{Kind: PROPOSE, Zxid: b1.Zxid}, nil), ProposalInconsistent},
		{"COMMIT of another transaction", &FollowerProcessCOMMIT,
			meets(FOLLOWING, BROADCAST, Msg{Kind: COMMIT, Zxid: b1.Zxid}, func(s *State) { s.History[0] = history(a1) }), CommitInconsistent},
		{"a commit that is not the next", &LeaderProcessACK,
			meets(LEADING, BROADCAST, Msg{Kind: ACK, Zxid: a1.Zxid}, func(s *State) {
				t := a1
				t.AckSid = Set(1<<Servers - 1).Without(1)
				s.History[0] = history(t, b1)
				s.LastCommitted[0].Index = 1
			}), CommitInconsistent},
		{"ACK of an unknown transaction", &LeaderProcessACK, meets(LEADING, BROADCAST, Msg{Kind: ACK, Zxid: a1.Zxid}, nil), AckInconsistent},
		{"ACK again", &LeaderProcessACK, meets(LEADING, BROADCAST, Msg{Kind: ACK, Zxid: a1.Zxid}, func(s *State) {
			t := a1
			t.AckSid.Add(1)
			s.History[0] = history(t)
		}), AckInconsistent},
	} {
		s := c.given
		n := s
		if !c.on.Guard(&s, pair) {
			t.Errorf("%s: not enabled", c.name)
			continue
		}
		if c.on.Effect(&s, &n, pair); !n.Raised.Has(c.want) {
			t.Errorf("%s: assertion %d is not raised", c.name, c.want)
		}
	}
}
