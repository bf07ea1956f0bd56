# The final resolution of Remix, section 5.4 (see final.hcl), on mSpec-1.

extends = "../mspec-1.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 2
}

variable "partitions" {
  type    = number
  default = 2
}

options {
  fix = "final"
}

check {
  invariants = ["*"]
  except     = []
  stop       = "first"
}

expect {
  verdict = "holds"
}
