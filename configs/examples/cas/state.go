// Package cas specifies how transactions on one key succeed one another by Paxos, as in Cassandra
// 2.0: a prepare, a proposal and a commit for each. The mistake is CASSANDRA-6023: a server keeps
// one ballot, that of its last promise, also for the value that it accepted before.
//
// Source: "Testing Consensus Implementations Using Communication Closure" (OOPSLA 2020), section
// 7.1 and figure 6. Code: PaxosState and StorageProxy.beginAndRepairPaxos of Cassandra 2.0.0.
//
// Deviation: a server that refuses is silent, and a coordinator answers its own requests at once.
//
// Not modelled: conditions and contents of transactions; timeouts of coordinators; reads; commits
// that a coordinator hands on to servers that lack them. Each ballot begins with a new transaction,
// and a server coordinates one at a time: the next one takes its place.
package cas

import "github.com/multigrain/multigrain/modules"

// What a manifest sets.
const (
	Servers      = 3
	Transactions = 3     // transactions that begin along a behaviour; the last ballot
	Split        = false // a repair: a server keeps the ballot of what it accepted
)

var majority = modules.Quorum{Members: Servers, Least: Servers/2 + 1}

// Small numbers, and the messages from one server to another.
type (
	Node   int8
	Ballot uint8 // of a transaction, from 1; 0 is none
	Kind   uint8
	queue  = modules.Channel[Msg, [InFlight]Msg]
)

// The kinds of messages.
const (
	PREPARE Kind = iota + 1 // Ballot
	PROMISE                 // Ballot, Accepted, Committed
	PROPOSE                 // Ballot, Value
	ACCEPT                  // Ballot
	COMMIT                  // Ballot, Value
)

// Vote is a value and its ballot. A value is the ballot of the transaction that proposed it first.
type Vote struct{ Ballot, Value Ballot }

// Msg is a message. Fields that a kind does not have are zero.
type Msg struct {
	Kind                Kind
	Ballot, Value       Ballot
	Accepted, Committed Vote
}

// InFlight messages from one server to another: each sends each kind at most once for a ballot.
const InFlight = 3 * Transactions

// State holds the variables, each with its owner.
type State struct {
	Promised  [Servers]Ballot            // replica
	Accepted  [Servers]Vote              // replica: its proposal in progress
	Committed [Servers]Vote              // replica: the latest commit
	Ballot    [Servers]Ballot            // coordinator: of its transaction
	Value     [Servers]Ballot            // coordinator: what it proposes; 0 before that
	Latest    [Servers]Vote              // coordinator: the latest accepted of those who promised
	Seen      [Servers]Ballot            // coordinator: the latest commit of those who promised
	Promises  [Servers]modules.Set[Node] // coordinator
	Accepts   [Servers]modules.Set[Node] // coordinator
	Begun     Ballot                     // ghost: the last ballot
	Done      [Transactions + 1]Ballot   // ghost: for each ballot what a majority accepted in it
	Msgs      modules.Bag[Node, Kind, Msg, [InFlight]Msg, [Servers]queue, [Servers][Servers]queue]
}

func start(yield func(State) bool) { yield(State{}) }

// applied: what was committed is not committed again once something else was.
func applied(s *State) bool {
	for c := range s.Done {
		for b := range c {
			for a := range b {
				if s.Done[a] != 0 && s.Done[a] == s.Done[c] && s.Done[b] != 0 && s.Done[b] != s.Done[a] {
					return false
				}
			}
		}
	}
	return true
}
