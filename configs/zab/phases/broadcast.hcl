# Broadcast under test, all else coarse: a quorum is elected and knows its epoch in one step, others join; a follower adopts the leader's
# history and epoch in one step. What Broadcast can tell apart is that of the baseline grains: level L2 below, with Election and
# Discovery as mspec-1-join.hcl compares them.

extends = "synchronization.hcl"

module "synchronization" {
  grain  = "coarse"
  target = false
}

module "broadcast" {
  grain  = "baseline"
  target = true
}

expect {
  verdict     = "holds"
  interaction = "preserved"
}
