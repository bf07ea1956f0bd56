# The specification of github.com/hashicorp/raft, compared with the library:
#
#     multigrain conform raft/hashicorpraft/testdata/library/hashicorp.hcl
#
# The manifest is in the module of the adapter, which requires the library.

system "hashicorp-raft" {
  source = "github.com/multigrain/multigrain/raft/hashicorpraft"
}

module "election" {
  grain = "baseline"
}

module "replication" {
  grain = "baseline"
}

module "client" {
  grain = "baseline"
}

module "faults" {
  grain = "restart-drop"
}

implementation "hashicorp-raft" {
  adapter  = "."
  version  = "v1.8.0"
  packages = ["."] # of the library; fuzzy and bench are programs of their own

  # The adapter has a transport of its own. The specification has no snapshots, and no repair of a
  # cluster by hand.
  unmodelled "**/{net,tcp,inmem}_transport.go" {
    policy = "ignore"
  }
  unmodelled "**/{snapshot,file_snapshot,inmem_snapshot,discard_snapshot}.go" {
    policy = "ignore"
  }
  unmodelled "**/{peersjson,testing,testing_batch}.go" {
    policy = "ignore"
  }

  # A channel on which a server tells its program that it leads.
  unmodelled "Config.NotifyCh" {
    policy = "ignore"
  }

  bounds {
    terms    = 10
    requests = 6
    calls    = 16
    timeouts = 100
    checks   = 20
    restarts = 10
    drops    = 20
  }
}

simulate {
  number = 10000
  depth  = 100
  seed   = 1
  weights {
    Timeout = 0.15
    Restart = 0.05
    Drop    = 0.05
    Propose = 0.3
    Verify  = 0.2
  }
}
