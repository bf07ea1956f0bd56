# Every phase at its baseline grain, at the bounds of the other manifests of this folder: what their states are held against.
extends = "election.hcl"

module "election" {
  grain  = "baseline"
  target = false
}

module "discovery" {
  grain = "baseline"
}

module "synchronization" {
  grain  = "baseline"
  target = true
}

module "broadcast" {
  grain  = "baseline"
  target = true
}

expect {
  verdict     = "holds"
  interaction = "none"
  distinct    = 5523179
}
