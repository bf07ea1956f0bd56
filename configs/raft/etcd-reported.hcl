# As etcd-full.hcl, with a transport that reports what became of messages and snapshots: ReportUnreachable, ReportSnapshot. What has
# nothing to do with that is left out, so that walks come to it often: transfers, changes of the voters, learners, reads.

extends = "etcd-full.hcl"

variable "reports" {
  type    = number
  default = 0
}

variable "voters" {
  type    = number
  default = 0
}

variable "walk" {
  type = object({
    transfers   = number
    changes     = number
    reads       = number
    compactions = number
  })
  default = {
    transfers   = 0
    changes     = 0
    reads       = 0
    compactions = 6
  }
}

module "membership" {
  grain = null
}

module "client" {
  grain = "baseline"
}

module "network" {
  grain = "reported"
}

bounds {
  reports = var.reports
}

check {
  # Bounds of 0 leave them without a cause.
  unused = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal", "HandleTimeoutNow", "HandleSnap", "ReportUnreachable", "ReportFinish",
  "ReportFailure"]
}

implementation "etcd-raft" {
  bounds {
    terms    = 4
    requests = 8
    learners = 0
    reports  = 40
  }
}

simulate {
  weights {
    Timeout           = 0.05
    Restart           = 0.05
    ProposeChange     = null
    ProposeLearner    = null
    ProposeLeave      = null
    ReadIndex         = null
    Transfer          = null
    ReportUnreachable = 0.3
    ReportFinish      = 1
    ReportFailure     = 1
  }
}
