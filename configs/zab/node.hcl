# The grains that run next to a server, explored with all servers: each step is one server's, and each
# end of a connection acts by itself. Every manifest of this folder runs next to a server as these
# grains, or as those of node-election.hcl if it has Election at its baseline.
#
# The code is that of ZooKeeper 3.8.0. TRUNC takes away what it should, so that the known mistakes of
# TRUNC do not hide others (bugs/truncate-keeps-record.hcl, bugs/zk-4837.hcl). What is masked are
# ZOOKEEPER-4394, and ZOOKEEPER-4643 with its kin, as in mspec-3.hcl.

system "zab" {
  source = "github.com/multigrain/multigrain/zab"
  node   = true
}

variable "servers" {
  type    = number
  default = 2
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

variable "timeouts" {
  type    = number
  default = 1
}

variable "epochs" {
  type    = number
  default = 3
}

module "discovery" {
  target = true
}

module "synchronization" {
  target = true
}

module "broadcast" {
  target = true
}

# All transactions that exist count, also those that a leader logs while it is alone.
bounds {
  servers      = var.servers
  transactions = var.transactions
  requests     = var.transactions
  crashes      = var.crashes
  partitions   = var.partitions
  timeouts     = var.timeouts
  epochs       = var.epochs
}

options {
  variant    = "v3.8.0"
  disk       = "apart"
  truncation = "both"
}

check {
  invariants = ["*"]
  except     = ["I-14.npe", "I-11.epoch"]
}

expect {
  verdict = "holds"
}
