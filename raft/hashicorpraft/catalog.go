package hashicorpraft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "hashicorp-raft",
	Doc:  "Raft, as github.com/hashicorp/raft v1.8.0 runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "client", Doc: "Clients ask whether a leader leads.", Optional: true},
		{Name: "faults", Doc: "Servers crash and restart, messages are lost.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		{
			Name:    "baseline",
			Doc:     "A step for each timeout, call and answer.",
			Covers:  []string{"election"},
			Actions: []modules.AnyAction[State]{&Timeout, &HandleVote, &HandleVoteReply},
			Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout)},
			Models: []string{"Raft.runFollower", "Raft.runCandidate", "Raft.electSelf", "Raft.requestVote", "Raft.checkLeaderLease",
				"Raft.persistVote", "Raft.setCurrentTerm", "Raft.quorumSize"},
		},
		{
			Name:    "baseline",
			Doc:     "One append at a time, with at most one entry.",
			Covers:  []string{"replication"},
			Actions: []modules.AnyAction[State]{&Propose, &HandleAppend, &HandleAppendReply},
			Models: []string{"Raft.dispatchLogs", "Raft.appendEntries", "Raft.replicate", "Raft.replicateTo", "Raft.setupAppendEntries",
				"Raft.handleStaleTerm", "updateLastAppended", "commitment.match", "commitment.recalculate", "Raft.processLogs"},
		},
		{
			Name:    "baseline",
			Doc:     "A leader checks whether it still leads, by heartbeats.",
			Covers:  []string{"client"},
			Actions: []modules.AnyAction[State]{&Verify, &HandleHeartbeat, &HandleHeartbeatReply},
			Budgets: []modules.Budget[State]{modules.Spend[State]("checks", &Verify)},
			Models:  []string{"Raft.verifyLeader", "Raft.heartbeat", "followerReplication.notifyAll", "verifyFuture.vote", "Raft.quorumSize"},
		},
		{
			Name:    "restart-drop",
			Doc:     "A server crashes and starts again in one step; a message is lost.",
			Covers:  []string{"faults"},
			Actions: []modules.AnyAction[State]{&Restart, &Drop},
			Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart), modules.Spend[State]("drops", &Drop)},
			Models:  []string{"NewRaft"},
		},
		{
			Name:    "restart-in-vote",
			Doc:     "A server may crash between the two writes of a vote, too.",
			Covers:  []string{"faults"},
			From:    []grains.Ref{{Module: "faults", Grain: "restart-drop"}},
			Refines: true,
			Actions: []modules.AnyAction[State]{&Restart, &Drop, &CrashInVote},
			Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart, &CrashInVote), modules.Spend[State]("drops", &Drop)},
			Models:  []string{"NewRaft", "Raft.persistVote"},
		},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "ElectionSafety", Doc: "At most one leader leads in a term (figure 3).", State: electionSafety},
		{ID: "LogMatching", Doc: "Logs with an entry of the same index and term are identical up to there (figure 3).", State: logMatching},
		{ID: "StateMachineSafety", Doc: "What two servers know to be committed at an index is the same (figure 3).", State: stateMachineSafety},
		{ID: "LeaderCompleteness", Doc: "A committed entry is in the logs of the leaders of all later terms (figure 3).", State: leaderCompleteness},
		{ID: "MonotonicTerm", Doc: "The term of a server never goes down (figure 2).", Step: monotonicTerm},
	},
	Options: []grains.Option{
		{Name: "history", Doc: "Whether what was committed is remembered although every server that knows it crashes.", Default: "false", Const: "History"},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "servers in the cluster", Min: 3, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "the last term; the first is 1", Min: 1, Max: 30, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "commands that clients give", Min: 0, Max: 30, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "calls", Doc: "messages in flight from one server to another", Min: 1, Max: 60, Default: MaxCalls, Const: "MaxCalls"},
		{Name: "timeouts", Doc: "elections that are begun", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "checks", Doc: "checks of leaders whether they lead", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "servers that crash and start again", Min: 0, Max: 255, Default: 0},
		{Name: "drops", Doc: "messages that are lost", Min: 0, Max: 255, Default: 0},
	},
}

func electionSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			if s.Role[i] == Leader && s.Role[j] == Leader && s.Term[i] == s.Term[j] {
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

// stateMachineSafety compares what is in both logs. An implementation can commit more than it has.
func stateMachineSafety(s *State) bool {
	for i := range Server(Servers) {
		for j := range i {
			for k := 1; k <= min(int(min(s.Commit[i], s.Commit[j])), s.Log[i].Len(), s.Log[j].Len()); k++ {
				if s.Log[i].At(k) != s.Log[j].At(k) {
					return false
				}
			}
		}
	}
	return true
}

// leaderCompleteness compares the logs of leaders with what servers of no later term know to be
// committed, and with what History remembers of earlier terms.
func leaderCompleteness(s *State) bool {
	for i := range Server(Servers) {
		if s.Role[i] != Leader {
			continue
		}
		for j := range Server(Servers) {
			if s.Term[j] <= s.Term[i] && !has(&s.Log[i], &s.Log[j], int(s.Commit[j])) {
				return false
			}
		}
		if s.CommittedIn < s.Term[i] && !has(&s.Log[i], &s.Committed, s.Committed.Len()) {
			return false
		}
	}
	return true
}

// has reports whether a log begins with the first n entries of another one, as far as that has
// them.
func has(l, of *Log, n int) bool {
	for k := 1; k <= min(n, of.Len()); k++ {
		if k > l.Len() || l.At(k) != of.At(k) {
			return false
		}
	}
	return true
}

func monotonicTerm(s, n *State) bool {
	for i := range Server(Servers) {
		if n.Term[i] < s.Term[i] {
			return false
		}
	}
	return true
}
