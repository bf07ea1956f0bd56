# As monitor-etcd.hcl, beside servers of which clients ask for others to be added, in two steps.

extends = "../../../../../configs/raft/monitor-etcd.hcl"

variable "voters" {
  type    = number
  default = 2
}

module "snapshot" {
  grain = null
}

module "membership" {
  grain = "additions"
}

bounds {
  additions = 1
}
