package raft

import "github.com/multigrain/multigrain/modules"

// Panic is a panic of the library that a step of the protocol must not run into.
type Panic uint8

// Panics.
const (
	CommitOutOfRange      Panic = iota // log.go commitTo
	ConflictWithCommitted              // log.go maybeAppend
	NextBeyondLog                      // log.go term, by raft.go maybeSendAppend
	LeftTwice                          // raft.go applyConfChange, by confchange.go LeaveJoint
)

// panics are the invariants that the library's panics are. Nothing is assumed of a state after one:
// the library would have ended the process.
var panics = []modules.Invariant[State]{
	{ID: "Panic", Instance: "commit", Raises: modules.Bit(CommitOutOfRange),
		Doc: "No server gets the order to commit an entry that it does not have (log.go commitTo, v3.7.0)."},
	{ID: "Panic", Instance: "conflict", Raises: modules.Bit(ConflictWithCommitted),
		Doc: "No append conflicts with a committed entry (log.go maybeAppend, v3.7.0)."},
	{ID: "Panic", Instance: "next", Raises: modules.Bit(NextBeyondLog),
		Doc: "No leader sends from after the end of its log (log.go term, v3.7.0)."},
	{ID: "Panic", Instance: "leave", Raises: modules.Bit(LeftTwice),
		Doc: "No server leaves a joint configuration that it is not in (confchange.go LeaveJoint, v3.7.0)."},
}
