package raft

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog of Raft as etcd's library runs it.
var System = grains.System[State]{
	Name: "raft",
	Doc:  "Raft, as go.etcd.io/raft/v3 v3.7.0 runs it.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "apply", Doc: "What is committed goes to the state machine."},
		{Name: "membership", Doc: "Voters and learners come and go.", Optional: true},
		{Name: "client", Doc: "Clients give commands."},
		{Name: "faults", Doc: "Servers crash and restart, links break and heal.", Environment: true, Optional: true},
		{Name: "network", Doc: "Messages are lost and duplicated.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		{
			Name:    "baseline",
			Doc:     "A step for each timeout, request and answer.",
			Covers:  []string{"election"},
			Actions: Actions{&Timeout, &HandleVote, &HandleVoteResp},
			Rules:   []modules.Rule[State]{boundTerms},
			Budgets: []modules.Budget[State]{modules.Spend[State]("timeouts", &Timeout)},
			Models:  []string{"raft.campaign", "raft.hup", "raft.poll", "raft.Step", "stepCandidate"},
		},
		{
			Name:   "fine",
			Doc:    "With PreVote and CheckQuorum, by the options of these names, and leadership transfer.",
			Covers: []string{"election"},
			From:   []grains.Ref{{Module: "election", Grain: "baseline"}},
			Actions: Actions{&Timeout, &HandleVote, &HandleVoteResp, &HandlePreVote, &HandlePreVoteResp, &Elapse, &CheckActive,
				&Transfer, &HandleTimeoutNow},
			Rules: []modules.Rule[State]{boundTerms, boundTransfers},
			Budgets: []modules.Budget[State]{
				modules.Spend[State]("timeouts", &Timeout),
				modules.Spend[State]("elapses", &Elapse, &CheckActive),
				modules.Spend[State]("transfers", &Transfer),
			},
			Models: []string{"raft.campaign", "raft.hup", "raft.poll", "raft.Step", "stepCandidate", "stepLeader", "raft.tickElection",
				"raft.tickHeartbeat", "tracker.ProgressTracker.QuorumActive", "raft.sendTimeoutNow"},
		},
		{
			Name:     "coarse",
			Doc:      "A quorum elects an up-to-date leader in one step.",
			Covers:   []string{"election"},
			From:     []grains.Ref{{Module: "election", Grain: "baseline"}},
			Coarsens: true,
			Actions:  Actions{&Elect},
			Rules:    []modules.Rule[State]{boundElect},
			Budgets:  []modules.Budget[State]{modules.Spend[State]("timeouts", &Elect)},
			Models:   []string{"raft.campaign", "raft.hup", "raft.poll", "raft.Step", "stepCandidate"},
		},
		{
			Name:    "baseline",
			Doc:     "A step for each append, heartbeat and answer.",
			Covers:  []string{"replication"},
			Actions: Actions{&HandleApp, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp},
			Budgets: []modules.Budget[State]{modules.Spend[State]("heartbeats", &Beat)},
			Models:  replicationModels,
		},
		{
			Name:     "fine",
			Doc:      "Storage is slower than the server (AsyncStorageWrites): answers wait for the append thread. Needs the bound writes.",
			Covers:   []string{"replication"},
			From:     []grains.Ref{{Module: "replication", Grain: "baseline"}},
			Actions:  Actions{&HandleApp, &HandleAppResp, &Beat, &HandleHeartbeat, &HandleHeartbeatResp, &Persist},
			Rules:    []modules.Rule[State]{modules.AfterAny(takeReady, &Restart)},
			Requires: []grains.Ref{{Module: "apply", Grain: "baseline"}},
			Invariants: []modules.Invariant[State]{
				{ID: "Writes", Doc: "The bound writes is not 0.", State: func(*State) bool { return AsyncStorage }},
			},
			Constraints: []modules.Invariant[State]{
				{ID: "writes", Doc: "No queue of writes is full.", State: boundedWrites},
			},
			Budgets: []modules.Budget[State]{modules.Spend[State]("heartbeats", &Beat)},
			Models: append(replicationModels, "raft.send", "RawNode.Ready", "RawNode.acceptReady", "newStorageAppendMsg",
				"newStorageAppendRespMsg", "unstable.stableTo", "unstable.truncateAndAppend", "raftLog.maxAppliableIndex"),
		},
		{
			Name:       "coarse",
			Doc:        "A follower adopts the leader's log at once. Goes with the option append = \"at-once\".",
			Covers:     []string{"replication"},
			From:       []grains.Ref{{Module: "replication", Grain: "baseline"}},
			Coarsens:   true,
			Actions:    Actions{&Adopt},
			Invariants: []modules.Invariant[State]{noAppends},
			Models:     replicationModels,
		},
		{
			Name:       "coarse-heartbeats",
			Doc:        "As coarse, with the heartbeats that confirm reads.",
			Covers:     []string{"replication"},
			From:       []grains.Ref{{Module: "replication", Grain: "baseline"}},
			Coarsens:   true,
			Actions:    Actions{&Adopt, &Beat, &HandleHeartbeat, &HandleHeartbeatResp},
			Invariants: []modules.Invariant[State]{noAppends},
			Budgets:    []modules.Budget[State]{modules.Spend[State]("heartbeats", &Beat)},
			Models:     replicationModels,
		},
		{
			Name:    "baseline",
			Doc:     "Applying is a step of its own.",
			Covers:  []string{"apply"},
			Actions: Actions{&Apply},
			Models:  []string{"raft.appliedTo", "raftLog.appliedTo", "newStorageApplyMsg", "newStorageApplyRespMsg"},
		},
		{
			Name:     "coarse",
			Doc:      "What a step commits is applied in the same step.",
			Covers:   []string{"apply"},
			From:     []grains.Ref{{Module: "apply", Grain: "baseline"}},
			Coarsens: true,
			Rules:    []modules.Rule[State]{modules.AfterAny(applyAll)},
			Models:   []string{"raft.appliedTo", "raftLog.appliedTo"},
		},
		{
			Name:    "baseline",
			Doc:     "Commands.",
			Covers:  []string{"client"},
			Actions: Actions{&Propose},
			Budgets: []modules.Budget[State]{modules.Spend[State]("requests", &Propose)},
			Models:  []string{"stepLeader", "raft.appendEntry"},
		},
		{
			Name:    "baseline",
			Doc:     "One voter at a time, or joint consensus, by the option \"membership\"; learners.",
			Covers:  []string{"membership"},
			Actions: Actions{&ProposeChange, &ProposeLearner, &ProposeLeave},
			Budgets: []modules.Budget[State]{modules.Spend[State]("learners", &ProposeLearner)},
			Invariants: []modules.Invariant[State]{
				{ID: "ConfAgrees", State: confsAgree, Doc: "Servers that have applied as much have the same configuration."},
				{ID: "OneChange", State: oneChange, Doc: "There is at most one uncommitted configuration change (dissertation, section 4.1)."},
			},
			Models: []string{"stepLeader", "raft.applyConfChange", "raft.switchToConfig", "raft.appliedTo", "raft.hasUnappliedConfChanges",
				"confchange.Changer.Simple", "confchange.Changer.EnterJoint", "confchange.Changer.LeaveJoint",
				"quorum.JointConfig.CommittedIndex", "quorum.JointConfig.VoteResult"},
		},
		{
			Name:       "reads",
			Doc:        "Commands, and linearizable reads by ReadIndex.",
			Covers:     []string{"client"},
			From:       []grains.Ref{{Module: "client", Grain: "baseline"}},
			Actions:    Actions{&Propose, &ReadIndex, &HandleReadIndex, &HandleReadIndexResp, &AnswerRead},
			Invariants: []modules.Invariant[State]{linearizability},
			Budgets:    []modules.Budget[State]{modules.Spend[State]("requests", &Propose)},
			Models:     readModels,
		},
		{
			Name:       "reads-coarse",
			Doc:        "Commands, and reads that a quorum confirms in one step.",
			Covers:     []string{"client"},
			From:       []grains.Ref{{Module: "client", Grain: "reads"}},
			Coarsens:   true,
			Actions:    Actions{&Propose, &ReadAtOnce},
			Invariants: []modules.Invariant[State]{linearizability},
			Budgets:    []modules.Budget[State]{modules.Spend[State]("requests", &Propose)},
			Models:     readModels,
		},
		{
			Name:    "restart-partition",
			Doc:     "A server restarts in one step; links break and heal.",
			Covers:  []string{"faults"},
			Actions: Actions{&Restart, &Cut, &Heal},
			Budgets: []modules.Budget[State]{
				modules.Spend[State]("restarts", &Restart),
				modules.Spend[State]("partitions", &Cut),
			},
			Models: []string{"newRaft", "raft.loadState"},
		},
		{
			Name:    "drop-duplicate",
			Doc:     "UDP loses and duplicates messages.",
			Covers:  []string{"network"},
			Actions: Actions{&Drop, &Duplicate},
			Budgets: []modules.Budget[State]{
				modules.Spend[State]("drops", &Drop),
				modules.Spend[State]("duplicates", &Duplicate),
			},
		},
	},
	Invariants: append(protocolInvariants, panics...),
	Rules:      []modules.Rule[State]{modules.AfterAny(acknowledgeWrites)}, // behind the rules of grains: it reads what they apply
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 1, Max: 5, Default: 3, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 16, Default: 2, Const: "MaxTerm"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 0, Max: 16, Default: 1, Const: "MaxRequests"},
		{Name: "reads", Doc: "Reads of clients along a behaviour.", Min: 0, Max: 8, Default: 0, Const: "MaxReads"},
		{Name: "changes", Doc: "Configuration changes that are proposed along a behaviour.", Min: 0, Max: 8, Default: 0, Const: "MaxChanges"},
		{Name: "learners", Doc: "Learners that are proposed along a behaviour, out of the changes.", Min: 0, Max: 8, Default: 0},
		{Name: "voters", Doc: "Servers in the first configuration; 0 for all.", Min: 0, Max: 5, Default: 0, Const: "InitialVoters"},
		{Name: "writes", Doc: "Writes that wait for a server's storage; 0 where storage is instantly done.", Min: 0, Max: 16, Default: 0,
			Const: "MaxWrites"},
		{Name: "transfers", Doc: "Leadership transfers along a behaviour.", Min: 0, Max: 255, Default: 0, Const: "MaxTransfers"},
		{Name: "elapses", Doc: "Election timeouts that pass, on followers and leaders, without a candidacy.", Min: 0, Max: 255, Default: 1},
		{Name: "heartbeats", Doc: "Rounds of heartbeats along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "Restarts of servers along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "partitions", Doc: "Links that break along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "drops", Doc: "Messages that are lost along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "duplicates", Doc: "Messages that are duplicated along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "queue", Doc: "Messages in flight from one server to another.", Min: 1, Max: 32, Default: 6, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether, for the constraint \"wire\".", Min: 1, Max: 255, Default: 6, Const: "MaxWire"},
		{Name: "inflight", Doc: "Appends that a leader has on the way to a follower: MaxInflightMsgs.", Min: 1, Max: 8, Default: 1, Const: "MaxInflight"},
	},
	Options: []grains.Option{
		{Name: "network", Doc: "What messages travel by.", Values: []string{"udp", "tcp"}, Default: "udp", Const: "Network"},
		{Name: "append", Doc: "How leaders replicate: \"at-once\" goes with the grain coarse of replication.",
			Values: []string{"messages", "at-once"}, Default: "messages", Const: "Append"},
		{Name: "empty_entry", Doc: "Whether leaders begin their term with an empty entry.", Default: "true", Const: "EmptyEntry"},
		{Name: "pre_vote", Doc: "Whether a candidate asks first whether it would get votes: PreVote.", Default: "false", Const: "PreVote"},
		{Name: "check_quorum", Doc: "Whether a leader that hears of no quorum steps down, and who hears of a leader does not vote: CheckQuorum.",
			Default: "false", Const: "CheckQuorum"},
		{Name: "membership", Doc: "How voters change.", Values: []string{"one-at-a-time", "joint", "joint-manual"},
			Default: "one-at-a-time", Const: "ByConsensus"},
		{Name: "read_only", Doc: "How a leader makes sure that it still leads: ReadOnlyOption.", Values: []string{"safe", "lease"},
			Default: "safe", Const: "ReadOnlyOption"},
		{Name: "mistake", Doc: "A known mistake of an implementation.", Default: "none", Const: "Mistake", Values: []string{"none",
			CommitOlderTerm, UnionQuorum, CampaignUnapplied, VoteWithoutLogCheck, VoteNotPersisted, StaleVoteReplies, LeaderVotes, MatchFromStaleReply, MatchFromRejection,
			NextAtMatch, EraseMatching, TruncateCommitted, AckBeyondMessage, ReadWithoutQuorum, ReadBeforeCommit}},
	},
}

