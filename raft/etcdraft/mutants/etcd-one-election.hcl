# As etcd.hcl, with one election and nothing else: walks can be planned in its graph, which is small.

extends = "etcd.hcl"

implementation "etcd-raft" {
  bounds {
    timeouts    = 1
    changes     = 0
    compactions = 0
    drops       = 0
    duplicates  = 0
    elapses     = 0
    heartbeats  = 0
    learners    = 0
    partitions  = 0
    reads       = 0
    requests    = 0
    restarts    = 0
    transfers   = 0
  }
}
