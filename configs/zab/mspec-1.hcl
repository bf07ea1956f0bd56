# mSpec-1 of Remix, table 1: Election and Discovery coarse, Synchronization and Broadcast at their baseline grains. The defaults are
# the bounds of its table 5. ZOOKEEPER-4394 is known (bugs/zk-4394.hcl) and masked, so that the search goes on past it.

extends = "parts/zookeeper.hcl"

system "zab" {
  source = "github.com/multigrain/multigrain/zab"
}

variable "servers" {
  type    = number
  default = 3
}

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 2
}

variable "partitions" {
  type    = number
  default = 2
}

module "election" {
  grain = "coarse" # covers discovery too
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

locals {
  epochs = 1 + var.crashes + var.partitions # every election but the first follows a fault
}

# As in the paper, transactions are counted in the longest history; requests and epochs do not bind.
bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions * local.epochs
  crashes      = var.crashes
  partitions   = var.partitions
  epochs       = local.epochs
}

# As in the paper, a behaviour ends where an assertion is raised, and nothing that follows is explored.
options {
  variant    = "v3.9.1"
  snap       = true
  exceptions = "end"
}

# What Zab is for: multigrain refine MANIFEST broadcast.hcl
refines "atomic-broadcast" {
  map       = "github.com/multigrain/multigrain/zab/broadcast.OfZab"
  variables = ["Delivered", "Primaries"]
}

check {
  # Election and discovery are one step, so no leader is in discovery.
  vacuous    = ["s.ZabState[i] == BROADCAST is false in isEstablishing"]
  invariants = ["*"]
  except     = ["I-14.npe"]
}

# Largest bounds of the baseline Election that end in ten minutes. What the grain of figure 5b misses is one thing, accepted by name.
interaction {
  level      = "L2"
  max_states = 8000000
  timeout    = "10m"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a quorum begins without a server that it could reach, which joins late; the coarse grain of figure 5b takes all at once. See coarse-join in mspec-1-join.hcl"
    missed    = 97
    views     = 166
    digest    = "758c08f15ce9f018b03860cbbb306ff0d5a940a0"
    sequences = "a30690d4e0000000000000000000000000000000"
  }

  bounds {
    servers       = 3
    transactions  = 1
    requests      = 1
    crashes       = 0
    partitions    = 0
    epochs        = 2
    fle_timeouts  = 0
    notifications = 4
  }
}

expect {
  verdict = "holds"
}
