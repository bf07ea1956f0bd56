package twophase

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	None          = modules.None
	One           = modules.One[RM]
)

var eachRM = modules.Each[RM](RMs)

// Prepare is RMPrepare: a resource manager is ready to commit, and says so.
var Prepare = Action[One]{
	Name:   "Prepare",
	Params: eachRM,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Working },
	Effect: func(s, n *State, p One) {
		n.Phase[p.I] = Ready
		n.Prepared.Add(p.I)
	},
}

// Refuse is RMChooseToAbort: a resource manager aborts on its own. It sends no message.
var Refuse = Action[One]{
	Name:   "Refuse",
	Params: eachRM,
	Guard:  func(s *State, p One) bool { return s.Phase[p.I] == Working },
	Effect: func(s, n *State, p One) { n.Phase[p.I] = Aborted },
}

// TakeCommit is RMRcvCommitMsg.
var TakeCommit = Action[One]{
	Name:   "TakeCommit",
	Params: eachRM,
	Guard:  func(s *State, p One) bool { return s.Commits },
	Effect: func(s, n *State, p One) { n.Phase[p.I] = Committed },
}

// TakeAbort is RMRcvAbortMsg.
var TakeAbort = Action[One]{
	Name:   "TakeAbort",
	Params: eachRM,
	Guard:  func(s *State, p One) bool { return s.Aborts },
	Effect: func(s, n *State, p One) { n.Phase[p.I] = Aborted },
}

var participantsBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"participants"},
	Actions: Actions{&Prepare, &Refuse, &TakeCommit, &TakeAbort},
}

// ReceivePrepared is TMRcvPrepared: the transaction manager counts a resource manager.
var ReceivePrepared = Action[One]{
	Name:   "ReceivePrepared",
	Actor:  "manager",
	Params: eachRM,
	Guard: func(s *State, p One) bool {
		return s.Decision == Undecided && s.Prepared.Has(p.I)
	},
	Effect: func(s, n *State, p One) { n.Known.Add(p.I) },
}

// Commit is TMCommit: all have prepared.
var Commit = Action[None]{
	Name:   "Commit",
	Actor:  "manager",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Decision == Undecided && enough(s.Known) },
	Effect: func(s, n *State, _ None) {
		n.Decision = ToCommit
		n.Commits = true
	},
}

// Abort is TMAbort: the transaction manager aborts on its own.
var Abort = Action[None]{
	Name:   "Abort",
	Actor:  "manager",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Decision == Undecided },
	Effect: func(s, n *State, _ None) {
		n.Decision = ToAbort
		n.Aborts = true
	},
}

var coordinatorBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "The transaction manager counts one resource manager at a time.",
	Covers:  []string{"coordinator"},
	Actions: Actions{&ReceivePrepared, &Commit, &Abort},
}

// CommitAtOnce is Commit with the steps of ReceivePrepared that it needs: the transaction manager
// counts all that have prepared as it commits.
var CommitAtOnce = Action[None]{
	Name:   "CommitAtOnce",
	Actor:  "manager",
	Params: modules.Once,
	Guard:  func(s *State, _ None) bool { return s.Decision == Undecided && enough(s.Prepared) },
	Effect: func(s, n *State, _ None) {
		n.Decision = ToCommit
		n.Commits = true
	},
}

var coordinatorCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Doc:     "The transaction manager counts and commits in one step.",
	Actions: Actions{&CommitAtOnce, &Abort},
}, coordinatorBaseline)
