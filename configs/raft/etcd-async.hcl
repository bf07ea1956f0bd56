# As etcd.hcl, where storage is slower than the server: the library's AsyncStorageWrites. Every write is a step.

extends = "etcd.hcl"

variable "writes" {
  type    = number
  default = 3
}

module "replication" {
  grain  = "fine"
  target = true
}

check {
  unused      = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"]
  constraints = ["writes"]
}

implementation "etcd-raft" {
  bounds {
    writes = 8
  }
}
