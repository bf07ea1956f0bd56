# Raft as github.com/hashicorp/raft runs it: two elections, one command.

system "hashicorp-raft" {
  source = "."
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain = "baseline"
}

module "client" {
  grain = "baseline"
}

module "faults" {
  grain = "restart-drop"
}

bounds {
  terms    = 3
  requests = 1
  calls    = 6
  timeouts = 2
  checks   = 0
  restarts = 0
  drops    = 0
}

check {
  invariants = ["*"]
  unused     = ["HandleHeartbeat", "HandleHeartbeatReply"] # a bound of 0 leaves them without a cause
}

expect {
  verdict  = "holds"
  distinct = 5019115
  depth    = 34
}
