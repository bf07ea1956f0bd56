package published

// The sizes and the option of a composition. A manifest's values replace them; see Bounds and
// Options in catalog.go.
const (
	// Servers is the number of servers in the ensemble.
	Servers = 3
	// MaxTransactions is MaxTransactionNum, the length of the longest history.
	MaxTransactions = 2
	// MaxEpochs is the number of epochs: MaxEpoch of the system specification. MSPEC_2 has no
	// such limit; there it must not bind.
	MaxEpochs = 5
	// MaxTimeoutFailures is MaxTimeoutFailures: how many faults count as time-outs.
	MaxTimeoutFailures = 0

	// Specification is the specification that is modelled; see specifications.go.
	Specification = "mspec-2"
)

// ElectionSlots and SystemSlots are Servers where a chosen grain, invariant or rule touches the
// variables of Fast Leader Election, and those that only the system specification has, else 0.
const (
	ElectionSlots = Servers
	SystemSlots   = Servers
)

// Capacities that follow from the sizes.
const (
	// MaxHistory is the longest history. The initial state of MSPEC_2 has two transactions.
	MaxHistory = max(MaxTransactions, 2)
	// MaxProposals is the number of records in the proposal log.
	MaxProposals = MaxEpochs * MaxHistory
	// MaxChannel is the most messages in flight in one direction: DIFF, TRUNC or SNAP, NEWLEADER,
	// and a PROPOSAL and a COMMIT for each transaction. UPTODATE answers the answer to NEWLEADER.
	MaxChannel = 2*MaxHistory + 2
	// MaxNotifications is the most notifications in flight in one direction during an election.
	// MaxQueued is the most that wait in a server's queue, from all others.
	MaxNotifications = 4
	MaxQueued        = min(64, MaxNotifications*max(1, Servers-1))
)
