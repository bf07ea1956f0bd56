# The published mixed specification MSPEC_2 of Remix: as many states, as deep, with the same verdict, for any values of the
# variables. Its limit of transactions is that of the longest history, which its first step gives two; limits of T time-outs and
# further rules are those of the module bounds.

system "zab-published" {
  source = "github.com/multigrain/multigrain/zab/published"
}

variable "servers" {
  type    = number
  default = 3
}

variable "transactions" {
  type    = number
  default = 3
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

locals {
  epochs = 1 + var.crashes + var.partitions
}

module "election" {
  grain = "coarse"
}

module "synchronization" {
  grain  = "follower-steps"
  target = true
}

module "broadcast" {
  grain = "baseline"
}

module "faults" {
  grain = "crash-partition"
}

module "bounds" {
  grain = "mspec-2"
}

bounds {
  servers      = var.servers
  transactions = var.transactions
  crashes      = var.crashes
  partitions   = var.partitions
  timeouts     = var.timeouts
  epochs       = local.epochs
}

check {
  invariants = [
    "leadership", "prefixConsistency", "integrity", "agreement", "totalOrder", "primaryOrder", "monotonicRead",
    "processConsistency", "leaderLogCompleteness", "committedLogDurability", "messageLegal",
    "I-11", "I-12", "I-13", "I-14",
  ]
  stop = "first"
}

# What TLC counts of the published specification with these defaults.
expect {
  verdict  = "holds"
  distinct = 11842
  depth    = 29
}
