# What clients of CCF see, with elections and read-only transactions: MCMultiNodeReads of its
# repository, with ViewLimit 2; it has 3. The figures of TLC stand in docs/results/ccf-consistency.md.
#
# InvalidNotObservedByCommittedInv is not here: see ccf-consistency-invalid.hcl.

system "ccf-consistency" {
  source = "github.com/multigrain/multigrain/raft/ccf/consistency"
}

variable "history" {
  type    = number
  default = 6
}

variable "views" {
  type    = number
  default = 2
}

variable "others" {
  type    = number
  default = 0
}

variable "reads" {
  type    = bool
  default = true
}

variable "invalid" {
  type    = string
  default = "early"
}

variable "ordered" {
  type    = string
  default = "extends"
}

variable "invariants" {
  type = list(string)
  default = [
    "HistoryTypeOK", "LedgerTypeOK", "HistoryMonoProp", "LedgersMonoProp",
    "AllReceivedIsFirstSentInv", "AllCommittedObservedInv", "OnlyObserveSentRequestsInv", "UniqueTxsInv", "SameObservationsInv",
    "UniqueTxIdsInv", "UniqueTxRequestsInv", "UniqueSeqNumsCommittedInv", "CommittedOrInvalidInv", "CommittedOrInvalidStrongInv",
    "CommittedRwSerializableInv", "CommittedRwLinearizableInv", "AtMostOnceObservedInv",
    "CommittedRwOrderedSpecLinearizableInv"
  ]
}

module "writes" {
  grain  = "baseline"
  target = true
}

module "status" {
  grain = "baseline"
}

module "reads" {
  grain = var.reads ? "baseline" : null
}

module "elections" {
  grain = var.views > 1 ? "baseline" : null
}

module "others" {
  grain = var.others > 0 ? "baseline" : null
}

options {
  invalid = var.invalid
  ordered = var.ordered
}

bounds {
  history   = var.history
  terms     = var.views
  elections = var.views - 1
  log       = var.history + var.others
  others    = var.others
}

check {
  invariants = var.invariants
}

expect {
  verdict = "holds"
}
