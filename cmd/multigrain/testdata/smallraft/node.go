// Package smallraft is a Raft of the size that fits into a test: one server as a state machine that takes messages and gives
// messages. It has elections and replication, and neither membership changes nor snapshots.
package smallraft

// Role is what a server is at the moment.
type Role int

const (
	Follower Role = iota
	Candidate
	Leader
)

// Kind says what a message is for.
type Kind int

const (
	Vote Kind = iota
	VoteResp
	Append
	AppendResp
)

// Entry is an entry of the log; its index is its position, from 1.
type Entry struct {
	Term    uint64
	Command []byte
}

// Message is what servers send each other.
type Message struct {
	Kind     Kind
	From, To int
	Term     uint64
	// Index and LogTerm are those of the last entry of a candidate, of the entry before Entries, or of what a follower has.
	Index, LogTerm uint64
	Entries        []Entry
	Commit         uint64
	Reject         bool
}

// Server is one server of a cluster.
type Server struct {
	id    int
	peers []int // all servers, itself too

	// On disk.
	term  uint64
	voted int // 0: for nobody in this term
	log   []Entry

	role   Role
	commit uint64
	votes  map[int]bool
	next   map[int]uint64
	match  map[int]uint64

	out []Message
}

// New returns a server that has nothing yet. Servers are numbered from 1.
func New(id int, peers []int) *Server {
	return &Server{id: id, peers: peers}
}

// Step takes a message and returns what the server sends then.
func (s *Server) Step(m Message) []Message {
	if m.Term > s.term {
		s.becomeFollower(m.Term)
	}
	handle := map[Kind]func(Message){
		Vote: s.handleVote, VoteResp: s.handleVoteResp, Append: s.handleAppend, AppendResp: s.handleAppendResp,
	}[m.Kind]
	handle(m)
	return s.flush()
}

// Tick is called when nothing was heard of a leader for too long.
func (s *Server) Tick() []Message {
	if s.role != Leader {
		s.campaign()
	}
	return s.flush()
}

// Propose gives a command to the leader; it reports false at other servers.
func (s *Server) Propose(command []byte) ([]Message, bool) {
	if s.role != Leader {
		return nil, false
	}
	s.log = append(s.log, Entry{s.term, command})
	s.match[s.id] = s.lastIndex()
	s.broadcast()
	return s.flush(), true
}

// Committed returns the entries that no leader will ever take back.
func (s *Server) Committed() []Entry { return s.log[:s.commit] }

func (s *Server) becomeFollower(term uint64) {
	s.role, s.term, s.voted = Follower, term, 0
}

func (s *Server) send(m Message) {
	m.From, m.Term = s.id, s.term
	s.out = append(s.out, m)
}

func (s *Server) flush() []Message {
	out := s.out
	s.out = nil
	return out
}

func (s *Server) lastIndex() uint64 { return uint64(len(s.log)) }

// termAt returns the term of an entry, 0 in front of the first one.
func (s *Server) termAt(index uint64) uint64 {
	if index == 0 || index > s.lastIndex() {
		return 0
	}
	return s.log[index-1].Term
}

// majority returns how many servers are more than half of them.
func (s *Server) majority() int { return len(s.peers)/2 + 1 }
