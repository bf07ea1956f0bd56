package wraft

// What a manifest sets.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term; the library begins in term 0.
	MaxTerm = 2
	// MaxRequests is the number of commands that clients give along a behaviour.
	MaxRequests = 3
	// MaxQueue is the number of messages in flight from one server to another.
	MaxQueue = 8
	// MaxWire is the number of messages in flight altogether, for the constraint "wire".
	MaxWire = 5

	// Repair is the mistake that is repaired: one of the names below, "none" or "all".
	Repair = "none"
)

// What a release may have repaired. Numbers are those of WRaft in table 2 of the SandTable paper.
const (
	// repairsAppend (#1): a follower leaves compacted entries as they are, and commits what the
	// message vouches for.
	repairsAppend = Repair == "append" || Repair == "all"
	// repairsSend (#2): a leader sends its snapshot, too, where the next index is that of the
	// snapshot.
	repairsSend = Repair == "send" || Repair == "all"
	// repairsRefuse (#3): a follower refuses a snapshot only if it has the entry of its index
	// and term.
	repairsRefuse = Repair == "refuse" || Repair == "all"
	// repairsTerm (#4): a snapshot does not lower the term.
	repairsTerm = Repair == "term" || Repair == "all"
	// repairsRetry (#5, #7): a leader ignores a refusal of someone who has all before the next
	// index.
	repairsRetry = Repair == "retry" || Repair == "all"
	// repairsBeat (#8): a round of heartbeats does not end with a snapshot.
	repairsBeat = Repair == "beat" || Repair == "all"
	// repairsLastTerm (#9): the last term of a compacted log is that of the snapshot.
	repairsLastTerm = Repair == "last-term" || Repair == "all"
)

// MaxLog is the longest log: the commands, some twice (see HandleAppend).
const MaxLog = 2 * MaxRequests

// Quorum is the least number of servers that is a majority.
const Quorum = Servers/2 + 1
