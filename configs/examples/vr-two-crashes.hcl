# The recovery of the paper with two crashes, one after the other. A replica sends DOVIEWCHANGE, loses
# its state, and recovers in the view before. There it helps to execute a request. The new primary
# takes the old DOVIEWCHANGE, and lacks the request. Michael, Ports, Sharma and Szekeres describe
# faults of this kind in "Recovering Shared Objects Without Stable Storage" (DISC 2017).

extends = "vr.hcl"

variable "crashes" {
  type    = number
  default = 2
}

expect {
  verdict   = "violated"
  invariant = "Kept"
  depth     = 18
  distinct  = null
}
