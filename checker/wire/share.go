package wire

// Share says which part of a search a program is. The frames that it exchanges with other parts are
// those of package exchange.
type Share struct {
	Index int `json:"index"` // from 0; part 0 reports for all
	Count int `json:"count"`
}

// On reports on what a search in parts ran.
type On struct {
	Engine  string `json:"engine"`  // "embedded"
	Workers int    `json:"workers"` // parts of the search, each a process
	Batches int64  `json:"batches"` // of states that were sent from one to another
	Bytes   int64  `json:"bytes"`   // of all that was sent
	// Restarts is how often the search began again, since a worker was lost.
	Restarts int `json:"restarts,omitempty"`
}
