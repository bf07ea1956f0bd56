package sandtable

// The sizes of a composition. A manifest's values replace them; see Bounds in catalog.go. Those
// here are the published ones.
const (
	// Servers is the number of servers in the ensemble.
	Servers = 3
	// MaxEpochs is MaxEpoch, the number of epochs.
	MaxEpochs = 1
	// MaxWire is the number of messages in flight beyond which nothing is explored.
	MaxWire = 10

	// Bug is the error that the model has: ZOOKEEPER-1419, or none.
	Bug = "zk-1419"
)

// Capacities that follow from the sizes.
const (
	// MaxChannel is the most messages in flight in one direction during Discovery.
	MaxChannel = 2
	// MaxNotifications is the most notifications in flight in one direction during an election.
	// MaxQueued is the most that wait in a server's queue, from all others.
	MaxNotifications = MaxWire + 2
	MaxQueued        = min(64, MaxNotifications*max(1, Servers-1))
)
