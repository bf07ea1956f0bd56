# Synchronization under test, all else coarse: a quorum is elected and knows its epoch in one step, others join; a transaction is
# replicated and committed in one step. What Synchronization can tell apart is that of the baseline grains: level L2 below, with
# Election and Discovery as mspec-1-join.hcl compares them.

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
  default = 1
}

variable "partitions" {
  type    = number
  default = 1
}

variable "bug" {
  type    = string
  default = "none"
}

module "election" {
  grain = "coarse-join" # covers discovery too
}

module "synchronization" {
  grain  = "baseline"
  target = true
}

module "broadcast" {
  grain = "coarse"
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions
  crashes      = var.crashes
  partitions   = var.partitions
  epochs       = 1 + var.crashes + var.partitions # every election but the first follows a fault
}

# The bounds count elections by faults, and coarse grains have no step after an exception.
options {
  variant    = "v3.9.1"
  snap       = true
  bug        = var.bug
  exceptions = "end"
}

check {
  invariants = ["*"]
  except     = ["I-14.npe"] # ZOOKEEPER-4394: bugs/zk-4394.hcl
}

interaction {
  level      = "L2"
  unchanged  = ["election"]
  max_states = 2000000
  timeout    = "10m"
  bounds {
    servers      = 3
    transactions = 1
    requests     = 1
    crashes      = 1
    partitions   = 1
    epochs       = 3
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
}
