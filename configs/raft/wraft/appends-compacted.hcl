# WRaft#1: a follower that has compacted an entry takes it for missing, and puts it at the end of its log.

extends = "../wraft.hcl"

variable "repair" {
  default = "none"
}

variable "requests" {
  default = 3
}

variable "beats" {
  default = 2
}

variable "wire" {
  default = 6
}

variable "invariants" {
  default = ["CommittedIsReplicated"]
}

expect {
  verdict   = var.repair == "append" ? "holds" : "violated"
  invariant = var.repair == "append" ? null : "CommittedIsReplicated"
}
