package ratis

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "ratis",
	Doc:  "Raft, as the Java library Apache Ratis runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "faults", Doc: "Messages are lost, and servers restart.", Environment: true, Optional: true},
	},
	Grains:     []grains.Grain[State]{electionBaseline, replicationBaseline, faultsLoseRestart},
	Invariants: invariants,
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many calls are not over as the bound \"wire\" says.", State: wire},
	},
	Options: []grains.Option{
		{Name: "release", Doc: "The version of the library, of those in which the modelled code differs.",
			Values: []string{"3.2.2", "3.3.0"}, Default: "3.3.0", Const: "Release",
			Releases: []grains.Release{{Version: "3.2.2", Value: "3.2.2"}, {Version: "3.3.0", Value: "3.3.0"}}},
		{Name: "prevote", Doc: "Whether candidates ask before they take the next term: raft.server.leaderelection.pre-vote.", Default: "true", Const: "PreVote"},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 2, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 9, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 0, Max: 9, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "wire", Doc: "Calls that are not over.", Min: 1, Max: 20, Default: MaxWire, Const: "MaxWire"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "passes", Doc: "Followers whose leader is silent for long, along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "beats", Doc: "Heartbeats along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "losses", Doc: "Calls that fail along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "Servers that stop and start again.", Min: 0, Max: 255, Default: 0},
	},
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each timeout, request and answer.",
	Covers:  []string{"election"},
	Actions: []modules.AnyAction[State]{&Timeout, &Pass, &HandleVote, &HandleVoteReply},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout), modules.Spend[State]("passes", &Pass)},
	Models: []string{"FollowerState.runImpl", "LeaderElection.askForVotes", "LeaderElection.waitForResults", "ServerState.initElection",
		"RaftServerImpl.requestVote", "VoteContext.recognizeCandidate", "VoteContext.decideVote", "RaftServerImpl.changeToLeader"},
}

var replicationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each command, heartbeat, request and answer.",
	Covers:  []string{"replication"},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &HandleAppend, &HandleAppendReply},
	Budgets: []modules.Budget[State]{modules.Spend[State]("beats", &Beat)},
	Models: []string{"LogAppenderDefault.run", "LogAppenderDefault.handleReply", "LogAppenderBase.getNextIndexForInconsistency",
		"LogAppenderBase.newAppendEntriesRequest", "RaftServerImpl.appendEntriesAsync", "RaftServerImpl.checkInconsistentAppendEntries",
		"LeaderStateImpl.updateCommit", "RaftLogBase.updateCommitIndex", "ServerImplUtils.effectiveCommitIndex"},
}

var faultsLoseRestart = grains.Grain[State]{
	Name:    "lose-restart",
	Doc:     "Calls fail, and servers stop and start again in one step.",
	Covers:  []string{"faults"},
	Actions: []modules.AnyAction[State]{&Lose, &Restart},
	Budgets: []modules.Budget[State]{modules.Spend[State]("losses", &Lose), modules.Spend[State]("restarts", &Restart)},
	Models:  []string{"LogAppenderDefault.sendAppendEntriesWithRetries", "ServerState.initialize", "RaftStorageMetadata.valueOf"},
}
