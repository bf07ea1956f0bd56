package zab

// The sizes and options of a composition. A manifest's values replace them; see Bounds and Options
// in catalog.go.
const (
	// Servers is the number of servers in the ensemble.
	Servers = 3
	// MaxTransactions is the length of the longest history that client requests build.
	MaxTransactions = 2
	// MaxRequests is the number of client requests along a behaviour.
	MaxRequests = 2
	// MaxEpochs is the number of epochs. An election begins one, and at the coarse grain only a
	// fault can lead to another election, so 1 + crashes + partitions is never binding there.
	MaxEpochs = 5
	// Closings is 1 where channels need room for the end of a connection, as the endpoints grain of
	// faults does.
	Closings = 0

	// Variant is the version of ZooKeeper that is modelled.
	Variant = "v3.9.1"
	// Snap allows the leader to synchronise by SNAP.
	Snap = true
	// LiveNode says that the specification runs next to one server, and only that server's messages
	// are known: see Runtime. Ghost variables are not kept.
	LiveNode = false
	// NodeSteps says that each step is one server's, and that each end of a connection acts by
	// itself: so in the grains node, which also run next to a server.
	NodeSteps = false
	// Fix names a change of ZooKeeper: see variants.go.
	Fix = "none"
	// Bug is the code of an earlier version that is modelled in its place: see earlier.go.
	Bug = "none"
	// Exceptions says whether a behaviour continues after an exception of the code: see
	// exceptions.go.
	Exceptions = "continue"
	// Storage says whether log, snapshot and memory are apart: see disk.go.
	Storage = "one"
	// EpochZxids says whether a leader that serves takes its epoch's zxid there: see namesEpochs.
	EpochZxids = false
	// Truncation says what TRUNC takes away where they are apart: see Disk.truncateAt.
	Truncation = "code"
	// Forces says what a loss of power leaves: see faults_power.go.
	Forces = "code"
	// DiskFaults and PhaseTimeouts pick the grain of Faults, LeaderThreads and ApplyBeforeLog that
	// of Broadcast: see grains.Pick.
	DiskFaults     = "none"
	PhaseTimeouts  = false
	LeaderThreads  = "both"
	ApplyBeforeLog = false
)

// ElectionSlots, DiscoverySlots and ThreadSlots are Servers where a chosen grain, invariant or rule
// touches their variables, else 0. Only the baseline grains of Election and Discovery, and the
// follower-threads ones, have these variables. VotedSlots is that of the vote, which coarse grains
// of Election have as well.
const (
	VotedSlots     = Servers
	ElectionSlots  = Servers
	DiscoverySlots = Servers
	ThreadSlots    = Servers
	// LeaderThreadSlots is Servers where a leader logs in a thread of its own.
	LeaderThreadSlots = Servers
	// PowerSlots is Servers where a chosen grain has servers that lose power, else 0.
	PowerSlots = Servers
	// NodeSlots is Servers if grains node are chosen, else 0. VoterSlots is Servers if a chosen
	// grain also has election messages of one server, as node-votes does, else 0.
	NodeSlots  = Servers
	VoterSlots = Servers
)

// Capacities that follow from the sizes.
const (
	// MaxHistory is the longest history.
	MaxHistory = max(MaxTransactions, 1)
	// MaxProposals is the number of transactions that are ever broadcast.
	MaxProposals = MaxRequests
	// MaxChannel is the most messages in flight in one direction: DIFF, TRUNC or SNAP, NEWLEADER,
	// and a PROPOSAL and a COMMIT for each transaction. UPTODATE answers the answer to NEWLEADER.
	MaxChannel = 2*MaxHistory + 2 + Closings
	// MaxNotifications is the most notifications in flight in one direction during an election.
	// MaxQueued is the most that wait in a server's queue, from all others.
	MaxNotifications = 4
	MaxQueued        = min(64, MaxNotifications*max(1, Servers-1))
)
