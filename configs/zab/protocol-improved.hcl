# The improved protocol: a follower takes over the history and then the epoch, in two steps, and may
# fail between them. The ten protocol invariants still hold within 1 transaction, 3 epochs, 2
# timeouts, 0 restarts (section 5.4 of the multi-grained paper).

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
