# PySyncObj, a library of Raft in Python, under the control of a driver. Get it with the first command:
#
#     multigrain conform -setup configs/raft/pysyncobj.hcl
#     multigrain conform configs/raft/pysyncobj.hcl
#
# The variable version selects the package and what the specification has of that version.

system "pysyncobj" {
  source = "github.com/multigrain/multigrain/raft/pysyncobj"
}

variable "version" {
  type    = string
  default = "0.3.17"
}

variable "servers" {
  type    = number
  default = 2
}

variable "terms" {
  type    = number
  default = 2
}

variable "timeouts" {
  type    = number
  default = 2
}

variable "requests" {
  type    = number
  default = 1
}

variable "beats" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 0
}

variable "wire" {
  type    = number
  default = 6
}

variable "invariants" {
  type    = list(string)
  default = ["ElectionSafety", "LogMatching", "LeaderAppendOnly", "LeaderCompleteness", "StateMachineSafety", "MonotonicTerm", "MonotonicCommit", "NextAboveMatch", "MonotonicMatch", "CommitsOwnTerm"]
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "restart-partition"
}

options {
  release = var.version == "0.3.11" ? "0.3.11" : contains(["0.3.16", "0.3.17"], var.version) ? "0.3.16" : "0.3.12"
}

bounds {
  servers    = var.servers
  terms      = var.terms
  timeouts   = var.timeouts
  requests   = var.requests
  beats      = var.beats
  partitions = var.partitions
  restarts   = var.restarts
  queue      = 8
  wire       = var.wire
}

check {
  # No server loses a connection unless there are partitions.
  unused      = var.partitions == 0 ? ["Heal"] : []
  invariants  = var.invariants
  constraints = ["wire"]
}

implementation "pysyncobj" {
  driver   = ["python3", "../../raft/drivers/pysyncobj/driver.py"]
  requires = ["python3", "pysyncobj=={version}"]
  version  = var.version
  packages = ["pysyncobj"]

  bounds {
    servers    = 3
    terms      = 12
    timeouts   = 20
    requests   = 8
    beats      = 40
    fallbacks  = 3
    partitions = 6
    restarts   = 4
    queue      = 24
    wire       = 60
  }
}

simulate {
  number = 400
  depth  = 40
  weights {
    Timeout  = 0.1
    Beat     = 0.3
    Propose  = 0.3
    Restart  = 0.1
    Cut      = 0.1
    Heal     = 0.3
    Fallback = 0.05
  }
}
