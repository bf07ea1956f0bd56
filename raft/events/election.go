package events

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is an acting server.
type One struct{ I Server }

func each(yield func(One) bool) {
	for i := range Server(Servers) {
		if !yield(One{i}) {
			return
		}
	}
}

// begun reports whether i is up. A server begins with the first event that does not belong to its
// set-up.
func (s *State) begun(i Server) bool { return i >= 0 && i < Servers && !s.Restarting.Has(i) }

// idle reports whether i has done all that its last message and proposal ask for.
func (s *State) idle(i Server) bool { return s.Await[i] == Nothing && s.Appending[i] == 0 }

func (s *State) votes(i, j Server) bool { return (s.Voters[i] | s.Outgoing[i]).Has(j) }

func (s *State) tracks(i, j Server) bool {
	return (s.Voters[i] | s.Outgoing[i] | s.Learners[i]).Has(j)
}

// mayTrack reports whether j is in i's configuration, or may be a learner that no event has stated.
func (s *State) mayTrack(i, j Server) bool {
	return s.tracks(i, j) || s.Unstated[i].Has(j)
}

// shows notes that j is a learner of i, where no event has stated that and i sends it a message.
func (n *State) shows(i, j Server) {
	if n.Unstated[i].Has(j) {
		n.Learners[i], n.Unstated[i] = n.Learners[i].With(j), n.Unstated[i].Without(j)
	}
}

func (s *State) isQuorum(i Server, set Set) bool {
	return set.majorityOf(s.Voters[i]) && (s.Outgoing[i] == 0 || set.majorityOf(s.Outgoing[i]))
}

// reset begins every change of role. raft.go reset.
func (n *State) reset(i Server, term uint16) {
	if n.Term[i] != term {
		n.Term[i], n.Vote[i] = term, None
	}
	n.Lead[i] = None
	n.Granted[i], n.Rejected[i] = 0, 0
	n.Match[i] = [Servers]uint16{}
	n.Pending[i] = 0
}

// Campaign makes i a candidate of the next term. TLA+: Timeout. Code: raft.go becomeCandidate.
var Campaign = Action[One]{
	Name:   "Campaign",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.begun(p.I) && s.idle(p.I) && s.Role[p.I] != Leader && s.votes(p.I, p.I) && s.Term[p.I] < MaxTerm
	},
	Effect: func(s, n *State, p One) {
		n.Begun = n.Begun.With(p.I)
		n.reset(p.I, s.Term[p.I]+1)
		n.Vote[p.I] = p.I
		n.Role[p.I] = Candidate
	},
}

// PreCampaign makes i ask whether it would get votes. It is not logged. Code: raft.go
// becomePreCandidate.
var PreCampaign = Action[One]{
	Name:   "PreCampaign",
	Params: each,
	Guard: func(s *State, p One) bool {
		return PreVote && s.begun(p.I) && s.idle(p.I) && (s.Role[p.I] == Follower || s.Role[p.I] == Candidate) && s.votes(p.I, p.I)
	},
	Effect: func(s, n *State, p One) {
		n.Role[p.I] = PreCandidate
		n.Lead[p.I] = None
		n.Granted[p.I], n.Rejected[p.I] = 0, 0
	},
}

// SendVoteRequest asks a voter for its vote. TLA+: RequestVote. Code: raft.go campaign.
var SendVoteRequest = Action[Mail]{
	Name:   "SendVoteRequest",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.begun(p.I) && s.Role[p.I] == Candidate && p.I != p.J && s.votes(p.I, p.J) && p.Kind == MsgVote && p.Term == s.Term[p.I] &&
			p.Index == s.Log[p.I].Index && p.LogTerm == s.Log[p.I].Term && p.bare(true, true, false, false, false)
	},
	Effect: func(s, n *State, p Mail) { n.send(p, 0) },
}

// SendOwnVote is the vote of a candidate for itself. TLA+: RequestVote. Code: raft.go campaign.
var SendOwnVote = Action[Mail]{
	Name:   "SendOwnVote",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.begun(p.I) && p.I == p.J && s.Role[p.I] == Candidate && p.Kind == MsgVoteResp && p.Term == s.Term[p.I] &&
			p.bare(false, false, false, false, false)
	},
	Effect: func(s, n *State, p Mail) { n.send(p, 0) },
}

