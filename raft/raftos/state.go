package raftos

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0.
type Server int8

// None is no server.
const None Server = -1

// Number is a term, an index, a command, or a count of them.
type Number = uint8

// Role is a server's role in its own view: the class of State.state.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// Entry is an entry of a log. Terms and commands are numbered from 1.
type Entry struct{ Term, Value Number }

// Log is a log; the position of an entry is its index.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVote
	RequestVoteResponse
	AppendEntries
	AppendEntriesResponse
)

// Msg is a message. Fields that a kind does not have are zero. From and To are the channel.
type Msg struct {
	Kind Kind
	Term Number
	// last_log_index of RequestVote and of a success, prev_log_index of AppendEntries
	Index   Number
	LogTerm Number // last_log_term, prev_log_term
	Commit  Number // commit_index of AppendEntries
	Success bool   // vote_granted, success
	// Stale is a refusal of validate_term: it has no vote_granted, and no request_id.
	Stale bool
	Entry Entry // of AppendEntries, of term 0 if there is none
}

// Channel and Net are the messages in flight: UDP.
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Net     = modules.Bag[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// Exception is an exception of the library while it handles a message or a timer.
type Exception uint8

// Exceptions.
const (
	NoRequestID     Exception = iota // KeyError: Leader.on_receive_append_entries_response
	CommitBeyondLog                  // IndexError: validate_commit_index
	NextBeyondLog                    // IndexError: Leader.append_entries
)

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	// In files.
	Term [Servers]Number
	Vote [Servers]Server
	Log  [Servers]Log

	// In memory.
	Role    [Servers]Role
	Lead    [Servers]Server
	Commit  [Servers]Number
	Applied [Servers]Number

	// Of candidates, in memory: how many votes.
	Votes [Servers]Number
	// Of leaders, in memory: about the others.
	Next, Match [Servers][Servers]Number

	Net      Net
	Proposed Number // numbers the clients' commands
	// Raised are the exceptions of the library.
	Raised modules.Raised[Exception]
}

// Init yields the state of a cluster that starts without files.
//
// Code: Follower.init_storage, Log.__init__.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Vote[i] = None
		s.Lead[i] = None
	}
	yield(s)
}

// last returns the index of the last entry of i's log: last_log_index.
func (s *State) last(i Server) Number { return Number(s.Log[i].Len()) }

// termAt returns the term of the entry at index k of i's log; 0 if k is 0.
func (s *State) termAt(i Server, k Number) Number {
	if k == 0 {
		return 0
	}
	return s.Log[i].At(int(k)).Term
}

// become gives i a role. What belonged to the old role is forgotten.
//
// Code: State._change_state.
func (n *State) become(i Server, r Role) {
	n.Role[i] = r
	n.Lead[i] = None
	n.Votes[i] = 0
	for j := range n.Next[i] {
		n.Next[i][j] = 0
		n.Match[i][j] = 0
	}
}

// toFollower makes i a follower, which forgets its vote whatever the term is.
//
// Code: State.to_follower, Follower.init_storage.
func (n *State) toFollower(i Server) {
	n.become(i, Follower)
	n.Vote[i] = None
}

// validate takes a newer term over and refuses requests of an older one. It reports whether the
// message is handled. A follower keeps its vote in the newer term.
//
// Code: validate_term.
func (n *State) validate(i, j Server, m *Msg) bool {
	if m.Term > n.Term[i] {
		n.Term[i] = m.Term
		if n.Role[i] != Follower {
			n.toFollower(i)
		}
	}
	if m.Term == n.Term[i] {
		return true
	}
	switch m.Kind {
	case RequestVote:
		n.Net.Send(i, j, Msg{Kind: RequestVoteResponse, Term: n.Term[i], Stale: true})
		return false
	case AppendEntries:
		n.Net.Send(i, j, Msg{Kind: AppendEntriesResponse, Term: n.Term[i], Stale: true})
		return false
	}
	return true
}

// apply hands what is committed to the state machine, before a message is handled.
//
// Code: validate_commit_index.
func (n *State) apply(i Server) {
	if n.Commit[i] > n.last(i) {
		n.Raised.Raise(CommitBeyondLog)
		return
	}
	n.Applied[i] = max(n.Applied[i], n.Commit[i])
}
