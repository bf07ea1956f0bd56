# As etcd.hcl, where an append carries up to two entries: MaxSizePerMsg. Two leaders at most, since the library counts bytes.

extends = "etcd.hcl"

variable "batch" {
  type    = number
  default = 2
}

implementation "etcd-raft" {
  bounds {
    terms      = 2
    requests   = 10
    restarts   = 2
    partitions = 4
    drops      = 10
  }
}

simulate {
  weights {
    Timeout   = 0.02
    Restart   = 0.02
    Cut       = 0.02
    Drop      = 0.05
    Duplicate = 0.05
    Propose   = 1
  }
}
