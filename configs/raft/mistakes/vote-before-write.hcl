# A vote is answered before it is on disk and a crash forgets it, shown where the write is a step of its own: the answer does not wait
# for the append thread.

extends = "../storage.hcl"

variable "mistake" {
  type    = string
  default = "vote-not-persisted"
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 1
}

check {
  invariants = ["ElectionSafety"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "ElectionSafety"
}
