extends = "../../../../configs/zab/mspec-2.hcl"

interaction {
  accept = []
  bounds {
    servers       = 2
    fle_timeouts  = 0
    notifications = 12
    transactions  = 2
    requests      = 2
    crashes       = 2
    partitions    = 1
    epochs        = 6
  }
}
