# Four of three servers are never there.

system "paxos" {
  source = "../../../configs/examples/paxos"
}

module "prepare" {
  grain = "baseline"
}

module "accept" {
  grain = "baseline"
}

module "clients" {
  grain = "baseline"
}

bounds {
  accepts = 4 # ERROR: MG312 All 3 members together are no quorum of accepted, which needs 4
}
