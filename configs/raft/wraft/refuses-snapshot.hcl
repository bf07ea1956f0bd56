# WRaft#3: a follower with a longer log refuses a snapshot that conflicts with it. With the repair of #2 four commands show
# it, and without it five.

extends = "../wraft.hcl"

variable "repair" {
  default = "send"
}

variable "timeouts" {
  default = 2
}

variable "requests" {
  default = 4
}

variable "isolations" {
  default = 1
}

variable "invariants" {
  default = ["RefusedIsKnown"]
}

expect {
  verdict   = "violated"
  invariant = "RefusedIsKnown"
}
