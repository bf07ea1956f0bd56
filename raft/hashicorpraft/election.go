package hashicorpraft

import "github.com/multigrain/multigrain/modules"

// Action is an action of this specification.
type Action[P any] = modules.Action[State, P]

// One is the acting server; At is a receiver I, a sender J and the position K of a message in
// flight between them.
type (
	One = modules.One[Server]
	At  = modules.At[Server]
)

var (
	each      = modules.Each[Server](Servers)
	positions = modules.Positions[Server](Servers, MaxCalls)
)

// Quorum is the least number of servers that is a majority.
const Quorum = Servers/2 + 1

// Timeout lets the time of a leader's lease pass on all servers, in which nothing arrives, so that
// i hears of no leader: it asks for votes. Leaders send their commit index to those whose answer
// they are not waiting for. A leader that too few servers have answered since such a time last
// passed gives up; a candidate waits for twice that time, in which every leader gives up.
//
// Section 5.2. Code: raft.go runFollower, runCandidate, electSelf; checkLeaderLease; replication.go
// replicate, CommitTimeout.
var Timeout = Action[One]{
	Name:   "Timeout",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.Role[p.I] != Leader && s.Term[p.I] < MaxTerm },
	Effect: func(s, n *State, p One) {
		for j := range Server(Servers) {
			if s.Role[j] == Leader {
				n.sendCommit(j)
			}
			switch {
			case s.Role[j] != Leader:
			case s.Role[p.I] == Candidate || s.Contact[j].Len()+1 < Quorum:
				n.become(j, Follower)
			default:
				n.Contact[j] = 0
			}
		}
		n.become(p.I, Candidate)
		n.Term[p.I] = s.Term[p.I] + 1
		n.VoteTerm[p.I] = n.Term[p.I]
		n.Vote[p.I] = p.I
		n.Votes[p.I] = 1
		last := n.last(p.I)
		for j := range Server(Servers) {
			if j != p.I {
				n.Net.Send(p.I, j, Msg{Kind: RequestVote, Call: n.Term[p.I], Index: last, LogTerm: n.termAt(p.I, last)})
			}
		}
	},
}

// HandleVote answers a candidate. A server that knows another leader refuses, whatever the term.
//
// Section 5.2, 5.4.1; dissertation, section 4.2.3, without its clock. Code: raft.go requestVote.
var HandleVote = Action[At]{
	Name:   "HandleVote",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), RequestVote) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), RequestVote)
		reply := Msg{Kind: VoteReply, Call: m.Call, Term: s.Term[p.I]}
		if s.listens(p, m) {
			if m.Call > s.Term[p.I] {
				n.become(p.I, Follower)
				n.Term[p.I] = m.Call
				reply.Term = m.Call
			}
			switch {
			case n.VoteTerm[p.I] == m.Call:
				reply.OK = n.Vote[p.I] == p.J
			case n.isUpToDate(p.I, m):
				n.VoteTerm[p.I] = m.Call
				n.Vote[p.I] = p.J
				reply.OK = true
			}
		}
		n.Net.Send(p.I, p.J, reply)
	},
}

// listens reports whether p.I considers a request for its vote: it knows no other leader, and the
// term is not older than its own.
func (s *State) listens(p At, m Msg) bool {
	return (s.Lead[p.I] == None || s.Lead[p.I] == p.J) && m.Call >= s.Term[p.I]
}

// isUpToDate reports whether the log of a candidate is at least as up to date as i's.
func (s *State) isUpToDate(i Server, m Msg) bool {
	last := s.last(i)
	own := s.termAt(i, last)
	return m.LogTerm > own || m.LogTerm == own && m.Index >= last
}

// HandleVoteReply counts a vote, if the candidate still waits for it.
//
// Section 5.2. Code: raft.go runCandidate, runLeader.
var HandleVoteReply = Action[At]{
	Name:   "HandleVoteReply",
	Params: positions,
	Guard:  func(s *State, p At) bool { return s.Net.Is(p.J, p.I, int(p.K), VoteReply) },
	Effect: func(s, n *State, p At) {
		m := n.Net.Recv(p.J, p.I, int(p.K), VoteReply)
		if s.Role[p.I] != Candidate || m.Call != s.Term[p.I] {
			return
		}
		switch {
		case m.Term > s.Term[p.I]:
			n.become(p.I, Follower)
			n.Term[p.I] = m.Term
		case m.OK && s.Votes[p.I]+1 >= Quorum:
			n.lead(p.I)
		case m.OK:
			n.Votes[p.I] = s.Votes[p.I] + 1
		}
	},
}

// lead makes i a leader. The goroutines of the followers send a first append, without entries,
// before the entry with which the term begins is there.
func (n *State) lead(i Server) {
	n.become(i, Leader)
	n.Lead[i] = i
	last := n.last(i)
	for j := range Server(Servers) {
		if j != i {
			n.Contact[i].Add(j)
			n.Peers[i][j] = Peer{Next: last + 1, Goal: last, Calling: true}
			n.sendAppend(i, j)
		}
	}
	n.dispatch(i, Entry{Kind: Noop, Term: n.Term[i]})
}
