# Synchronization and Broadcast with a follower's threads, as mspec-3, where each end of a connection notices by itself that it has
# ended: what runs next to a real server. Known and masked as in mspec-3.

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
  default = 0
}

variable "timeouts" {
  type    = number
  default = 0
}

module "election" {
  grain = "coarse-join" # covers discovery too
}

module "synchronization" {
  grain  = "follower-threads"
  target = true
}

module "broadcast" {
  grain  = "follower-threads"
  target = true
}

module "faults" {
  grain = "endpoints"
}

bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions
  crashes      = var.crashes
  partitions   = var.partitions
  timeouts     = var.timeouts
  epochs       = 1 + var.crashes + var.partitions + var.timeouts
}

# A follower that gives up after an exception is FollowerTimesOut, within the bound of time-outs.
options {
  variant    = "v3.8.0"
  snap       = true
  exceptions = "end"
}

check {
  invariants = ["*"]
  except     = ["I-14.npe", "I-11.epoch"]
  unused     = ["LinkCut", "PartitionRecover", "FollowerTimesOut", "LeaderDropsLearner"]
}

implementation "zookeeper" {
  adapter = "../../zab/zookeeper/replay"
}
