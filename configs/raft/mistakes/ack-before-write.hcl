# etcd#10166, etcd#16220, dragonboat#409: a follower acknowledges an entry before it is on disk, and a crash forgets it. The leader
# counts the acknowledgement, so a committed entry is on one server only. In etcd the follower then ends with "tocommit is out of range".
# That is what these reports name: Panic.commit. With -var terms=2 -var timeouts=2 -var heartbeats=0 the committed entry is lost, as in
# dragonboat: LeaderCompleteness, which one term cannot violate.

extends = "../storage.hcl"

variable "mistake" {
  type    = string
  default = "ack-before-write"
}

variable "requests" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 1
}

variable "heartbeats" {
  type    = number
  default = 1
}

check {
  invariants = [var.terms > 1 ? "LeaderCompleteness" : "Panic.commit"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = var.terms > 1 ? "LeaderCompleteness" : "Panic.commit"
}
