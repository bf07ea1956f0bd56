# The final resolution of Remix, section 5.4 (see final.hcl), on mSpec-1. These are the largest bounds
# that end in 400 seconds: 190 737 131 states in 111 s on two cores that do nothing else.

extends = "../mspec-1.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 3
}

variable "partitions" {
  type    = number
  default = 2
}

options {
  fix = "final"
}

check {
  vacuous    = ["s.ZabState[i] == BROADCAST is false in isEstablishing"] # election and discovery are one step, so no leader is in discovery
  invariants = ["*"]
  except     = []
  stop       = "first"
}

interaction {
  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a quorum begins without a server that it could reach, which joins late; the coarse grain of figure 5b takes all at once. See coarse-join in ../mspec-1-join.hcl"
    missed    = 93
    views     = 158
    digest    = "b39bf2425ccdf018ad3860cbbb306ff0d5a940a0"
    sequences = "a30690d4e0000000000000000000000000000000"
  }
}

expect {
  verdict  = "holds"
  distinct = 190737131
  depth    = 66
}
