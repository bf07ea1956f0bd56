# RedisRaft#52: a follower that replaces an entry goes on reading the old one, from a cache; what it has acknowledged is lost.

extends = "../replication.hcl"

module "election" {
  grain = "coarse" # coarser than what is preserved: enough to find it
}

interaction {
  accept = []
}

variable "mistake" {
  type    = string
  default = "stale-cache"
}

variable "requests" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 0
}

check {
  invariants = ["LeaderCompleteness"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "LeaderCompleteness"
}
