# Zab.tla, the published specification of the protocol, at its published bounds: the same reachable states, one for one.
# With other values of the variables too, the distinct states and the depth are TLC's, where recorder.pc is left out of a
# state.

system "zab-protocol" {
  source = "github.com/multigrain/multigrain/zab/protocol"
}

variable "servers" {
  type        = number
  default     = 2
  description = "Servers in the ensemble."
}

variable "transactions" {
  type        = number
  default     = 2
  description = "MaxTransactionNum, the length of the longest history."
}

variable "timeouts" {
  type        = number
  default     = 2
  description = "MaxTimeoutFailures, towards which restarts count."
}

variable "restarts" {
  type        = number
  default     = 0
  description = "MaxRestarts."
}

variable "epochs" {
  type        = number
  default     = 3
  description = "MaxEpoch."
}

variable "restarts_need_timeouts" {
  type        = bool
  default     = false
  description = "Whether spent time-outs forbid restarts: no in Zab.tla of Disalg-ICS-NJU/zookeeper-tla-spec and in the counts published there, yes in that of apache/zookeeper."
}

module "election" {
  grain = "baseline"
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain = "atomic"
}

module "broadcast" {
  grain = "baseline"
}

module "faults" {
  grain = "timeout-restart"
}

module "bounds" {
  grain = "published"
}

bounds {
  servers      = var.servers
  transactions = var.transactions
  epochs       = var.epochs
  timeouts     = var.timeouts
  restarts     = var.restarts
}

options {
  restarts_need_timeouts = var.restarts_need_timeouts
}

expect {
  verdict  = "holds"
  distinct = 26695
  depth    = 37
}
