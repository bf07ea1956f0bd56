package zab

import "github.com/multigrain/multigrain/modules"

// Kind is the type of a message between a leader and a follower: QuorumPacket.type.
type Kind uint8

// Kinds of messages. ACKLD is the ACK of NEWLEADER, which ZooKeeper tells apart from the ACK of a
// proposal by the zxid.
const (
	NoKind Kind = iota
	FOLLOWERINFO
	LEADERINFO
	ACKEPOCH
	DIFF
	TRUNC
	SNAP
	PROPOSAL
	COMMIT
	NEWLEADER
	ACKLD
	UPTODATE
	ACK
	CLOSED // the end of a connection, see faults_endpoints.go
)

// Msg is a message of Discovery, Synchronization or Broadcast.
type Msg struct {
	Kind Kind
	// Zxid is mzxid: the transaction that is proposed, acknowledged or committed, the last one that
	// the follower keeps (DIFF, TRUNC, SNAP), or that of the epoch, with counter 0.
	Zxid Zxid
	// Data is mdata of PROPOSAL, the transaction's value, and mepoch of ACKEPOCH, which is -1 if it
	// does not count.
	Data Number
}

// Queue holds the messages in flight between two servers, and Net those between all servers: msgs
// and partition of the system specification, rcvBuffer of the mixed one. TCP: in order, lost when
// the connection breaks.
type (
	Queue = modules.Channel[Msg, [MaxChannel]Msg]
	Net   = modules.Net[Server, Kind, Msg, [MaxChannel]Msg, [Servers]Queue, [Servers][Servers]Queue]
)
