package vr

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Short names for the vocabulary.
type (
	Action[P any] = modules.Action[State, P]
	Actions       = []modules.AnyAction[State]
	One           = modules.One[Node]
	At            = modules.At[Node]
)

var (
	each     = modules.Each[Node](Replicas)
	received = modules.Positions[Node](Replicas, InFlight) // from J to I
)

// Request lets a primary take a request.
var Request = Action[One]{
	Name:   "Request",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.leads(p.I) && s.Requests < MaxRequests },
	Effect: func(s, n *State, p One) {
		n.Requests = s.Requests + 1
		n.Log[p.I].Append(n.Requests)
		n.tell(p.I, Msg{Kind: PREPARE, View: s.View[p.I], Op: uint8(n.Log[p.I].Len()), Request: n.Requests, Commit: s.Commit[p.I]})
	},
}

// Prepare appends the next request to the log of a backup.
var Prepare = Action[At]{
	Name:   "Prepare",
	Params: received,
	Guard: func(s *State, p At) bool {
		if !s.Msgs.Is(p.J, p.I, int(p.K), PREPARE) || s.Status[p.I] != Normal {
			return false
		}
		m := s.Msgs.Peek(p.J, p.I, int(p.K), PREPARE)
		return m.View == s.View[p.I] && int(m.Op) == s.Log[p.I].Len()+1
	},
	Effect: func(s, n *State, p At) {
		m := n.Msgs.Recv(p.J, p.I, int(p.K), PREPARE)
		n.Log[p.I].Append(m.Request)
		n.Commit[p.I] = max(s.Commit[p.I], m.Commit)
		n.Msgs.Send(p.I, p.J, Msg{Kind: PREPAREOK, View: m.View, Op: m.Op})
	},
}

// counts reports whether primary I counts a PREPAREOK.
func (s *State) counts(p At) bool {
	if !s.Msgs.Is(p.J, p.I, int(p.K), PREPAREOK) || !s.leads(p.I) {
		return false
	}
	m := s.Msgs.Peek(p.J, p.I, int(p.K), PREPAREOK)
	return m.View == s.View[p.I] && m.Op > s.Stored[p.I][p.J]
}

// Count lets a primary count a PREPAREOK.
var Count = Action[At]{
	Name:   "Count",
	Params: received,
	Guard:  func(s *State, p At) bool { return s.counts(p) },
	Effect: func(s, n *State, p At) { n.Stored[p.I][p.J] = n.Msgs.Recv(p.J, p.I, int(p.K), PREPAREOK).Op },
}

// Execute executes the next request that a quorum has.
var Execute = Action[One]{
	Name:   "Execute",
	Params: each,
	Guard:  func(s *State, p One) bool { return s.leads(p.I) && s.executes(p.I) },
	Effect: func(s, n *State, p One) { n.execute(p.I) },
}

// executes reports whether a quorum has the next request of i.
func (s *State) executes(i Node) bool {
	have := modules.SetOf(i)
	for j := range Node(Replicas) {
		if s.Stored[i][j] > s.Commit[i] {
			have.Add(j)
		}
	}
	return int(s.Commit[i]) < s.Log[i].Len() && have.IsQuorum(Replicas)
}

// execute executes the next request of i.
func (n *State) execute(i Node) {
	n.Commit[i]++
	if k := int(n.Commit[i]); k > n.Done.Len() {
		n.Done.Append(n.Log[i].At(k))
	}
	n.DoneIn = max(n.DoneIn, n.View[i])
}

var normalBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "a primary counts and executes in two steps",
	Covers:  []string{"normal"},
	Actions: Actions{&Request, &Prepare, &Count, &Execute},
}

// CountAndExecute is Count, and Execute as often as it then can.
var CountAndExecute = Action[At]{
	Name:   "CountAndExecute",
	Params: received,
	Guard:  func(s *State, p At) bool { return s.counts(p) },
	Effect: func(s, n *State, p At) {
		n.Stored[p.I][p.J] = n.Msgs.Recv(p.J, p.I, int(p.K), PREPAREOK).Op
		for n.executes(p.I) {
			n.execute(p.I)
		}
	},
}

var normalCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Doc:     "a primary counts and executes in one step",
	Actions: Actions{&Request, &Prepare, &CountAndExecute},
}, normalBaseline)
