# Beside a server of ZooKeeper 3.8.0: see docs/zookeeper.md. Bounds are those of the channels; numbers have 64 bits. Synchronization and
# Broadcast with a follower's threads, which race for real.

system "zab" {
  source = "github.com/multigrain/multigrain/zab"
}

variable "servers" {
  type    = number
  default = 3
}

variable "transactions" {
  type    = number
  default = 30
}

module "election" {
  grain = "coarse-election"
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain  = "fine-concurrent"
  target = true
}

module "broadcast" {
  grain  = "fine-concurrent"
  target = true
}

module "faults" {
  grain = "endpoints"
}

bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions
  crashes      = 255
  partitions   = 255
  timeouts     = 255
  epochs       = 20
}

options {
  variant = "v3.8.0"
  snap    = false
  beside  = true
}

# It is for multigrain monitor: without the budgets of an exploration there is no end of states.
expect {
  verdict = "unexplored"
}
