package ratis

// What a manifest sets.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term; the library begins in term 0.
	MaxTerm = 9
	// MaxRequests is the number of commands that clients give along a behaviour.
	MaxRequests = 8
	// MaxWire is the number of calls that are not over, for the constraint "wire".
	MaxWire = 6

	// Release is the version of the library, of those in which the modelled code differs.
	Release = "3.3.0"
	// PreVote says that candidates ask before they take the next term: the library's default.
	PreVote = true
)

// heartbeatsMatch says that the leader takes the end of a follower's log for its match index when
// the follower answers a heartbeat: RATIS-2605, in releases before 3.3.0.
const heartbeatsMatch = Release == "3.2.2"

// MaxQueue is the number of messages in flight from one server to another: a request and an answer.
const MaxQueue = 2

// MaxLog is the longest log: the commands, and an entry of each leader.
const MaxLog = MaxRequests + MaxTerm

// Quorum is the least number of servers that is a majority.
const Quorum = Servers/2 + 1
