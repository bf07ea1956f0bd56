# The toy protocol of package interaction: who is chief and in which term is chosen in one step, for target work.
system "toy" {
  source = "../../../interaction/testdata/toy"
}

variable "servers" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 0
}

variable "grain" {
  type    = string
  default = "coarse"
}

module "choosing" {
  grain = var.grain
}

module "work" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "crash"
}

bounds {
  servers = 3 # the interaction block says otherwise
  crashes = 1
}

check {
  invariants = ["*"]
}

interaction {
  bounds {
    servers = var.servers
    crashes = var.crashes
  }
}
