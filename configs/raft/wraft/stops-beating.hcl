# WRaft#8: a round of heartbeats ends at the first follower that needs a snapshot.

extends = "../wraft.hcl"

variable "repair" {
  default = "none"
}

variable "beats" {
  default = 1
}

variable "invariants" {
  default = ["BeatReachesAll"]
}

expect {
  verdict   = contains(["all", "beat"], var.repair) ? "holds" : "violated"
  invariant = contains(["all", "beat"], var.repair) ? null : "BeatReachesAll"
}
