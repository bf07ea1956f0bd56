package vr

import "github.com/multigrain/multigrain/modules"

// What a manifest sets.
const (
	Replicas    = 3
	MaxViews    = 1 // views after view 0
	MaxRequests = 1
	// Takes says which log a new primary takes: that of the latest view, as it must, or its own,
	// a mistake.
	Takes = "latest"
	// AnyNonce is a mistake: a replica that recovers takes answers to earlier recoveries.
	AnyNonce = false
)

const views = MaxViews + 1

// Node is a replica, from 0.
type Node int8

// Log holds the numbers of requests, from 1, in their order.
type Log = modules.Seq[uint8, [MaxRequests]uint8]

// Status tells the work of a replica.
type Status uint8

// The statuses of a replica.
const (
	Normal     Status = iota
	Changing          // a view change is in progress
	Recovering        // it has lost its state, and waits for answers
)

// Replica is the state of a replica.
type Replica struct {
	Status Status
	View   uint8
	Last   uint8 // the latest view in which Status was Normal
	Commit uint8
	Nonce  uint8 // how often it has crashed; so nonces differ
	Log    Log
	Stored [Replicas]uint8 // primary: how much of its log each other replica has
}

// Prepare is a message PREPARE. Its view and number are its place. The zero Prepare is none.
type Prepare struct{ Request, Commit uint8 }

// Letter is a message with a log. Fields that a kind does not have are zero.
type Letter struct {
	View, Last, Nonce, Commit uint8
	Log                       Log
}

type letters = modules.Map[Node, Letter, [Replicas]Letter]

// State holds the replicas and the network.
type State struct {
	R [Replicas]Replica

	Prepares  [views][MaxRequests]Prepare // PREPARE, by view and number
	Oks       [views][Replicas]uint8      // PREPAREOK: the last number, by view and sender
	Changes   [views]modules.Set[Node]    // STARTVIEWCHANGE: its senders, by view
	Votes     [views]letters              // DOVIEWCHANGE, by view and sender
	Starts    [views]Letter               // STARTVIEW, by view; View is 0 where there is none
	Responses [Replicas]letters           // RECOVERYRESPONSE, by receiver and sender

	Requests uint8 // client: requests that were sent
	Done     Log   // ghost: what primaries have executed
	DoneIn   uint8 // ghost: the latest view in which one has
}

func start(yield func(State) bool) { yield(State{}) }

func primaryOf(view uint8) Node { return Node(view % Replicas) }

// up reports whether i has its state.
func (s *State) up(i Node) bool { return s.R[i].Status != Recovering }

// leads reports whether i is the primary of a view in progress.
func (s *State) leads(i Node) bool { return s.R[i].Status == Normal && primaryOf(s.R[i].View) == i }

// agreed: primaries have executed all that a replica has committed.
func agreed(s *State) bool {
	for _, r := range s.R {
		if int(r.Commit) > r.Log.Len() {
			return false
		}
		if committed := r.Log.Prefix(int(r.Commit)); !s.Done.HasPrefix(&committed) {
			return false
		}
	}
	return true
}

// kept: a primary has all that was executed in its view and before.
func kept(s *State) bool {
	for i := range Node(Replicas) {
		log := s.R[i].Log
		if s.leads(i) && s.R[i].View >= s.DoneIn && !log.HasPrefix(&s.Done) {
			return false
		}
	}
	return true
}
