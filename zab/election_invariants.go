package zab

import "github.com/multigrain/multigrain/modules"

// electionInvariants are the properties of Fast Leader Election on its own.
var electionInvariants = []modules.Invariant[State]{
	{ID: "votes", Instance: "circle", State: noVoteCircle,
		Doc: "No votes of servers that look for a leader succeed one another in a circle (FastLeaderElection.java:723@3.9.1)."},
}

// noVoteCircle reports whether no two or three votes succeed one another in a circle. Zookeeper#1
// of SandTable is that in 3.4.3 they can.
func noVoteCircle(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if !s.votesAhead(i, j) {
				continue
			}
			for k := range Server(Servers) {
				if s.votesAhead(j, k) && (k == i || s.votesAhead(k, i)) {
					return false
				}
			}
		}
	}
	return true
}

// votesAhead reports whether i and j look for a leader and the vote of i would take the place of
// that of j.
func (s *State) votesAhead(i, j Server) bool {
	return s.inElection(i) && s.inElection(j) && s.CurrentVote[i].succeeds(s.CurrentVote[j])
}
