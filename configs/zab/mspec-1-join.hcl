# Synchronization and Broadcast with the coarse grain of Election and Discovery that lets servers join late, which that of
# mspec-1 misses. It has more behaviours to explore, so the defaults are smaller: two crashes and two partitions, mspec-1's,
# have 326 217 334 states.
extends = "mspec-1.hcl"

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 1
}

module "election" {
  grain = "coarse-join"
}

options {
  exceptions = "continue"
}

# See memory-behind-log-after-crash in parts/zookeeper.hcl. In mspec-1.hcl and what else extends it no follower gives up.
implementation "zookeeper" {
  difference "memory-behind-log-after-giving-up" {
    deviation = "goLooking"
    versions  = ["3.8.0", "3.9.1"]
    action    = "FollowerGivesUp"
    variable  = "LastProcessed"
    when = length([for k in Status : k if have.LastProcessed[k] != after.LastProcessed[k] && !(
      State[k] == "FOLLOWING" && ServingState[k] != "RUNNING" && have.LastProcessed[k] == LastProcessed[k] && after.LastProcessed[k] == length(History[k])
    )]) == 0
  }

  # A follower that joins before its leader serves votes with the epoch of the election until UPTODATE. A server that
  # looks for a leader hears that vote and the leader's with the new epoch, and follows nobody.
  difference "joined-with-another-epoch" {
    deviation = "JoinLeader"
    versions  = ["3.8.0", "3.9.1", "3.9.5"]
    action    = "JoinLeader"
    variable  = "error"
    when = ZabState[I] == "BROADCAST" && evidence.Heard[I].Leader == I && length([
      for k in evidence.Hears : k if k != I && State[k] == "FOLLOWING" && ZabState[k] != "BROADCAST" &&
      evidence.Heard[k].Leader == I && evidence.Heard[k].Epoch < evidence.Heard[I].Epoch
    ]) > 0
  }

  # The servers begin with a transaction that the specification does not have. If it is in a log, a leader without others has
  # it in its committedLog, and so has a learner truncate the rest. With the setting prelude = "snapshot" that is not so.
  difference "first-transaction-in-committed-log" {
    deviation = "none of zab: control.Ensemble.Prelude makes a first transaction"
    versions  = ["3.8.0", "3.9.1", "3.9.5"]
    action    = "LeaderOpensSync"
    variable  = "Msgs"
    when = after.Msgs[I][J][0].Kind == "SNAP" && have.Msgs[I][J][0].Kind == "TRUNC" && have.Msgs[I][J][0].Zxid.Epoch == 0 && (
      length(Disks[I].Committed) == 0 && evidence.CommittedFrom.Epoch == 0 && length(have.Msgs[I][J]) == length(after.Msgs[I][J])
    )
  }

  # See the blocks of these names in parts/zookeeper.hcl, for ElectionAndDiscovery.
  difference "leads-again-without-transaction" {
    action = "QuorumElection"
  }

  difference "led-without-transaction" {
    versions = ["3.8.0", "3.9.1", "3.9.5"]
    action   = "QuorumElection"
  }

  difference "elected-without-transaction" {
    versions = ["3.8.0", "3.9.1", "3.9.5"]
    action   = "QuorumElection"
  }

  # See led-without-transaction in parts/zookeeper.hcl.
  difference "joined-without-transaction" {
    deviation = "lastProcessedZxid"
    versions  = ["3.8.0", "3.9.1", "3.9.5"]
    action    = "JoinLeader"
    variable  = "Electing"
    when = have.Electing[I][J].InQuorum == after.Electing[I][J].InQuorum && have.Electing[I][J].PeerLastZxid == evidence.Votes[J].Zxid && (
      evidence.Votes[J].Zxid.Counter == 0 && evidence.Votes[J].Zxid.Epoch > 0 && evidence.Votes[J].Zxid.Epoch <= AcceptedEpoch[J] &&
      length([for k in Status : k if k != J && have.Electing[I][k] != after.Electing[I][k]]) == 0
    )
  }
}

# Level L2 does not end: a follower that gives up begins an election that no bound counts, and 12 million fine states do not
# reach the end. Where no follower gives up, as in fixes/final-disk.hcl, L2 finds one gap, which is accepted there.
interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict     = "holds"
  interaction = "preserved"
}
