package events

// The sizes and options of a composition. A manifest's values replace them; see catalog.go.
const (
	// Servers is the number of servers; the library's ids are one more than theirs here.
	Servers = 5
	// MaxTerm is the last term.
	MaxTerm = 255
	// MaxWire is the number of messages that are sent and may still be received. Beyond it the
	// oldest one counts as lost.
	MaxWire = 512
	// MaxChanges is the number of configuration changes in logs.
	MaxChanges = 32

	// PreVote and CheckQuorum say that the library's options of these names may be on.
	PreVote     = true
	CheckQuorum = true
	// UncheckedChanges says that DisableConfChangeValidation may be on.
	UncheckedChanges = true
	// Forgets says that an application may make followers forget their leader.
	Forgets = true
	// Duplicates says that a message may be received several times.
	Duplicates = false
)
