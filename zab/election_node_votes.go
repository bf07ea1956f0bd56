package zab

import (
	"math"
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Grain node-votes of Election. FLEHandleNotmsg, FLEWaitNewNotmsg and FLEWaitNewNotmsgEnd are
// those of the baseline. The actions here stand for its others, with what it leaves out of the
// threads around lookForLeader:
//
//   - Of what waits to be sent to a server a newer notification takes the place
//     (QuorumCnxManager.SEND_CAPACITY, QuorumCnxManager.java:109@3.8.0),
//     and what is sent is lost with its connection. So any of them may not be sent.
//   - The last notification is sent once more over a new connection (SendWorker.run,
//     QuorumCnxManager.java:1255@3.8.0), and each time that
//     nothing arrives for a while (lookForLeader, FastLeaderElection.java:930@3.8.0).
//   - The thread that receives answers with what it finds: the vote of before while an election
//     ends (QuorumPeer.java:1509@3.8.0), the one before the epoch that has begun (Leader.java:1553,
//     Learner.java:784), that of a leader or follower whose connection has ended, and the last
//     proposal of the election before once it looks again (FastLeaderElection.java:418).
//
// Not modelled: observers, ensembles that are reconfigured, more than 100 notifications that wait
// to be received.

// lane returns the lane of a kind: each port has connections of its own.
func lane(kind uint8) int {
	if NotificationKind(kind) >= NOTIFICATION {
		return 1
	}
	return 0
}

// NodeLooks is FLELookForLeader.
var NodeLooks = Action[One]{
	Name:   "NodeLooks",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLooking(p.I) && !s.InElection[p.I] && (LiveNode || s.LogicalClock[p.I] < MaxEpochs)
	},
	Effect: func(s, n *State, p One) {
		i := p.I
		n.settleEnd(i) // the vote shows it
		n.Voters[i].Ended = Ballot{Vote: s.CurrentVote[i], Round: s.LogicalClock[i]}
		if s.LogicalClock[i] == 0 { // QuorumPeer.startLeaderElection, 1214
			n.Voters[i].Ended = Ballot{Vote: n.selfVote(i), Round: -1}
		}
		n.Voters[i].Was, n.Beside[i].Reads = LOOKING, false
		n.Voters[i].Answered = 0
		n.InElection[i] = true
		n.lookForLeader(i)
	},
}

// NodeBringsUpLog brings a transaction of the log into memory before an election: see
// NodeBringsUpMemory.
var NodeBringsUpLog = Action[One]{
	Name:   "NodeBringsUpLog",
	Params: EachServer,
	Guard: func(s *State, p One) bool {
		return s.isLooking(p.I) && !s.InElection[p.I] && s.mayBringUp(p.I)
	},
	Effect: func(s, n *State, p One) { n.bringUp(p.I) },
}

// NodeTakesNotification is FLEReceiveNotmsg of a server that looks for a leader. What it answers in
// an election is its vote, which it may tell at any time.
//
// ZooKeeper: Messenger.WorkerReceiver.run, FastLeaderElection.java:408@3.8.0.
var NodeTakesNotification = Action[Pair]{
	Name:   "NodeTakesNotification",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return s.queues(p.I) && s.ElectionMsgs.Is(p.J, p.I, NOTIFICATION) },
	Effect: func(s, n *State, p Pair) {
		n.Voters[p.I].Was = LOOKING
		n.RecvQueue[p.I].Append(n.ElectionMsgs.Recv(p.J, p.I, NOTIFICATION))
	},
}

// queues reports whether i queues what it receives.
func (s *State) queues(i Server) bool {
	return s.State[i] == LOOKING && s.RecvQueue[i].Len() < MaxQueued
}

// Telling is a notification of server I to J.
type Telling struct {
	I, J Server
	As   Statement
}

// EachTelling is the domain of tellings.
func EachTelling(yield func(Telling) bool) {
	for p := range EachPair {
		for as := Before; as <= Silent; as++ {
			if !yield(Telling{p.I, p.J, as}) {
				return
			}
		}
	}
}

