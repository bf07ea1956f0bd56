package hashicorpraft

import "github.com/multigrain/multigrain/modules"

// Server is the identity of a server, counted from 0.
type Server int8

// None is no server.
const None Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// Number is a term, an index, a command, or a count of them.
type Number = uint8

// Role is a server's role in its own view: RaftState in the library.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// EntryKind is the type of an entry: LogType in the library.
type EntryKind uint8

// Kinds of entries. Zero is no entry.
const (
	_ EntryKind = iota
	Configuration
	Noop
	Command
)

// Entry is an entry of a log. Commands are numbered from 1.
type Entry struct {
	Kind        EntryKind
	Term, Value Number
}

// Log is a log; the position of an entry is its index.
type Log = modules.Seq[Entry, [MaxLog]Entry]

// Peer is how a leader replicates its log to a follower: followerReplication, and its goroutine. It
// is zero in servers that do not lead.
type Peer struct {
	Next, Match Number
	Goal        Number // up to where the goroutine sends before it looks for more
	Calling     bool   // it waits for an answer
	Triggered   bool   // there is more, or was when nobody looked
	Beating     bool   // the goroutine of the heartbeats waits for an answer
}

// Check is a check of a leader whether it still leads: verifyFuture. It is zero where there is
// none.
type Check struct {
	Asked     Set    // whose answers count
	Confirmed Number // how many servers have stated so, the leader with them
}

// Kind is the kind of a message.
type Kind uint8

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	RequestVote
	VoteReply
	AppendEntries
	AppendReply
	Heartbeat // AppendEntries without anything but the term
	HeartbeatReply
)

// Msg is a call or its answer. Fields that a kind does not have are zero. From and To are the
// channel.
type Msg struct {
	Kind Kind
	// the term in which the call was made: with the kind and the two servers, its identity
	Call Number
	Term Number // an answer's
	// LastLogIndex, PrevLogEntry; in AppendReply that of the entry that was sent, 0 where there was
	// none
	Index   Number
	LogTerm Number // LastLogTerm, PrevLogTerm
	Commit  Number // LeaderCommitIndex
	LastLog Number // AppendReply
	OK      bool   // Granted, Success
	AtOnce  bool   // NoRetryBackoff
	Entry   Entry  // AppendEntries: at most one, by MaxAppendEntries
}

// Channel and Calls are the messages in flight. Each call has a connection of its own, so that any
// may be received next.
type (
	Channel = modules.Channel[Msg, [MaxCalls]Msg]
	Calls   = modules.Bag[Server, Kind, Msg, [MaxCalls]Msg, [Servers]Channel, [Servers][Servers]Channel]
)

// State holds the variables. Variables of one server are arrays over the servers.
type State struct {
	// On disk.
	Term     [Servers]Number
	VoteTerm [Servers]Number
	Vote     [Servers]Server
	Log      [Servers]Log

	// In memory.
	Role   [Servers]Role
	Lead   [Servers]Server
	Commit [Servers]Number
	Value  [Servers]Number // the last command that the state machine got

	// Of candidates, in memory: how many votes.
	Votes [Servers]Number
	// Of leaders, in memory: who has answered since time last passed, and the replication to the
	// others.
	Contact [Servers]Set
	Peers   [Servers][Servers]Peer
	// Checks are those of leaders whether they still lead, by the term in which they asked. They
	// outlive the leadership.
	Checks [Servers][MaxTerm + 1]Check

	Net Calls
	// Committed is the longest committed prefix of a log so far, and CommittedIn the term in which
	// a leader committed its end. Both are zero without History.
	Committed   Log
	CommittedIn Number
	Proposed    Number // numbers the clients' commands
}

// Init yields the state of a cluster after BootstrapCluster: every server has the configuration in
// its log.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Term[i] = 1
		s.Vote[i] = None
		s.Lead[i] = None
		s.Log[i].Append(Entry{Kind: Configuration, Term: 1})
	}
	yield(s)
}

// last returns the index of the last entry of i's log.
func (s *State) last(i Server) Number { return Number(s.Log[i].Len()) }

// termAt returns the term of the entry at index k of i's log, which it has.
func (s *State) termAt(i Server, k Number) Number { return s.Log[i].At(int(k)).Term }

// become gives i a role, as setState does: the leader is forgotten, and with the old role what
// belonged to it.
func (n *State) become(i Server, r Role) {
	n.Role[i] = r
	n.Lead[i] = None
	n.Votes[i] = 0
	n.Contact[i] = 0
	for j := range n.Peers[i] {
		n.Peers[i][j] = Peer{}
	}
}

// commitTo gives i a commit index and hands what is new to the state machine.
func (n *State) commitTo(i Server, index Number) {
	for k := n.Commit[i] + 1; k <= index; k++ {
		if e := n.Log[i].At(int(k)); e.Kind == Command {
			n.Value[i] = e.Value
		}
	}
	n.Commit[i] = index
}
