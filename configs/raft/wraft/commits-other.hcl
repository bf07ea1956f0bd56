# WRaft#2 and #1, figure 7: a leader sends no snapshot where the next entry is the last that it has compacted, and the
# follower commits an entry of its own.

extends = "../wraft.hcl"

variable "repair" {
  default = "none"
}

variable "timeouts" {
  default = 2
}

variable "requests" {
  default = 3
}

variable "beats" {
  default = 1
}

variable "isolations" {
  default = 1
}

variable "invariants" {
  default = ["CommittedIsSame"]
}

expect {
  verdict   = "violated"
  invariant = "CommittedIsSame"
}
