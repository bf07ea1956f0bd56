package ccf

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Party is a node and the nodes that vote for it, the node included. Successor is a party whose
// node was proposed by J.
type (
	Party     = modules.Party[Server]
	Successor struct {
		I, J Server
		S    Nodes
	}
)

var parties = modules.Subsets[Server](Servers)

// successors yields the parties with each sender of a proposal.
func successors(yield func(Successor) bool) {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			for set := range 1 << Servers {
				if s := Nodes(set); i != j && s.Has(i) && !yield(Successor{i, j, s}) {
					return
				}
			}
		}
	}
}

// Elect makes p.I the leader of the next term with the votes of p.S, all in one step.
//
// It is a sequence of steps of the baseline: Timeout of p.I, RequestVote, RcvUpdateTerm,
// RcvRequestVoteRequest and RcvRequestVoteResponse for each other node of p.S, and BecomeLeader. It
// leaves out requests of candidacies that fail, which raise terms of others and use up their votes,
// and requests that reach nodes outside of p.S. A candidate that nobody hears of is left: Timeout.
var Elect = Action[Party]{
	Name:   "Elect",
	Params: parties,
	Guard:  func(s *State, p Party) bool { return s.mayTimeOut(p.I) && s.wins(p.I, p.S, Nil) },
	Effect: func(s, n *State, p Party) { n.elect(p.I, p.S) },
}

// ElectSuccessor is Elect where p.I does not time out but takes a proposal of p.J.
var ElectSuccessor = Action[Successor]{
	Name:   "ElectSuccessor",
	Params: successors,
	Guard: func(s *State, p Successor) bool {
		at := At{I: p.I, J: p.J, K: 1}
		if Proposals != "taken" || !s.arrives(at, ProposeVoteRequest) {
			return false
		}
		term := s.peek(at, ProposeVoteRequest).Term
		return term == s.CurrentTerm[p.I] && term < MaxTerm && s.followsProposals(p.I) && s.wins(p.I, p.S, p.J)
	},
	Effect: func(s, n *State, p Successor) {
		n.recv(At{I: p.I, J: p.J, K: 1}, ProposeVoteRequest)
		n.elect(p.I, p.S)
	},
}

// wins reports whether the nodes of a set are enough to elect i and would all vote for it. The node
// from has a proposal in flight to i, unless it is Nil.
func (s *State) wins(i Server, votes Nodes, from Server) bool {
	if !votes.Within(s.nodes(i).With(i)) || !s.wouldElect(i, votes) {
		return false
	}
	last := s.lastCommittable(i)
	for j := range Server(Servers) {
		if j != i && votes.Has(j) && !s.wouldVote(j, i, last, from) {
			return false
		}
	}
	return true
}

// wouldVote reports whether j would vote for i in i's next term, where i's last signed entry is at
// an index. Where messages arrive in order, none but a proposal that is taken may be ahead of the
// request and of the vote.
func (s *State) wouldVote(j, i Server, last Number, from Server) bool {
	if s.CurrentTerm[j] > s.CurrentTerm[i] || !s.isUpToDate(j, last, s.termAt(i, last)) {
		return false
	}
	taken := 0
	if j == from {
		taken = 1
	}
	return !Ordered || s.ahead(i, j) == 0 && s.ahead(j, i) == taken
}

// ahead returns the number of messages from i to j that are about no vote.
func (s *State) ahead(i, j Server) int {
	return s.Stream.Count(i, j, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest)
}

// elect makes i the leader of its next term.
func (n *State) elect(i Server, votes Nodes) {
	n.becomeCandidate(i)
	for j := range Server(Servers) {
		if j != i && votes.Has(j) {
			n.updateTerm(j, n.CurrentTerm[i])
			n.VotedFor[j] = i
		}
	}
	n.VotesGranted[i] = votes
	n.becomeLeader(i)
}

// RcvUpdateTermOfOthers is RcvUpdateTerm for messages that are about no vote.
var RcvUpdateTermOfOthers = Action[At]{
	Name:   "RcvUpdateTermOfOthers",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.arrives(p, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest) &&
			s.peek(p, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest).Term > s.CurrentTerm[p.I]
	},
	Effect: func(s, n *State, p At) {
		n.updateTerm(p.I, s.peek(p, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest).Term)
	},
}

// DropIgnoredOthers is DropIgnoredMessage for messages that are about no vote.
var DropIgnoredOthers = Action[At]{
	Name:   "DropIgnoredOthers",
	Params: positions,
	Guard: func(s *State, p At) bool {
		return s.arrives(p, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest) &&
			s.ignores(p.I, p.J, s.peek(p, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest).Kind)
	},
	Effect: func(s, n *State, p At) {
		n.recv(p, AppendEntriesRequest, AppendEntriesResponse, ProposeVoteRequest)
	},
}

// DropUseless is DropStaleResponse and DropResponseWhenNotInState for answers to appends, and
// RcvProposeVoteRequest where a proposal has no effect.
var DropUseless = Action[At]{
	Name:   "DropUseless",
	Params: positions,
	Guard: func(s *State, p At) bool {
		if !s.arrives(p, AppendEntriesResponse, ProposeVoteRequest) {
			return false
		}
		m := s.peek(p, AppendEntriesResponse, ProposeVoteRequest)
		if m.Kind == ProposeVoteRequest {
			return Proposals == "taken" && (m.Term < s.CurrentTerm[p.I] ||
				m.Term == s.CurrentTerm[p.I] && m.Term < MaxTerm && !s.followsProposals(p.I))
		}
		return s.LeadershipState[p.I] != Leader || m.Term < s.CurrentTerm[p.I] && m.OK
	},
	Effect: func(s, n *State, p At) { n.recv(p, AppendEntriesResponse, ProposeVoteRequest) },
}

var electionCoarse = grains.Coarsen(grains.Grain[State]{
	Name:    "coarse",
	Doc:     "A candidacy that wins is one step, and nobody hears of one that fails.",
	Actions: Actions{&Timeout, &Elect, &ElectSuccessor, &CheckQuorum, &RcvUpdateTermOfOthers, &DropIgnoredOthers, &DropUseless},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout, &Elect), modules.Spend[State]("step_downs", &CheckQuorum)},
	Excludes: []grains.Exclusion{
		{Option: "pre_vote", Values: []string{"capable", "enabled", "any"}, Why: "no node asks whether it would get votes"},
	},
}, electionBaseline)
