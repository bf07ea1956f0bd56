# ZOOKEEPER-4394: a COMMIT between NEWLEADER and UPTODATE for a proposal that was logged with NEWLEADER throws a
# NullPointerException in Learner.syncWithLeader, and the follower never gets in sync. This is mspec-1.hcl without the mask.

extends = "../mspec-1.hcl"

check {
  except = []
  stop   = "first"
}

implementation "zookeeper" {
  symptom "log-line" {
    text = "NullPointerException\nLearner.syncWithLeader"
  }

  # The leader commits when the follower is synchronised, so COMMIT comes after UPTODATE.
  control {
    without = "LeaderProcessACK(I: 2, J: 0)"
    insert  = ["LeaderProcessACKLD(I: 2, J: 1)", "LeaderProcessACK(I: 2, J: 1)", "FollowerProcessUPTODATE(I: 1, J: 2)"]
    before  = "FollowerProcessCOMMITInSync(I: 1, J: 2)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-14.npe"
}
