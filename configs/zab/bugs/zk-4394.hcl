# ZOOKEEPER-4394: a COMMIT between NEWLEADER and UPTODATE for a proposal that was logged with NEWLEADER throws a
# NullPointerException in Learner.syncWithLeader, and the follower never gets in sync. This is mspec-1.hcl without the mask.

extends = "../mspec-1.hcl"

check {
  except = []
  stop   = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-14.npe"
}
