package vr

// What a manifest sets.
const (
	Replicas    = 3
	MaxViews    = 1
	MaxRequests = 1
	// Takes says which log a new primary takes: that of the latest view, as it must, or its own,
	// a mistake.
	Takes = "latest"
	// AnyNonce is a mistake: a replica that recovers takes answers to earlier recoveries.
	AnyNonce = false
)

// InFlight is the number of messages from one replica to another.
const InFlight = 3*MaxRequests + 4*MaxViews + 4
