extends = "../../../../configs/zab/bugs/zk-1621.hcl"

interaction {
  accept = []
  bounds {
    servers       = 2
    fle_timeouts  = 0
    notifications = 12
    transactions  = 1
    requests      = 1
    crashes       = 1
    partitions    = 1
    epochs        = 3
  }
}
