// Package broadcast is the specification of what Zab is for: an atomic broadcast with primaries.
// There is one sequence of transactions. Each server has delivered a prefix of it since it started,
// and who becomes the primary has delivered all that anyone ever has. A write that was delivered is
// never lost.
//
// OfZab maps the states of package zab to those of this package, so that
//
//	multigrain refine configs/zab/mspec-1.hcl configs/zab/broadcast.hcl
//
// checks that ZooKeeper is an atomic broadcast. Not modelled: how a primary is chosen, and that
// anything is ever delivered.
package broadcast

import "github.com/multigrain/multigrain/modules"

// Txn identifies a transaction: by its epoch, its number within that, and its value, from 0.
type Txn struct{ Epoch, Counter, Value int8 }

// History is a sequence of transactions.
type History = modules.Seq[Txn, [MaxLength]Txn]

// Set is a set of servers.
type Set = modules.Set[int8]

// State holds the variables.
type State struct {
	// Delivered has the transactions that each server has delivered since it started.
	Delivered [Servers]History
	// Primaries are the servers that broadcast. A server may not know that it is not one any more.
	Primaries Set
	// Order is the sequence of all transactions. It is chosen ahead of what servers deliver, so a
	// mapping leaves it out.
	Order History
	// Longest is the length of the longest sequence that any server has ever delivered. A mapping
	// leaves it out.
	Longest uint8
}

// Init is the initial state: nothing is chosen.
func Init(yield func(State) bool) { yield(State{}) }

// Choose appends a transaction to the sequence: the next one of the last epoch, or the first one of
// a later epoch.
var Choose = modules.Action[State, Txn]{
	Name:   "Choose",
	Params: eachTxn,
	Guard: func(s *State, p Txn) bool {
		last := s.Order.Last()
		return s.Order.Len() < MaxLength && !s.has(p.Value) &&
			(p.Counter == 1 && p.Epoch > last.Epoch || p.Epoch == last.Epoch && p.Counter == last.Counter+1)
	},
	Effect: func(s, n *State, p Txn) { n.Order.Append(p) },
}

// Deliver is a server that delivers up to the N-th transaction.
var Deliver = modules.Action[State, Prefix]{
	Name:   "Deliver",
	Params: eachPrefix,
	Guard:  func(s *State, p Prefix) bool { return int(p.N) > s.Delivered[p.I].Len() && int(p.N) <= s.Order.Len() },
	Effect: func(s, n *State, p Prefix) { n.deliver(p) },
}

// Lead is a server that becomes a primary, and delivers up to the N-th transaction. Nothing that
// was ever delivered is missing.
var Lead = modules.Action[State, Prefix]{
	Name:   "Lead",
	Params: eachPrefix,
	Guard: func(s *State, p Prefix) bool {
		return !s.Primaries.Has(p.I) && p.N >= s.Longest && int(p.N) <= s.Order.Len()
	},
	Effect: func(s, n *State, p Prefix) {
		n.Primaries.Add(p.I)
		n.deliver(p)
	},
}

// Stop is a fault: some servers lead no longer, and some start again, without anything delivered.
var Stop = modules.Action[State, Fault]{
	Name:   "Stop",
	Params: eachFault,
	Effect: func(s, n *State, p Fault) {
		n.Primaries &^= p.Lead
		for i := range int8(Servers) {
			if p.Start.Has(i) {
				n.Delivered[i].Clear()
			}
		}
	},
}

// Resume is a server that starts with a new primary. It may have delivered more before.
var Resume = modules.Action[State, Prefix]{
	Name:   "Resume",
	Params: eachPrefix,
	Guard:  func(s *State, p Prefix) bool { return int(p.N) < s.Delivered[p.I].Len() },
	Effect: func(s, n *State, p Prefix) { n.Delivered[p.I].Truncate(int(p.N)) },
}

// deliver makes a server deliver up to a position.
func (n *State) deliver(p Prefix) {
	n.Delivered[p.I] = n.Order.Prefix(int(p.N))
	n.Longest = max(n.Longest, p.N)
}

// has reports whether a value is in the sequence.
func (s *State) has(value int8) bool {
	for k := 1; k <= s.Order.Len(); k++ {
		if s.Order.At(k).Value == value {
			return true
		}
	}
	return false
}

func agreement(s *State) bool {
	for i := range Servers {
		if !s.Order.HasPrefix(&s.Delivered[i]) {
			return false
		}
	}
	return true
}
