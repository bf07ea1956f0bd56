# Transactions on one key by Paxos, as in Cassandra. The variable split is the repair of CASSANDRA-6023.

system "cas" {
  source = "./cas"
}

variable "transactions" {
  type    = number
  default = 2
}

variable "split" {
  type    = bool
  default = true
}

module "prepare" {
  grain  = "baseline"
  target = true
}

module "accept" {
  grain  = "baseline"
  target = true
}

bounds {
  servers      = 3
  transactions = var.transactions
}

options {
  split = var.split
}

check {
  invariants = ["*"]
  symmetry   = true
}

expect {
  verdict = "holds"
}
