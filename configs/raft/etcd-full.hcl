# As etcd.hcl, with all that the library has and package raft specifies: PreVote, CheckQuorum, leadership transfer, joint consensus and
# learners, snapshots, reads. Each can be taken away, as with -var pre_vote=false.

extends = "etcd.hcl"

variable "pre_vote" {
  type    = bool
  default = true
}

variable "check_quorum" {
  type    = bool
  default = true
}

variable "membership" {
  type    = string
  default = "joint"
}

variable "voters" {
  type    = number
  default = 2
}

# Of walks only.
variable "walk" {
  type = object({
    transfers   = number
    changes     = number
    reads       = number
    compactions = number
  })
  default = {
    transfers   = 4
    changes     = 4
    reads       = 4
    compactions = 4
  }
}

module "election" {
  grain = "fine"
}

module "membership" {
  grain = "baseline"
}

module "snapshot" {
  grain = "baseline"
}

module "client" {
  grain = "reads"
}

check {
  # Bounds of 0 leave them without a cause.
  unused = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "HandleTimeoutNow", "HandleSnap", "HandleReadIndex", "HandleReadIndexResp",
  "AnswerRead", "ProposeChange", "ProposeLearner", "ProposeLeave"]
}

implementation "etcd-raft" {
  bounds {
    terms       = 10
    requests    = 4
    learners    = 2
    elapses     = 60
    voters      = var.voters
    transfers   = var.walk.transfers
    changes     = var.walk.changes
    reads       = var.walk.reads
    compactions = var.walk.compactions
  }
}

simulate {
  weights {
    Transfer       = 0.1
    CheckActive    = 0.1
    Elapse         = 0.2
    ProposeChange  = 0.2
    ProposeLearner = 0.1
    ProposeLeave   = 0.3
    Compact        = 0.2
    ReadIndex      = 0.2
  }
}
