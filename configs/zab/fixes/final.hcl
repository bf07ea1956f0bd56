# The final resolution of Remix, section 5.4 (pull request 2152), on mSpec-3: NEWLEADER logs and applies what is committed, in
# its own thread, before it accepts the epoch. Nothing is masked but ZOOKEEPER-2354, which it does not address.
#
# This is the protocol of that section with its abstractions. One history stands for log, snapshot, memory and committedLog, a
# leader has one thread, and no server joins late. The code as released is fix = "pr-2152" (3.9.3) and "pr-2254" (3.9.4) with
# disks apart; final-disk.hcl and final-truncated-ack.hcl have this fix with less of the abstractions.

extends = "../mspec-3.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 2
}

variable "partitions" {
  type    = number
  default = 2
}

# As in the paper, transactions are counted in the longest history; requests do not bind.
bounds {
  requests = var.transactions * (1 + var.crashes + var.partitions)
}

options {
  fix = "final"
}

check {
  invariants = ["*"]
  except     = ["I-11.epoch"]
  stop       = "first"
  unused     = ["LeftSyncProcessorLogRequest"] # no shutdown leaves a SyncRequestProcessor behind
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict = "holds"
}
