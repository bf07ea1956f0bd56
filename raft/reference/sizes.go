package reference

// The sizes of the model, which a manifest's bounds replace when a program is assembled. The limits
// of crashes and drops are budgets and have no constant. These sizes are configuration C of the
// published counts, and MID where the budgets are 1.
const (
	// Servers is the size of the cluster.
	Servers = 3
	// MaxTerm is the term from which no server times out any more; terms start at 1.
	MaxTerm = 2
	// MaxRequests is the number of commands that clients give in all, and so the capacity of a log.
	MaxRequests = 2
	// MaxQueue is the number of messages in flight from one server to another.
	MaxQueue = 1
)
