# Apache Ratis, a library of Raft in Java, under the control of a driver. Get it with the first command:
#
#     multigrain conform -setup configs/raft/ratis.hcl
#     multigrain conform configs/raft/ratis.hcl
#
# The variable version is of the package.

system "ratis" {
  source = "github.com/multigrain/multigrain/raft/ratis"
}

variable "version" {
  type    = string
  default = "3.3.0"
}

variable "prevote" {
  type    = bool
  default = true
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

variable "passes" {
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

variable "losses" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 0
}

variable "wire" {
  type    = number
  default = 4
}

variable "invariants" {
  type    = list(string)
  default = ["ElectionSafety", "LogMatching", "LeaderAppendOnly", "CommittedIsReplicated", "CommittedIsSame", "MonotonicTerm", "NextAboveMatch", "MonotonicMatch", "MatchIsTrue"]
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "faults" {
  grain = "lose-restart"
}

options {
  release = var.version
  prevote = var.prevote
}

bounds {
  servers  = var.servers
  terms    = var.terms
  timeouts = var.timeouts
  passes   = var.passes
  requests = var.requests
  beats    = var.beats
  losses   = var.losses
  restarts = var.restarts
  wire     = var.wire
}

check {
  invariants  = var.invariants
  constraints = ["wire"]
}

implementation "ratis" {
  driver   = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "{out}/classes:{out}/lib/*", "org.apache.ratis.server.impl.RatisDriver"]
  build    = ["sh", "../../raft/drivers/ratis/build.sh", "{version}", "{out}"]
  requires = ["javac", "mvn"]
  version  = var.version

  settings {
    prevote = var.prevote
  }

  bounds {
    servers  = var.servers
    terms    = 9
    timeouts = 20
    passes   = 20
    requests = 8
    beats    = 40
    losses   = 20
    restarts = 4
    wire     = 12
  }
}

simulate {
  number = 300
  depth  = 40
  weights {
    Timeout = 0.1
    Pass    = 0.1
    Beat    = 0.2
    Propose = 0.3
    Lose    = 0.1
    Restart = 0.03
  }
}
