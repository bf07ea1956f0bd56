# RedisRaft#17, redpanda#17675: a leader takes a configuration change while another one is not committed. Then two majorities need not
# meet, and a later leader may lack a committed command: LeaderCompleteness.

extends = "../membership-at-once.hcl"

variable "mistake" {
  type    = string
  default = "concurrent-changes"
}

variable "requests" {
  type    = number
  default = 1 # a command to lose
}

check {
  invariants = ["OneChange"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "OneChange"
}
