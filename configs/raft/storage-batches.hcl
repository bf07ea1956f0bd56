# As storage.hcl, where an append may carry two entries, which the follower writes one by one.

extends = "storage.hcl"

variable "batch" {
  type    = number
  default = 2
}

variable "inflight" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 2
}

expect {
  verdict     = "holds"
  interaction = "none"
  distinct    = 772501
}
