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
	// MaxChannel is what is in flight in one direction at most during Discovery.
	MaxChannel = 2
	// MaxNotifications is what is in flight in one direction during an election at most, and
	// MaxQueued what waits in a server's queue, from all others.
	MaxNotifications = MaxWire + 2
	MaxQueued        = min(64, MaxNotifications*max(1, Servers-1))
)
