package protocol

import "github.com/multigrain/multigrain/modules"

// Kind is the type of a message: mtype.
type Kind uint8

// Kinds of messages.
const (
	NoKind Kind = iota
	CEPOCH
	NEWEPOCH
	ACKEPOCH
	NEWLEADER
	ACKLD
	COMMITLD
	PROPOSE
	ACK
	COMMIT
)

// Msg is a message of any kind. Fields that a kind does not have are zero.
type Msg struct {
	Kind    Kind
	Epoch   uint8   // mepoch of CEPOCH, NEWEPOCH, ACKEPOCH and NEWLEADER
	Zxid    Zxid    // mzxid of ACKLD, COMMITLD, PROPOSE, ACK and COMMIT
	Data    uint8   // mdata of PROPOSE
	History History // mhistory of ACKEPOCH and NEWLEADER
}

// Queue holds the messages in flight between two servers, and Net those between all servers: in
// order, lost when the connection breaks.
type (
	Queue = modules.Channel[Msg, [MaxChannel]Msg]
	Net   = modules.Net[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Queue, [Servers][Servers]Queue]
)

// broadcast sends m from leader i to those of a set of servers that are connected to it.
func (s *State) broadcast(i Server, to Set, m Msg) {
	for j := range Server(Servers) {
		if j != i && to.Has(j) && s.Learners[i].Has(j) {
			s.Msgs.Send(i, j, m)
		}
	}
}

// clean loses what is in flight between i and j.
func (s *State) clean(i, j Server) {
	s.Msgs.Clear(i, j)
	s.Msgs.Clear(j, i)
}

// cleanInput loses what is in flight to i.
func (s *State) cleanInput(i Server) {
	for j := range Server(Servers) {
		s.Msgs.Clear(j, i)
	}
}

// Assertion is something that Zab.tla takes to be impossible and marks in violatedInvariants.
// Effects raise it; the invariants ShouldNotBeTriggered forbid it.
type Assertion uint8

// Assertions.
const (
	// a message of a phase reaches a server that is in another
	StateInconsistent    Assertion = iota
	ProposalInconsistent           // COMMITLD or PROPOSE does not fit the follower's history
	CommitInconsistent             // COMMIT, at either end, is out of order
	AckInconsistent                // ACK is for an unknown transaction or out of order
)
