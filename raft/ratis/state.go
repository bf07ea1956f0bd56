package ratis

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0.
type Server int8

const (
	// None is no server.
	None Server = -1
	// Nobody is the vote of a server that has started in a term without a vote.
	Nobody Server = -2
)

// Number is a term, an index, a command, or a count of them.
type Number = uint8

// Role is a server's role in its own view: RaftPeerRole.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// Entry is an entry of a log. A leader begins with an entry of value 0, its configuration; commands
// are numbered from 1.
type Entry struct{ Term, Value Number }

// Log is a log; the position of an entry is its index. The library counts from 0.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVote
	RequestVoteReply
	AppendEntries
	AppendEntriesReply
)

// Result is an AppendResult.
type Result uint8

// Results of AppendEntries.
const (
	Success Result = iota
	NotLeader
	Inconsistency
)

// Msg is a message. Fields that a kind does not have are zero. From and To are the channel.
type Msg struct {
	Kind Kind
	Term Number
	// candidateLastEntry of RequestVote, previousLog of AppendEntries, nextIndex of its reply
	Index     Number
	LogTerm   Number // also lastEntry of a vote
	Commit    Number // leaderCommit
	Pre       bool   // preVote
	Granted   bool   // success of a vote
	Result    Result
	Heartbeat bool // of a reply: the request had no entry
	Entries   Log
}

// Channel and Net are the messages in flight. A server has at most one call to another one that is
// not over: its request is in flight, or the answer.
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Net     = modules.Bag[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	// On disk.
	Term [Servers]Number
	Vote [Servers]Server
	Log  [Servers]Log

	// In memory.
	Role   [Servers]Role
	Lead   [Servers]Server
	Commit [Servers]Number
	// Fresh says of a follower that it has heard of a leader within its timeout.
	Fresh [Servers]bool

	// Of candidates, in memory: whether it is a pre-vote, and the answers.
	Pre              [Servers]bool
	Granted, Refused [Servers][Servers]bool
	// Of leaders, in memory: about the others, and the request with entries that is not over.
	Next, Match [Servers][Servers]Number
	Sent        [Servers][Servers]Msg

	Net      Net
	Proposed Number // numbers the clients' commands
}

// Init yields the state of a cluster that starts with empty folders.
//
// Code: RaftServerImpl.start, ServerState.initialize.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Vote[i] = Nobody
		s.Lead[i] = None
		s.Fresh[i] = true
	}
	yield(s)
}

// last returns the index of the last entry of i's log.
func (s *State) last(i Server) Number { return Number(s.Log[i].Len()) }

// termAt returns the term of the entry at index k of i's log; 0 if k is 0.
func (s *State) termAt(i Server, k Number) Number {
	if k == 0 {
		return 0
	}
	return s.Log[i].At(int(k)).Term
}

// calls reports whether i has a call to j that is not over.
func (s *State) calls(i, j Server) bool {
	return s.Net.Count(i, j, RequestVote, AppendEntries) > 0 || s.Net.Count(j, i, RequestVoteReply, AppendEntriesReply) > 0
}

// end ends the call of i to j, if there is one: the request or the answer is lost.
func (n *State) end(i, j Server) {
	for k := range MaxQueue {
		if n.Net.Is(i, j, k+1, RequestVote, AppendEntries) {
			n.Net.Lose(i, j, k+1)
			break
		}
	}
	for k := range MaxQueue {
		if n.Net.Is(j, i, k+1, RequestVoteReply, AppendEntriesReply) {
			n.Net.Lose(j, i, k+1)
			break
		}
	}
	n.Sent[i][j] = Msg{}
}

// endAll ends all calls of i.
func (n *State) endAll(i Server) {
	for j := range Server(Servers) {
		if j != i {
			n.end(i, j)
		}
	}
}

// take takes the message of a kind from j to i; there is at most one.
func (n *State) take(j, i Server, kind Kind) Msg {
	if n.Net.Is(j, i, 1, kind) {
		return n.Net.Recv(j, i, 1, kind)
	}
	return n.Net.Recv(j, i, 2, kind)
}

// follow makes i a follower and takes a newer term over. A follower stays as it is, unless it is
// forced to begin again.
//
// Code: RaftServerImpl.changeToFollower, ServerState.updateCurrentTerm.
func (n *State) follow(i Server, term Number, force bool) {
	if n.Role[i] == Leader {
		n.Lead[i] = None
	}
	if n.Role[i] != Follower || force {
		n.become(i, Follower)
		n.Fresh[i] = true
	}
	if term > n.Term[i] {
		n.Term[i] = term
		n.Vote[i] = None
		n.Lead[i] = None
	}
}

// become gives i a role. Its calls are given up, and what belonged to the old role is forgotten.
//
// Code: RoleInfo.shutdownLeaderState, shutdownLeaderElection, shutdownFollowerState.
func (n *State) become(i Server, r Role) {
	n.endAll(i)
	n.Role[i] = r
	n.Fresh[i] = false
	n.Pre[i] = false
	for j := range Server(Servers) {
		n.Granted[i][j] = false
		n.Refused[i][j] = false
		n.Next[i][j] = 0
		n.Match[i][j] = 0
	}
}
