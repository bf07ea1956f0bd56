# With five servers, majorities have three. The manifest sets the servers only.

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
  servers = 5 # ERROR: MG312 with no member in common
}
