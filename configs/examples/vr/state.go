// Package vr specifies Viewstamped Replication with view changes and recovery.
//
// Source: Liskov, Cowling, "Viewstamped Replication Revisited" (MIT-CSAIL-TR-2012-021), 4.1 to 4.3.
//
// The network keeps every message: each is received any number of times or never, in any order. A
// message that a replica sends again, to the same receivers in the same view, replaces the one
// before. It does so only after a crash.
//
// Not modelled: the client table, state transfer, checkpoints, reconfiguration, and messages by
// which a primary tells backups what it has executed. Recovery begins in view 0 and with an empty
// log, for nothing is on disk. A crash discards answers to an earlier recovery: their nonce is old.
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

type (
	Node    int8                                            // a replica, from 0
	Log     = modules.Seq[uint8, [MaxRequests]uint8]        // numbers of requests, from 1
	letters = modules.Map[Node, Replica, [Replicas]Replica] // messages of one type, by sender
)

// Replica is the state of a replica, and what a message tells of it. Its status is "normal" where
// Last is View, and "view-change" where Last is less.
type Replica struct {
	View   uint8
	Last   uint8 // the latest view in which the status was normal
	Commit uint8 // requests that it has executed, or that a new primary knows to be
	Log    Log
}

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

// primaryOf is the primary of a view. A replica takes part in a view in progress, normal, or in a
// view change, changing. The primary of a view in progress leads.
func primaryOf(view uint8) Node       { return Node(view % Replicas) }
func (s *State) primary(i Node) bool  { return primaryOf(s.R[i].View) == i }
func (s *State) normal(i Node) bool   { return !s.Lost.Has(i) && s.R[i].Last == s.R[i].View }
func (s *State) changing(i Node) bool { return !s.Lost.Has(i) && s.R[i].Last < s.R[i].View }
func (s *State) leads(i Node) bool    { return s.normal(i) && s.primary(i) }

// become gives i the state r. A primary counts anew what other replicas have stored.
func (n *State) become(i Node, r Replica) { n.R[i], n.Stored[i] = r, [Replicas]uint8{} }

func agreed(s *State) bool {
	return modules.All(Replicas, func(i Node) bool {
		k := int(s.R[i].Commit)
		return k <= s.R[i].Log.Len() && s.Done.HasPrefix(new(s.R[i].Log.Prefix(k)))
	})
}

func kept(s *State) bool {
	return modules.All(Replicas, func(i Node) bool {
		return !s.leads(i) || s.R[i].View < s.DoneIn || s.R[i].Log.HasPrefix(&s.Done)
	})
}
