# A follower whose write is late answers the leader that it knows then: none. Its repair is in releases after 0.15.0.
# The trace of 0.15.0 is done on the package with multigrain replay; see ../../../docs/results/libraft.md.

extends = "../libraft.hcl"

variable "replication" {
  default = "writes"
}

variable "servers" {
  default = 2
}

variable "terms" {
  default = 4
}

variable "timeouts" {
  default = 4
}

variable "restarts" {
  default = 1
}

variable "invariants" {
  default = ["Answers"]
}

check {
  # With repairs nothing answers nobody.
  vacuous = var.version == "repaired" ? ["Answers.nobody"] : []
}

expect {
  verdict   = var.version == "0.15.0" ? "violated" : "holds"
  invariant = var.version == "0.15.0" ? "Answers" : null
  depth     = var.version == "0.15.0" ? 14 : null
}