// ReceiveVoteRequest takes a MsgVote. TLA+: Receive. Code: raft.go Step.
var ReceiveVoteRequest = Action[Mail]{
	Name:   "ReceiveVoteRequest",
	Params: observed[Mail],
	Guard:  func(s *State, p Mail) bool { return s.receives(p) && p.Kind == MsgVote },
	Effect: func(s, n *State, p Mail) { n.receive(p) },
}

// receives reports whether a message like p can be received.
func (s *State) receives(p Mail) bool {
	return s.begun(p.I) && s.idle(p.I) && s.onWire(p) >= 0
}

// receive takes a message like p and notes what it must lead to.
func (n *State) receive(p Mail) {
	n.Begun = n.Begun.With(p.I)
	k := n.onWire(p)
	n.Handling[p.I] = n.Wire[k]
	n.Handling[p.I].Sent = 0
	if !Duplicates {
		n.take(k)
	}
	n.settle(p.I)
}

// settle finds what the message that i handles must lead to now. raft.go Step, stepLeader,
// stepCandidate, stepFollower.
func (n *State) settle(i Server) {
	m := &n.Handling[i]
	n.Await[i] = Nothing
	candidate := n.Role[i] == Candidate || n.Role[i] == PreCandidate
	switch {
	case m.Term > n.Term[i]:
		n.Await[i] = RaiseTerm
		return
	case m.Term < n.Term[i]:
		return
	}
	switch m.Kind {
	case MsgVote:
		n.Await[i] = Vote
	case MsgApp, MsgHeartbeat, MsgSnap:
		switch {
		case candidate:
			n.Await[i] = StepBack
		case n.Role[i] == Follower:
			n.Lead[i] = m.From
			n.Await[i] = answerTo(m.Kind)
		}
	case MsgVoteResp:
		if n.Role[i] == Candidate {
			n.poll(i, m.From, m.Reject == 0)
		}
	case MsgAppResp:
		if n.Role[i] == Leader && n.tracks(i, m.From) && m.Reject == 0 && m.Index > n.Match[i][m.From] {
			n.Match[i][m.From] = m.Index
			n.Await[i] = Count
		}
	}
}

func answerTo(k Kind) Duty {
	switch k {
	case MsgApp:
		return Acknowledge
	case MsgHeartbeat:
		return Beat
	}
	return Install
}

// poll counts a vote; the first one of each server counts. raft.go poll, stepCandidate.
func (n *State) poll(i, j Server, granted bool) {
	if !n.Granted[i].Has(j) && !n.Rejected[i].Has(j) {
		if granted {
			n.Granted[i] = n.Granted[i].With(j)
		} else {
			n.Rejected[i] = n.Rejected[i].With(j)
		}
	}
	switch {
	case n.isQuorum(i, n.Granted[i]):
		n.Await[i] = TakeOffice
	case !n.isQuorum(i, (n.Voters[i]|n.Outgoing[i])&^n.Rejected[i]):
		n.Await[i] = GiveUp
	}
}

// SendVote answers a MsgVote. The vote is recorded after the event. TLA+: HandleRequestVoteRequest.
// Code: raft.go Step, MsgVote.
var SendVote = Action[Mail]{
	Name:   "SendVote",
	Params: observed[Mail],
	Guard: func(s *State, p Mail) bool {
		return s.begun(p.I) && s.Await[p.I] == Vote && p.J == s.Handling[p.I].From && p.Kind == MsgVoteResp && p.Term == s.Term[p.I] &&
			p.Reject == !s.grants(p.I) && p.Hint == 0 && p.bare(false, false, false, false, true)
	},
	Effect: func(s, n *State, p Mail) {
		if !p.Reject {
			n.Vote[p.I] = p.J
		}
		n.send(p, 0)
		n.Await[p.I] = Nothing
	},
}

// grants reports whether i votes for the candidate whose request it handles.
func (s *State) grants(i Server) bool {
	m := &s.Handling[i]
	free := s.Vote[i] == m.From || s.Vote[i] == None && s.Lead[i] == None
	return free && s.isUpToDate(i, Position{m.Index, m.LogTerm})
}

// ReceiveVote takes an answer to a MsgVote. TLA+: HandleRequestVoteResponse. Code: raft.go
// stepCandidate.
var ReceiveVote = Action[Mail]{
	Name:   "ReceiveVote",
	Params: observed[Mail],
	Guard:  func(s *State, p Mail) bool { return s.receives(p) && p.Kind == MsgVoteResp },
	Effect: func(s, n *State, p Mail) { n.receive(p) },
}

