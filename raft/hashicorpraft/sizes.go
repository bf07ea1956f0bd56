package hashicorpraft

// What a manifest sets.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term; the library's clusters begin in term 1.
	MaxTerm = 10
	// MaxRequests is the number of commands that clients propose along a behaviour.
	MaxRequests = 6
	// MaxCalls is the number of messages in flight from one server to another.
	MaxCalls = 16

	// History says that what was committed is remembered, for LeaderCompleteness. Commit indexes
	// are in memory, and a crash forgets them.
	History = false
)

// MaxLog is the longest log: the configuration, an entry of each leader, the commands.
const MaxLog = MaxTerm + MaxRequests
