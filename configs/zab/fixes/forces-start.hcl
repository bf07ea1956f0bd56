# A repair of ../bugs/unforced-tail.hcl: a start forces the log that it reads, before it votes. In
# master. Servers join late, so the repairs of repairs.hcl are in place: without them ../bugs/truncated-ack.hcl
# comes first.
#
# With -var forces=code the same bounds are violated.

extends = "../bugs/unforced-tail.hcl"

variable "fix" {
  default = "repairs"
}

variable "forces" {
  default = "start"
}

module "election" {
  grain = "coarse-join"
}

options {
  variant = "master"
}

expect {
  verdict = "holds"
}
