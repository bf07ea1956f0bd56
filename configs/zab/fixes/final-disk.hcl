# The final resolution of Remix with a disk that is apart from the memory, where servers join late.
# It holds within 2 transactions, 1 crash, 1 partition if TRUNC truncates all: see
# ../bugs/truncate-keeps-record.hcl and ../bugs/zk-4837.hcl. With -var transactions=3 it is violated
# by ../bugs/zk-2846.hcl. Only ZOOKEEPER-2354 is masked. At grain leader-threads of Synchronization
# ../bugs/zk-5094.hcl remains.

extends = "../mspec-1-join.hcl"
variable "snapshots" {
  type    = number
  default = 0
}
variable "transactions" {
  type    = number
  default = 2
}
module "faults" {
  grain = "crash-partition"
}
bounds {
  requests  = var.transactions
  snapshots = var.snapshots
}
options {
  disk_faults = "snapshots"
  fix         = "final"
  disk        = "apart"
  truncation  = "both"
}
check {
  invariants = ["*"]
  except     = ["I-11.epoch"]
  stop       = "first"
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerGivesUp", "FollowerIgnoresSync", "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT",
  "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap", "LeaderIgnoresACK"]
}

interaction {
  level = "L2"

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a server joins by votes of an earlier election that are still in flight; coarse-join lets it join with equal votes only, see JoinLeader"
    missed    = 8
    views     = 186
    digest    = "d9ad4edb0a000c00e000000df900000000000e07"
    sequences = "020bb13300001a00000000000000000000000000"
  }
}

expect {
  verdict = "holds"
}
