# RedisRaft#17: a leader takes a configuration change while another one is not committed.

extends = "../membership-at-once.hcl"

variable "mistake" {
  type    = string
  default = "concurrent-changes"
}

check {
  invariants = ["OneChange"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "OneChange"
}
