// Package observes says what the driver of package zab/zookeeper/replay observes of ZooKeeper's
// servers: the fields that it reads in their memory, and the methods whose messages and files it
// reads. A test of that package compares the table with what the driver reads.
package observes

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/effects"
)

// Row is a place of the servers with the variables of the specification that it reaches.
type Row struct {
	// Place is a field with the class that declares it, or a method, below org.apache.zookeeper.
	Place     string
	Method    bool     // the arguments of the method are observed: what it writes is read
	Sent      bool     // the driver reads it in messages on the network, and not in memory
	Variables []string // each of them is enough
}

// Root is the package of all places.
const Root = "org.apache.zookeeper."

// Rows are the places, by the variables that they reach. Some are of certain versions only.
var Rows = slices.Concat(
	// The objects that lead to the others.
	rows("ServingState", "server.quorum.QuorumPeer.follower", "server.quorum.QuorumPeer.leader", "server.quorum.Learner.zk", "server.quorum.Leader.zk"),
	rows("LastProcessed", "server.quorum.QuorumPeer.zkDb", "server.ZKDatabase.dataTree"),
	rows("QueuedRequests LeftRequests Unlogged", "server.quorum.FollowerZooKeeperServer.syncProcessor", "server.quorum.LearnerZooKeeperServer.syncProcessor",
		"server.SyncRequestProcessor.zks", "server.quorum.ProposalRequestProcessor.syncProcessor", "server.quorum.LeaderRequestProcessor.nextProcessor", "server.PrepRequestProcessor.nextProcessor"),
	rows("CommittedRequests", "server.quorum.LearnerZooKeeperServer.commitProcessor"),

	rows("State", "server.quorum.QuorumPeer.state"),
	rows("ZabState", "server.quorum.QuorumPeer.zabState"),
	rows("ServingState", "server.ZooKeeperServer.state", "server.ZooKeeperServer.firstProcessor"),
	rows("LastProcessed", "server.ZKDatabase.initialized", "server.DataTree.lastProcessedZxid"),
	rows("Disks", "server.DataTree.nodes", "server.DataNode.stat", "data.StatPersisted.czxid", "server.ZKDatabase.committedLog", "server.quorum.Leader.toBeApplied"),

	// A follower and the threads of a server.
	rows("PendingTxns LastCommitted", "server.quorum.FollowerZooKeeperServer.pendingTxns"),
	rows("QueuedRequests LeftRequests Unlogged", "server.SyncRequestProcessor.queuedRequests"),
	rows("CommittedRequests", "server.quorum.CommitProcessor.committedRequests"),
	rows("QueuedRequests PendingTxns PacketsSync", "server.Request.hdr", "server.Request.txn", "txn.TxnHeader.zxid", "txn.CreateTxn.path"),
	rows("PacketsSync", "server.quorum.Learner$PacketInFlight.hdr", "server.quorum.Learner$PacketInFlight.rec"),

	// A leader.
	rows("LastCommitted", "server.quorum.Leader.lastCommitted"),
	rows("Learners", "server.quorum.Leader.learners", "server.quorum.LearnerHandler.sid"),
	rows("Forwarding", "server.quorum.Leader.forwardingFollowers"),
	rows("TempMaxEpoch", "server.quorum.Leader.epoch"),
	rows("Connecting", "server.quorum.Leader.connectingFollowers"),
	rows("Electing", "server.quorum.Leader.electingFollowers", "server.quorum.Leader.electionFinished"),
	rows("AckldRecv", "server.quorum.Leader.newLeaderProposal"),
	rows("AckldRecv AckSid", "server.quorum.SyncedLearnerTracker.qvAcksetPairs", "server.quorum.SyncedLearnerTracker$QuorumVerifierAcksetPair.ackset", "server.quorum.Leader$Proposal.ackSet"),
	rows("AckSid", "server.quorum.Leader.outstandingProposals", "server.quorum.Leader$Proposal.request"),

	// Messages: a packet that is sent is read from the network.
	rows("Msgs", "server.quorum.LearnerHandler.queuedPackets", "server.quorum.QuorumPacket.type", "server.quorum.QuorumPacket.zxid"),
	sent("Msgs", "server.quorum.QuorumPacket.data"),
	methods("Msgs", "server.quorum.Learner.writePacket"),

	// Elections.
	rows("CurrentVote", "server.quorum.QuorumPeer.currentVote", "server.quorum.FastLeaderElection.proposedLeader", "server.quorum.FastLeaderElection.proposedZxid",
		"server.quorum.FastLeaderElection.proposedEpoch"),
	rows("LogicalClock", "server.quorum.FastLeaderElection.logicalclock"),
	rows("RecvQueue", "server.quorum.QuorumPeer.electionAlg", "server.quorum.FastLeaderElection.recvqueue", "server.quorum.FastLeaderElection$Notification.sid",
		"server.quorum.FastLeaderElection$Notification.leader", "server.quorum.FastLeaderElection$Notification.zxid", "server.quorum.FastLeaderElection$Notification.peerEpoch",
		"server.quorum.FastLeaderElection$Notification.electionEpoch", "server.quorum.FastLeaderElection$Notification.state"),
	// A notification that is sent: the configuration in it is not compared.
	sent("ElectionMsgs", "server.quorum.FastLeaderElection.sendqueue", "server.quorum.FastLeaderElection$ToSend.sid",
		"server.quorum.FastLeaderElection$ToSend.leader", "server.quorum.FastLeaderElection$ToSend.zxid",
		"server.quorum.FastLeaderElection$ToSend.peerEpoch", "server.quorum.FastLeaderElection$ToSend.electionEpoch",
		"server.quorum.FastLeaderElection$ToSend.state"),
	rows("ReceiveVotes OutOfElection CurrentVote", "server.quorum.Vote.id", "server.quorum.Vote.zxid", "server.quorum.Vote.peerEpoch", "server.quorum.Vote.electionEpoch", "server.quorum.Vote.state"),

	// Files: the log, snapshots, and the two epochs.
	methods("AcceptedEpoch CurrentEpoch", "server.quorum.QuorumPeer.writeLongToFile"),
	methods("History", "server.persistence.FileTxnLog.append", "server.persistence.FileTxnLog.truncate", "server.persistence.FileTxnSnapLog.save"),
)

