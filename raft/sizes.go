package raft

// The sizes and options of a composition. A manifest's values replace them; see Bounds and
// Options in catalog.go.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term in which a leader is elected; terms start at 0, the first election
	// is for term 1.
	MaxTerm = 2
	// MaxRequests is the number of commands that clients propose along a behaviour.
	MaxRequests = 1
	// MaxReads is the number of reads that clients ask for along a behaviour.
	MaxReads = 0
	// MaxChanges is the number of configuration changes that are proposed along a behaviour.
	// InitialVoters is the number of servers in the first configuration, 0 for all.
	MaxChanges    = 0
	InitialVoters = 0
	// MaxAdditions is the number of servers that clients ask to be added along a behaviour.
	MaxAdditions = 0
	// MaxCompactions is the number of times that servers fold away their logs along a behaviour.
	MaxCompactions = 0
	// MaxWrites is the number of writes that wait for a server's storage; with 0 storage is
	// instantly done.
	MaxWrites = 0
	// MaxTransfers is the number of leadership transfers along a behaviour.
	MaxTransfers = 0
	// MaxQueue is the number of messages in flight from one server to another.
	MaxQueue = 6
	// MaxWire is the number of messages in flight altogether, for the state constraint "wire".
	MaxWire = 6
	// MaxInflight is Config.MaxInflightMsgs of the library: how many appends with entries a leader
	// has in flight to one follower. 1 is one at a time; more is the library's pipelining.
	MaxInflight = 1

	// MaxBatch is how many entries an append carries at most: Config.MaxSizePerMsg. Next to a node
	// anything above 1 stands for any number.
	MaxBatch = 1

	// MaxStreams is how many streams carry messages from a server to another: 1, or 2 where appends
	// have their own, as etcd's servers have it: see streams.go.
	MaxStreams = 1

	// Network is "udp", messages that overtake one another, or "tcp", first in, first out.
	Network = "udp"
	// Append is "messages" or, set by the grains of Replication that adopt a whole log,
	// "at-once": leaders send no appends.
	Append = "messages"
	// PreVote and CheckQuorum are the library's options of these names.
	PreVote     = false
	CheckQuorum = false
	// ByConsensus is how voters change: "one-at-a-time", "joint", or "joint-manual", where
	// leaving a joint configuration is proposed.
	ByConsensus = "one-at-a-time"
	// Batches says that a server takes several steps before it writes and sends what they ask
	// for. The grain batched of Replication sets it.
	Batches = false
	// ToldApplies says that the entries that a server applies come from outside, step by step, and
	// that it keeps them when it restarts. The grain `told` of Apply sets it.
	ToldApplies = false
	// Reported says that a transport reports to leaders what became of their messages. The grain
	// reported of Network sets it.
	Reported = false
	// RestartFrom is, with ToldApplies, the point from which a server's application starts:
	// "applied", the last entry that it has applied, or "snapshot", the snapshot in its storage, as
	// etcd does.
	RestartFrom = "applied"
	// ReadOnlyOption is Config.ReadOnlyOption of the library: "safe" or "lease"; the grain
	// reads-at-once of Client sets "at-once".
	ReadOnlyOption = "safe"
	// LocalReads makes the number of a read say which server was asked, and nobody remember what
	// clients know: reads as one server sees them, for running next to it.
	LocalReads = false
	// EmptyEntry makes leaders begin their term with an empty entry, as the library does and
	// figure 2 does not.
	EmptyEntry = true
	// Variant is the version of the library: see versions.go.
	Variant = "v3.7.0"
	// Mistake is "none" or the name of a known mistake of an implementation; see mistakes.go.
	Mistake = "none"
)

// BatchSlots is 1 where appends may carry several entries, else 0.
const BatchSlots = min(MaxBatch-1, 1)

// StreamsSlots is 1 where appends have a stream of their own, else 0.
const StreamsSlots = min(MaxStreams-1, 1)

// BagSlots and StreamSlots are Servers where the network that a composition chose is the one,
// else 0.
const (
	BagSlots    = Servers
	StreamSlots = Servers
)

// Capacities that follow from the sizes.
const (
	// ReadSlots is Servers where there are reads, else 0.
	ReadSlots = Servers * min(MaxReads, 1)
	// AskSlots is 1 where there are reads, else 0.
	AskSlots = min(MaxReads, 1)
	// ConfSlots is Servers where the configuration changes, else 0; ChangeSlots is 1, else 0.
	ConfSlots   = Servers * min(MaxChanges, 1)
	ChangeSlots = min(MaxChanges, 1)
	// AdditionSlots is Servers where clients ask for servers to be added, else 0.
	AdditionSlots = Servers * min(MaxAdditions, 1)
	// ToldSlots is 1 where the configuration changes, else 0.
	ToldSlots = min(MaxChanges, 1)
	// SnapSlots is Servers where logs are compacted, else 0, and SnapBodies 1, else 0.
	SnapSlots  = Servers * min(MaxCompactions, 1)
	SnapBodies = min(MaxCompactions, 1)
	// FoldedSlots is Servers where logs are compacted, else 0, StoredSlots and PendingSlots 1,
	// else 0.
	FoldedSlots  = Servers * min(MaxCompactions, 1)
	StoredSlots  = min(MaxCompactions, 1)
	PendingSlots = min(MaxCompactions, 1)
	// DiskSlots is Servers where storage is slower than the server, else 0.
	DiskSlots = Servers * min(MaxWrites, 1)
	// TransferSlots is Servers where there are transfers, else 0.
	TransferSlots = Servers * min(MaxTransfers, 1)
	// MaxLog is the longest log: an empty entry of each leader, the commands, the changes and the
	// ends of joint configurations. A new leader may propose one of these once more.
	MaxLog = MaxTerm + MaxRequests + MaxChanges + min(MaxChanges, 1)*(MaxTerm+MaxChanges)
)
