# The system specification of Remix, table 1: every module at its baseline grain. Fast Leader Election makes it the costliest by far,
# so the defaults are small; with the bounds of the paper's table 5 it ends nowhere. ZOOKEEPER-4394 is known
# (bugs/zk-4394.hcl) and masked.

system "zab" {
  source = "github.com/multigrain/multigrain/zab"
}

variable "servers" {
  type    = number
  default = 3
}

variable "transactions" {
  type    = number
  default = 1
}

variable "crashes" {
  type    = number
  default = 0
}

variable "partitions" {
  type    = number
  default = 0
}

variable "timeouts" {
  type    = number
  default = 0
}

variable "fle_timeouts" {
  type    = number
  default = 0
}

locals {
  elections = 1 + var.crashes + var.partitions + var.timeouts
}

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain  = "baseline"
  target = true
}

module "broadcast" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  servers       = var.servers
  transactions  = var.transactions
  requests      = var.transactions
  crashes       = var.crashes
  partitions    = var.partitions
  timeouts      = var.timeouts     # a server waits in vain for its leader or its followers
  fle_timeouts  = var.fle_timeouts # a server waits in vain for notifications
  epochs        = local.elections
  notifications = 4 * local.elections + var.fle_timeouts
}

# The bounds count elections by faults. A follower that gives up begins another one, so exceptions end
# a behaviour here.
options {
  phase_timeouts = true
  variant        = "v3.9.1"
  snap           = true
  exceptions     = "end"
}

check {
  unused     = ["NodeStart", "PartitionRecover"] # without crashes and partitions
  invariants = ["*"]
  except     = ["I-14.npe"]
}

expect {
  verdict = "holds"
}

implementation "zookeeper" {
  adapter = "../../zab/zookeeper/replay"
}
