package raftos

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// System is the catalog.
var System = grains.System[State]{
	Name: "raftos",
	Doc:  "Raft, as the Python library RaftOS runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "network", Doc: "Messages are lost and come twice.", Environment: true, Optional: true},
		{Name: "faults", Doc: "Servers restart.", Environment: true, Optional: true},
	},
	Grains:     []grains.Grain[State]{electionBaseline, replicationBaseline, networkDropDuplicate, faultsRestart},
	Invariants: invariants,
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
	},
	Options: []grains.Option{
		{Name: "release", Doc: "The version of the library, or \"repaired\": with what tickets and a pull request propose, and votes of the own term.",
			Values: []string{"0.2.6", "repaired"}, Default: "0.2.6", Const: "Release", Releases: []grains.Release{{Version: "0.2.6", Value: "0.2.6"}}},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 2, Max: 5, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 9, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 0, Max: 9, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "queue", Doc: "Messages in flight from one server to another.", Min: 1, Max: 60, Default: MaxQueue, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether.", Min: 1, Max: 255, Default: MaxWire, Const: "MaxWire"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "giveups", Doc: "Candidates that give up along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "beats", Doc: "Rounds of heartbeats along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "stepdowns", Doc: "Leaders that step down because too few answer.", Min: 0, Max: 255, Default: 0},
		{Name: "drops", Doc: "Messages that are lost.", Min: 0, Max: 255, Default: 0},
		{Name: "duplicates", Doc: "Messages that come twice.", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "Servers that crash and start again.", Min: 0, Max: 255, Default: 0},
	},
}

var electionBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each timeout, request and vote.",
	Covers:  []string{"election"},
	Actions: []modules.AnyAction[State]{&Timeout, &GiveUp, &HandleVote, &HandleVoteResponse},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout), modules.Spend[State]("giveups", &GiveUp)},
	Models: []string{"Candidate.start", "Candidate.request_vote", "Candidate.on_receive_request_vote_response",
		"Follower.on_receive_request_vote", "validate_term", "State.to_leader", "Leader.start"},
}

var replicationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "A step for each command, timer and message.",
	Covers:  []string{"replication"},
	Actions: []modules.AnyAction[State]{&Propose, &Beat, &StepDown, &HandleAppend, &HandleAppendResponse},
	Budgets: []modules.Budget[State]{modules.Spend[State]("beats", &Beat), modules.Spend[State]("stepdowns", &StepDown)},
	Models: []string{"Leader.append_entries", "Leader.on_receive_append_entries_response", "Leader.update_commit_index",
		"Leader.execute_command", "Leader.heartbeat", "Follower.on_receive_append_entries",
		"Candidate.on_receive_append_entries", "validate_commit_index"},
}

var networkDropDuplicate = grains.Grain[State]{
	Name:    "drop-duplicate",
	Doc:     "UDP loses and duplicates messages.",
	Covers:  []string{"network"},
	Actions: []modules.AnyAction[State]{&Lose, &Duplicate},
	Budgets: []modules.Budget[State]{modules.Spend[State]("drops", &Lose), modules.Spend[State]("duplicates", &Duplicate)},
}

var faultsRestart = grains.Grain[State]{
	Name:    "restart",
	Doc:     "A server crashes and starts again in one step.",
	Covers:  []string{"faults"},
	Actions: []modules.AnyAction[State]{&Restart},
	Budgets: []modules.Budget[State]{modules.Spend[State]("restarts", &Restart)},
	Models:  []string{"State.__init__", "Log.__init__", "Follower.init_storage"},
}
