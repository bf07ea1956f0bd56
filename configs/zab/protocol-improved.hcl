# The improved protocol: a follower takes over the history and then the epoch, in two steps, and may fail between them. The ten
# protocol invariants still hold (section 5.4 of the multi-grained paper).

extends = "protocol.hcl"

module "synchronization" {
  grain  = "history-first"
  target = true
}

expect {
  verdict  = "holds"
  distinct = 3565597
  depth    = 46
}
