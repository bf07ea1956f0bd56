# raft-rs, a port of etcd's library to Rust, under raft's own modules. Build its driver with the first command:
#
#     multigrain conform -setup configs/raft/raft-rs.hcl
#     multigrain conform configs/raft/raft-rs.hcl

extends = "raft.hcl"

implementation "raft-rs" {
  driver   = ["{out}/target/release/raft-rs-driver"]
  build    = ["cargo", "build", "--release", "--locked", "--manifest-path", "../../raft/drivers/raft-rs/Cargo.toml"]
  requires = ["cargo"]
  version  = "0.7.0"

  settings {
    inflight = 1
  }

  bounds {
    terms      = 12
    timeouts   = 20
    requests   = 8
    heartbeats = 40
    restarts   = 4
    partitions = 6
    queue      = 24
    inflight   = 1
  }

  walks {
    number = 300
    depth  = 40
    weights {
      Timeout = 0.1
      Beat    = 0.3
      Propose = 0.3
      Restart = 0.1
      Cut     = 0.1
      Heal    = 0.3
    }
  }
}
