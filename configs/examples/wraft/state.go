package wraft

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0.
type Server int8

// None is no server.
const None Server = -1

// Number is a term, an index, a command, or a count of them.
type Number = uint8

// Role is a server's role in its own view: raft_server_private_t.state.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// Entry is an entry of a log. Commands are numbered from 1.
type Entry struct{ Term, Value Number }

// Log is a log after its base; the index of an entry is the base and its position.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Entries are those of a message.
type Entries = modules.Seq[Entry, [MaxLog]Entry]

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVote
	RequestVoteResponse
	AppendEntries
	AppendEntriesResponse
	Snapshot
)

// Msg is a message. Fields that a kind does not have are zero. From and To are the channel.
type Msg struct {
	Kind Kind
	Term Number
	// last_log_idx of RequestVote, prev_log_idx of AppendEntries, current_idx of its response,
	// last_included_idx of Snapshot
	Index   Number
	LogTerm Number  // last_log_term, prev_log_term, last_included_term
	Commit  Number  // leader_commit of AppendEntries
	Success bool    // vote_granted, success
	Entries Entries // of AppendEntries
}

// Channel and Net are the messages in flight.
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Net     = modules.Net[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// Fault is a failed assert, or an error that ends the server.
type Fault uint8

// Faults.
const (
	CommitBeyondLog   Fault = iota // raft_set_commit_idx
	AckBeyondLog                   // raft_recv_appendentries_response
	NextIsZero                     // log_get_from_idx
	ConflictsSnapshot              // raft_recv_appendentries, of the entry of the snapshot
	ConflictsCommit                // raft_recv_appendentries, of a committed entry
)

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	Term      [Servers]Number
	Vote      [Servers]Server
	Log       [Servers]Log
	Base      [Servers]Number // the index before the first entry of Log
	SnapIndex [Servers]Number
	SnapTerm  [Servers]Number
	Role      [Servers]Role
	Commit    [Servers]Number

	// Of candidates: who granted a vote, themselves among them.
	Votes [Servers][Servers]bool
	// Of leaders, about the others.
	Next, Match [Servers][Servers]Number

	Net      Net
	Away     [Servers]bool // isolated
	Proposed Number        // numbers the clients' commands
	// Raised are the failed asserts and fatal errors.
	Raised modules.Raised[Fault]
}

// Init yields the state of a cluster that starts with empty logs.
//
// Code: raft_new.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Vote[i] = None
	}
	yield(s)
}

// last returns the index of the last entry of i's log: raft_get_current_idx.
func (s *State) last(i Server) Number { return s.Base[i] + Number(s.Log[i].Len()) }

// has reports whether i's log has the entry at index k: raft_get_entry_from_idx.
func (s *State) has(i Server, k Number) bool { return k > s.Base[i] && k <= s.last(i) }

// termAt returns the term of the entry at index k of i's log, which has it.
func (s *State) termAt(i Server, k Number) Number { return s.Log[i].At(int(k - s.Base[i])).Term }

// knows reports whether i has had an entry of this index and term: in its log, in its snapshot, or
// before that.
func (s *State) knows(i Server, k, term Number) bool {
	switch {
	case k == s.SnapIndex[i]:
		return term == s.SnapTerm[i]
	case s.has(i, k):
		return term == s.termAt(i, k)
	}
	return k <= s.Base[i]
}

// become gives i a role. What belonged to the old role is forgotten.
//
// Code: raft_set_state.
func (n *State) become(i Server, r Role) {
	n.Role[i] = r
	for j := range n.Next[i] {
		n.Votes[i][j] = false
		n.Next[i][j] = 0
		n.Match[i][j] = 0
	}
}

// adopt takes a newer term over as a follower.
//
// Code: raft_set_current_term, raft_become_follower.
func (n *State) adopt(i Server, term Number) {
	n.become(i, Follower)
	n.Term[i] = term
	n.Vote[i] = None
}

// send puts a message in flight, unless one of the two servers is isolated.
func (n *State) send(i, j Server, m Msg) {
	if !n.Away[i] && !n.Away[j] {
		n.Net.Send(i, j, m)
	}
}
