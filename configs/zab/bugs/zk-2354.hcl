# ZOOKEEPER-2354: a follower logs what NEWLEADER brought and crashes before it has accepted the
# epoch. Its last transaction then is of a later epoch than its currentEpoch file, and the server
# refuses to start. The final resolution of Remix puts the history before the epoch, so a DIFF can
# bring this about in 3.9.3 to master. With -var fix=none it holds within 1 transaction, 1 crash, 0
# partitions.
#
# Without SNAP, since the snapshot of a SNAP comes before the epoch in every version.

extends = "../mspec-2.hcl"

variable "fix" {
  type    = string
  default = "final"
}

# true is what the servers do.
variable "snap" {
  type    = bool
  default = false
}

variable "transactions" {
  type    = number
  default = 1
}

variable "crashes" {
  type    = number
  default = 1
}

variable "partitions" {
  type    = number
  default = 0
}

options {
  fix  = var.fix
  snap = var.snap
}

check {
  invariants = ["I-11.epoch"]
  except     = []
  stop       = "first"
}

# Level L2 is compared for mspec-1.hcl, with its bounds.
interaction {
  level  = "L0"
  accept = []
}

implementation "zookeeper" {
  symptom "log-line" {
    text = "is older than the last zxid"
  }

  # The follower accepts the epoch before it crashes.
  control {
    insert = "FollowerProcessNEWLEADERUpdateEpoch(I: 1, J: 2)"
    before = "NodeCrash(I: 1, Tmp: false)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-11.epoch"
}
