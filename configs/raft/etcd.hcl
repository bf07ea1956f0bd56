# Raft at its baseline grains, held against the library that it specifies:
#
#     multigrain conform configs/raft/etcd.hcl
#
# The bounds of the implementation block are for walks; those of the manifest, for check, are small.

extends = "raft.hcl"

variable "network" {
  type    = string
  default = "udp"
}

variable "terms" {
  type    = number
  default = 1
}

variable "timeouts" {
  type    = number
  default = 1
}

variable "requests" {
  type    = number
  default = 0
}

variable "inflight" {
  type    = number
  default = 2
}

variable "version" {
  type    = string
  default = "v3.7.0"
}

options {
  variant = var.version
}

check {
  unused = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
}

implementation "etcd-raft" {
  adapter  = var.version == "v3.7.0" ? "../../raft/etcdraft" : "../../raft/etcdraft/testdata/${var.version}"
  version  = var.version == "v3.4.7" ? "v0.0.0-20200401174654-e694b7bb0875" : var.version
  packages = ["./..."]
  ignore   = ["rafttest/**", "scripts/**", "testdata/**", "tla/**"]

  # Texts for logs and tools, which nothing reads.
  unmodelled "Describe*" {
    policy = "ignore"
  }
  unmodelled "MajorityConfig.String" {
    policy = "ignore"
  }
  unmodelled "MajorityConfig.Describe" {
    policy = "ignore"
  }
  unmodelled "raftpb.ConfChanges*String" {
    policy = "ignore"
  }
  unmodelled "*.MarshalJSON" {
    policy = "ignore"
  }

  bounds {
    terms      = 12
    timeouts   = 100
    requests   = 8
    heartbeats = 255
    restarts   = 20
    partitions = 20
    drops      = var.network == "udp" ? 60 : 0
    duplicates = var.network == "udp" ? 20 : 0
    queue      = 24
    inflight   = 2
  }
}

simulate {
  number = 12000
  depth  = 100
  weights {
    Timeout   = 0.1
    Beat      = 0.3
    Propose   = 0.3
    Restart   = 0.1
    Cut       = 0.1
    Heal      = 0.3
    Drop      = 0.2
    Duplicate = 0.1
  }
}
