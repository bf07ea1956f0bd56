package vr

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Crash lets a replica lose its state and send RECOVERY, while more than half of all others are up.
var Crash = Action[One]{
	Name:   "Crash",
	Params: each,
	Guard: func(s *State, p One) bool {
		up := 0
		for j := range Node(Replicas) {
			if j != p.I && s.up(j) {
				up++
			}
		}
		return s.up(p.I) && up*2 > Replicas
	},
	Effect: func(s, n *State, p One) { n.R[p.I] = Replica{Status: Recovering, Nonce: s.R[p.I].Nonce + 1} },
}

var faultsCrash = grains.Grain[State]{
	Name:    "crash",
	Covers:  []string{"faults"},
	Actions: Actions{&Crash},
	Budgets: []modules.Budget[State]{modules.Spend[State]("crashes", &Crash)},
}

// Respond lets I take RECOVERY of J, and send RECOVERYRESPONSE, of a primary with its log.
var Respond = Action[Pair]{
	Name:   "Respond",
	Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.R[p.I].Status == Normal && !s.up(p.J) },
	Effect: func(s, n *State, p Pair) {
		m := Letter{View: s.R[p.I].View, Nonce: s.R[p.J].Nonce}
		if s.leads(p.I) {
			m.Commit = s.R[p.I].Commit
			m.Log = s.R[p.I].Log
		}
		n.Responses[p.J].Put(p.I, m)
	},
}

// Restore takes RECOVERYRESPONSE of a quorum. J is one of them, and the primary of the latest view
// among them.
var Restore = Action[Pair]{
	Name:   "Restore",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		answers := &s.Responses[p.I]
		if s.up(p.I) || !answers.Has(p.J) || primaryOf(answers.At(p.J).View) != p.J {
			return false
		}
		quorum := answers.Where(func(_ Node, m Letter) bool {
			return m.View <= answers.At(p.J).View && (AnyNonce || m.Nonce == s.R[p.I].Nonce)
		})
		return quorum.Has(p.J) && quorum.IsQuorum(Replicas)
	},
	Effect: func(s, n *State, p Pair) { n.enter(p.I, s.Responses[p.I].At(p.J)) },
}

var recoveryBaseline = grains.Grain[State]{
	Name:    "baseline",
	Covers:  []string{"recovery"},
	Actions: Actions{&Respond, &Restore},
}
