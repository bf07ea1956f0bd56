# RedisRaft#256: a configuration change takes effect, and is answered to its client, before a quorum has it.

extends = "../membership-at-once.hcl"

variable "mistake" {
  type    = string
  default = "apply-uncommitted"
}

check {
  invariants = ["AppliedCommitted"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "AppliedCommitted"
}
