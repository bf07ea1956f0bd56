// Package good is a specification without findings, written with everything that is allowed.
package good

import "github.com/multigrain/multigrain/modules"

// Sizes.
const (
	Servers    = 3
	MaxHistory = 2
	MaxChannel = 2
)

type (
	Server int8
	Kind   uint8
	Fault  uint8
)

const (
	VOTE Kind = iota
	ACK
	NACK
)

const LostVote Fault = 0

type Txn struct{ Epoch, Value uint8 }

type Msg struct {
	Kind Kind
	Txn  Txn
}

type (
	History = modules.Seq[Txn, [MaxHistory]Txn]
	Queue   = modules.Channel[Msg, [MaxChannel]Msg]
	Net     = modules.Net[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Queue, [Servers][Servers]Queue]
)

type Node struct {
	Epoch   uint8
	Up      bool
	History History
	Votes   modules.Set[Server]
}

type State struct {
	Clock  uint16
	Nodes  [Servers]Node
	Msgs   Net
	Peers  modules.Map[Server, Txn, [Servers]Txn]
	Sent   modules.Records[Txn, [2]Txn]
	Raised modules.Raised[Fault]
	Spare  [2]uint8
}

type (
	Action[P any] = modules.Action[State, P]
	One           = modules.One[Server]
	Pair          = modules.Pair[Server]
)

// Vote is a parameter of the specification's own.
type Vote struct {
	I     Server
	Value uint8
	K     int
}

var (
	Each     = modules.Each[Server](Servers)
	EachPair = modules.EachPair[Server](Servers)
)

// EachVote is a domain of its own: it may range over other domains.
func EachVote(yield func(Vote) bool) {
	for p := range Each {
		for v := range uint8(2) {
			if !yield(Vote{I: p.I, Value: v}) {
				return
			}
		}
	}
}

// names is no specification code: only String reads it.
var names = map[Kind]string{VOTE: "VOTE", ACK: "ACK", NACK: "NACK"}

func (k Kind) String() string { return names[k] }
