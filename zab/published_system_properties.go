package zab

import "github.com/multigrain/multigrain/modules"

// systemProperties are the properties of the published system specification. Of CheckDuringAction these are messageIllegal and what
// only it can break; the others are I-11 to I-14 and phase. LocalPrimaryOrder is true of every state as published: it is
// satisfied by a transaction paired with itself.
var systemProperties = []modules.Invariant[State]{
	{ID: "leadership", Doc: "There is at most one leader for each epoch.", State: oneLeaderPerEpoch},
	{ID: "prefixConsistency", Doc: "What two processes have committed is the same as far as both go.", State: prefixConsistency},
	{ID: "integrity", Doc: "What a follower has committed was broadcast.", State: systemIntegrity},
	{ID: "agreement", Doc: "Of two transactions that two followers have committed, one of them has committed both.",
		State: publishedAgreement},
	{ID: "totalOrder", Doc: "All processes commit in the same order, without gaps.", State: publishedTotalOrder},
	{ID: "primaryOrder", Doc: "Transactions of earlier epochs are committed first.", State: publishedPrimaryOrder},
	{ID: "primaryIntegrity", Doc: "A serving leader has committed what its followers have committed of earlier epochs.",
		State: systemPrimaryIntegrity},
	{ID: "messageLegal", Doc: "No message reaches a server that has no use for it.", Raises: modules.Bit(MessageUnexpected)},
	{ID: "snapshotOrder", Doc: "A snapshot holds all that the one before held.", Raises: modules.Bit(SnapshotAhead)},
}

// phaseAssertions are the checks that the published system specification makes during Discovery. ZooKeeper's code makes none.
var phaseAssertions = []modules.Invariant[State]{
	{ID: "phase", Instance: "leader", Raises: modules.Bit(FollowersInOtherPhase),
		Doc: "A leader that waits for FOLLOWERINFO or ACKEPOCH is in Discovery."},
	{ID: "phase", Instance: "follower", Raises: modules.Bit(InfoInOtherPhase),
		Doc: "A follower that receives LEADERINFO is in Discovery."},
}

func systemIntegrity(s *State) bool {
	for i := range Server(Servers) {
		for k := 1; k <= s.delivered(i) && s.State[i] == FOLLOWING; k++ {
			if !s.wasProposed(s.History[i].At(k)) {
				return false
			}
		}
	}
	return true
}

func systemPrimaryIntegrity(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			serves := s.leads(i, j) && s.follows(j, i) && s.ZabState[i] == BROADCAST && s.ZabState[j] == BROADCAST
			for k := 1; k <= s.delivered(j) && serves; k++ {
				t := s.History[j].At(k)
				if t.Zxid.Epoch < s.CurrentEpoch[i] && s.deliveryOf(i, t) == 0 {
					return false
				}
			}
		}
	}
	return true
}
