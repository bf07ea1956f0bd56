package consistency

// What a manifest sets.
const (
	// MaxHistory is the number of messages that a history has room for, and the limit of a
	// behaviour: HistoryLimit. At most 255.
	MaxHistory = 16
	// MaxViews is the last view that has room.
	MaxViews = 3
	// MaxEntries is the number of entries of a branch. At most 255.
	MaxEntries = 16
	// FirstBranch is the first view with a leader: 1 in the model, 2 in the implementation.
	FirstBranch = 1

	// Observations is "recorded" where a response keeps what the client observed, and "derived"
	// where that is read from the branch.
	Observations = "recorded"
	// Invalid is "early" where a transaction of the last view may be declared invalid before a
	// later view commits, and "certain" where not.
	Invalid = "early"
	// Ordered is the version of CommittedRwOrderedSerializableInv: "adjacent" or "extends".
	Ordered = "extends"
)

// CommitSlots is 1 where what the service has committed is modelled, else 0.
const CommitSlots = 1

// recorded is 1 with "recorded" and 0 with "derived", from the lengths of the words.
const recorded = len(Observations) - len("derived")

// Room of a sequence is 64 elements at most, or 255: a constant from 65 on is rounded up. The
// quotients are 1 from 65 on, and 0 below.
const (
	roomHistory = MaxHistory + (MaxHistory+190)/255*(255-MaxHistory)
	roomEntries = MaxEntries + (MaxEntries+190)/255*(255-MaxEntries)
)
