package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// What earlier versions of the library got wrong, as properties of every composition: see
// versions.go for the mistakes, and configs/raft/versions for a manifest of each.

var appendsBounded = modules.Invariant[State]{ID: "AppendsBounded", State: fewAppends,
	Doc: "A leader has at most as many unacknowledged appends in flight to a server as MaxInflightMsgs says (etcd pull request 14633)."}

// fewAppends: where appends carry one entry each, those after Match and before Next are in flight.
func fewAppends(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			pr := &s.Pr[i][j]
			if !Batching && Append == "messages" && i != j && s.Role[i] == Leader && pr.State == Replicate && int(pr.Next) > int(pr.Match)+1+MaxInflight {
				return false
			}
		}
	}
	return true
}

var readKept = modules.Invariant[State]{ID: "ReadKept", Step: keepsReads,
	Doc: "A leader that is asked for a read confirms it or keeps it (etcd issue 12680)."}

func keepsReads(s, n *State) bool {
	for k := range n.Reads {
		r := &n.Reads[k]
		if !ReadMessages || LocalReads || r.Phase != Asked || s.Reads[k].Phase == Asked || n.Role[r.Server] != Leader {
			continue
		}
		if n.waits(r.Server, Number(k)) == 0 && !n.pends(r.Server, Number(k)) {
			return false
		}
	}
	return true
}

// pends reports whether a read waits for the first commit of the leader i.
func (s *State) pends(i Server, id Number) bool {
	for k := 1; k <= s.PendingReads[i].Len(); k++ {
		if s.PendingReads[i].At(k) == id {
			return true
		}
	}
	return false
}

var snapshotTaken = modules.Invariant[State]{ID: "SnapshotTaken", Step: takesSnapshots,
	Doc: "A server that answers the snapshot of its leader has committed as much, if it is in either half of the snapshot's configuration (etcd issue 12359)."}

// takesSnapshots: a snapshot is answered where it is gone from one channel and there is one message
// more in the other. Over UDP nothing is stated.
func takesSnapshots(s, n *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i == j || !Snapshots || Network != "tcp" || !s.first(i, j, MsgSnap) {
				continue
			}
			m := s.Stream.Head(j, i)
			answered := n.inFlight(j, i) < s.inFlight(j, i) && n.inFlight(i, j) > s.inFlight(i, j)
			if answered && n.Term[i] == m.Term && inEitherHalf(&m, i) && n.Commit[i] < m.Index {
				return false
			}
		}
	}
	return true
}

// inEitherHalf reports whether the configuration of the snapshot in m has i.
func inEitherHalf(m *Msg, i Server) bool {
	for x := range m.Snap {
		for _, c := range m.Snap[x].Conf {
			return c.Voters.Union(c.Outgoing).Union(c.Learners).Has(i)
		}
	}
	return true
}

var leaveSent = modules.Invariant[State]{ID: "LeaveSent", State: sendsLeaves,
	Doc: "A leader to and from which nothing is in flight has sent the end of a joint configuration to each server to which it may send an append (etcd pull request 14538)."}

func sendsLeaves(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader || s.busy(i) || Append != "messages" {
			continue
		}
		for j := range Server(Servers) {
			pr := &s.Pr[i][j]
			if i == j || !s.tracks(i, j) || pr.State != Replicate || s.inflightFull(i, j) {
				continue
			}
			if pr.Next <= s.lastIndex(i) && pr.Next > s.offset(i) && s.changeAt(i, pr.Next).Kind == LeaveJoint {
				return false
			}
		}
	}
	return true
}

// busy reports whether something is in flight from or to i.
func (s *State) busy(i Server) bool {
	for j := range Server(Servers) {
		if i != j && s.inFlight(i, j)+s.inFlight(j, i) > 0 {
			return true
		}
	}
	return false
}

var transferToVoter = modules.Invariant[State]{ID: "TransferToVoter", State: handsOverToVoters,
	Doc: "A leader that may lead hands over to a voter, so that it does not refuse commands in vain (etcd pull request 11417)."}

func handsOverToVoters(s *State) bool {
	for i := range s.Transferee {
		if j := s.Transferee[i]; s.Role[i] == Leader && s.promotable(Server(i)) && j != None && !s.votes(Server(i), j) {
			return false
		}
	}
	return true
}

// ProposeDemotion gives a leader the change of a voter to a learner.
//
// Code: as ProposeChange, with ConfChangeAddLearnerNode for a voter.
var ProposeDemotion = Action[Pair]{
	Name:   "ProposeDemotion",
	Params: eachPair,
	Guard: func(s *State, p Pair) bool {
		c := s.conf(p.I)
		return s.accepts(p.I) && !c.joint() && c.Voters.Has(p.J) && c.Voters.Len() > 1 && int(s.Changes) < MaxChanges
	},
	Effect: func(s, n *State, p Pair) {
		n.Changes++
		n.proposeChange(p.I, Change{Kind: Learn, Add: Set(0).With(p.J)})
	},
}

var membershipDemotions = grains.Refine(grains.Grain[State]{
	Name:       "demotions",
	Doc:        "Voters become learners, too.",
	Actions:    Actions{&ProposeChange, &ProposeLearner, &ProposeLeave, &ProposeDemotion},
	Budgets:    membershipBaseline.Budgets,
	Invariants: slices.Concat(membershipBaseline.Invariants, []modules.Invariant[State]{leaveSent, transferToVoter}),
	Models:     membershipBaseline.Models,
}, membershipBaseline)
