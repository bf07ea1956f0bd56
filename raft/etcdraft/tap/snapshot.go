package tap

import (
	"strconv"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// Snapshot notes that the node's storage has this snapshot from now on, made by the node's own
// application: a call together with MemoryStorage.CreateSnapshot, while nothing is given to the
// node. One that comes from the leader, in a Ready, is not noted here; that it is applied is:
// Applied, with its index.
func (t *Tap) Snapshot(meta *pb.SnapshotMetadata) {
	t.add(func(b []byte, at int64) []byte { return AppendSnapshot(b, meta, at) })
}

// Compact notes that the node's storage forgets its log up to an index, that one included: a call
// next to MemoryStorage.Compact, while nothing is given to the node.
func (t *Tap) Compact(index uint64) {
	t.add(func(b []byte, at int64) []byte { return AppendCompact(b, index, at) })
}

// ReportSnapshot notes that the node gets a report about a snapshot that it has sent.
func (t *Tap) ReportSnapshot(to uint64, status raft.SnapshotStatus) {
	t.add(func(b []byte, at int64) []byte { return AppendReport(b, to, status, at) })
}

// ReportUnreachable notes that the node gets a report that a message to another one may be lost.
func (t *Tap) ReportUnreachable(to uint64) {
	t.add(func(b []byte, at int64) []byte { return AppendUnreachable(b, to, at) })
}

// AppendSnapshot appends that the storage has a snapshot.
func AppendSnapshot(b []byte, meta *pb.SnapshotMetadata, at int64) []byte {
	b = append(b, `{"event":"input","action":"NoteSnapshot","set":{"Stored":[`...)
	b = append(appendSnapshot(b, meta), `]}`...)
	return appendEnd(b, at)
}

// AppendCompact appends that the storage has forgotten its log up to an index.
func AppendCompact(b []byte, index uint64, at int64) []byte {
	b = append(b, `{"event":"input","action":"NoteCompaction","set":{"Stored":[{"Index":`...)
	b = append(strconv.AppendUint(b, index, 10), `}]}`...)
	return appendEnd(b, at)
}

// AppendReport appends that a leader gets a report about a snapshot.
func AppendReport(b []byte, to uint64, status raft.SnapshotStatus, at int64) []byte {
	action := "ReportFinish"
	if status == raft.SnapshotFailure {
		action = "ReportFailure"
	}
	return appendPeer(b, action, to, at)
}

// AppendUnreachable appends that a leader gets a report that a message to a node may be lost.
func AppendUnreachable(b []byte, to uint64, at int64) []byte {
	return appendPeer(b, "ReportUnreachable", to, at)
}

// appendSnapshot appends a snapshot as the specification has it in a server's storage; without an
// index there is none.
func appendSnapshot(b []byte, meta *pb.SnapshotMetadata) []byte {
	if meta.GetIndex() == 0 {
		return append(b, `{}`...)
	}
	b = append(b, `{"Index":`...)
	b = strconv.AppendUint(b, meta.GetIndex(), 10)
	b = append(b, `,"Term":`...)
	b = strconv.AppendUint(b, meta.GetTerm(), 10)
	b = append(b, `,"Body":`...)
	return append(appendBody(b, meta), '}')
}

// appendBody appends what a snapshot says of the cluster.
func appendBody(b []byte, meta *pb.SnapshotMetadata) []byte {
	b = append(b, `{"Conf":[`...)
	return append(appendConf(b, meta.GetConfState()), `]}`...)
}
