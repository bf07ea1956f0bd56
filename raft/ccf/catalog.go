package ccf

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog.
var System = grains.System[State]{
	Name: "ccf",
	Doc:  "The consensus of the Confidential Consortium Framework.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Nodes elect a leader, and a leader may step down."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "signatures", Doc: "The leader signs its log."},
		{Name: "client", Doc: "Clients give requests."},
		{Name: "reconfiguration", Doc: "Configurations follow each other, and nodes retire.", Optional: true},
		{Name: "log", Doc: "What lines of a log show of messages and nodes.", Environment: true, Optional: true},
		{Name: "network", Doc: "Messages are lost and duplicated.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		electionBaseline, replicationBaseline, signaturesBaseline, clientBaseline, reconfigurationBaseline, networkDropDuplicate,
		replicationAnySize, electionCoarse, logDriver, logScenario, clientObserved, clientObservedAtOnce,
	},
	Invariants: invariants,
	Liveness:   liveness,
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
		{ID: "appends", Doc: "As wire, without requests for votes and their answers.", State: appendsOnWire},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Nodes, those that may join included.", Min: 1, Max: 8, Default: Servers, Const: "Servers"},
		{Name: "terms", Doc: "The last term that a node campaigns for. Terms begin with 2.", Min: 2, Max: 250, Default: MaxTerm, Const: "MaxTerm"},
		{Name: "requests", Doc: "Requests in a log.", Min: 0, Max: 250, Default: MaxRequests, Const: "MaxRequests"},
		{Name: "log", Doc: "Entries of a log. A leader adds nothing to a log of that length.", Min: 4, Max: 255, Default: MaxLog, Const: "MaxLog"},
		{Name: "queue", Doc: "Messages in flight from one node to another. No request is sent past it.", Min: 1, Max: 40, Default: MaxQueue, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether, for the constraint \"wire\".", Min: 1, Max: 255, Default: MaxWire, Const: "MaxWire"},
		{Name: "batch", Doc: "Entries of an append.", Min: 1, Max: 64, Default: MaxBatch, Const: "MaxBatch"},
		{Name: "active", Doc: "Active configurations that a node may have.", Min: 1, Max: 8, Default: MaxConfigurations, Const: "MaxConfigurations"},
		{Name: "history", Doc: "Messages between clients and nodes, where clients are observed.", Min: 1, Max: 32, Default: MaxHistory, Const: "MaxHistory"},
		{Name: "timeouts", Doc: "Time-outs along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "step_downs", Doc: "Leaders that step down since they hear of no quorum.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "changes", Doc: "Configurations that leaders propose along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "drops", Doc: "Messages that are lost along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "duplicates", Doc: "Messages that are duplicated along a behaviour.", Min: 0, Max: 255, Default: 0},
	},
	Options: []grains.Option{
		{Name: "configurations", Doc: "Which configurations follow each other: RAFT_CONFIGS of the published specification; 2C3N are two of three nodes. With \"any\" a leader may propose every set.",
			Values: []string{"1C1N", "1C2N", "1C3N", "2C2N", "2C3N", "2C5N", "3C2N", "any"}, Default: "2C3N", Const: "Configured"},
		{Name: "delivery", Doc: "How messages are delivered: Guarantee of the published specification.",
			Values: []string{"ordered-no-dup", "ordered", "reordered-no-dup", "reordered"}, Default: "ordered-no-dup", Const: "Delivery"},
		{Name: "pre_vote", Doc: "What nodes know of pre-votes at first.", Values: []string{"disabled", "capable", "enabled", "any"}, Default: "enabled", Const: "PreVotes"},
		{Name: "proposals", Doc: "Whether a node follows a proposal to become a candidate. In the published specification it cannot.",
			Values: []string{"taken", "published"}, Default: "taken", Const: "Proposals"},
		{Name: "one_append", Doc: "Whether a node waits with messages while an append or an answer is in flight.", Default: "true", Const: "OneAppend"},
		{Name: "one_candidate", Doc: "Whether a node waits with a time-out while another one is a candidate.", Default: "true", Const: "OneCandidate"},
		{Name: "initial", Doc: "What a service has had at first: what the published specification says, or only the configuration of its first node. With \"any\" it is that, or there is no service yet.",
			Values: []string{"published", "started", "any"}, Default: "published", Const: "Initial"},
		{Name: "sign_twice", Doc: "Whether a signature may follow a signature of the same term.", Default: "false", Const: "SignTwice"},
		{Name: "reads", Doc: "Which nodes answer read-only transactions, where clients are observed: none, the leader, or any node from its own log.",
			Values: []string{"none", "leader", "any"}, Default: "leader", Const: "Reads"},
		{Name: "follower_commit", Doc: "How far a follower takes the leader's commit index over: as far as its log goes, as CCF did until August 2026, or as far as the append shows that the logs agree (pull request 8172).",
			Values: []string{"log", "append"}, Default: "log", Const: "FollowerCommit"},
		{Name: "mistake", Doc: "A mistake that CCF had.", Default: "none", Const: "Mistake", Values: []string{"none",
			ElectionQuorum, PreviousTerm, AdvanceOnNack, EarlyTruncation, InaccurateAck, PrematureRetirement}},
	},
}

var electionBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A step for each time-out, request and vote.",
	Covers: []string{"election"},
	Actions: Actions{&Timeout, &BecomeCandidate, &RequestVote, &RcvRequestVoteRequest, &RcvRequestVoteResponse, &BecomeLeader,
		&CheckQuorum, &RcvUpdateTerm, &RcvProposeVoteRequest, &DropIgnoredMessage, &DropStaleResponse, &DropResponseWhenNotInState},
	Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout), modules.Spend[State]("step_downs", &CheckQuorum)},
	Models: []string{"Aft::become_candidate", "Aft::become_pre_vote_candidate", "Aft::become_leader", "Aft::become_follower",
		"Aft::recv_request_vote", "Aft::recv_request_vote_response", "Aft::recv_propose_request_vote", "Aft::become_aware_of_new_term"},
}

var replicationBaseline = grains.Grain[State]{
	Name:   "baseline",
	Doc:    "A step for each append, answer and commit.",
	Covers: []string{"replication"},
	Actions: Actions{&AppendEntries, &RejectAppendEntries, &ReturnToFollower, &AcceptAppendEntries, &RcvAppendEntriesResponse,
		&AdvanceCommitIndex, &AdvanceCommitIndexAndProposeVote},
	Models: []string{"Aft::send_append_entries", "Aft::recv_append_entries", "Aft::execute_append_entries_sync",
		"Aft::recv_append_entries_response", "Aft::update_commit", "Aft::commit", "Aft::rollback"},
}

var signaturesBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "The leader signs what it has not signed.",
	Covers:  []string{"signatures"},
	Actions: Actions{&SignCommittableMessages},
	Models:  []string{"MerkleTxHistory::emit_signature"},
}

var clientBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "The leader takes a request.",
	Covers:  []string{"client"},
	Actions: Actions{&ClientRequest},
	Models:  []string{"Aft::replicate"},
}

var reconfigurationBaseline = grains.Grain[State]{
	Name:    "baseline",
	Doc:     "The leader proposes a configuration, and notes the nodes that are retired.",
	Covers:  []string{"reconfiguration"},
	Actions: Actions{&ChangeConfiguration, &AppendRetiredCommitted},
	Budgets: []modules.Budget[State]{modules.Spend[State]("changes", &ChangeConfiguration)},
	Models:  []string{"Aft::add_configuration", "Aft::create_and_remove_node_state"},
}

var networkDropDuplicate = grains.Grain[State]{
	Name:    "drop-duplicate",
	Doc:     "Messages are lost, and where the delivery allows it duplicated.",
	Covers:  []string{"network"},
	Actions: Actions{&Drop, &Duplicate},
	Budgets: []modules.Budget[State]{modules.Spend[State]("drops", &Drop), modules.Spend[State]("duplicates", &Duplicate)},
}