// noAppends holds where the options fit the coarse grains of Replication.
var noAppends = modules.Invariant[State]{ID: "NoAppends", Doc: "The option append is \"at-once\".",
	State: func(*State) bool { return Append == "at-once" }}

// readModels are the functions that reads model at each grain.
var readModels = []string{
	"stepLeader", "stepFollower", "raft.appendEntry", "releasePendingReadIndexMessages", "sendMsgReadIndexResponse",
	"raft.responseToReadIndexReq", "raft.committedEntryInCurrentTerm",
	"readOnly.addRequest", "readOnly.recvAck", "readOnly.maybeAdvance", "readOnly.heartbeatCtx",
}

// replicationModels are the functions that Replication models at each grain.
var replicationModels = []string{
	"raft.sendAppend", "raft.maybeSendAppend", "raft.sendHeartbeat", "raft.bcastAppend", "raft.bcastHeartbeat", "raft.maybeCommit",
	"raft.handleAppendEntries", "raft.handleHeartbeat", "stepFollower", "stepLeader",
	"raftLog.maybeAppend", "raftLog.findConflict", "raftLog.findConflictByTerm", "raftLog.commitTo", "raftLog.maybeCommit",
	"tracker.Progress.MaybeUpdate", "tracker.Progress.MaybeDecrTo", "tracker.Progress.SentEntries",
	"tracker.Progress.BecomeProbe", "tracker.Progress.BecomeReplicate", "tracker.Progress.CanBumpCommit",
}
