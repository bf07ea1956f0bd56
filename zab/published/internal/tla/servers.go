package tla

import "github.com/multigrain/multigrain/modules"

// Number is an epoch, a counter, a value or a position.
type Number = int8

// Server is the identity of a server, counted from 0. Votes order servers by it.
type Server int8

// NullPoint is no server.
const NullPoint Server = -1

// Set is a set of servers.
type Set = modules.Set[Server]

// ServerState is a value of state.
type ServerState uint8

// Values of state.
const (
	LOOKING ServerState = iota
	FOLLOWING
	LEADING
)

// ZabState is a value of zabState.
type ZabState uint8

// Values of zabState.
const (
	ELECTION ZabState = iota
	DISCOVERY
	SYNCHRONIZATION
	BROADCAST
)

// ServingState is a value of servingState, a variable of MSPEC_2 only.
type ServingState uint8

// Values of servingState.
const (
	SHUTDOWN ServingState = iota
	INITIAL
	RUNNING
)
