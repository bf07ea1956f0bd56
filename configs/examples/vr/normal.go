package vr

import "github.com/multigrain/multigrain/modules"

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	One           = modules.One[Node]
	Pair          = modules.Pair[Node]
	Party         = modules.Party[Node]
	In            = modules.At[Node] // a message from J to I of view K, from 1
)

var (
	each     = modules.Each[Node](Replicas)
	eachPair = modules.EachPair[Node](Replicas)
	inView   = modules.Positions[Node](Replicas, MaxViews)
	quorums  = modules.Quorums[Node](Replicas)
)

// Request lets a primary take a request and send PREPARE.
var Request = Action[One]{Name: "Request", Params: each,
	Guard: func(s *State, p One) bool { return s.leads(p.I) && s.Requests < MaxRequests },
	Effect: func(s, n *State, p One) {
		n.Requests = s.Requests + 1
		n.R[p.I].Log.Append(n.Requests)
		n.Prepares[s.R[p.I].View] = n.R[p.I].Log
	},
}

// Store takes the PREPARE that comes next in the log of a backup, and sends PREPAREOK.
var Store = Action[One]{Name: "Store", Params: each,
	Guard: func(s *State, p One) bool {
		return s.normal(p.I) && s.R[p.I].Log.Len() < s.Prepares[s.R[p.I].View].Len()
	},
	Effect: func(s, n *State, p One) {
		r := &n.R[p.I]
		r.Log.Append(s.Prepares[r.View].At(r.Log.Len() + 1))
		n.Oks[r.View][p.I] = uint8(r.Log.Len())
	},
}

// Count lets primary I take PREPAREOK of J.
var Count = Action[Pair]{Name: "Count", Params: eachPair,
	Guard:  func(s *State, p Pair) bool { return s.leads(p.I) && s.Oks[s.R[p.I].View][p.J] > s.Stored[p.I][p.J] },
	Effect: func(s, n *State, p Pair) { n.Stored[p.I][p.J] = s.Oks[s.R[p.I].View][p.J] },
}

// Execute executes the next request that a quorum has.
var Execute = Action[One]{Name: "Execute", Params: each,
	Guard:  func(s *State, p One) bool { return s.executes(p.I, &s.Stored[p.I]) },
	Effect: execute,
}

// executes reports whether i is a primary and a quorum has its next request.
func (s *State) executes(i Node, stored *[Replicas]uint8) bool {
	have := modules.Where(Replicas, func(j Node) bool { return j == i || stored[j] > s.R[i].Commit })
	return s.leads(i) && int(s.R[i].Commit) < s.R[i].Log.Len() && have.IsQuorum(Replicas)
}

// execute executes the next request of a primary.
func execute(s, n *State, p One) {
	r := &n.R[p.I]
	r.Commit++
	if k := int(r.Commit); k > n.Done.Len() {
		n.Done.Append(r.Log.At(k))
	}
	n.DoneIn = max(n.DoneIn, r.View)
}

// CountAndExecute is Execute with the steps of Count that it needs.
var CountAndExecute = Action[One]{Name: "CountAndExecute", Params: each,
	Guard:  func(s *State, p One) bool { return s.executes(p.I, &s.Oks[s.R[p.I].View]) },
	Effect: execute,
}
