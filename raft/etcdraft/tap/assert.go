package tap

import (
	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// Supports names the versions of the library that the tap is written for.
const Supports = "go.etcd.io/raft/v3 v3.7.0"

// supportsRaftV3_7_0 lists what the tap uses of the library. Another version that does not have it
// is a compile error here, which names the supported one.
type supportsRaftV3_7_0 interface {
	Step(*pb.Message) error
	Ready() raft.Ready
	Advance(raft.Ready)
	BasicStatus() raft.BasicStatus
}

var _ supportsRaftV3_7_0 = (*raft.RawNode)(nil)
