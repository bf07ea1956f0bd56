// Package replicated is the specification of what Raft is for: a replicated log. There is one
// sequence of entries. Each server has committed a prefix of it, which only grows. A command is in
// the sequence once at most, and terms do not decrease along it.
//
// OfRaft maps the states of package raft to those of this package, so that
//
//	multigrain refine configs/raft/replication.hcl configs/raft/replicated-log.hcl
//
// checks that Raft is a replicated log. Not modelled: who leads, and that anything is ever
// committed.
package replicated

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Entry is an entry of the log. Value 0 is an entry without a command; commands are numbered from
// 1.
type Entry struct{ Term, Value int8 }

// Log is a sequence of entries.
type Log = modules.Seq[Entry, [MaxLength]Entry]

// State holds the variables.
type State struct {
	// Committed has the entries that each server knows to be committed.
	Committed [Servers]Log
	// Chosen is the sequence of all entries. It is chosen ahead of what servers have committed, so
	// a mapping leaves it out.
	Chosen Log
}

// Init is the initial state: nothing is chosen.
func Init(yield func(State) bool) { yield(State{}) }

// Choose appends an entry to the sequence.
var Choose = modules.Action[State, Entry]{
	Name:   "Choose",
	Params: eachEntry,
	Guard: func(s *State, p Entry) bool {
		return s.Chosen.Len() < MaxLength && p.Term >= s.Chosen.Last().Term && (p.Value == 0 || !s.has(p.Value))
	},
	Effect: func(s, n *State, p Entry) { n.Chosen.Append(p) },
}

// Commit is a server that learns that the first N entries are committed.
var Commit = modules.Action[State, Prefix]{
	Name:   "Commit",
	Params: eachPrefix,
	Guard: func(s *State, p Prefix) bool {
		return int(p.N) > s.Committed[p.I].Len() && int(p.N) <= s.Chosen.Len()
	},
	Effect: func(s, n *State, p Prefix) { n.Committed[p.I] = s.Chosen.Prefix(int(p.N)) },
}

// has reports whether a command is chosen.
func (s *State) has(value int8) bool {
	for k := 1; k <= s.Chosen.Len(); k++ {
		if s.Chosen.At(k).Value == value {
			return true
		}
	}
	return false
}

// Prefix is a server and a number of entries, from 1.
type Prefix struct {
	I int8
	N uint8
}

func eachEntry(yield func(Entry) bool) {
	for t := range int8(MaxTerm) {
		for v := range int8(MaxRequests + 1) {
			if !yield(Entry{t + 1, v}) {
				return
			}
		}
	}
}

func eachPrefix(yield func(Prefix) bool) {
	for i := range int8(Servers) {
		for n := range uint8(MaxLength) {
			if !yield(Prefix{i, n + 1}) {
				return
			}
		}
	}
}

func agreement(s *State) bool {
	for i := range Servers {
		if !s.Chosen.HasPrefix(&s.Committed[i]) {
			return false
		}
	}
	return true
}

var baseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "Entries are chosen, and servers commit them.",
	Covers:  []string{"log"},
	Actions: []modules.AnyAction[State]{&Choose, &Commit},
}

// System is the catalog.
var System = grains.System[State]{
	Name:    "replicated-log",
	Doc:     "A replicated log: each server has committed a prefix of one sequence.",
	Init:    Init,
	Modules: []grains.Module{{Name: "log", Doc: "The sequence, and what servers know of it."}},
	Grains:  []grains.Grain[State]{baseline},
	Invariants: []modules.Invariant[State]{
		{ID: "Agreement", Doc: "What a server has committed is a prefix of the sequence.", State: agreement},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 1, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 16, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Commands of clients.", Min: 0, Max: 16, Default: MaxRequests, Const: "MaxRequests"},
	},
}
