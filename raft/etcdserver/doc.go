// Package etcdserver watches the traffic between the members of an unmodified etcd cluster.
//
// Tap is the program of "multigrain tap etcd". It forwards the connections to peer ports, byte for
// byte. It decodes the streams msgapp and message, single messages (POST /raft) and the head of
// snapshots (POST /raft/snapshot). A Stream turns the messages of one member into
// the events that multigrain monitor reads. It has no other source than these messages.
//
// Sources: go.etcd.io/etcd/server/v3 v3.6.16, etcdserver/raft.go and etcdserver/api/rafthttp:
// stream.go, msgappv2_codec.go, msg_codec.go, pipeline.go, snapshot_sender.go, peer.go. The formats
// are the same in v3.5 and v3.7.
package etcdserver
