package twophase

// What a manifest sets.
const (
	// RMs is the number of resource managers.
	RMs = 3
	// Early is a mistake: the transaction manager commits when a majority has prepared.
	Early = false
)
