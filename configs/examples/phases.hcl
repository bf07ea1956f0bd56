# State machine replication in phases of four rounds: figure 1 of the paper on communication closure.
# With -var dated=joined it has the mistake of the paper's section 2, see phases-joined.hcl.

system "phases" {
  source = "./phases"
}

variable "dated" {
  type    = string
  default = "taken"
}

variable "phases" {
  type    = number
  default = 1
}

variable "losses" {
  type    = number
  default = 0
}

module "prepare" {
  grain  = "baseline"
  target = true
}

module "propose" {
  grain  = "baseline"
  target = true
}

module "network" {
  grain = "loss"
}

bounds {
  servers = 3
  phases  = var.phases
  losses  = var.losses
}

options {
  dated = var.dated
}

check {
  invariants = ["*"]
}

expect {
  verdict = "holds"
}
