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

# Three servers and one fault, against the finer grains of ../phases/joins-together.hcl, where the gaps are the same in kind.
interaction {
  level      = "L2"
  max_states = 3000000
  timeout    = "10m"

  accept {
    action    = "ConnectAndFollowerSendFOLLOWERINFO"
    reason    = "a follower has connected when a fault comes, and has learned no epoch"
    missed    = 5
    views     = 794
    digest    = "cdadd3b9050f0000050000000050000080000000"
    sequences = "c23e8b1c90000000000287c322f16e0000000000"
  }

  accept {
    action    = "LeaderProcessACKEPOCH"
    reason    = "a quorum begins without a server that joins late, or a fault comes before it has acknowledged the epoch; the coarse grain has all that are reachable in one step"
    missed    = 682
    views     = 794
    digest    = "e0b1c4dc7f86ba76cf78ff5711dd2ee875cc7009"
    sequences = "67c6be3be41e7d2ebcd2eb5b8f87b5357bd40000"
  }

  against {
    election  = "coarse-election"
    discovery = "baseline"
  }

  bounds {
    servers       = 3
    transactions  = 1
    requests      = 1
    crashes       = 0
    partitions    = 1
    epochs        = 2
    fle_timeouts  = 0
    notifications = 8
  }
}

expect {
  verdict = "holds"
}
