package raft

import "github.com/multigrain/multigrain/grains"

// The forms in which the grains run next to one node. A grain without a form runs there as it is.
// Of its actions, those that concern several servers run by the local actions of Runtime.Locals.

// nodeSettings are the options and bounds next to a node, whatever a manifest says.
var nodeSettings = []grains.NodeSetting{
	{Name: "network", Value: "tcp", Why: "a stream has each connection's messages in their order"},
	{Name: "queue", Value: "16", Least: true, Why: "this many messages to one server have room in a step"},
}

// Why grains run as others do.
const (
	whyMessages  = "its messages are in the stream, one at a time"
	whyBatched   = "the library takes several steps before a Ready"
	whyStorage   = "answers that wait for the disk are a lane of their own in the stream, which comes after the others"
	whyApplied   = "when a transaction is applied is not seen"
	whyReads     = "which client asked is not seen: the number of a read says which server was asked"
	whyRetries   = "a read that is asked for again has the number of the first one"
	whySnapshots = "the application notes in the stream what it applies and which snapshots it has"
)

var (
	nodeElection     = grains.Form{As: []grains.Ref{{Module: "election", Grain: "baseline"}}, Why: whyMessages}
	nodeFineElection = grains.Form{As: []grains.Ref{{Module: "election", Grain: "fine-timeouts"}},
		Why: "an election timeout of a server that may not campaign is not seen"}
	nodeReplication = grains.Form{As: []grains.Ref{{Module: "replication", Grain: "batched"}}, Why: whyBatched}
	nodeAppends     = grains.Form{As: []grains.Ref{{Module: "replication", Grain: "batched"}}, Why: whyMessages + ", and " + whyBatched}
	nodeStorage     = grains.Form{As: []grains.Ref{{Module: "replication", Grain: "batched"}}, Why: whyStorage,
		Sets: []grains.NodeSetting{{Name: "writes", Value: "0", Why: whyStorage}}}
	nodeApply     = grains.Form{As: []grains.Ref{{Module: "apply", Grain: "baseline"}}, Why: whyApplied}
	nodeSnapshots = grains.Form{As: []grains.Ref{{Module: "snapshot", Grain: "told"}, {Module: "apply", Grain: "told"}}, Why: whySnapshots}
	nodeReads     = grains.Form{Sets: readSettings}
	nodeRetried   = grains.Form{As: []grains.Ref{{Module: "client", Grain: "reads"}}, Why: whyRetries, Sets: readSettings}
	nodeAtOnce    = grains.Form{As: []grains.Ref{{Module: "client", Grain: "reads"}}, Why: whyMessages, Sets: readSettings}
)

// readSettings are for all grains of client that read.
var readSettings = []grains.NodeSetting{
	{Name: "local_reads", Value: "true", Why: whyReads},
	{Name: "reads", Value: "16", Least: true, Why: "a leader has room for twice as many reads that are not confirmed"},
	{Name: "queue", Value: "48", Least: true, Why: "one step of a leader may confirm all reads that waited for its first commit"},
}
