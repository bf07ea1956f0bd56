package phases

// The sizes and the option of a composition, which a manifest's values replace.
const (
	// Servers is the number of servers.
	Servers = 3
	// MaxPhases is the number of phases, and so of commands.
	MaxPhases = 4
	// Dated says which phase dates a log: "taken", the last in which the server took over a
	// proposal, or "joined", the last that it joined.
	Dated = "taken"
)

// MaxChannel is the number of messages from one server to another that can be in flight: in a
// phase three at most.
const MaxChannel = min(3*MaxPhases, 16)
