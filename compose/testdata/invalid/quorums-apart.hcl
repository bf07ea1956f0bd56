# One acceptor is enough in phase 1, so it need not be one of the two that have voted.

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
  clients  = 2
  prepares = 1 # ERROR: MG312 Members 2 are a quorum of prepared and members 0 and 1 one of accepted
}
