package zab

import "github.com/multigrain/multigrain/grains"

// The forms in which the grains run next to one server: the grains node, which are explored as
// well.

// nodeSettings are the options and bounds next to a server, whatever a manifest says.
var nodeSettings = []grains.NodeSetting{
	{Name: "live_node", Value: "true", Why: "only one server's row and its own messages are known"},
	{Name: "snap", Value: "false", Why: "SNAP carries no history in the stream; the steps of NodeSendsSNAP and FollowerProcessSyncMessage take its zxid"},
	{Name: "disk", Value: "apart", Why: "a shutdown leaves a memory that differs from the log, and messages show the memory"},
	{Name: "transactions", Value: "30", Least: true, Why: "this many messages to one server have room in a step"},
	{Name: "requests", Value: "30", Least: true, Why: "clients give as many as they like"},
	{Name: "epochs", Value: "20", Least: true, Why: "servers elect as often as they like"},
}

// Why grains run as others do.
const (
	whyEndpoints = "each end of a real connection notices by itself that it has ended, and only one end is seen"
	whyElection  = "only one server is seen, and what it elects shows in its messages"
	whyVotes     = "the threads of a real server may lose, repeat and delay what it tells"
	whyDiscovery = "the messages of Discovery are in the stream, and the grain has none"
	whyMessages  = "only one server is seen, and its step must not change another one"
	whyThreads   = "a real follower hands proposals to threads, whose acknowledgements come at any time, and acknowledges UPTODATE"
	whyLeader    = "messages to a server do not show when the leader logs or applies; NodeRestarts loses what is not logged"
	whyOpening   = "NodeDecidesSync and NodeSendsNEWLEADER are two steps there, whichever grain was explored"
)

var (
	nodeFaults    = grains.Form{As: []grains.Ref{{Module: "faults", Grain: "node"}}, Why: whyEndpoints}
	nodeEndpoints = grains.Form{As: []grains.Ref{{Module: "faults", Grain: "node"}}, Why: whyMessages}
	nodeElection  = grains.Form{As: []grains.Ref{{Module: "election", Grain: "node"}}, Why: whyElection}
	nodeVotes     = grains.Form{As: []grains.Ref{{Module: "election", Grain: "node-votes"}}, Why: whyVotes}
	nodeElected   = grains.Form{As: []grains.Ref{{Module: "election", Grain: "node"}, {Module: "discovery", Grain: "node"}}, Why: whyDiscovery}
	nodeInfo      = grains.Form{As: []grains.Ref{{Module: "discovery", Grain: "node"}}, Why: whyMessages}
	nodeDiscovery = grains.Form{As: []grains.Ref{{Module: "discovery", Grain: "node"}}, Why: whyDiscovery}
	nodeSync      = grains.Form{As: []grains.Ref{{Module: "synchronization", Grain: "node"}}, Why: whyThreads}
	nodeSynced    = grains.Form{As: []grains.Ref{{Module: "synchronization", Grain: "node"}}, Why: whyMessages}
	nodeOpening   = grains.Form{As: []grains.Ref{{Module: "synchronization", Grain: "node"}}, Why: whyOpening}
	nodeBroadcast = grains.Form{As: []grains.Ref{{Module: "broadcast", Grain: "node"}}, Why: whyThreads}
	nodeThreads   = grains.Form{As: []grains.Ref{{Module: "broadcast", Grain: "node"}}, Why: whyMessages}
	nodeLeader    = grains.Form{As: []grains.Ref{{Module: "broadcast", Grain: "node"}}, Why: whyLeader}
)

// nodeDoc begins the doc of each grain node.
const nodeDoc = "Each step is one server's, and each end of a connection acts by itself. "
