// Package zookeeper connects package zab to ZooKeeper: it decodes what the servers of an ensemble
// say to each other, forwards it untouched, and makes events of it.
//
// Election and Quorum decode one direction of one connection to the port of that name. They take
// the bytes in pieces of any size and keep no more of them than a packet's fields, so that neither
// a large transaction nor a snapshot takes memory. A Link forwards connections and hands what it
// forwards to these decoders; a Tap is a set of links with one sink for their events.
//
// # The wire
//
// Server code is org.apache.zookeeper.server.quorum; the format of all released versions from 3.4.0
// to 3.9 is read.
//
// Election port: the server that dials says who it is, QuorumCnxManager.InitialMessage: 3.4 sends
// its identity alone, later versions a protocol version (-65536: one address, -65535: several), the
// identity and addresses. Then both sides send notifications, each with its length before it:
// FastLeaderElection.buildMsg. They have 28 bytes in servers older than 3.4, 36 in 3.4.0, 40 from
// 3.4.6 on and with version 2, from 3.5, the configuration after.
//
// Quorum port: QuorumPackets in jute's encoding, one after the other without frames. What a
// packet's data holds depends on its type; see the fields of Packet. After SNAP comes a snapshot of
// the leader's data tree, as SerializeUtils and DataTree write it, closed by the text BenWasHere.
//
// Where SASL is used between servers, each connection begins with QuorumAuthPackets, which are
// decoded as AUTH. TLS cannot be decoded: such a connection is forwarded and one event says that
// nothing of it is known.
package zookeeper
