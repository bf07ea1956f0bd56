package zab

import "github.com/multigrain/multigrain/modules"

// Runtime declares how Zab runs next to a server: as the grains node, of Election node or
// node-votes. configs/zab/node.hcl and configs/zab/node-election.hcl explore them with all
// servers.
//
// Clients' ports are not tapped: the tap tells of a request when the leader proposes it first.
var Runtime = modules.Runtime[State]{
	Remains: remains,
	Inputs: []modules.Input[State]{{Action: &LeaderProcessRequest, Sets: []string{
		"ClientRequest", "Status", "EpochLeader", "EpochHistory", "Established", "ProposalMsgsLog", "CommittedLog",
	}}, {Action: &NodeMeets, Network: "ElectionMsgs", Ends: true}, {Action: &NodeParts, Network: "ElectionMsgs", Ends: true}},
	Lane:      lane,
	Lanes:     2,
	Lossy:     func(kind uint8) bool { return lane(kind) == 1 },
	Restart:   &NodeRestarts,
	Elected:   elected,
	Committed: func(s *State, i int) uint64 { return s.settledLen(Server(i)) },
	Timeouts:  []modules.AnyAction[State]{&NodeFollows, &NodeTimesOut},
	Eager: []modules.AnyAction[State]{&FollowerProcessPROPOSALAsync, &FollowerHoldBackPROPOSAL, &FollowerProcessCOMMITAsync,
		&FollowerProcessCOMMITInSync, &NodeProcessNextACK, &NodeMeets},
	Hidden: []modules.AnyAction[State]{&LeftSyncProcessorLogRequest},
	Lazy:   []modules.AnyAction[State]{&NodeSendsOpening, &NodeSendsSNAP, &NodeSendsProposal, &NodeSendsCommit, &NodeSendsNEWLEADER},
	Says:   says,
	Gates:  []modules.Gate[State]{{Action: &NodeDecidesSync, Open: awaitsSync}, {Action: &NodeSendsSNAP, Open: awaitsSync}},
	// What a server votes for means nothing to what a crash leaves: an election ends in any way, by
	// the steps of grain node of Election.
	BeforeCrash: modules.Coarsening[State]{
		Of: Actions{&NodeLooks, &NodeBringsUpLog, &NodeBringsUpMemory, &NodeTakesNotification, &NodeAnswersNotification, &FLEHandleNotmsg,
			&FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd},
		Actions: Actions{&NodeLeads, &NodeFollows},
	},
	AfterCrash: modules.Openness[State]{
		Of:     Actions{&FollowerSyncProcessorLogRequest, &LeftSyncProcessorLogRequest, &NodeBringsUpMemory, &NodeBringsUpLog},
		More:   moreOfOpenEnd,
		Settle: settleOpenEnd,
	},
	Own: Actions{&NodeProcessCLOSED, &NodeTimesOut, &NodeIsUnheard, &NodeProcessLearnerCLOSED, &NodeDropsLearner, &NodeGivesUp, &NodeTakesUnseenRequest},
}

// says reports whether the next message from server i to peer can be of a kind. A follower that is
// no longer heard can only end the connection. One that has chosen what it answers to LEADERINFO
// answers. A server that looks for a leader begins a connection.
func says(s *State, i, peer int, kind uint8) bool {
	switch {
	case lane(kind) == 1:
		return true
	case s.State[i] == LOOKING:
		return Kind(kind) == FOLLOWERINFO || Kind(kind) == LEADERINFO || Kind(kind) == CLOSED
	case s.answers(Server(i)):
		return Kind(kind) == ACKEPOCH || int(s.LeaderAddr[i]) != peer
	case s.Beside[i].Unheard && int(s.LeaderAddr[i]) == peer:
		return Kind(kind) == CLOSED
	}
	return true
}

// awaitsSync reports whether leader i has not begun to synchronise learner j.
func awaitsSync(s *State, i, j int) bool { return s.mayDecide(Server(i), Server(j), 0) }

// elected returns the epoch in which i serves, counted from 1, and 0 while it does not serve. So an
// election ends with Synchronization.
func elected(s *State, i int) uint64 {
	if s.ZabState[i] != BROADCAST {
		return 0
	}
	return uint64(s.CurrentEpoch[i]) + 1
}

// settledLen returns the length of the part of i's history that is committed, as far as i knows; 0
// where it does not serve.
func (s *State) settledLen(i Server) uint64 {
	switch {
	case s.ZabState[i] != BROADCAST:
		return 0
	case s.State[i] == LEADING:
		return uint64(s.LastCommitted[i])
	}
	return uint64(max(s.History[i].Len()-s.PendingTxns[i].Len(), 0))
}
