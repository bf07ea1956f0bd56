package pysyncobj

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0.
type Server int8

// None is no server.
const None Server = -1

// Number is a term, an index, a command, or a count of them.
type Number = uint8

// Role is a server's role in its own view: _RAFT_STATE in the library.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// Entry is an entry of a log. Commands are numbered from 1; 0 is a NO_OP.
type Entry struct{ Term, Value Number }

// Log is a log; the position of an entry is its index.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Commands are the commands that a state machine got, in their order.
type Commands = modules.Seq[Number, [MaxRequests]Number]

// Kind is the type of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVote
	ResponseVote
	AppendEntries
	NextNodeIdx
	TimeoutNow
)

// Msg is a message. Fields that a kind does not have are zero. From and To are the channel.
type Msg struct {
	Kind Kind
	Term Number // not in NextNodeIdx
	// last_log_index of RequestVote; prevLogIdx of AppendEntries, 0 if the leader's log has no such
	// entry (None); next_node_idx
	Index   Number
	LogTerm Number // last_log_term, prevLogTerm
	Commit  Number // commit_index of AppendEntries
	Reset   bool   // of NextNodeIdx
	Success bool   // of NextNodeIdx
	Entries Log    // of AppendEntries
}

// Channel and Net are the messages in flight: TCP.
type (
	Channel = modules.Channel[Msg, [MaxQueue]Msg]
	Net     = modules.Net[Server, Kind, Msg, [MaxQueue]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	// In the journal.
	Log [Servers]Log
	// In the journal's .meta file, from 0.3.16 on.
	Term [Servers]Number
	Vote [Servers]Server
	Kept [Servers]Number // the commit index there

	// In memory.
	Role    [Servers]Role
	Lead    [Servers]Server
	Commit  [Servers]Number
	Applied [Servers]Number
	Done    [Servers]Commands

	// Of candidates, in memory: how many votes.
	Votes [Servers]Number
	// Of leaders, in memory: about the others.
	Next, Match [Servers][Servers]Number

	Net      Net
	Proposed Number // numbers the clients' commands
}

// Init yields the state of a cluster that starts with empty journals, all of it connected.
//
// Code: SyncObj.__init__.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Vote[i] = None
		s.Lead[i] = None
		s.Log[i].Append(Entry{})
		s.Commit[i] = 1
		s.Applied[i] = 1
		s.Kept[i] = 1
	}
	yield(s)
}

// Quorum is the least number of servers that is a majority.
const Quorum = Servers/2 + 1

// last returns the index of the last entry of i's log: __getCurrentLogIndex.
func (s *State) last(i Server) Number { return Number(s.Log[i].Len()) }

// termAt returns the term of the entry at index k of i's log, which it has.
func (s *State) termAt(i Server, k Number) Number { return s.Log[i].At(int(k)).Term }

// linked reports whether i has a connection to j: __connectedNodes.
func (s *State) linked(i, j Server) bool { return i != j && !s.Net.IsCut(i, j) }

// become gives i a role. What belonged to the old role is forgotten.
func (n *State) become(i Server, r Role) {
	n.Role[i] = r
	n.Votes[i] = 0
	for j := range n.Next[i] {
		n.Next[i][j] = 0
		n.Match[i][j] = 0
	}
}

// setTerm gives i a term and a vote. From 0.3.16 on they are stored, and the commit index with
// them.
//
// Code: __setCurrentTerm; journal.py FileJournal.setCurrentTerm.
func (n *State) setTerm(i Server, term Number, vote Server) {
	n.Term[i] = term
	n.Vote[i] = vote
	if fixed16 {
		n.Kept[i] = n.Commit[i]
	}
}

// tick does the work of a tick at i, without elections and commands. Due says that the period of
// appends is over.
//
// Code: _onTick, __applyLogEntries.
func (n *State) tick(i Server, due bool) {
	if n.Role[i] == Leader {
		n.advance(i)
	}
	send := due || n.apply(i) && !Batch
	if n.Role[i] == Leader && send {
		n.sendAppends(i)
	}
}

// settle is the tick after a message, where it is part of the step.
func (n *State) settle(i Server) {
	if !Ticks {
		n.tick(i, false)
	}
}

// apply hands what is committed to the state machine, and reports whether something was due. A
// commit index may be beyond the log before 0.3.16: what is not there is not applied.
//
// Code: __applyLogEntries, __getEntries.
func (n *State) apply(i Server) bool {
	if n.Commit[i] <= n.Applied[i] {
		return false
	}
	for k := n.Applied[i] + 1; k <= min(n.Commit[i], n.last(i)); k++ {
		if v := n.Log[i].At(int(k)).Value; v > 0 {
			n.Done[i].Append(v)
		}
		n.Applied[i] = k
	}
	return true
}
