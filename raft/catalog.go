package raft

import (
	"slices"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// releases are the versions of the library whose names do not have the number of their variant.
var releases = []grains.Release{{Version: "v0.0.0-20200401174654-e694b7bb0875", Value: "v3.4.7"}}

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
		{Name: "snapshot", Doc: "Servers compact what they have applied.", Optional: true},
		{Name: "client", Doc: "Clients give commands."},
		{Name: "faults", Doc: "Servers crash and restart, links break and heal.", Environment: true, Optional: true},
		{Name: "network", Doc: "Messages are lost and duplicated.", Environment: true, Optional: true},
	},
	Grains: []grains.Grain[State]{
		electionBaseline, electionFine, electionFineTimeouts, electionCoarse, electionCoarseVotes,
		replicationBaseline, replicationFine, replicationBatched, replicationStreamed, replicationCoarse,
		replicationCoarseHeartbeats, replicationCoarseAppends, replicationCoarseBeats,
		applyBaseline, applyCoarse, applyTold,
		clientBaseline,
		membershipBaseline, membershipAdditions, membershipDemotions,
		snapshotBaseline, snapshotTold,
		clientReads, clientReadsRetried, clientReadsAtOnce,
		faultsRestartPartition,
		networkDropDuplicate, networkReported,
	},
	Invariants: slices.Concat(protocolInvariants, []modules.Invariant[State]{appendsBounded}, panics),
	Constraints: []modules.Invariant[State]{
		{ID: "wire", Doc: "At most as many messages are in flight as the bound \"wire\" says.", State: wire},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers in the cluster.", Min: 1, Max: 5, Default: 3, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 16, Default: 2, Const: "MaxTerm"},
		{Name: "timeouts", Doc: "Election timeouts along a behaviour.", Min: 0, Max: 255, Default: grains.Unlimited},
		{Name: "requests", Doc: "Commands of clients along a behaviour.", Min: 0, Max: 16, Default: 1, Const: "MaxRequests"},
		{Name: "reads", Doc: "Reads of clients along a behaviour; next to a node, half of those that a leader has not confirmed.", Min: 0, Max: 32, Default: 0, Const: "MaxReads"},
		{Name: "retries", Doc: "Reads that clients ask for once more along a behaviour: for the grain reads-retried of client.", Min: 0, Max: 255, Default: 0},
		{Name: "reuses", Doc: "Reads with the context of a read that was answered, along a behaviour: for the grain reads-retried of client.", Min: 0, Max: 255, Default: 0},
		{Name: "changes", Doc: "Configuration changes that are proposed along a behaviour.", Min: 0, Max: 8, Default: 0, Const: "MaxChanges"},
		{Name: "learners", Doc: "Learners that are proposed along a behaviour, out of the changes.", Min: 0, Max: 8, Default: 0},
		{Name: "additions", Doc: "Servers that clients ask to be added along a behaviour, out of the changes: for the grain additions of membership.", Min: 0, Max: 8, Default: 0,
			Const: "MaxAdditions"},
		{Name: "voters", Doc: "Servers in the first configuration; 0 for all.", Min: 0, Max: 5, Default: 0, Const: "InitialVoters"},
		{Name: "writes", Doc: "Writes that wait for a server's storage; 0 where storage is instantly done.", Min: 0, Max: 16, Default: 0,
			Const: "MaxWrites"},
		{Name: "compactions", Doc: "Times that servers fold away their logs along a behaviour.", Min: 0, Max: 8, Default: 0,
			Const: "MaxCompactions"},
		{Name: "transfers", Doc: "Leadership transfers along a behaviour.", Min: 0, Max: 255, Default: 0, Const: "MaxTransfers"},
		{Name: "elapses", Doc: "Election timeouts that pass, on followers and leaders, without a candidacy.", Min: 0, Max: 255, Default: 1},
		{Name: "heartbeats", Doc: "Rounds of heartbeats along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "restarts", Doc: "Restarts of servers along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "partitions", Doc: "Links that break along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "drops", Doc: "Messages that are lost along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "duplicates", Doc: "Messages that are duplicated along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "reports", Doc: "Reports of the transport about messages along a behaviour.", Min: 0, Max: 255, Default: 0},
		{Name: "queue", Doc: "Messages in flight from one server to another.", Min: 1, Max: 64, Default: 6, Const: "MaxQueue"},
		{Name: "wire", Doc: "Messages in flight altogether, for the constraint \"wire\".", Min: 1, Max: 255, Default: 6, Const: "MaxWire"},
		{Name: "batch", Doc: "Entries that an append carries at most: MaxSizePerMsg. Next to a node, 2 stands for any number.", Min: 1, Max: 8, Default: 1, Const: "MaxBatch"},
		{Name: "inflight", Doc: "Appends that a leader has in flight to a follower: MaxInflightMsgs.", Min: 1, Max: 512, Default: 1, Const: "MaxInflight"},
		{Name: "streams", Doc: "Streams that carry messages from a server to another, for the grain streamed of replication: 2 where appends have their own.", Min: 1, Max: 2, Default: 1, Const: "MaxStreams"},
	},
	Options: []grains.Option{
		{Name: "network", Doc: "What messages travel by.", Values: []string{"udp", "tcp"}, Default: "udp", Const: "Network"},
		{Name: "append", Doc: "How leaders replicate. The coarse grains of replication that adopt a whole log set \"at-once\".",
			Values: []string{"messages", "at-once"}, Default: "messages", Const: "Append"},
		{Name: "batches", Doc: "Whether a server takes several steps to a Ready. The grain batched of replication sets it.",
			Default: "false", Const: "Batches"},
		{Name: "empty_entry", Doc: "Whether leaders begin their term with an empty entry.", Default: "true", Const: "EmptyEntry"},
		{Name: "pre_vote", Doc: "Whether a candidate asks first whether it would get votes: PreVote.", Default: "false", Const: "PreVote"},
		{Name: "check_quorum", Doc: "Whether a leader that hears of no quorum steps down, and who hears of a leader does not vote: CheckQuorum.",
			Default: "false", Const: "CheckQuorum"},
		{Name: "membership", Doc: "How voters change.", Values: []string{"one-at-a-time", "joint", "joint-manual"},
			Default: "one-at-a-time", Const: "ByConsensus"},
		{Name: "read_only", Doc: "How a leader makes sure that it still leads: ReadOnlyOption. The grain reads-at-once of client sets \"at-once\".", Values: []string{"safe", "lease", "at-once"},
			Default: "safe", Const: "ReadOnlyOption"},
		{Name: "told_applies", Doc: "Whether the application says what it applies. The grain apply/told sets it.", Default: "false",
			Const: "ToldApplies"},
		{Name: "reported", Doc: "Whether the transport reports what became of messages. The grain reported of network sets it.", Default: "false",
			Const: "Reported"},
		{Name: "restart_from", Doc: "What a server's application starts from, for the grain snapshot/told.", Values: []string{"applied", "snapshot"}, Default: "applied",
			Const: "RestartFrom"},
		{Name: "local_reads", Doc: "Whether reads are seen as one server sees them: for running next to it.", Default: "false", Const: "LocalReads"},
		{Name: "variant", Doc: "The version of the library; see versions.go.", Values: []string{"v3.4.7", "v3.5.35", "v3.6.0", "v3.7.0"}, Default: "v3.7.0", Const: "Variant", Releases: releases},
		{Name: "mistake", Doc: "A known mistake of an implementation.", Default: "none", Const: "Mistake", Values: []string{"none",
			CommitOlderTerm, UnionQuorum, CampaignUnapplied, VoteWithoutLogCheck, VoteNotPersisted, AckBeforeWrite, AckInPieces, StaleVoteReplies, LeaderVotes, MatchFromStaleReply, MatchFromRejection,
			NextAtMatch, EraseMatching, TruncateCommitted, AckBeyondMessage, ConcurrentChanges, ApplyUncommitted,
			AnswerLearner, StaleCache, ReadWithoutQuorum, ReadBeforeCommit}},
	},
	Node: nodeSettings,
}