// NodeAnswersNotification is FLEReceiveNotmsg of a server that does not take part in an election,
// with its answer: silence where it has none, or where it is lost.
//
// ZooKeeper: Messenger.WorkerReceiver.run, FastLeaderElection.java:416-466@3.8.0.
var NodeAnswersNotification = Action[Telling]{
	Name:   "NodeAnswersNotification",
	Params: EachTelling,
	Guard: func(s *State, p Telling) bool {
		switch {
		case !s.ElectionMsgs.Is(p.J, p.I, NOTIFICATION):
			return false
		case p.As == Silent:
			return s.State[p.I] != LOOKING || s.Voters[p.I].Was != LOOKING
		case p.As == Again || !s.tells(p.I, p.As) || !s.mayTell(p.I, p.J):
			return false
		}
		m := s.ElectionMsgs.Peek(p.J, p.I, NOTIFICATION)
		return m.State == LOOKING && (p.As != Last || s.State[p.I] == LOOKING && s.queues(p.I) && m.Round < s.LogicalClock[p.I])
	},
	Effect: func(s, n *State, p Telling) {
		m := n.ElectionMsgs.Recv(p.J, p.I, NOTIFICATION)
		switch p.As {
		case Silent:
			return
		case Last:
			n.Voters[p.I].Was = LOOKING
			n.RecvQueue[p.I].Append(m)
		default:
			if s.State[p.I] != LOOKING {
				n.Voters[p.I].Settled = p.As
			}
			n.noteAnswered(p.I, p.J)
		}
		n.uses(p.I, p.J)
		n.tell(p.I, p.J, s.statement(p.I, p.As))
	},
}

// tells reports whether i, which does not take part in an election, may tell what a statement says.
func (s *State) tells(i Server, as Statement) bool {
	v := &s.Voters[i]
	switch {
	case s.InElection[i] || as == Silent:
		return false
	case as == Last:
		return s.LogicalClock[i] != 0
	case as == Again:
		return v.Round != 0 && v.Round != s.LogicalClock[i]
	case s.State[i] == LOOKING:
		return as == Elected && v.Was != LOOKING
	case as == Begun:
		return s.ZabState[i] == BROADCAST
	}
	return v.Settled <= as
}

// statement returns what i tells: getVote and QuorumPeer.getCurrentVote.
func (s *State) statement(i Server, as Statement) Notification {
	m := s.notification(i)
	v := &s.Voters[i]
	switch as {
	case Before:
		m.Vote, m.Round = v.Ended.Vote, v.Ended.Round
	case Begun:
		m.Vote.Epoch = s.AcceptedEpoch[i]
	case Last:
		m.Vote, m.State = v.Proposed, LOOKING
	case Again:
		m.Vote, m.State, m.Round = v.Proposed, LOOKING, v.Round
	}
	if as < Last && m.State == LOOKING {
		m.State = v.Was
	}
	return m
}

// mayTell reports whether a notification of i to j has room on its connection. Next to a server the
// network has.
func (s *State) mayTell(i, j Server) bool {
	return LiveNode || !s.ElectionMsgs.IsCut(i, j) && s.ElectionMsgs.Len(i, j) < MaxNotifications
}

// tell sends what i tells of itself to j.
func (n *State) tell(i, j Server, m Notification) {
	n.ElectionMsgs.Send(i, j, Notification{Kind: NOTIFICATION, Source: i, State: m.State, Round: m.Round, Vote: m.Vote})
}

// NodeTellsVote sends i's vote in an election to j: since it is new, in answer to somebody who is
// after, or since nothing has arrived for a while (FLENotmsgTimeout). How long that is is not
// known here, so that a server may repeat its vote at any time.
//
// ZooKeeper: FastLeaderElection.sendNotifications, FastLeaderElection.java:692@3.8.0.
var NodeTellsVote = Action[Pair]{
	Name:   "NodeTellsVote",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return s.State[p.I] == LOOKING && s.InElection[p.I] && s.mayTell(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) { n.tell(p.I, p.J, s.notification(p.I)) },
}

// NodeTellsAgain sends over a new connection what was sent last, or what has waited for a
// connection. That is the last answer. To a server that was not answered it is the last vote.
//
// ZooKeeper: QuorumCnxManager.SendWorker.run, QuorumCnxManager.java:1255-1285@3.8.0.
var NodeTellsAgain = Action[Telling]{
	Name:   "NodeTellsAgain",
	Params: EachTelling,
	Guard: func(s *State, p Telling) bool {
		v := &s.Voters[p.I]
		return v.Met[p.J] > 0 && s.tells(p.I, p.As) && s.mayTell(p.I, p.J) && (p.As < Last || !v.Answered.Has(p.J))
	},
	Effect: func(s, n *State, p Telling) {
		n.uses(p.I, p.J)
		if p.As < Last {
			n.noteAnswered(p.I, p.J)
			if s.State[p.I] != LOOKING {
				n.Voters[p.I].Settled = p.As
			}
		}
		n.tell(p.I, p.J, s.statement(p.I, p.As))
	},
}

