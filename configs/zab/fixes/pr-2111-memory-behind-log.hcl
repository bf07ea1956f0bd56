# Pull request 2111, which is in 3.9.2, keeps the error of ../bugs/memory-behind-log.hcl: NEWLEADER
# logs in its own thread, and applying waits for UPTODATE. Here no server joins late. With -var
# fix=final, as in 3.9.3, it holds within 2 transactions, 2 crashes, 0 partitions.

extends = "../mspec-3.hcl"

variable "fix" {
  type    = string
  default = "pr-2111"
}

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
  default = 0
}

options {
  fix        = var.fix
  disk       = "apart"
  truncation = "both"
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
