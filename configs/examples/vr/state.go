package vr

import "github.com/multigrain/multigrain/modules"

// Node is a replica, from 0.
type Node int8

// Log holds the numbers of requests, in their order.
type Log = modules.Seq[uint8, [MaxRequests]uint8]

// Status tells the work of a replica.
type Status uint8

// The statuses of a replica.
const (
	Normal     Status = iota
	Changing          // a view change is in progress
	Down              // it has lost its state
	Recovering        // it waits for answers
)

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages.
const (
	PREPARE   Kind = iota + 1 // View, Op, Request, Commit
	PREPAREOK                 // View, Op
	CHANGE                    // STARTVIEWCHANGE: View
	DOCHANGE                  // DOVIEWCHANGE: View, Last, Log, Commit
	START                     // STARTVIEW: View, Log, Commit
	RECOVERY                  // Nonce
	RESPONSE                  // View, Nonce; of a primary Log, Commit, too
)

// Msg is a message. Fields that a kind does not have are zero.
type Msg struct {
	Kind                                   Kind
	View, Op, Request, Commit, Last, Nonce uint8
	Log                                    Log
}

type (
	queue    = modules.Channel[Msg, [InFlight]Msg]
	messages = modules.Map[Node, Msg, [Replicas]Msg]
)

// State holds the variables, each an array over the replicas, and the messages.
type State struct {
	Status    [Replicas]Status
	View      [Replicas]uint8
	Last      [Replicas]uint8 // the latest view in which the status was Normal
	Log       [Replicas]Log
	Commit    [Replicas]uint8
	Stored    [Replicas][Replicas]uint8   // primary: how much of its log each other replica has
	Votes     [Replicas]modules.Set[Node] // who has sent CHANGE for the view
	Answers   [Replicas]messages          // new primary: DOCHANGE
	Nonce     [Replicas]uint8             // how often it has crashed; so nonces differ
	Responses [Replicas]messages          // of a replica that recovers

	Requests uint8 // client: requests that were sent
	Done     Log   // ghost: what primaries have executed
	DoneIn   uint8 // ghost: the latest view in which one has

	Msgs modules.Bag[Node, Kind, Msg, [InFlight]Msg, [Replicas]queue, [Replicas][Replicas]queue]
}

func start(yield func(State) bool) { yield(State{}) }

func primaryOf(view uint8) Node { return Node(view % Replicas) }

// leads reports whether i is the primary of a view in progress.
func (s *State) leads(i Node) bool { return s.Status[i] == Normal && primaryOf(s.View[i]) == i }

// up reports whether i has its state.
func (s *State) up(i Node) bool { return s.Status[i] == Normal || s.Status[i] == Changing }

// joins reports whether i takes part in a change to a view.
func (s *State) joins(i Node, view uint8) bool {
	return s.up(i) && view > s.View[i] || s.Status[i] == Changing && view == s.View[i]
}

// tell sends m from i to all others.
func (n *State) tell(i Node, m Msg) {
	for j := range Node(Replicas) {
		if j != i {
			n.Msgs.Send(i, j, m)
		}
	}
}

// agreed: primaries have executed all that a replica has committed.
func agreed(s *State) bool {
	for i := range Replicas {
		for k := 1; k <= int(s.Commit[i]); k++ {
			if k > s.Done.Len() || k > s.Log[i].Len() || s.Log[i].At(k) != s.Done.At(k) {
				return false
			}
		}
	}
	return true
}

// kept: a primary has all that was executed in its view and before.
func kept(s *State) bool {
	for i := range Node(Replicas) {
		if s.leads(i) && s.View[i] >= s.DoneIn && !s.Log[i].HasPrefix(&s.Done) {
			return false
		}
	}
	return true
}
