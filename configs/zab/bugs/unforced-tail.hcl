# The process of a leader crashes in FileTxnLog.commit, after it has written a transaction to its log
# and before it has forced it. Both followers have the transaction, and it is committed. The leader
# starts again, reads the transaction and leads with it: it writes and forces the new epoch. Nothing
# forces the transaction, since a start does not force what it reads. Then the leader loses power. It
# starts without the transaction, and its epoch is the latest one. So it wins the next election, and
# all three lose a write that was acknowledged to a client. In every version up to master. No ticket is known.
#
# With -var forces=all it holds within 1 transaction, 1 crash, 0 partitions: a start forces the log
# that it reads. With -var faults=power it also holds within 1 transaction, 1 crash, 0 partitions:
# there a crash loses what is not forced.

extends = "unforced-log.hcl"

variable "faults" {
  type    = string
  default = "flush"
}

variable "forces" {
  default = "code"
}

module "synchronization" {
  grain = "follower-threads"
}

module "broadcast" {
  grain = "leader-threads"
}

module "faults" {
  grain = "crash-partition"
}

options {
  leader_threads = "log"
  disk_faults    = var.faults
}

check {
  invariants = ["I-8"]
  except     = ["I-11.epoch"]
  stop       = "first"
}

implementation "zookeeper" {
  # The leader keeps its power.
  control {
    without = "NodeLosesPower(I: 2)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
