package pysyncobj

// What a manifest sets.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the last term; the library begins in term 0.
	MaxTerm = 12
	// MaxRequests is the number of commands that clients give along a behaviour.
	MaxRequests = 8
	// MaxQueue is the number of messages in flight from one server to another.
	MaxQueue = 24
	// MaxWire is the number of messages in flight altogether, for the constraint "wire".
	MaxWire = 60

	// Release is the version of the library, of those in which the modelled code differs.
	Release = "0.3.16"
	// Batch is SyncObjConf.appendEntriesUseBatch: appends wait for their period.
	Batch = true
	// Ticks says that handling a message and ticking are two steps. The grain ticks sets it.
	Ticks = false
)

// What the versions differ in.
const (
	// fixed12 has the changes of 0.3.12 for the tickets 166, 167 and 169.
	fixed12 = Release != "0.3.11"
	// fixed16 keeps term and vote over a restart, and bounds the commit index by the log. It also
	// has transfers of the leadership.
	fixed16 = Release == "0.3.16"
)

// MaxLog is the longest log: the first entry, an entry of each leader, the commands.
const MaxLog = 1 + MaxTerm + MaxRequests
