# RaftOS, a library of Raft in Python, under the control of a driver. It requires Python 3.7. Get it with the first command:
#
#     multigrain conform -setup configs/raft/raftos.hcl
#     multigrain conform configs/raft/raftos.hcl
#
# The variable version is of the package; "repaired" is the specification with the published repairs, which no package has.

system "raftos" {
  source = "github.com/multigrain/multigrain/raft/raftos"
}

variable "version" {
  type    = string
  default = "0.2.6"
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

variable "giveups" {
  type    = number
  default = 0
}

variable "requests" {
  type    = number
  default = 1
}

variable "beats" {
  type    = number
  default = 0
}

variable "duplicates" {
  type    = number
  default = 0
}

variable "wire" {
  type    = number
  default = 6
}

variable "invariants" {
  type    = list(string)
  default = ["MonotonicTerm"]
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "network" {
  grain = "drop-duplicate"
}

module "faults" {
  grain = "restart"
}

options {
  release = var.version
}

bounds {
  servers    = var.servers
  terms      = var.terms
  timeouts   = var.timeouts
  giveups    = var.giveups
  requests   = var.requests
  beats      = var.beats
  stepdowns  = 0
  drops      = 0
  duplicates = var.duplicates
  restarts   = 0
  queue      = 8
  wire       = var.wire
}

check {
  invariants  = var.invariants
  constraints = ["wire"]
}

implementation "raftos" {
  driver   = ["python3", "../../raft/drivers/raftos/driver.py"]
  requires = ["python3.7", "raftos=={version}", "msgpack==0.6.2", "--no-deps"]
  version  = "0.2.6"
  packages = ["raftos"]

  bounds {
    servers    = var.servers
    terms      = 9
    timeouts   = 20
    giveups    = 6
    requests   = 8
    beats      = 40
    stepdowns  = 4
    drops      = 10
    duplicates = 10
    restarts   = 4
    queue      = 24
    wire       = 60
  }
}

simulate {
  number = 300
  depth  = 40
  weights {
    Timeout   = 0.1
    GiveUp    = 0.1
    Beat      = 0.3
    Propose   = 0.3
    StepDown  = 0.05
    Restart   = 0.05
    Lose      = 0.1
    Duplicate = 0.1
  }
}
