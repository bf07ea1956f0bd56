package broadcast

// The sizes of a composition, which a manifest's values replace.
const (
	// Servers is the number of servers.
	Servers = 3
	// MaxTransactions is the length of the longest sequence.
	MaxTransactions = 2
	// MaxRequests is the number of requests of clients, and so of values.
	MaxRequests = 2
	// MaxEpochs is the last epoch of a transaction.
	MaxEpochs = 5
)

// MaxLength is the longest sequence.
const MaxLength = max(MaxTransactions, 1)
