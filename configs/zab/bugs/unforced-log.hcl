# With forceSync=no a server acknowledges what a loss of power takes from its log. The write of a
# client is lost when a follower that has acknowledged it loses power and the leader crashes.
# ZooKeeper's manual calls this setting unsafe.
#
# With -var forces=code it holds within 1 transaction, 1 crash, 0 partitions.

extends = "../mspec-1.hcl"

variable "forces" {
  type    = string
  default = "none"
}

# "none" is what the servers do.
variable "fix" {
  type    = string
  default = "final"
}

# With a first transaction in the log, "log" is what servers do.
variable "truncation" {
  type    = string
  default = "both"
}

variable "transactions" {
  type    = number
  default = 1
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

variable "losses" {
  type    = number
  default = 1
}

module "faults" {
  grain = "crash-partition"
}

locals {
  epochs = 1 + var.crashes + var.partitions + var.losses
}

bounds {
  requests = var.transactions
  losses   = var.losses
}

# Other losses of the version do not come first with the final resolution.
options {
  disk_faults = "power"
  fix         = var.fix
  disk        = "apart"
  truncation  = var.truncation
  exceptions  = "continue"
  forces      = var.forces
}

implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  symptom "lost-write" {}

  # The follower keeps its power.
  control {
    without = "NodeLosesPower(I: 0)"
  }
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
