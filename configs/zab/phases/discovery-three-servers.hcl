# Discovery under test, as in discovery.hcl, with bounds at which three servers are compared with Fast Leader Election. A quorum is then
# smaller than the ensemble.

extends = "discovery.hcl"

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 0
}

check {
  invariants = ["*"]
  except     = ["I-14.npe"]
  unused     = ["NodeStart", "PartitionRecover"] # without crashes and partitions
}

interaction {
  unchanged = ["synchronization", "broadcast"]

  accept {
    action    = "FLEWaitNewNotmsgEnd"
    reason    = "a server leads with votes that their servers have given to another one since; the coarse grain elects it before, or not at all"
    missed    = 3
    views     = 100
    digest    = "57a2649b0000a00000d000000000000007000000"
    sequences = "ac746f050b420000000000000000000000000000"
  }

  bounds {
    servers       = 3
    transactions  = 0
    requests      = 0
    crashes       = 0
    partitions    = 0
    epochs        = 2
    fle_timeouts  = 0
    notifications = 4
  }
}

expect {
  verdict     = "holds"
  interaction = "gap"
  level       = "L2"
}
