package reference

import "github.com/multigrain/multigrain/modules"

// Server identifies a server, 0 to Servers-1.
type Server int8

// Nil is no server: the vote of a server that has not voted in its term.
const Nil Server = -1

// Role is the part that a server plays.
type Role uint8

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// Entry is an entry of a log: the term in which a leader received it, and the command, which is the
// number of the client's request from 1. The zero Entry is none.
type Entry struct{ Term, Value uint8 }

// Log is the log of a server. A request is entered once, so no log grows beyond the requests.
type Log = modules.Seq[Entry, [MaxRequests]Entry]

// State is the state of the cluster. All variables are functions of a server, but the messages in
// flight and the count of requests.
type State struct {
	// Persistent on every server (figure 2, "Persistent state on all servers").
	Term  [Servers]uint8  // term
	Voted [Servers]Server // voted: for whom the server voted in Term, or Nil
	Log   [Servers]Log    // log

	// Volatile on every server.
	Role   [Servers]Role  // role
	Commit [Servers]uint8 // commit: index of the last entry known to be committed

	// Volatile on candidates: who voted for the server. Empty in other roles.
	Votes [Servers]modules.Set[Server] // votes

	// Volatile on leaders: by leader and follower, the index of the entry to send next, and of the
	// last entry known to be replicated. 1 and 0 in servers that have not led since their last new
	// term or restart.
	Next  [Servers][Servers]uint8 // next
	Match [Servers][Servers]uint8 // match

	// Msgs holds the messages in flight, by sender and receiver.
	Msgs Net // ch

	// Reqs counts the requests of clients; it numbers their commands.
	Reqs uint8 // reqs
}

// Init yields the only initial state: all servers are followers of term 1 with empty logs.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Term[i] = 1
		s.Voted[i] = Nil
		s.resetProgress(i)
	}
	yield(s)
}

// resetProgress gives i the view of its followers' logs that a server has before it leads.
func (s *State) resetProgress(i Server) {
	for j := range s.Next[i] {
		s.Next[i][j] = 1
		s.Match[i][j] = 0
	}
}

// lastIndex returns the index of the last entry of i's log, 0 where the log is empty.
func (s *State) lastIndex(i Server) uint8 { return uint8(s.Log[i].Len()) }

// lastTerm returns the term of the last entry of i's log, 0 where the log is empty.
func (s *State) lastTerm(i Server) uint8 { return s.Log[i].Last().Term }

// termAt returns the term of the entry at index k of i's log; 0 for index 0.
func (s *State) termAt(i Server, k uint8) uint8 {
	if k == 0 {
		return 0
	}
	return s.Log[i].At(int(k)).Term
}
