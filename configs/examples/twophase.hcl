# Two-phase commit. The published counts for 7, 8 and 9 resource managers are 296,448, 1,745,408
# and 10,340,352 states.

system "twophase" {
  source = "./twophase"
}

variable "managers" {
  type    = number
  default = 7
}

module "participants" {
  grain  = "baseline"
  target = true
}

module "coordinator" {
  grain = "baseline"
}

bounds {
  managers = var.managers
}

check {
  invariants = ["*"]
  deadlock   = false
}

expect {
  verdict  = "holds"
  distinct = 296448
}
