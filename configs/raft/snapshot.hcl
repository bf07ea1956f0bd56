# Snapshots under test: compaction and what a leader sends to a follower that is behind it, while a candidacy that
# wins is one step.

extends = "raft.hcl"

variable "compactions" {
  type    = number
  default = 1
}

variable "heartbeats" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 0
}

module "election" {
  grain = "coarse-votes"
}

module "apply" {
  grain = "coarse"
}

module "snapshot" {
  grain  = "baseline"
  target = true
}

check {
  unused = ["Heal"] # bounds of 0 leave them without a cause
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"
  bounds {
    terms    = 1
    timeouts = 1
    requests = 0
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 533065
}
