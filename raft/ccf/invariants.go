package ccf

import "github.com/multigrain/multigrain/modules"

// invariants have the names of ccfraft.tla. TypeInv is left to the types, except that terms begin
// with 1 and that nodes exist.
var invariants = []modules.Invariant[State]{
	{ID: "LogInv", Doc: "Of two committed logs, one begins with the other.", State: logInv},
	{ID: "MoreThanOneLeaderInv", Doc: "At most one leader leads in a term.", State: moreThanOneLeader},
	{ID: "CandidateTermNotInLogInv", Doc: "No log has an entry of the term of a candidate that can still win.", State: candidateTermNotInLog},
	{ID: "ElectionSafetyInv", Doc: "No other log has entries of a leader's term when the leader's log has none.", State: electionSafety},
	{ID: "LogMatchingInv", Doc: "Logs with an entry of the same index and term are identical up to there.", State: logMatching},
	{ID: "QuorumLogInv", Doc: "Each quorum of a node's current configuration has a node with what the node has committed.", State: quorumLog},
	{ID: "LeaderCompletenessInv", Doc: "A leader has what nodes of earlier terms have committed.", State: leaderCompleteness},
	{ID: "SignatureInv", Doc: "What a node has committed ends with a signature.", State: signature},
	{ID: "TypeInv", Doc: "Terms of entries and messages are at least 1, and the nodes of configurations exist.", State: typeInv},
	{ID: "MonoTermInv", Doc: "No message in flight has a later term than its sender.", State: monoTerm},
	{ID: "MonoLogInv", Doc: "Terms in a log only grow, and only after a signature.", State: monoLog},
	{ID: "NoLeaderBeforeInitialTerm", Doc: "No node leads before the term in which the service starts, unless nodes were configured together.", State: noLeaderBeforeInitialTerm},
	{ID: "LogConfigurationConsistentInv", Doc: "The active configurations of a node are those of its log and commit index.", State: logConfigurationConsistent},
	{ID: "MembershipStateConsistentInv", Doc: "The stage of a node's retirement is that of its log and commit index.", State: membershipStateConsistent},
	{ID: "CommitCommittableIndices", Doc: "A commit index is that of a signature, or nothing is signed.", State: commitCommittable},
	{ID: "ReplicationInv", Doc: "A quorum of the latest committed configuration has the longest committed log.", State: replication},
	{ID: "RetiredCommittedInv", Doc: "A log says of a node that it is retired only after its removal, which is committed.", State: retiredCommitted},
	{ID: "RetirementCompletedNotInConfigsInv", Doc: "A node whose removal is committed is in no active configuration.", State: completedNotInConfigurations},
	{ID: "RetirementCompletedAreRetirementCompletedInv", Doc: "Nodes whose removal is committed, and not more, are those that the log says it of.", State: completedAreCompleted},
	{ID: "MatchIndexLowerBoundSentIndexInv", Doc: "A leader has sent what is acknowledged. It is no invariant of CCF.", State: matchBelowSent},
	{ID: "CommittedLogAppendOnlyProp", Doc: "A node only adds to what it has committed.", Step: committedLogAppendOnly},
	{ID: "MonotonicCommitIndexProp", Doc: "The commit index of a node never goes down.", Step: monotonicCommitIndex},
	{ID: "MonotonicTermProp", Doc: "The term of a node never goes down.", Step: monotonicTerm},
	{ID: "MonotonicMatchIndexProp", Doc: "A match index never goes down, except where a node becomes leader.", Step: monotonicMatchIndex},
	{ID: "PermittedLogChangesProp", Doc: "A leader only adds to its log, and drops what is not signed when it is elected.", Step: permittedLogChanges},
	{ID: "StateTransitionsProp", Doc: "Roles change as in figure 1 of the paper.", Step: stateTransitions},
	{ID: "MembershipStateTransitionsProp", Doc: "A node that has retired stays retired.", Step: membershipStateTransitions},
	{ID: "PendingBecomesFollowerProp", Doc: "A node that learns that it is in a configuration is a follower at once.", Step: pendingBecomesFollower},
	{ID: "NeverCommitEntryPrevTermsProp", Doc: "A leader commits up to an entry of its term (Raft, section 5.4.2).", Step: neverCommitEntryPrevTerms},
	{ID: "VotesGrantedMonotonicProp", Doc: "A node loses no votes while it keeps its role and term.", Step: votesGrantedMonotonic},
	{ID: "RefinementToAbsProp", Doc: "A step copies a longer committed log, or adds to the longest one: abs.tla.", Step: refinementToAbs},
}

