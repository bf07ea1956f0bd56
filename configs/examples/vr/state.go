package vr

import "github.com/multigrain/multigrain/modules"

// What a manifest sets.
const (
	Replicas    = 3
	MaxViews    = 1     // views after view 0
	MaxRequests = 1     // requests of clients
	OwnLog      = false // a mistake: a new primary keeps its own log, whatever a quorum has sent
	AnyNonce    = false // a mistake: a replica that recovers takes answers to earlier recoveries
)

// Node is a replica, from 0.
type Node int8

// Log holds the numbers of requests, from 1, in their order.
type Log = modules.Seq[uint8, [MaxRequests]uint8]

// Replica is the state of a replica, and what a message tells of it. Its status is "normal" where
// Last is View, and "view-change" where Last is less.
type Replica struct {
	View   uint8
	Last   uint8 // the latest view in which the status was normal
	Commit uint8 // requests that it has executed, or that a new primary knows to be
	Log    Log
}

type letters = modules.Map[Node, Replica, [Replicas]Replica]

// State holds the replicas and the network.
type State struct {
	R      [Replicas]Replica
	Lost   modules.Set[Node]         // replicas that have lost their state, status "recovering"
	Stored [Replicas][Replicas]uint8 // primary: how much of its log each other replica has

	Prepares  [MaxViews + 1]Log               // PREPARE: what the primary has in its log, by view
	Oks       [MaxViews + 1][Replicas]uint8   // PREPAREOK: the last number, by view and sender
	Changes   [MaxViews + 1]modules.Set[Node] // STARTVIEWCHANGE: its senders, by view
	Votes     [MaxViews + 1]letters           // DOVIEWCHANGE, by view and sender
	Starts    [MaxViews + 1]Replica           // STARTVIEW, by view; zero where there is none
	Responses [Replicas]letters               // RECOVERYRESPONSE, by receiver and sender

	Requests uint8 // client: requests that were sent
	Done     Log   // ghost: what primaries have executed
	DoneIn   uint8 // ghost: the latest view in which one has
}

func start(yield func(State) bool) { yield(State{}) }

func primaryOf(view uint8) Node { return Node(view % Replicas) }

// normal reports whether i takes part in a view in progress.
func (s *State) normal(i Node) bool { return !s.Lost.Has(i) && s.R[i].Last == s.R[i].View }

// changing reports whether i takes part in a view change.
func (s *State) changing(i Node) bool { return !s.Lost.Has(i) && s.R[i].Last < s.R[i].View }

// leads reports whether i is the primary of a view in progress.
func (s *State) leads(i Node) bool { return s.normal(i) && primaryOf(s.R[i].View) == i }

// agreed: primaries have executed all that a replica has committed.
func agreed(s *State) bool {
	for _, r := range s.R {
		committed := r.Log
		committed.Truncate(int(r.Commit))
		if int(r.Commit) > r.Log.Len() || !s.Done.HasPrefix(&committed) {
			return false
		}
	}
	return true
}

// kept: a primary has all that was executed in its view and before.
func kept(s *State) bool {
	for i, r := range s.R {
		if s.leads(Node(i)) && r.View >= s.DoneIn && !r.Log.HasPrefix(&s.Done) {
			return false
		}
	}
	return true
}
