package ccf

// What a manifest sets.
const (
	// Servers is the number of nodes, those that may join included.
	Servers = 3
	// MaxTerm is the last term that a node campaigns for. Terms begin with StartTerm.
	MaxTerm = 3
	// MaxRequests is the number of requests in a log.
	MaxRequests = 1
	// MaxLog is the longest log. A leader adds nothing to a log of that length.
	MaxLog = 16
	// MaxQueue is the number of messages in flight from one node to another.
	MaxQueue = 6
	// MaxWire is the number of messages in flight altogether, for the constraint "wire".
	MaxWire = 60
	// MaxBatch is the number of entries of an append.
	MaxBatch = 1
	// MaxConfigurations is the number of active configurations that a node may have.
	MaxConfigurations = 4

	// Configured is the schedule of configurations: RAFT_CONFIGS of MCccfraft.tla, or "any".
	Configured = "2C3N"
	// Delivery is the guarantee of the network: Guarantee of Network.tla.
	Delivery = "ordered-no-dup"
	// PreVotes says what nodes know of pre-votes at first.
	PreVotes = "enabled"
	// Proposals says whether a node follows a proposal to become a candidate.
	Proposals = "taken"
	// OneAppend keeps a node from sending to another one with an append or an answer in flight.
	OneAppend = true
	// OneCandidate keeps a node from a time-out while a node of its committed configurations is a
	// candidate.
	OneCandidate = true
	// Initial says what a service has had at first.
	Initial = "published"
	// SignTwice says that a signature may follow a signature of the same term.
	SignTwice = false
	// FollowerCommit says how far a follower takes the leader's commit index over.
	FollowerCommit = "log"
	// Mistake is a mistake that CCF had.
	Mistake = "none"

	// MaxHistory is the number of messages between clients and nodes.
	MaxHistory = 4
	// Reads says which nodes answer read-only transactions.
	Reads = "leader"
)

// BagSlots and StreamSlots are Servers where the network that a composition chose is the one, else
// 0.
const (
	BagSlots    = Servers
	StreamSlots = Servers
)

// DriverSlots is 1 where scripts of the driver are judged, else 0. ClientSlots is 1 where clients
// are observed, else 0. MaxOutbox is the number of messages that a node has in flight.
const (
	DriverSlots = 1
	ClientSlots = 1
	MaxOutbox   = 255
)

// Judged says that logs or scripts are judged. There a bound refuses nothing: what it has no room
// for is a capacity, which leaves the log undecided.
const Judged = Initial != "published"

// StartTerm is the term in which a service starts.
const StartTerm = 2

// Ordered says that messages from one node to another arrive in their order. NoDup says that a
// message is not sent while the same one is in flight.
const (
	Ordered = Delivery == "ordered-no-dup" || Delivery == "ordered"
	NoDup   = Delivery == "ordered-no-dup" || Delivery == "reordered-no-dup"
)