// liveness are the properties of whole behaviours. Where a service has stopped for good, they fail.
var liveness = []modules.Liveness[State]{
	{ID: "LeaderProp", Doc: "Again and again a node leads that has not retired.", From: always, To: hasLeader, Unfair: Actions{&CheckQuorum, &ClientRequest}},
	{ID: "CommitReachesServiceProp", Doc: "What a removed node has committed, a node of the service commits. It is not in ccfraft.tla.", From: isBehind, To: isNotBehind, Unfair: Actions{&CheckQuorum, &ClientRequest}},
	{ID: "LogMatchingProp", Doc: "Again and again all logs are equal.", From: always, To: equalLogs, Unfair: Actions{&CheckQuorum, &ClientRequest}},
}

func always(*State) bool { return true }

func hasLeader(s *State) bool {
	for i := range Server(Servers) {
		if s.LeadershipState[i] == Leader && s.MembershipState[i] != RetiredCommitted {
			return true
		}
	}
	return false
}

// isBehind reports whether a node knows more to be committed than each node of the last
// configuration that it has committed.
func isBehind(s *State) bool {
	for i := range Server(Servers) {
		last := s.lastConfiguration(i)
		behind := last != 0
		for j := range Server(Servers) {
			behind = behind && !(last.Has(j) && s.CommitIndex[j] >= s.CommitIndex[i])
		}
		if behind {
			return true
		}
	}
	return false
}

func isNotBehind(s *State) bool { return !isBehind(s) }

// lastConfiguration returns the last configuration that i has committed, none if it has none.
func (s *State) lastConfiguration(i Server) (last Nodes) {
	for k := 1; k <= int(s.CommitIndex[i]); k++ {
		if e := s.Log[i].At(k); e.Type == TypeReconfiguration {
			last = e.Nodes
		}
	}
	return last
}

func equalLogs(s *State) bool {
	for i := range Server(Servers) {
		if s.Log[i] != s.Log[0] {
			return false
		}
	}
	return true
}

// committedLog returns what i has committed: Committed.
func (s *State) committedLog(i Server) Log { return s.Log[i].Prefix(int(s.CommitIndex[i])) }

func logInv(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			a, b := s.committedLog(i), s.committedLog(j)
			if !a.HasPrefix(&b) && !b.HasPrefix(&a) {
				return false
			}
		}
	}
	return true
}

func moreThanOneLeader(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.CurrentTerm[i] == s.CurrentTerm[j] && s.LeadershipState[i] == Leader && s.LeadershipState[j] == Leader {
				return false
			}
		}
	}
	return true
}

func candidateTermNotInLog(s *State) bool {
	for i := range Server(Servers) {
		if s.LeadershipState[i] != Candidate {
			continue
		}
		voters := Nodes(0)
		for j := range Server(Servers) {
			if s.CurrentTerm[j] == s.CurrentTerm[i] && s.VotedFor[j] == i {
				voters.Add(j)
			}
		}
		if !s.exactQuorumInEach(i, voters) {
			continue
		}
		for j := range Server(Servers) {
			if s.hasTerm(j, s.CurrentTerm[i]) {
				return false
			}
		}
	}
	return true
}

// exactQuorumInEach reports whether a set is a quorum of each of i's configurations, with no other
// node in it.
func (s *State) exactQuorumInEach(i Server, set Nodes) bool {
	for k := 1; k <= s.Configurations[i].Len(); k++ {
		if c := s.Configurations[i].At(k).Nodes; !set.Within(c) || !quorum(set, c) {
			return false
		}
	}
	return true
}

