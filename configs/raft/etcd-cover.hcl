# etcd.hcl within bounds that are small enough to do every step of every state on the library:
#
#     multigrain conform configs/raft/etcd-cover.hcl -cover edges
#     multigrain conform configs/raft/etcd-cover.hcl -cover pairs
#
# One message may be lost, and messages arrive in any order.

extends = "etcd.hcl"

implementation "etcd-raft" {
  bounds {
    terms      = 1
    timeouts   = 2
    requests   = 1
    heartbeats = 0
    restarts   = 0
    partitions = 0
    drops      = 1
    duplicates = 0
    queue      = 8
    inflight   = 1
  }
}

expect {
  verdict = "unexplored"
}
