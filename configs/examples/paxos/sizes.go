package paxos

// What a manifest sets.
const (
	Servers = 3
	Clients = 2
	// OwnValue is a mistake: a leader proposes its own value, whatever acceptors have accepted.
	OwnValue = false
	// AcceptAny is a mistake: an acceptor accepts proposals of ballots older than its promise.
	AcceptAny = false
)
