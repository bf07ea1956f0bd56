package events

// Server is the identity of a server, counted from 0. It has two bytes, as all fields have, so that
// a State has no padding.
type Server int16

// None is no server.
const None Server = -1

// Set is a set of servers.
type Set uint16

// Has reports whether i is in the set.
func (s Set) Has(i Server) bool { return i >= 0 && s>>uint16(i)&1 != 0 }

// With returns the set and i, Without the set but i.
func (s Set) With(i Server) Set    { return s | 1<<uint16(i) }
func (s Set) Without(i Server) Set { return s &^ (1 << uint16(i)) }

// Len returns the number of elements.
func (s Set) Len() (n int) {
	for ; s != 0; s &= s - 1 {
		n++
	}
	return n
}

// majorityOf reports whether the set has more than half of another.
func (s Set) majorityOf(of Set) bool { return (s&of).Len()*2 > of.Len() }

// Role is a server's role in its own view: StateType in the library.
type Role uint16

// Roles.
const (
	Follower Role = iota
	Candidate
	Leader
	PreCandidate
)

// Kind is the type of a message: raftpb.MessageType.
type Kind uint16

// Kinds of messages. Zero is no message.
const (
	_ Kind = iota
	MsgVote
	MsgVoteResp
	MsgApp
	MsgAppResp
	MsgHeartbeat
	MsgHeartbeatResp
	MsgSnap
)

// Duty is the event that must come next at a server because of a received message.
type Duty uint16

// Duties.
const (
	Nothing     Duty = iota
	RaiseTerm        // BecomeFollower of the message's term
	StepBack         // BecomeFollower of a candidate that hears of a leader
	GiveUp           // BecomeFollower of a candidate that has lost
	TakeOffice       // BecomeLeader
	Vote             // an answer to MsgVote
	Acknowledge      // an answer to MsgApp
	Beat             // an answer to MsgHeartbeat
	Install          // an answer to MsgSnap
	Count            // Commit, for a new match index
)

// Position is an entry: its index and term. It stands for the log that ends with it.
type Position struct{ Index, Term uint16 }

// Msg is a message as events show it: TracingMessage. Entries is the number of entries, of MsgSnap
// the index of the snapshot.
type Msg struct {
	Kind                                        Kind
	Term, Index, LogTerm, Commit, Entries, Hint uint16
	Reject                                      uint16 // 0 or 1
	// the term of the last entry, or of the snapshot's
	Last uint16
}

// Packet is a message from one server to another, or to itself. It is in flight once a Ready has
// handed it over.
type Packet struct {
	Msg
	From, To Server
	Sent     uint16 // 0 or 1
}

// Change is a configuration change in a log.
type Change struct {
	At                 Position
	Add, Remove, Learn Set
}

// State holds the variables.
type State struct {
	Term   [Servers]uint16
	Vote   [Servers]Server
	Role   [Servers]Role
	Lead   [Servers]Server
	Log    [Servers]Position
	Commit [Servers]uint16

	Granted, Rejected [Servers]Set
	Match             [Servers][Servers]uint16

	// First and Before are the index of the first entry of each term and the term of the entry
	// before it, 0 for none. Led is who was elected in it.
	First, Before [MaxTerm + 1]uint16
	Led           [MaxTerm + 1]Server

	Voters, Outgoing, Learners [Servers]Set
	// Unstated are the servers that may be learners of the configuration with which the log finds a
	// server: events state voters only. A message to one of them shows that it is a learner.
	Unstated [Servers]Set
	// Changes are the configuration changes in logs, and ChangeCount is their number. Applied is
	// the index of the last one that a server has applied, Pending that of the last one that a
	// leader has proposed: pendingConfIndex.
	Changes     [MaxChanges]Change
	ChangeCount uint16
	Applied     [Servers]uint16
	Pending     [Servers]uint16

	// Appending is how many entries of a proposal have been announced and are not in the log yet.
	Appending [Servers]uint16
	Handling  [Servers]Packet
	Await     [Servers]Duty

	// Begun are the servers with known steps since their set-up. Restarting are those that come up
	// again.
	Begun, Restarting Set

	// What is on disk since the last Ready, and since the one before.
	DiskTerm, DiskCommit [2][Servers]uint16
	DiskVote             [2][Servers]Server
	DiskLog              [2][Servers]Position

	Wire      [MaxWire]Packet `inuse:"WireCount"`
	WireCount uint16
}

// Init yields the only initial state: nothing is known of any server.
func Init(yield func(State) bool) {
	var s State
	for i := range Server(Servers) {
		s.Vote[i], s.Lead[i] = None, None
		s.DiskVote[0][i], s.DiskVote[1][i] = None, None
	}
	for t := range s.Led {
		s.Led[t] = None
	}
	yield(s)
}
