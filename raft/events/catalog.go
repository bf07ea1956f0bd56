package events

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/modules"
)

// Actions is the type of a grain's actions.
type Actions = []modules.AnyAction[State]

// System is the catalog.
var System = grains.System[State]{
	Name: "raft-events",
	Doc:  "Raft, a step for each event that go.etcd.io/raft/v3 v3.7.0 logs when it is built with the tag with_tla.",
	Init: Init,
	Modules: []grains.Module{
		{Name: "election", Doc: "Servers elect a leader."},
		{Name: "replication", Doc: "The leader replicates its log and commits."},
		{Name: "storage", Doc: "Ready hands over messages and what must be written."},
		{Name: "membership", Doc: "Voters and learners come and go.", Optional: true},
		{Name: "faults", Doc: "Servers are set up, crash and restart.", Environment: true},
	},
	Grains: []grains.Grain[State]{
		{
			Name: "baseline", Doc: "A step for each event of an election.", Covers: []string{"election"},
			Actions: Actions{&Campaign, &SendVoteRequest, &SendOwnVote, &ReceiveVoteRequest, &SendVote, &ReceiveVote, &Lead, &Follow},
		},
		{
			Name: "unlogged", Doc: "With pre-candidacies, leases and forgotten leaders, which are not logged.", Covers: []string{"election"},
			From:    []grains.Ref{{Module: "election", Grain: "baseline"}},
			Refines: true,
			Actions: Actions{&Campaign, &SendVoteRequest, &SendOwnVote, &ReceiveVoteRequest, &SendVote, &ReceiveVote, &Lead, &Follow,
				&PreCampaign, &Ignore, &ForgetLeader},
		},
		{
			Name: "baseline", Doc: "A step for each event of appending and committing.", Covers: []string{"replication"},
			Actions: Actions{&Replicate, &AcknowledgeOwn, &SendAppend, &SendHeartbeat, &SendSnapshot, &ResendSnapshot, &ReceiveAppend, &ReceiveAppendResponse,
				&AcceptAppend, &RejectAppend, &AnswerHeartbeat, &AnswerSnapshot, &IgnoreSnapshot, &AnswerStale, &AdvanceCommit, &KeepCommit},
		},
		{Name: "baseline", Doc: "Ready.", Covers: []string{"storage"}, Actions: Actions{&Ready}},
		{
			Name: "baseline", Doc: "Changes are announced and applied.", Covers: []string{"membership"},
			Actions: Actions{&ChangeConf, &ApplyConf, &InstallConf},
		},
		{
			Name: "crash-restart", Doc: "A server starts again in several steps.", Covers: []string{"faults"},
			Actions: Actions{&Boot, &Restart, &RestoreConf, &Recover},
		},
	},
	Invariants: []modules.Invariant[State]{
		{ID: "ElectionSafety", State: electionSafety, Doc: "At most one leader leads in a term (figure 3)."},
		{ID: "LeaderCompleteness", State: leaderCompleteness, Doc: "A committed entry is in the logs of the leaders of all later terms (figure 3)."},
		{ID: "StateMachineSafety", State: stateMachineSafety, Doc: "What two servers know to be committed at an index is the same (figure 3)."},
		{ID: "CommitInLog", State: commitInLog, Doc: "Every server has what it knows to be committed."},
	},
	Bounds: []grains.Bound{
		{Name: "servers", Doc: "Servers, with ids from 1.", Min: 1, Max: 16, Default: 5, Const: "Servers"},
		{Name: "terms", Doc: "The last term.", Min: 1, Max: 65000, Default: 255, Const: "MaxTerm"},
		{Name: "wire", Doc: "Messages that are sent and may still be received; the oldest ones beyond count as lost.", Min: 1, Max: 65000, Default: 512, Const: "MaxWire"},
		{Name: "changes", Doc: "Configuration changes in logs.", Min: 1, Max: 65000, Default: 32, Const: "MaxChanges"},
	},
	Options: []grains.Option{
		{Name: "pre_vote", Doc: "Whether PreVote may be on, or leadership be transferred.", Default: "true", Const: "PreVote"},
		{Name: "duplicates", Doc: "Whether a message may be received several times.", Default: "false", Const: "Duplicates"},
		{Name: "disable_conf_change_validation", Doc: "Whether DisableConfChangeValidation may be on.", Default: "true", Const: "UncheckedChanges"},
		{Name: "forget_leader", Doc: "Whether RawNode.ForgetLeader may be called.", Default: "true", Const: "Forgets"},
		{Name: "check_quorum", Doc: "Whether CheckQuorum may be on.", Default: "true", Const: "CheckQuorum"},
	},
}
