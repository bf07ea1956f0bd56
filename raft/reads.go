package raft

import "github.com/multigrain/multigrain/modules"

// Reading says whether the composition has reads.
const Reading = MaxReads > 0

// ReadMessages says whether reads are confirmed by messages.
const ReadMessages = Reading && ReadOnlyOption != "at-once"

// Phase is how far a client's read has come.
type Phase uint8

// Phases of a read.
const (
	Unused   Phase = iota
	Asked          // by ReadIndex
	Indexed        // the server knows up to where it must have applied: ReadState
	Answered       // the client has the value
	Lost           // with the server that it was asked of
)

// Read is a client's read and what its history needs: how new a value it must return, and how new
// the one is that it got. Values of the register are known by the index of the command that wrote
// them, 0 for none.
type Read struct {
	Server Server // that was asked, None if nobody was
	Phase  Phase
	Index  Number // ReadState.Index
	Floor  Number // the newest value that any client had written or read when this read began
	Value  Number
}

// Request is a read that a leader has not confirmed yet: readIndexRequest in read_only.go, before
// v3.7.0 readIndexStatus.
type Request struct {
	ID, Index Number
	Acks      Set // who answered heartbeats with the read's context, with contextsOfClients
}

// ReadOnly is a leader's book of reads: readOnly in read_only.go. Contexts of heartbeats are the
// number of reads that they confirm. A read that the network duplicates is there twice.
//
// With contextsOfClients the context of a heartbeat is that of a read. A read is there once,
// Confirmed and Acks stay 0, and each Request has its own answers.
type ReadOnly struct {
	Unconfirmed modules.Seq[Request, [2 * MaxReads]Request]
	Confirmed   Number
	Acks        [Servers]Number
}

// ReadIDs are the reads that wait for a leader's first commit: pendingReadIndexMessages.
type ReadIDs = modules.Seq[Number, [2 * MaxReads]Number]
