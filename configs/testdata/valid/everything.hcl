system "zab" {
  source = "../../zab"
}

variable "servers" {
  type        = number
  default     = 3
  description = "Members of the ensemble."

  validation {
    condition     = var.servers >= 1 && var.servers <= 7
    error_message = "An ensemble has one to seven servers."
  }
}

variable "fine" {
  type    = bool
  default = true
}

module "election" {
  grain = "coarse"

  accept {
    action = "LeaderProcessACKEPOCH"
    reason = "aborted discovery leaves acceptedEpoch raised"
    missed = 4
    views  = 144
    digest = "5f0c1a7e"
  }
}

module "synchronization" {
  grain  = var.fine ? "fine-concurrent" : "baseline"
  target = true
}

module "faults" {
  grain = "crash-partition"

  accept {
    variable = "Term"
    reason   = "one gap"
  }

  accept {
    action   = "Crash"
    variable = "Term"
    reason   = "another gap"
  }
}

bounds {
  servers      = var.servers
  transactions = 2
  crashes      = max(1, var.servers - 1)
}

options {
  variant = "v3.9.1"
  snap    = false
  ratio   = 0.5
  list    = ["a", "b"]
}

check {
  invariants  = ["*"]
  except      = ["I-14.npe", format("I-%d", var.servers)]
  stop        = "first"
  constraints = ["short-logs"]
  deadlock    = false
  strict      = true
  symmetry    = true
  por         = false
  properties  = ["broadcast"]
}

interaction {
  level      = "L2"
  max_states = 1000000
  timeout    = "10m"
  accept     = []

  bounds {
    transactions = 1
  }
}

implementation "zookeeper" {
  adapter  = "../../zab/zookeeper"
  version  = "3.9.1"
  lines    = "zookeeper-3.9.1.tsv"
  packages = "./..."
  ignore   = ["**/*.md", "docs/**"]

  models {
    election = ["FastLeaderElection.lookForLeader"]
    faults   = "QuorumPeer.run"
  }

  unmodelled "**/admin/**" {
    policy = "ignore"
  }

  unmodelled "*.SyncRequestProcessor.*" {
    policy = "fail"
  }

  settings {
    heap  = "512m"
    ports = [2888, 3888]
  }

  walks {
    number = 300
    depth  = 60
    seed   = 1

    weights {
      NodeCrash = 0.2
    }
  }

  difference "left-in-the-log" {
    ticket    = "ZOOKEEPER-4712"
    versions  = ["3.8.0", "3.9.1"]
    action    = "ElectionAndDiscovery"
    variables = ["History", "error"]
    when      = specification == null && have.State[I] == "LEADING"
  }
}

simulate {
  depth   = 60
  number  = 10000
  timeout = "90s"
  seed    = 7

  weights {
    NodeCrash    = 0.1
    FollowerPoll = 3
  }

  strategy "rounds" {
    period = 4
    roles {
      NodeCrash = "never"
    }
    waypoints = [Role[0] == "LEADING" && History[0] != [], true]
  }
}

expect {
  verdict     = "violated"
  invariant   = "I-10"
  instance    = "npe"
  kind        = "state"
  depth       = 13
  distinct    = 77179
  generated   = 100000
  distinct_at = 77000
  interaction = "gap"
  level       = "L2"
}
