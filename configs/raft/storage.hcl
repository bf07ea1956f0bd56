# Replication over storage that is slower than the server, as with AsyncStorageWrites: every answer and vote waits for its write.

extends = "raft.hcl"

variable "timeouts" {
  type    = number
  default = 1
}

variable "terms" {
  type    = number
  default = 1
}

variable "writes" {
  type    = number
  default = 4
}

variable "inflight" {
  type    = number
  default = 2
}

variable "restarts" {
  type    = number
  default = 0
}


module "replication" {
  grain  = "fine"
  target = true
}

check {
  unused      = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
  invariants  = ["*"]
  constraints = ["writes"]
}

module "election" {
  grain  = "baseline"
  target = true
}

expect {
  verdict     = "holds"
  interaction = "none"
  distinct    = 157927
}
