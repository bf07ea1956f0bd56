# RATIS-2605: a leader takes the end of a follower's log for its match index when the follower answers a heartbeat, so it
# commits what no majority has. Release 3.3.0 has the repair: check it with -var version=3.3.0.
# The trace of 3.2.2 is done on the package with multigrain replay; see ../../../docs/results/ratis.md.

extends = "../ratis.hcl"

variable "version" {
  default = "3.2.2"
}

variable "invariants" {
  default = ["CommittedIsReplicated"]
}

expect {
  verdict   = var.version == "3.2.2" ? "violated" : "holds"
  invariant = var.version == "3.2.2" ? "CommittedIsReplicated" : null
  depth     = var.version == "3.2.2" ? 12 : null
}
