# The Zab protocol as the paper has it: a follower takes over the epoch and the history of a new
# leader in one step. The ten protocol invariants hold within 1 transaction, 3 epochs, 2 timeouts, 0
# restarts. At these bounds the wrong order loses a committed transaction.

system "zab-protocol" {
  source = "github.com/multigrain/multigrain/zab/protocol"
}

variable "servers" {
  type    = number
  default = 3
}

variable "transactions" {
  type    = number
  default = 1
}

variable "epochs" {
  type    = number
  default = 3
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "restarts" {
  type    = number
  default = 0
}

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain  = "atomic"
  target = true
}

module "broadcast" {
  grain = "baseline"
}

module "faults" {
  grain = "timeout-restart"
}

module "bounds" {
  grain = "limits"
}

module "ghosts" {
  grain = "established"
}

bounds {
  servers      = var.servers
  transactions = var.transactions
  epochs       = var.epochs
  timeouts     = var.timeouts
  restarts     = var.restarts
}

expect {
  verdict  = "holds"
  distinct = 2864899
  depth    = 42
}