// outside are methods of Java whose arguments the driver observes, with the variables: learners
// come to the address to which a leader binds.
var outside = map[string]string{"java.net.ServerSocket.bind": "Learners"}

// silent are classes and packages of logs, meters and statistics. Nothing that is modelled reads
// what they get.
var silent = []string{
	"org.slf4j.", "java.lang.management.", Root + "metrics.", Root + "jmx.", Root + "server.ServerMetrics", Root + "server.ZooTrace", Root + "server.RateLogger",
	Root + "server.quorum.BufferStats",
}

// managed are those of silent whose methods call beans, which any code can register.
var managed = []string{"java.lang.management.", Root + "jmx."}

// apart are classes, packages and methods of what the specification does not have: who logs in,
// watches of clients, and what operators are shown. Manifests for changes ignore their files, or
// the methods.
var apart = []string{
	Root + "server.quorum.auth.", Root + "server.auth.", Root + "server.watch.", Root + "server.admin.", Root + "server.command.",
	Root + "Login", Root + "server.ZooKeeperSaslServer", Root + "server.util.OSMXBean", Root + "server.util.RequestPathMetricsCollector",
	Root + "server.DatadirCleanupManager", Root + "server.ContainerManager",
	Root + "server.ZooKeeperServer.dumpConf", Root + "server.ZooKeeperServer.getConf", Root + "server.ZooKeeperServer.getLogDirSize",
	Root + "server.ZooKeeperServer.getDataDirSize", Root + "server.quorum.LeaderZooKeeperServer.setupContainerManager",
	Root + "server.ServerCnxnFactory.configureSaslLogin",
}

// fixed are fields that have certain values in each server that the specification has. A test reads
// those of servers.
var fixed = fixedFields(
	given{effects.Fixed{Only: []int{0}, Says: "servers do not reconfigure"}, []string{"server.quorum.QuorumPeer.reconfigEnabled", "server.ZooKeeperServer.reconfigEnabled", "server.quorum.QuorumPeerConfig.reconfigEnabled"}},
	given{effects.Fixed{Only: []int{0}, Says: "no test suspends a server"}, []string{"server.quorum.QuorumPeer.suspended"}},
	given{effects.Fixed{There: true, Says: "a server has a database"}, []string{"server.quorum.QuorumPeer.zkDb"}},
	given{effects.Fixed{Only: []int{0}, Says: "servers do not remove old files"},
		[]string{"server.quorum.QuorumPeerConfig.parseProperties equals autopurge.purgeInterval", "server.quorum.QuorumPeerConfig.parseProperties equals autopurge.snapRetainCount"}},
	// exists, getData, getACL, getChildren, getChildren2, multiRead, getEphemerals,
	// getAllChildrenNumber, whoAmI; check, checkWatches; removeWatches, setWatches, setWatches2,
	// addWatch; auth, sasl; reconfig.
	given{effects.Fixed{Never: []int{3, 4, 6, 8, 12, 22, 103, 104, 107, 13, 17, 18, 101, 105, 106, 100, 102, 16},
		Says: "no request is a read, a check, a watch, a login or a reconfiguration"}, []string{"server.Request.type", "server.Request.isValid#0", "txn.TxnHeader.type"}},
)

// given fixes some fields.
type given struct {
	effects.Fixed
	fields []string // below org.apache.zookeeper
}

func fixedFields(all ...given) map[string]effects.Fixed {
	out := map[string]effects.Fixed{}
	for _, g := range all {
		for _, f := range g.fields {
			out[Root+f] = g.Fixed
		}
	}
	return out
}

// begins are the methods with which servers begin.
var begins = []string{Root + "server.quorum.QuorumPeerMain.main"}

func rows(variables string, places ...string) (out []Row) {
	for _, p := range places {
		out = append(out, Row{Place: p, Variables: strings.Fields(variables)})
	}
	return out
}

func methods(variables string, places ...string) []Row {
	out := rows(variables, places...)
	for k := range out {
		out[k].Method = true
	}
	return out
}

func sent(variables string, places ...string) []Row {
	out := rows(variables, places...)
	for k := range out {
		out[k].Sent = true
	}
	return out
}

// Own returns the jars of a class path that have classes of ZooKeeper, in its order.
func Own(path []string) []string {
	return slices.DeleteFunc(slices.Clone(path), func(jar string) bool { return !strings.HasPrefix(filepath.Base(jar), "zookeeper") })
}

// Of returns what the driver observes where it compares some variables.
func Of(compared []string) effects.Observed {
	out := effects.Observed{Fields: map[string]bool{}, Calls: map[string]bool{}, Silent: silent, Managed: managed, Begins: begins, Apart: apart, Fixed: fixed}
	for _, r := range Rows {
		if slices.ContainsFunc(r.Variables, func(v string) bool { return slices.Contains(compared, v) }) {
			to := out.Fields
			if r.Method {
				to = out.Calls
			}
			to[Root+r.Place] = true
		}
	}
	for m, variable := range outside {
		if slices.Contains(compared, variable) {
			out.Calls[m] = true
		}
	}
	return out
}
