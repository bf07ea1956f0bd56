package chain

// What a manifest sets, and what follows from it.
const (
	Servers = 3
	MaxPuts = 2
	MaxGets = 1
	// ReadAtHead is a mistake: the head answers queries, although updates that it has stored can
	// still be lost.
	ReadAtHead = false

	Nodes    = Servers + 2
	InFlight = 2*MaxPuts + MaxGets + 1
)
