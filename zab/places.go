package zab

import "github.com/multigrain/multigrain/grains"

// Functions on which the protocol rests, and that several modules model.
const (
	// quorumOfVotes decides which servers are a quorum: more than half. Hierarchical quorums and
	// weights are not modelled.
	quorumOfVotes = "org.apache.zookeeper.server.quorum.flexible.QuorumMaj.containsQuorum"
	// epochsOnDisk forces acceptedEpoch and currentEpoch to disk, so that AcceptedEpoch and
	// CurrentEpoch outlive a crash.
	epochsOnDisk = "org.apache.zookeeper.server.quorum.QuorumPeer.writeLongToFile"
	// logAppended writes a transaction to the log.
	logAppended = "org.apache.zookeeper.server.persistence.FileTxnLog.append"
	// logForced forces the log to disk, so that what is logged outlives a crash. Only then it is
	// acknowledged.
	logForced = "org.apache.zookeeper.server.persistence.FileTxnLog.commit"
)

// diskNeeds is the option without which grains that tell memory from disk are wrong, or have no
// step that coarser grains lack.
var diskNeeds = []grains.OptionValue{{Option: "disk", Value: "apart"}}
