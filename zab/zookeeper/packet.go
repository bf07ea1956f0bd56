package zookeeper

import (
	"fmt"
	"strconv"
)

// Type is the type of a packet: that of a QuorumPacket, as constants of class Leader number them,
// or one of those after, which are not numbered on the wire.
type Type int32

// Types of packets.
const (
	REQUEST           Type = 1
	PROPOSAL          Type = 2
	ACK               Type = 3
	COMMIT            Type = 4
	PING              Type = 5
	REVALIDATE        Type = 6
	SYNC              Type = 7
	INFORM            Type = 8
	COMMITANDACTIVATE Type = 9
	NEWLEADER         Type = 10
	FOLLOWERINFO      Type = 11
	UPTODATE          Type = 12
	DIFF              Type = 13
	TRUNC             Type = 14
	SNAP              Type = 15
	OBSERVERINFO      Type = 16
	LEADERINFO        Type = 17
	ACKEPOCH          Type = 18
	INFORMANDACTIVATE Type = 19

	SNAPSHOT     Type = 100 // what follows SNAP: a data tree
	AUTH         Type = 101 // QuorumAuthPacket
	HELLO        Type = 110 // the first message on an election connection
	NOTIFICATION Type = 111 // a vote
)

var typeNames = map[Type]string{
	REQUEST: "REQUEST", PROPOSAL: "PROPOSAL", ACK: "ACK", COMMIT: "COMMIT", PING: "PING", REVALIDATE: "REVALIDATE", SYNC: "SYNC",
	INFORM: "INFORM", COMMITANDACTIVATE: "COMMITANDACTIVATE", NEWLEADER: "NEWLEADER", FOLLOWERINFO: "FOLLOWERINFO",
	UPTODATE: "UPTODATE", DIFF: "DIFF", TRUNC: "TRUNC", SNAP: "SNAP", OBSERVERINFO: "OBSERVERINFO", LEADERINFO: "LEADERINFO",
	ACKEPOCH: "ACKEPOCH", INFORMANDACTIVATE: "INFORMANDACTIVATE",
	SNAPSHOT: "SNAPSHOT", AUTH: "AUTH", HELLO: "HELLO", NOTIFICATION: "NOTIFICATION",
}

// String returns the type's name, spelled as in class Leader.
func (t Type) String() string {
	if s := typeNames[t]; s != "" {
		return s
	}
	return "type " + strconv.Itoa(int(t))
}

// Zxid identifies a transaction: the epoch in the upper 32 bits, a counter in the lower ones. -1 is
// none.
type Zxid int64

// Epoch returns the epoch of the leader that proposed the transaction, -1 for none.
func (z Zxid) Epoch() int64 { return int64(z) >> 32 }

// Counter returns the transaction's number in its epoch, from 1; 0 belongs to NEWLEADER.
func (z Zxid) Counter() uint32 { return uint32(z) }

// String is epoch:counter in decimal, or "none".
func (z Zxid) String() string {
	if z == -1 {
		return "none"
	}
	return fmt.Sprintf("%d:%d", z.Epoch(), z.Counter())
}

// Packet is one decoded message. What is set depends on Type.
type Packet struct {
	Type  Type
	Start int64 // offset of its first byte in the stream
	Bytes int64 // its length on the wire
	Zxid  Zxid  // of quorum packets and of notifications
	// DataLen is the length of a quorum packet's data in bytes, -1 where it has none. Digest is the
	// xxh3 of the data.
	DataLen int64
	Digest  uint64
	// Odd says what is wrong with data that does not fit the type; "" in a good packet. The stream
	// continues after it.
	Odd string

	Learner      Learner       // FOLLOWERINFO, OBSERVERINFO
	Protocol     int64         // LEADERINFO, and the version of a HELLO, 0 where 3.4 sends none
	CurrentEpoch int32         // ACKEPOCH; -1 in one that does not count
	Txn          TxnHeader     // PROPOSAL, INFORM, INFORMANDACTIVATE
	Request      RequestHeader // REQUEST
	Session      Session       // REVALIDATE
	Sessions     int           // PING of a learner: sessions that it has heard of
	Leader       int64         // COMMITANDACTIVATE, INFORMANDACTIVATE: the leader that is suggested
	Snapshot     Snapshot      // SNAPSHOT
	AuthStatus   int32         // AUTH: 0 in progress, 1 success, -1 error
	Server       int64         // HELLO: the server that dials
	Addresses    string        // HELLO
	Vote         Vote          // NOTIFICATION
}

// Learner holds the description that a learner sends of itself, LearnerInfo. Older ones leave the
// later fields out; these are 0 then.
type Learner struct {
	Server   int64 `json:"server"`
	Protocol int32 `json:"protocol"`
	Config   int64 `json:"config"` // version of the configuration, from 3.5
}

// TxnHeader is org.apache.zookeeper.txn.TxnHeader.
type TxnHeader struct {
	Client int64 `json:"client"`
	Cxid   int32 `json:"cxid"`
	Zxid   Zxid  `json:"zxid"`
	Time   int64 `json:"time"` // milliseconds since 1970
	Op     int32 `json:"op"`   // ZooDefs.OpCode
}

// RequestHeader opens the data of a request that a learner forwards.
type RequestHeader struct {
	Client int64 `json:"client"`
	Cxid   int32 `json:"cxid"`
	Op     int32 `json:"op"` // ZooDefs.OpCode
}

// Session holds the question of REVALIDATE (Timeout, in milliseconds) or its answer (Valid).
type Session struct {
	ID      int64 `json:"id"`
	Timeout int32 `json:"timeout,omitempty"`
	Answer  bool  `json:"answer,omitempty"`
	Valid   bool  `json:"valid,omitempty"`
}

// Snapshot counts what a snapshot holds.
type Snapshot struct {
	Sessions int `json:"sessions"`
	ACLs     int `json:"acls"`
	Nodes    int `json:"nodes"`
}

// Vote is a notification: whom its sender votes for and what it knows of it.
type Vote struct {
	State  ServerState `json:"state"`
	Leader int64       `json:"leader"`
	Round  int64       `json:"round"` // electionEpoch
	// of the leader; of its zxid, where old servers do not send it
	PeerEpoch int64 `json:"peerEpoch"`
	Version   int32 `json:"version"` // of the notification, 0 where it has none
}

// ServerState is QuorumPeer.ServerState, in its order.
type ServerState int32

// Server states.
const (
	LOOKING ServerState = iota
	FOLLOWING
	LEADING
	OBSERVING
)

func (s ServerState) String() string {
	if names := [...]string{"LOOKING", "FOLLOWING", "LEADING", "OBSERVING"}; int(s) < len(names) && s >= 0 {
		return names[s]
	}
	return "state " + strconv.Itoa(int(s))
}
