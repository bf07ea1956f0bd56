package replicated

// The sizes of a composition, which a manifest's values replace.
const (
	// Servers is the number of servers.
	Servers = 3
	// MaxTerm is the last term of an entry.
	MaxTerm = 2
	// MaxRequests is the number of commands.
	MaxRequests = 1
)

// MaxLength is the longest log: an entry without a command for each term, and the commands.
const MaxLength = MaxTerm + MaxRequests
