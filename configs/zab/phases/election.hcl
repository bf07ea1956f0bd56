# Election under test, all else coarse: a follower connects, and learns the epoch in one step more; it adopts the leader's history and
# epoch in one step; a transaction is replicated and committed in one step. Fast Leader Election is by far the costliest phase, so
# the defaults are small.

extends = "discovery.hcl"

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 0
}

variable "fle_timeouts" {
  type    = number
  default = 0
}

variable "variant" {
  type    = string
  default = "v3.9.1"
}

module "election" {
  grain  = "baseline"
  target = true
}

module "discovery" {
  grain  = "coarse"
  target = false
}

bounds {
  fle_timeouts  = var.fle_timeouts
  notifications = 4 * (1 + var.crashes + var.partitions) + var.fle_timeouts
}

options {
  variant = var.variant
}

check {
  invariants = ["*"]
  except     = ["I-14.npe"]
  unused     = ["NodeStart", "PartitionRecover"] # without crashes and partitions
}

interaction {
  accept {
    action    = "LeaderProcessFOLLOWERINFO"
    reason    = "a fault amid Discovery leaves AcceptedEpoch raised, so that later votes carry later epochs"
    missed    = 374
    views     = 2536
    digest    = "cdade6a768d33b923fa9949ccdc0e44afbd61b9d"
    sequences = "dc9c8a7d000000000000000c172f4bbac51815cb"
  }
}

expect {
  verdict = "holds"
}
