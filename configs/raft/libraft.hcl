# libraft, the library of Raft in C that dqlite uses, under the control of a driver. On Debian its two libraries come with
#
#     apt-get install libraft-dev libcjson-dev
#
# Build the driver with the first command:
#
#     multigrain conform -setup configs/raft/libraft.hcl
#     multigrain conform configs/raft/libraft.hcl
#
# The variable version is of the package; "repaired" is the specification with three repairs, which release 0.15.0 does not have.

system "libraft" {
  source = "github.com/multigrain/multigrain/raft/libraft"
}

variable "version" {
  type    = string
  default = "0.15.0"
}

# baseline completes a write in the step that begins it; writes does it in a step of its own.
variable "replication" {
  type    = string
  default = "baseline"
}

variable "prevote" {
  type    = bool
  default = false
}

variable "servers" {
  type    = number
  default = 3
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
  default = 0
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
  default = 5
}

variable "invariants" {
  type    = list(string)
  default = ["ElectionSafety", "LogMatching", "LeaderAppendOnly", "MonotonicTerm", "NextAboveMatch", "MonotonicMatch"]
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain  = var.replication
  target = true
}

module "faults" {
  grain = "restart-partition"
}

options {
  release = var.version
  prevote = var.prevote
}

bounds {
  servers    = var.servers
  terms      = var.terms
  timeouts   = var.timeouts
  requests   = var.requests
  beats      = var.beats
  passes     = 0
  checks     = 0
  partitions = var.partitions
  restarts   = var.restarts
  queue      = 8
  pending    = 2
  wire       = var.wire
}

check {
  # No server loses a connection unless there are partitions.
  unused      = var.partitions == 0 ? ["Heal"] : []
  invariants  = var.invariants
  constraints = ["wire"]
}

implementation "libraft" {
  driver   = ["{out}/libraft-driver"]
  build    = ["cc", "-O1", "-o", "{out}/libraft-driver", "../../raft/drivers/libraft/driver.c", "../../checker/conform/drivers/c/multigrain.c", "-lraft", "-lcjson"]
  requires = ["cc", "raft.h:libraft-dev", "cjson/cJSON.h:libcjson-dev"]
  version  = "0.15.0"

  settings {
    prevote = var.prevote
  }

  bounds {
    servers    = var.servers
    terms      = 12
    timeouts   = 20
    requests   = 8
    beats      = 40
    passes     = 10
    checks     = 6
    partitions = 6
    restarts   = 4
    queue      = 24
    pending    = 4
    wire       = 60
  }
}

simulate {
  number = 300
  depth  = 40
  weights {
    Timeout     = 0.1
    Beat        = 0.3
    Pass        = 0.05
    CheckQuorum = 0.05
    Propose     = 0.3
    Restart     = 0.05
    Cut         = 0.1
    Heal        = 0.3
  }
}
