# As etcd-full.hcl, where storage is slower than the server, as far as package raft specifies that: without snapshots.

extends = "etcd-full.hcl"

variable "writes" {
  type    = number
  default = 3
}

module "replication" {
  grain  = "fine"
  target = true
}

module "snapshot" {
  grain = null
}

check {
  unused = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "HandleTimeoutNow", "HandleReadIndex", "HandleReadIndexResp", "AnswerRead",
  "ProposeChange", "ProposeLearner", "ProposeLeave"]
  constraints = ["writes"]
}

implementation "etcd-raft" {
  bounds {
    writes      = 8
    compactions = 0
  }
}

simulate {
  weights {
    Compact = null
  }
}
