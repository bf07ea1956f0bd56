package zab

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Discovery at a coarser grain than its baseline, for Election under test: a follower connects, and
// it and its leader find their epoch in one step more. Both are sequences of the baseline's steps,
// so none of its behaviours is false; what it leaves out are faults between the messages of the
// second.

// DiscoverEpoch lets leader p.I hear of follower p.J. All that waited for it continues: a leader
// that now hears from a quorum chooses an epoch and its followers accept it. With a quorum of these
// the leader begins Synchronization. A server that is ahead of the other gives up, as in the
// baseline.
//
// It stands for LeaderProcessFOLLOWERINFO, FollowerProcessLEADERINFO and LeaderProcessACKEPOCH.
// Paper: Zab phase 1.
var DiscoverEpoch = Action[Pair]{
	Name:   "DiscoverEpoch",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.leads(p.I, p.J) && s.Msgs.Is(p.J, p.I, FOLLOWERINFO)
	},
	Effect: func(s, n *State, p Pair) {
		n.takeFOLLOWERINFO(p.I, p.J)
		for n.takeInDiscovery(p.I) {
		}
	},
}

// takeInDiscovery takes the next step between leader i and its learners once it has heard of them.
// It reports whether there was one.
func (n *State) takeInDiscovery(i Server) bool {
	for k := range Server(Servers) {
		switch {
		case n.Msgs.Is(i, k, LEADERINFO):
			n.acceptLEADERINFO(k, i)
			return true
		case n.Msgs.Is(k, i, ACKEPOCH):
			n.takeACKEPOCH(i, k)
			return true
		}
	}
	return false
}

var (
	// boundDiscovery keeps to the bound of epochs, as boundEpochs does.
	boundDiscovery = modules.When(&DiscoverEpoch, func(s *State, p Pair) bool {
		epoch := max(s.TempMaxEpoch[p.I], s.Msgs.Peek(p.J, p.I, FOLLOWERINFO).Zxid.Epoch+1)
		return !s.waitingForNewEpoch(p.I) || epoch <= MaxEpochs
	})

	// recordDiscovered is the ghost variables' rule, as LeaderProcessACKEPOCH has one.
	recordDiscovered = modules.After(&DiscoverEpoch, func(s, n *State, p Pair) {
		if s.ZabState[p.I] == DISCOVERY && n.ZabState[p.I] == SYNCHRONIZATION {
			n.recordEpoch(p.I)
		}
	})
)

var discoveryCoarse = grains.Coarsen(grains.Grain[State]{
	Node:       nodeDiscovery,
	Name:       "coarse",
	Doc:        "A follower connects, and learns the epoch in one step. For Election under test.",
	Actions:    Actions{&ConnectAndFollowerSendFOLLOWERINFO, &DiscoverEpoch},
	Rules:      []modules.Rule[State]{forgetConnecting, boundDiscovery, recordDiscovered},
	Invariants: phaseAssertions,
}, discoveryBaseline)
