package libraft

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0. The library counts from 1.
type Server int8

// None is no server.
const None Server = -1

// Number is a term, an index, a command, or a count of them.
type Number = uint8

// Role is a server's role in its own view: raft.state, and candidate_state.in_pre_vote.
type Role uint8

// Roles.
const (
	Follower Role = iota
	PreCandidate
	Candidate
	Leader
	Unavailable // it has met something that cannot be, and does nothing more
)

// Entry is an entry of a log. Commands are numbered from 1; 0 is the first configuration.
type Entry struct{ Term, Value Number }

// Log is a log; the position of an entry is its index.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Commands are the commands that a state machine got, in their order.
type Commands = modules.Seq[Number, [MaxRequests]Number]

// Write is a write of entries, and of the end of the log before them.
type Write struct {
	First   Number // the index of the first entry
	Entries Log
	Own     bool   // of a leader: appendLeaderCb. Otherwise of a follower: appendFollowerCb.
	Commit  Number // leader_commit of the follower's message
}

// Pending are the writes of a server that are not complete, in their order.
type Pending = modules.Seq[Write, [MaxWrites]Write]

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVote
	RequestVoteResult
	AppendEntries
	AppendEntriesResult
)

// Msg is a message. Fields that a kind does not have are zero. From and To are the channel.
type Msg struct {
	Kind Kind
	Term Number
	// last_log_index of RequestVote and AppendEntriesResult, prev_log_index of AppendEntries
	Index    Number
	LogTerm  Number // last_log_term, prev_log_term
	PreVote  bool   // of RequestVote and its result
	Granted  bool   // of RequestVoteResult
	Rejected Number // of AppendEntriesResult: the index that was rejected, 0 for none
	Commit   Number // leader_commit of AppendEntries
	Entries  Log    // of AppendEntries
}

// Channel and Net are the messages in flight: TCP.
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Net     = modules.Net[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// Fault is a thing that the library must not do.
type Fault uint8

// Faults.
const (
	// AnswerToNobody is a message to server 0, without an address: sendAppendEntriesResult.
	AnswerToNobody Fault = iota
)

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	// On disk.
	Term [Servers]Number
	Vote [Servers]Server
	Disk [Servers]Log

	// In memory.
	Log     [Servers]Log
	Stored  [Servers]Number // up to where the library knows the log to be on disk
	Pending [Servers]Pending
	Role    [Servers]Role
	Lead    [Servers]Server // of followers
	Commit  [Servers]Number
	Applied [Servers]Number
	Done    [Servers]Commands

	// Of candidates, in memory: who granted a vote, themselves among them.
	Votes [Servers][Servers]bool
	// Of leaders, in memory: about the others, and in Match about themselves.
	Next, Match [Servers][Servers]Number
	Pipeline    [Servers][Servers]bool // next moves when entries are sent
	Heard       [Servers][Servers]bool // since CheckQuorum: recent_recv
	Due         [Servers][Servers]bool // nothing was sent for heartbeat_timeout: last_send

	Net      Net
	Proposed Number // numbers the clients' commands
	// Raised are the faults of the library.
	Raised modules.Raised[Fault]
}

// Init yields the state of a cluster that starts with what raft_bootstrap has written, all of it
// connected.
//
// Code: raft_bootstrap, raft_start.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Term[i] = 1
		s.Vote[i] = None
		s.Lead[i] = None
		s.Disk[i].Append(Entry{Term: 1})
		s.start(i)
	}
	yield(s)
}

// start gives a server the state in memory that follows from its disk.
//
// Code: raft_start, restoreEntries.
func (n *State) start(i Server) {
	n.become(i, Follower)
	n.Log[i] = n.Disk[i]
	n.Stored[i] = n.last(i)
	n.Pending[i].Clear()
	n.Commit[i] = 1
	n.Applied[i] = 1
	n.Done[i].Clear()
}

// last returns the index of the last entry of i's log: logLastIndex.
func (s *State) last(i Server) Number { return Number(s.Log[i].Len()) }

// termAt returns the term of the entry at index k of i's log, 0 if it has none: logTermOf.
func (s *State) termAt(i Server, k Number) Number {
	if k == 0 || k > s.last(i) {
		return 0
	}
	return s.Log[i].At(int(k)).Term
}

// linked reports whether i has a connection to j.
func (s *State) linked(i, j Server) bool { return i != j && !s.Net.IsCut(i, j) }

// isCandidate reports whether i asks for votes.
func (s *State) isCandidate(i Server) bool {
	return s.Role[i] == PreCandidate || s.Role[i] == Candidate
}

// become gives i a role. What belonged to the old role is forgotten.
//
// Code: convertClear, convertSetState.
func (n *State) become(i Server, r Role) {
	n.Role[i] = r
	n.Lead[i] = None
	for j := range n.Next[i] {
		n.Votes[i][j] = false
		n.Next[i][j] = 0
		n.Match[i][j] = 0
		n.Pipeline[i][j] = false
		n.Heard[i][j] = false
		n.Due[i][j] = false
	}
}

// bump takes a newer term over. Who is not a follower becomes one, and a follower still knows its
// leader.
//
// Code: recvBumpCurrentTerm.
func (n *State) bump(i Server, term Number) {
	n.Term[i] = term
	n.Vote[i] = None
	if n.Role[i] != Follower {
		n.become(i, Follower)
	}
}