// hasTerm reports whether i's log has an entry of a term.
func (s *State) hasTerm(i Server, term Number) bool {
	for k := 1; k <= s.Log[i].Len(); k++ {
		if s.Log[i].At(k).Term == term {
			return true
		}
	}
	return false
}

func electionSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			term := s.CurrentTerm[i]
			if s.LeadershipState[i] == Leader && s.hasTerm(j, term) && !s.hasTerm(i, term) {
				return false
			}
		}
	}
	return true
}

func logMatching(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			same := true
			for k := 1; k <= min(s.Log[i].Len(), s.Log[j].Len()); k++ {
				a, b := s.Log[i].At(k), s.Log[j].At(k)
				same = same && a == b
				if a.Term == b.Term && !same {
					return false
				}
			}
		}
	}
	return true
}

func quorumLog(s *State) bool {
	for i := range Server(Servers) {
		if s.Configurations[i].Empty() {
			continue
		}
		current := s.Configurations[i].At(1).Nodes
		committed := s.committedLog(i)
		lacking := Nodes(0)
		for j := range Server(Servers) {
			if current.Has(j) && !s.Log[j].HasPrefix(&committed) {
				lacking.Add(j)
			}
		}
		if quorum(lacking, current) {
			return false
		}
	}
	return true
}

// leaderCompleteness is LeaderCompletenessInv of pull request 7970. See "Deviations" in doc.go.
func leaderCompleteness(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			committed := s.committedLog(j)
			if s.LeadershipState[i] == Leader && s.CurrentTerm[i] > s.CurrentTerm[j] && !s.Log[i].HasPrefix(&committed) {
				return false
			}
		}
	}
	return true
}

func signature(s *State) bool {
	for i := range Server(Servers) {
		if s.CommitIndex[i] > 0 && s.Log[i].At(int(s.CommitIndex[i])).Type != TypeSignature {
			return false
		}
	}
	return true
}

func typeInv(s *State) bool {
	all := modules.Below[Server](Servers)
	for i := range Server(Servers) {
		for k := 1; k <= s.Log[i].Len(); k++ {
			if e := s.Log[i].At(k); e.Term == 0 || e.Type == 0 || !e.Nodes.Within(all) {
				return false
			}
		}
		for j := range Server(Servers) {
			if i == j {
				continue
			}
			for k := 1; k <= s.inFlight(i, j); k++ {
				if m := s.at(i, j, k); m.Kind != 0 && m.Term == 0 {
					return false
				}
			}
		}
	}
	return true
}

func monoTerm(s *State) bool {
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i == j {
				continue
			}
			for k := 1; k <= s.inFlight(i, j); k++ {
				if s.at(i, j, k).Term > s.CurrentTerm[i] {
					return false
				}
			}
		}
	}
	return true
}

func monoLog(s *State) bool {
	for i := range Server(Servers) {
		if !s.Log[i].Empty() && s.Log[i].Last().Term > s.CurrentTerm[i] {
			return false
		}
		for k := 1; k < s.Log[i].Len(); k++ {
			a, b := s.Log[i].At(k), s.Log[i].At(k+1)
			if a.Term != b.Term && !(a.Term < b.Term && a.Type == TypeSignature) {
				return false
			}
		}
	}
	return true
}

func noLeaderBeforeInitialTerm(s *State) bool {
	for i := range Server(Servers) {
		if s.CurrentTerm[i] < StartTerm && s.LeadershipState[i] == Leader && !s.isActive(i, 0) {
			return false
		}
	}
	return true
}

// wire is a state constraint: nothing is explored after a state with more than MaxWire messages in
// flight.
func wire(s *State) bool {
	total := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			if i != j {
				total += s.inFlight(i, j)
			}
		}
	}
	return total <= MaxWire
}

// appendsOnWire is the constraint "appends".
func appendsOnWire(s *State) bool {
	total := 0
	for i := range Server(Servers) {
		for j := range Server(Servers) {
			total += s.count(i, j, AppendEntriesRequest) + s.count(i, j, AppendEntriesResponse) + s.count(i, j, ProposeVoteRequest)
		}
	}
	return total <= MaxWire
}
