# Raft with every message, for random walks whose messages are held against a monitor. -var mistake=NAME makes it a wrong one.

extends = "../../../../../configs/raft/raft.hcl"

variable "terms" {
  type    = number
  default = 6
}

variable "timeouts" {
  type    = number
  default = 6
}

variable "requests" {
  type    = number
  default = 8
}

variable "heartbeats" {
  type    = number
  default = 8
}

variable "restarts" {
  type    = number
  default = 2
}

variable "inflight" {
  type    = number
  default = 8
}

variable "queue" {
  type    = number
  default = 30
}

check {
  invariants = ["MonotonicTerm"]
}

expect {
  verdict = "unexplored"
}
