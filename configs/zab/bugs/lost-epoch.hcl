# A follower accepts an epoch and its leader's history, and loses power before the file system has
# written the new names of acceptedEpoch and currentEpoch. AtomicFileOutputStream forces the files,
# and nothing forces their folder. The follower starts in the epoch before, and elects another leader
# for the epoch that it had accepted. So two transactions get the same zxid. The first leader has one
# of them in its log, and lacks the other, which was acknowledged to a client. ZOOKEEPER-2003 asks to
# force the folder of the log. In every version up to master.
#
# With -var forces=names the same bounds have no such loss; lost-truncation.hcl is left. With -var
# faults=power this manifest holds within 2 transactions, 1 crash, 0 partitions.

extends = "lost-truncation.hcl"

variable "forces" {
  default = "code"
}

implementation "zookeeper" {
  # Without the option disk = "apart" the reason is another one.
  difference "committed-log-begins-late" {
    deviation = "disk_committed.go: the log is one file of any size"
  }

  symptom "missing-write" {}

  # The file system keeps the names.
  control {
    without = "NodeLosesEpochs(I: 2, Accepted: true)"
    insert  = "NodeLosesPower(I: 2)"
    before  = "NodeStart(I: 2)"
  }
}

check {
  invariants = ["I-8"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
