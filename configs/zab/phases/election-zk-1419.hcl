# ZOOKEEPER-1419 (see ../bugs/zk-1419.hcl) with Election alone under test.
extends = "election.hcl"

variable "transactions" {
  default = 0
}

variable "crashes" {
  default = 1
}

variable "variant" {
  default = "v3.4.3"
}

check {
  invariants = ["votes.circle"]
  except     = []
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "votes.circle"
}
