# Linearizable reads under test: ReadIndex with its messages, while a candidacy that wins is one step and an append and its answer are
# one.

extends = "raft.hcl"

variable "reads" {
  type    = number
  default = 1
}

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 1
}

module "election" {
  grain = "coarse-votes"
}

module "replication" {
  grain = "coarse-appends"
}

module "client" {
  grain  = "reads"
  target = true
}

check {
  unused = ["Heal"] # bounds of 0 leave it without a cause
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"
  bounds {
    terms    = 1
    timeouts = 1
    requests = 0
    reads    = 1
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 177880
}
