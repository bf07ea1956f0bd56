package protocol

// The sizes and options of a composition, which a manifest's values replace; see Bounds and Options
// in catalog.go. With these, Zab.tla has 26 695 distinct states under a view without recorder.pc,
// as TLC 2.18 counts them (TestPublishedCounts), and so has the grain published of module bounds.
// The authors of Zab.tla publish 19 980 for these sizes. TLC 2.18 finds that number as the states
// that it generates with symmetric servers, of them 15 497 distinct.
const (
	// Servers is the size of the ensemble.
	Servers = 2
	// MaxTransactions is the length that clients' requests may give a history, and so the capacity
	// of one.
	MaxTransactions = 2
	// MaxEpochs is the last epoch that a leader may choose.
	MaxEpochs = 3

	// MaxTimeoutFailures limits time-outs at the grain published, where restarts count as such too.
	// Elsewhere time-outs are a budget of the checker, as restarts are everywhere.
	MaxTimeoutFailures = 2
	// RestartsNeedTimeouts says that at the grain published a restart is forbidden where time-outs
	// are spent.
	RestartsNeedTimeouts = false
)

// Capacities that follow from the sizes.
const (
	// MaxProposals bounds what primaries broadcast: in an epoch, by its one primary, a history's
	// worth.
	MaxProposals = MaxEpochs * MaxTransactions
	// MaxChannel is the most messages in flight in one direction: COMMITLD, and PROPOSE and COMMIT
	// of each transaction. NEWEPOCH, NEWLEADER and COMMITLD wait for an answer to the one before.
	MaxChannel = 2*MaxTransactions + 1
)
