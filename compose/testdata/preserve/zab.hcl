# Two servers for target Synchronization.
system "zab" {
  source = "../../../zab"
}

module "election" {
  grain = "coarse"
}

module "synchronization" {
  grain  = "baseline"
  target = true
}

module "broadcast" {
  grain = "baseline"
}

module "faults" {
  grain = "crash-partition"
}

bounds {
  servers      = 2
  transactions = 1
  requests     = 1
  crashes      = 1
  partitions   = 1
  epochs       = 4
  fle_timeouts = 0
}

check {
  invariants = ["*"]
  except     = ["I-14.npe"]
}