// NodeMeets is an input: a connection to the election port of one of the two servers was made, over
// which both may send. It replaces the earlier one, whose last messages the server may not have
// read.
//
// ZooKeeper: QuorumCnxManager.handleConnection and initializeConnection, where SendWorker.finish
// closes the socket.
var NodeMeets = Action[Pair]{
	Name:   "NodeMeets",
	Params: EachPair,
	Guard: func(s *State, p Pair) bool {
		return LiveNode || s.Voters[p.I].Met[p.J] == 0 && !s.ElectionMsgs.IsCut(p.I, p.J)
	},
	Effect: func(s, n *State, p Pair) {
		if s.Voters[p.I].Met[p.J] < math.MaxUint8 {
			n.Voters[p.I].Met[p.J]++
		}
	},
}

// NodeParts is an input: what was received last came over a connection to the election port that
// has ended already, and may not have been read. Where all servers are explored, it is lost.
var NodeParts = Action[Pair]{
	Name:   "NodeParts",
	Params: EachPair,
	Guard:  func(s *State, p Pair) bool { return LiveNode || s.ElectionMsgs.Is(p.J, p.I, NOTIFICATION) },
	Effect: func(s, n *State, p Pair) {
		if !LiveNode {
			n.ElectionMsgs.Lose(p.J, p.I, n.ElectionMsgs.Len(p.J, p.I))
		}
	},
}

// uses says that something was sent to j over a connection that was made.
func (n *State) uses(i, j Server) {
	if n.Voters[i].Met[j] > 0 {
		n.Voters[i].Met[j]--
	}
}

// votersNote are rules on what a server tells of itself: once it has connected, and when its term
// ends.
var votersNote = []modules.Rule[State]{
	modules.After(&NodeConnects, func(s, n *State, p Pair) { n.Voters[p.I].Settled = Elected }),
	modules.After(&NodeProcessLEADERINFO, func(s, n *State, p Pair) { n.quit(s, p.I) }),
	modules.After(&NodeProcessCLOSED, func(s, n *State, p Pair) { n.quit(s, p.I) }),
	modules.After(&NodeTimesOut, func(s, n *State, p One) { n.quit(s, p.I) }),
	modules.After(&NodeGivesUp, func(s, n *State, p One) { n.quit(s, p.I) }),
	modules.After(&NodeRestarts, func(s, n *State, p Death) {
		n.forgetElection(p.I)
		n.InElection[p.I] = false
		n.LogicalClock[p.I], n.CurrentVote[p.I] = 0, Vote{}
		n.Voters[p.I] = Voter{}
	}),
}

// quit ends what i tells of itself as a leader or follower, if it looks for a leader again. Was is
// the state before.
func (n *State) quit(was *State, i Server) {
	if n.State[i] != LOOKING {
		return
	}
	if was.ZabState[i] == BROADCAST {
		n.CurrentVote[i].Epoch = was.AcceptedEpoch[i]
	}
	n.Voters[i].Was, n.Voters[i].Settled = was.State[i], Before
}

// electionLinks are the rules of the election port: a broken link, and the death of a process, end
// its connections.
var electionLinks = []modules.Rule[State]{
	modules.After(&LinkCut, func(s, n *State, p Pair) {
		n.ElectionMsgs.Cut(p.I, p.J)
		n.ElectionMsgs.Cut(p.J, p.I)
	}),
	modules.After(&PartitionRecover, func(s, n *State, p Pair) {
		n.ElectionMsgs.Mend(p.I, p.J)
		n.ElectionMsgs.Mend(p.J, p.I)
	}),
	modules.After(&NodeRestarts, func(s, n *State, p Death) {
		for k := range Server(Servers) {
			if !LiveNode && k != p.I && !n.ElectionMsgs.IsCut(k, p.I) {
				n.ElectionMsgs.Clear(k, p.I)
			}
		}
	}),
}

var electionNodeVotes = grains.Refine(grains.Grain[State]{
	Name:     "node-votes",
	Was:      []string{"one-sided-votes"},
	Doc:      nodeDoc + "Fast Leader Election with the threads around it.",
	Requires: []grains.Ref{{Module: "discovery", Grain: "node"}},
	Actions: Actions{&NodeLooks, &NodeBringsUpLog, &NodeTakesNotification, &NodeAnswersNotification, &FLEHandleNotmsg,
		&FLEWaitNewNotmsg, &FLEWaitNewNotmsgEnd, &NodeTellsVote, &NodeTellsAgain, &NodeMeets, &NodeParts},
	Rules:      slices.Concat(votersNote, electionLinks),
	Invariants: electionInvariants,
	Budgets:    []modules.Budget[State]{modules.Spend[State]("fle_timeouts", &NodeMeets, &NodeParts)},
}, electionBaseline)
