# The wrong order: a follower takes over the epoch and then the history. One that fails between the two has an old history under
# a new epoch, is taken for the most recent server, and a committed transaction is lost: a new primary broadcasts without it.

extends = "protocol.hcl"

module "synchronization" {
  grain  = "epoch-first"
  target = true
}

expect {
  verdict   = "violated"
  invariant = "I-7"
  depth     = 32
}
