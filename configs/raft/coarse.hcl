# Every module at its coarse grain: what is left is the order of elections, commands and faults.

extends = "raft.hcl"

variable "queue" {
  type    = number
  default = 1 # nothing is sent
}

variable "terms" {
  type    = number
  default = 4
}

variable "timeouts" {
  type    = number
  default = 4
}

variable "requests" {
  type    = number
  default = 2
}

variable "restarts" {
  type    = number
  default = 2
}

module "election" {
  grain = "coarse"
}

module "replication" {
  grain = "coarse"
}

module "apply" {
  grain = "coarse"
}

module "client" {
  grain  = "baseline"
  target = true
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"
  unchanged  = ["replication", "apply"] # it takes the appends from the baseline, too
  bounds {
    terms    = 2
    timeouts = 3
    requests = 1
    restarts = 0
    queue    = 4
  }
}

check {
  vacuous = ["s.Role[i] == Candidate is true in voteForSelf"] # nobody stays a candidate
  unused  = ["Heal"]                                          # bounds of 0 leave them without a cause
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 2441064
}
