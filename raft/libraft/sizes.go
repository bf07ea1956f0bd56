package libraft

// What a manifest sets.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term; the library begins in term 1.
	MaxTerm = 12
	// MaxRequests is the number of commands that clients give along a behaviour.
	MaxRequests = 8
	// MaxQueue is the number of messages in flight from one server to another.
	MaxQueue = 24
	// MaxWire is the number of messages in flight altogether, for the constraint "wire".
	MaxWire = 60
	// MaxWrites is the number of writes of one server that are not complete. With the grain
	// baseline of replication none waits.
	MaxWrites = 4

	// Release is the version of the library, or "repaired".
	Release = "0.15.0"
	// PreVote says that candidates ask before they take the next term: raft_set_pre_vote.
	PreVote = false
	// Writes says that a write completes in a step of its own. The grain writes sets it.
	Writes = false
)

// repaired commits entries of the leader's term only, acknowledges what a message has, and answers
// known leaders only. Release 0.15.0 does none of it.
const repaired = Release == "repaired"

// MaxLog is the longest log: the first configuration, the commands.
const MaxLog = 1 + MaxRequests

// Quorum is the least number of servers that is a majority.
const Quorum = Servers/2 + 1
