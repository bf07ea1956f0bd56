// Package stairs specifies a server that enters a term, posts it, and works in it. Two modules have
// coarse grains, and one of these offers constraints.
package stairs

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Bug is a mistake, or none.
const Bug = "none"

// MaxTerms bounds the terms.
const MaxTerms = 2

// State is what the server holds.
type State struct {
	Book uint8 // enter: the term that the books have
	Term uint8 // enter: the one that is entered
	Sent uint8 // post
	Got  uint8 // post
	Done uint8 // work
}

type (
	None    = modules.None
	Action  = modules.Action[State, None]
	Actions = []modules.AnyAction[State]
)

// Begin writes the next term into the books.
var Begin = Action{Name: "Begin", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Book == s.Term && s.Term < MaxTerms && s.Done == s.Term },
	Effect: func(s, n *State, _ None) { n.Book = s.Term + 1 },
}

// Hear enters the term.
var Hear = Action{Name: "Hear", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Book > s.Term },
	Effect: func(s, n *State, _ None) { n.Term = s.Book },
}

// Settle is Hear of the grain between.
var Settle = Action{Name: "Settle", Params: modules.Once, Guard: Hear.Guard, Effect: Hear.Effect}

// Enter is both in one step.
var Enter = Action{Name: "Enter", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Term < MaxTerms && s.Done == s.Term },
	Effect: func(s, n *State, _ None) { n.Term, n.Book = s.Term+1, s.Term+1 },
}

// Send sends the term.
var Send = Action{Name: "Send", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Sent < s.Term },
	Effect: func(s, n *State, _ None) { n.Sent = s.Term },
}

// Take takes what was sent.
var Take = Action{Name: "Take", Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Got < s.Sent },
	Effect: func(s, n *State, _ None) { n.Got = s.Sent },
}

// Post is both in one step.
var Post = Action{Name: "Post", Params: modules.Once,
	Guard: Send.Guard,
	Effect: func(s, n *State, _ None) {
		if n.Sent, n.Got = s.Term, s.Term; Bug == "post" {
			n.Got = s.Term + 1
		}
	},
}

// Work does the job of a term.
var Work = Action{Name: "Work", Params: modules.Once,
	Guard: func(s *State, _ None) bool { return s.Got > s.Done },
	Effect: func(s, n *State, _ None) {
		if n.Done = s.Got; Bug == "overwork" {
			n.Done = s.Got + 1
		}
	},
}

var enter = grains.Grain[State]{Name: "baseline", Covers: []string{"enter"}, Actions: Actions{&Begin, &Hear}}

var enterCoarse = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: Actions{&Enter},
	Constraints: []modules.Invariant[State]{
		{ID: "few", Doc: "At most one job is done.", State: func(s *State) bool { return s.Done <= 1 }},
		{ID: "entered", Doc: "What the books have is entered.", State: func(s *State) bool { return s.Book == s.Term }},
	}}, enter)

var enterBetween = grains.Coarsen(grains.Grain[State]{Name: "between", Actions: Actions{&Begin, &Settle}}, enter)

var post = grains.Grain[State]{Name: "baseline", Covers: []string{"post"}, Actions: Actions{&Send, &Take}}

var postCoarse = grains.Coarsen(grains.Grain[State]{Name: "coarse", Actions: Actions{&Post}}, post)

var work = grains.Grain[State]{Name: "baseline", Covers: []string{"work"}, Actions: Actions{&Work}}

// System is the catalog.
var System = grains.System[State]{
	Name: "stairs", Doc: "A server.", Init: func(yield func(State) bool) { yield(State{}) },
	Modules: []grains.Module{{Name: "enter", Doc: "enters"}, {Name: "post", Doc: "posts"}, {Name: "work", Doc: "works"}},
	Grains:  []grains.Grain[State]{enter, enterCoarse, enterBetween, post, postCoarse, work},
	Invariants: []modules.Invariant[State]{
		{ID: "Worked", Doc: "No job is done before its term.", State: func(s *State) bool { return s.Done <= s.Term }},
		{ID: "Once", Doc: "One job is done.", State: func(s *State) bool { return s.Done <= 1 }},
	},
	Bounds:  []grains.Bound{{Name: "terms", Doc: "terms", Min: 1, Max: 9, Default: 2, Const: "MaxTerms"}},
	Options: []grains.Option{{Name: "bug", Doc: "a mistake", Values: []string{"none", "overwork", "post"}, Default: "none", Const: "Bug"}},
}
