package ratis

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is the acting server; Pair is a server I and another one J.
type (
	One  = modules.One[Server]
	Pair = modules.Pair[Server]
)

var (
	each  = modules.Each[Server](Servers)
	pairs = modules.EachPair[Server](Servers)
)

// Timeout makes a follower a candidate, which asks the others for their votes.
//
// Section 5.2. Code: FollowerState.runImpl, RaftServerImpl.changeToCandidate.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Follower && s.Term[p.I] < MaxTerm },
	Effect: func(s, n *State, p One) {
		n.become(p.I, Candidate)
		n.ask(p.I, PreVote)
	},
}

// Pass makes the last message of its leader too old for a follower to refuse its vote.
//
// Code: FollowerState.isCurrentLeaderValid.
var Pass = Action[One]{
	Name:   "Pass",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] == Follower && s.Fresh[p.I] && s.Lead[p.I] != None },
	Effect: func(s, n *State, p One) { n.Fresh[p.I] = false },
}

// ask calls all others for their votes.
//
// Code: LeaderElection.askForVotes, ServerState.initElection.
func (n *State) ask(i Server, pre bool) {
	n.Lead[i] = None
	n.Pre[i] = pre
	if !pre {
		n.Term[i]++
		n.Vote[i] = i
	}
	last := n.last(i)
	for j := range Server(Servers) {
		n.Granted[i][j] = false
		n.Refused[i][j] = false
		if j != i {
			n.Net.Send(i, j, Msg{Kind: RequestVote, Term: n.Term[i], Pre: pre, Index: last, LogTerm: n.termAt(i, last)})
		}
	}
}

// HandleVote answers a request. A pre-vote changes nothing.
//
// Sections 5.2, 5.4.1. Code: RaftServerImpl.requestVote, VoteContext.
var HandleVote = Action[Pair]{
	Name:   "HandleVote",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.Net.Count(p.J, p.I, RequestVote) > 0 },
	Effect: func(s, n *State, p Pair) {
		m := n.take(p.J, p.I, RequestVote)
		recognized := s.recognizes(p.I, p.J, &m)
		granted := recognized && s.isUpToDate(p.I, &m)
		if recognized && !m.Pre {
			n.follow(p.I, m.Term, true)
			if granted {
				n.Vote[p.I] = p.J
				n.Lead[p.I] = None
			}
		}
		if granted && n.Role[p.I] == Follower {
			n.Fresh[p.I] = true
		}
		n.Net.Send(p.I, p.J, Msg{Kind: RequestVoteReply, Term: n.Term[p.I], Granted: granted, LogTerm: s.termAt(p.I, s.last(p.I))})
	},
}

// recognizes reports whether a candidate may have i's vote, whatever its log is. A newer term is
// enough for a vote. Otherwise nobody leads, as far as i knows. A leader has its majority: time
// stands still.
//
// Code: VoteContext.recognizeCandidate.
func (s *State) recognizes(i, j Server, m *Msg) bool {
	if !m.Pre && m.Term != s.Term[i] {
		return m.Term > s.Term[i]
	}
	if !m.Pre && s.Vote[i] != None && s.Vote[i] != j {
		return false
	}
	led := s.Role[i] == Follower && s.Lead[i] != None && s.Lead[i] != j && s.Fresh[i]
	return s.Role[i] != Leader && !led
}

// isUpToDate reports whether the log of a candidate is at least as up to date as i's.
//
// Code: ServerState.compareLog.
func (s *State) isUpToDate(i Server, m *Msg) bool {
	last := s.last(i)
	own := s.termAt(i, last)
	return m.LogTerm > own || m.LogTerm == own && m.Index >= last
}

// HandleVoteReply counts an answer. Who has committed something counts no vote of an empty log.
//
// Section 5.2. Code: LeaderElection.waitForResults.
var HandleVoteReply = Action[Pair]{
	Name:   "HandleVoteReply",
	Params: pairs,
	Guard:  func(s *State, p Pair) bool { return s.Net.Count(p.J, p.I, RequestVoteReply) > 0 },
	Effect: func(s, n *State, p Pair) {
		m := n.take(p.J, p.I, RequestVoteReply)
		switch {
		case m.Term > s.Term[p.I]:
			n.follow(p.I, m.Term, false)
			return
		case m.Granted && (s.Commit[p.I] == 0 || m.LogTerm > 0):
			n.Granted[p.I][p.J] = true
		default:
			n.Refused[p.I][p.J] = true
		}
		n.decide(p.I)
	},
}

// decide ends an election that is decided, or for which no call is left.
//
// Code: LeaderElection.waitForResults, askForVotes, runImpl.
func (n *State) decide(i Server) {
	granted, refused, waits := 1, 0, false
	for j := range Server(Servers) {
		if n.Granted[i][j] {
			granted++
		}
		if n.Refused[i][j] {
			refused++
		}
		waits = waits || j != i && n.calls(i, j)
	}
	switch {
	case granted >= Quorum:
		n.endAll(i)
		if n.Pre[i] {
			n.ask(i, false)
		} else {
			n.lead(i)
		}
	case Servers-refused <= Servers/2 || !waits:
		n.follow(i, n.Term[i], false)
	}
}

// lead makes i a leader, which appends its configuration and sends a heartbeat.
//
// Code: RaftServerImpl.changeToLeader, LeaderStateImpl.start.
func (n *State) lead(i Server) {
	n.become(i, Leader)
	n.Lead[i] = i
	for j := range Server(Servers) {
		if j != i {
			n.Next[i][j] = n.last(i) + 1
		}
	}
	n.Log[i].Append(Entry{Term: n.Term[i]})
	for j := range Server(Servers) {
		if j != i {
			n.beat(i, j)
		}
	}
}
