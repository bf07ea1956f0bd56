// Package books specifies a server that enters a term into its books, prepares it, and works in it.
package books

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Bug is a mistake, or none.
const Bug = "none"

// MaxTerms bounds the terms.
const MaxTerms = 3

// State is what the server holds.
type State struct {
	Term  uint8 // prepare
	Book  uint8 // prepare: the term that the books have, which only the property reads
	Ready bool  // prepare
	Stamp uint8 // work
	Panic modules.Raised[Fail]
}

// Fail is an assertion.
type Fail uint8

// EnteredTwice is raised by a server that enters a term twice.
const EnteredTwice Fail = 0

type (
	None    = modules.None
	Action  = modules.Action[State, None]
	Actions = []modules.AnyAction[State]
)

// Begin begins the next term, and enters it.
var Begin = Action{Name: "Begin", Params: modules.Once,
	Guard: func(s *State, _ None) bool { return !s.Ready && s.Term < MaxTerms && s.Book == s.Term },
	Effect: func(s, n *State, _ None) {
		if Bug == "twice" {
			n.Panic.Raise(EnteredTwice)
		}
		n.Book = s.Term + 1
	},
}

// Hear makes it ready.
var Hear = Action{Name: "Hear", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Book > s.Term },
	Effect: func(s, n *State, _ None) { n.Ready, n.Term = true, s.Book },
}

// Prepare is both in one step.
var Prepare = Action{Name: "Prepare", Params: modules.Once,
	Guard: func(s *State, _ None) bool { return !s.Ready && s.Term < MaxTerms },
	Effect: func(s, n *State, _ None) {
		n.Term, n.Ready = s.Term+1, true
		n.Book = s.Term + 1
		if Bug == "books" || Bug == "both" {
			n.Book = s.Term + 3
		}
		if Bug == "jump" {
			n.Term, n.Book = s.Term+2, s.Term+2
		}
	},
}

// Settle is Hear of the grain between.
var Settle = Action{Name: "Settle", Params: modules.Once,
	Guard: Hear.Guard,
	Effect: func(s, n *State, p None) {
		if Hear.Effect(s, n, p); Bug == "both" {
			n.Book = s.Book + 2
		}
	},
}

// Tidy enters one term more, which nobody prepares.
var Tidy = Action{Name: "Tidy", Params: modules.Once,
	Guard: func(s *State, _ None) bool {
		return Bug == "ahead" && s.Ready && s.Book == s.Term && s.Term == MaxTerms
	},
	Effect: func(s, n *State, _ None) { n.Book = s.Book + 1 },
}

// Work does the job of a term.
var Work = Action{Name: "Work", Params: modules.Once,
	Guard: func(s *State, _ None) bool { return s.Ready && s.Stamp < s.Term },
	Effect: func(s, n *State, _ None) {
		if n.Stamp, n.Ready = s.Term, false; Bug == "overwork" || Bug == "jump" && s.Term == s.Stamp+2 {
			n.Stamp = s.Term + 1
		}
	},
}

var baseline = grains.Grain[State]{Name: "baseline", Covers: []string{"prepare"}, Actions: Actions{&Begin, &Hear}}

var coarse = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: Actions{&Prepare, &Tidy}}, baseline)

var between = grains.Coarsen(grains.Grain[State]{Name: "between", Actions: Actions{&Begin, &Settle}}, baseline)

var work = grains.Grain[State]{Name: "baseline", Covers: []string{"work"}, Actions: Actions{&Work}}

func entered(s *State) bool {
	if s.Book > s.Term {
		return s.Book <= MaxTerms+1
	}
	return s.Book == s.Term
}

// System is the catalog.
var System = grains.System[State]{
	Name: "books", Doc: "A server.", Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "prepare", Doc: "prepares"}, {Name: "work", Doc: "works"}},
	Grains:  []grains.Grain[State]{baseline, coarse, between, work},
	Invariants: []modules.Invariant[State]{
		{ID: "Entered", Doc: "The books have the term.", State: entered},
		{ID: "Worked", Doc: "No job is done before its term.", State: func(s *State) bool { return s.Stamp <= s.Term }},
		{ID: "EnteredOnce", Doc: "A term is entered once.", Raises: modules.Bit(EnteredTwice)},
	},
	Bounds:  []grains.Bound{{Name: "terms", Doc: "terms", Min: 1, Max: 9, Default: 2, Const: "MaxTerms"}},
	Options: []grains.Option{{Name: "bug", Doc: "a mistake", Values: []string{"none", "books", "ahead", "twice", "overwork", "both", "jump"}, Default: "none", Const: "Bug"}},
}
