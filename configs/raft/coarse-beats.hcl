# Commands of clients under test, while a round of heartbeats is one step. A server that restarts loses what is in flight
# to it, so the leader's next heartbeat is what makes it send again.

extends = "raft.hcl"

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "heartbeats" {
  type    = number
  default = 2
}

variable "restarts" {
  type    = number
  default = 1
}

module "replication" {
  grain = "coarse-beats"
}

module "client" {
  grain  = "baseline"
  target = true
}

check {
  unused = ["ExchangeBeat", "HandleHeartbeatResp", "Heal"] # only reads send single heartbeats; bounds of 0 keep links whole
}

interaction {
  level      = "L2"
  max_states = 2000000
  timeout    = "10m"
  bounds {
    terms      = 1
    timeouts   = 1
    requests   = 1
    heartbeats = 1
    restarts   = 1
  }
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 44768
}