// Lead makes a candidate with a quorum of votes the leader of its term. TLA+: BecomeLeader. Code:
// raft.go becomeLeader.
var Lead = Action[One]{
	Name:   "Lead",
	Params: each,
	Guard: func(s *State, p One) bool {
		return s.begun(p.I) && s.Await[p.I] == TakeOffice && s.Role[p.I] == Candidate && s.Led[s.Term[p.I]] == None
	},
	Effect: func(s, n *State, p One) {
		n.reset(p.I, s.Term[p.I])
		n.Role[p.I] = Leader
		n.Lead[p.I] = p.I
		n.Match[p.I][p.I] = s.Log[p.I].Index
		n.Pending[p.I] = s.Log[p.I].Index
		n.Led[s.Term[p.I]] = p.I
		n.Await[p.I] = Nothing
	},
}

// Term is a server and a term.
type Term struct {
	I    Server
	Term uint16
}

// Follow makes i a follower. The reason may be the message that it handles, or a message with a
// newer term that is not logged. A leader also follows when it hears of no quorum or is removed,
// and a candidate when its candidacy failed.
// TLA+: UpdateTerm, ReturnToFollowerState, StepDownToFollower. Code: raft.go becomeFollower.
var Follow = Action[Term]{
	Name:   "Follow",
	Params: observed[Term],
	Guard: func(s *State, p Term) bool {
		return s.begun(p.I) && p.Term <= MaxTerm && (s.mustFollow(p.I, p.Term) || s.mayStepDown(p.I, p.Term) || s.hearsOf(p.I, p.Term))
	},
	Effect: func(s, n *State, p Term) {
		m, forced := s.Handling[p.I], s.mustFollow(p.I, p.Term)
		n.Begun = n.Begun.With(p.I)
		n.reset(p.I, p.Term)
		n.Role[p.I] = Follower
		if !forced {
			return
		}
		if m.Kind == MsgApp || m.Kind == MsgHeartbeat || m.Kind == MsgSnap {
			n.Lead[p.I] = m.From
		}
		if s.Await[p.I] == GiveUp {
			n.Await[p.I] = Nothing
			return
		}
		n.settle(p.I)
	},
}

// mustFollow reports whether the message that i handles makes it a follower of that term.
func (s *State) mustFollow(i Server, term uint16) bool {
	switch s.Await[i] {
	case RaiseTerm, StepBack:
		return term == s.Handling[i].Term
	case GiveUp:
		return term == s.Term[i]
	}
	return false
}

// mayStepDown reports whether i may become a follower of its own term by itself: a leader without a
// quorum or outside the configuration, or a candidate whose pre-candidacy failed.
func (s *State) mayStepDown(i Server, term uint16) bool {
	return s.idle(i) && term == s.Term[i] && (s.Role[i] == Leader && CheckQuorum || s.Role[i] == Leader && !s.votes(i, i) || s.Role[i] == PreCandidate)
}

// hearsOf reports whether i can know a newer term from a message that is not logged.
func (s *State) hearsOf(i Server, term uint16) bool {
	if !PreVote || !s.idle(i) || term <= s.Term[i] {
		return false
	}
	for j := range Server(Servers) {
		if j != i && s.Term[j] >= term {
			return true
		}
	}
	return false
}

// ForgetLeader makes a follower forget its leader, so that it may vote in the same term. An
// application asks for it, and it is not logged. Code: raft.go stepFollower, MsgForgetLeader.
var ForgetLeader = Action[One]{
	Name:   "ForgetLeader",
	Params: each,
	Guard: func(s *State, p One) bool {
		return Forgets && s.begun(p.I) && s.idle(p.I) && s.Role[p.I] == Follower && s.Lead[p.I] != None
	},
	Effect: func(s, n *State, p One) { n.Lead[p.I] = None },
}

// Ignore drops a MsgVote of a newer term that comes while i hears of a leader. It is not logged.
// Code: raft.go Step, inLease.
var Ignore = Action[One]{
	Name:   "Ignore",
	Params: each,
	Guard: func(s *State, p One) bool {
		return CheckQuorum && s.begun(p.I) && s.Await[p.I] == RaiseTerm && s.Handling[p.I].Kind == MsgVote && s.Lead[p.I] != None
	},
	Effect: func(s, n *State, p One) { n.Await[p.I] = Nothing },
}
