# Real servers of the version that -impl names, as in: multigrain conform mspec-3.hcl -impl zookeeper@3.8.0

implementation "zookeeper" {
  adapter = "../../../zab/zookeeper/replay"

  bounds {
    transactions = 4
    requests     = 6
    crashes      = 4
    partitions   = 4
    epochs       = 9
  }

  # Each difference below occurs in these walks of the versions that it names. Faults are rare: each ends an epoch.
  walks {
    number = 300
    depth  = 60
    seed   = 1

    weights {
      NodeCrash      = 0.05
      PartitionStart = 0.05
    }
  }

  # The committedLog of a leader begins after its newest snapshot when its database was read from disk,
  # and each leader takes a snapshot when it begins to lead. A learner with an earlier zxid gets a
  # snapshot. The option disk = "apart" has this.
  difference "committed-log-begins-late" {
    deviation = "syncMode: the committed log is complete"
    versions  = ["3.8.0", "3.9.1"]
    action    = "LeaderSyncFollower"
    variable  = "Msgs"
    when = (after.Msgs[I][J][0].Kind == "DIFF" || after.Msgs[I][J][0].Kind == "TRUNC") && have.Msgs[I][J][0].Kind == "SNAP" && (
      evidence.CommittedFrom.Epoch > Electing[I][J].PeerLastZxid.Epoch ||
      evidence.CommittedFrom.Epoch == Electing[I][J].PeerLastZxid.Epoch && evidence.CommittedFrom.Counter > Electing[I][J].PeerLastZxid.Counter
    ) && have.Msgs[I][J][length(have.Msgs[I][J]) - 1] == after.Msgs[I][J][length(after.Msgs[I][J]) - 1]
  }

  # What a SyncRequestProcessor that a shutdown has left running has logged stays in the log of a server that leads then.
  difference "left-in-the-log" {
    deviation = "loadDatabase"
    versions  = ["3.8.0", "3.9.1"]
    action    = "ElectionAndDiscovery"
    variable  = "History"
    when = have.History[I] == History[I] && length(after.History[I]) == LastProcessed[I] && LastProcessed[I] < length(History[I]) && (
      length([for k in S : k if k != I && have.History[k] != after.History[k]]) == 0
    )
  }

  # Such a SyncRequestProcessor finds that there is no connection when it acknowledges, and fails. It has logged one
  # transaction then: with zookeeper.maxBatchSize=1, which the adapter sets, it acknowledges after each.
  difference "left-thread-fails" {
    ticket   = "ZOOKEEPER-4409"
    versions = ["3.8.0", "3.9.1"]
    action   = "LeftSyncProcessorLogRequest"
    variable = "LeftRequests"
    when = evidence.LeftFailed && length(after.LeftRequests[I]) > 0 && length(have.LeftRequests[I]) == 0 && (
      length([for k in Status : k if k != I && have.LeftRequests[k] != after.LeftRequests[k]]) == 0
    )
  }

  # Such a SyncRequestProcessor logs a transaction although the log has one of a later epoch. The specification leaves it
  # out, so log and memory have a transaction more, or the specification has no room for what the server has. The option
  # disk = "apart" has this.
  difference "logged-after-later" {
    deviation = "appendToLog"
    versions  = ["3.8.0", "3.9.1"]
    action    = "LeftSyncProcessorLogRequest"
    variables = ["History", "LastProcessed", "error"]
    when = evidence.LeftLogged == LeftRequests[I][0].Zxid && evidence.LeftLogged.Epoch < History[I][length(History[I]) - 1].Zxid.Epoch && (
      path == "error" && length(History[I]) == 4 ||
      path != "error" && after.History[I] == History[I] && length(have.History[I]) == length(History[I]) + 1 &&
      have.History[I][length(History[I])].Zxid == evidence.LeftLogged && have.LastProcessed[I] == LastProcessed[I] + 1 &&
      length([for k in Status : k if k != I && (have.History[k] != after.History[k] || have.LastProcessed[k] != after.LastProcessed[k])]) == 0
    )
  }

  # A leader that serves sets lastProcessedZxid to the beginning of its epoch. If no transaction follows, that is what it
  # tells its next leader. A learner that gets its snapshot has this zxid, too.
  difference "led-without-transaction" {
    deviation = "lastProcessedZxid"
    versions  = ["3.8.0", "3.9.1"]
    action    = "ElectionAndDiscovery"
    variable  = "Electing"
    when = length([for k in S : k if have.Electing[I][k] != after.Electing[I][k] && !(
      have.Electing[I][k].InQuorum == after.Electing[I][k].InQuorum &&
      have.Electing[I][k].PeerLastZxid == evidence.Votes[k].Zxid &&
      evidence.Votes[k].Zxid.Counter == 0 && evidence.Votes[k].Zxid.Epoch > 0 && evidence.Votes[k].Zxid.Epoch <= AcceptedEpoch[k]
    )]) == 0
  }

  # With the option disk = "apart" its snapshot and its memory have this zxid when it leads again.
  difference "leads-again-without-transaction" {
    deviation = "lastProcessedZxid"
    action    = "ElectionAndDiscovery"
    variable  = "Disks"
    when = evidence.Votes[I].Zxid.Counter == 0 && evidence.Votes[I].Zxid.Epoch > 0 && evidence.Votes[I].Zxid.Epoch <= AcceptedEpoch[I] && (
      have.Disks[I].Memory.Zxid == evidence.Votes[I].Zxid && have.Disks[I].Snapshot.Tail.Zxid == evidence.Votes[I].Zxid &&
      have.Disks[I].Log == after.Disks[I].Log && have.Disks[I].Committed == after.Disks[I].Committed &&
      length([for k in Status : k if k != I && have.Disks[k] != after.Disks[k]]) == 0
    )
  }

  # It is also what the server votes with, so the servers elect it where the specification elects another one.
  difference "elected-without-transaction" {
    deviation = "lastProcessedZxid"
    versions  = ["3.8.0", "3.9.1"]
    action    = "ElectionAndDiscovery"
    variable  = "error"
    when = evidence.Elected != I && evidence.Votes[evidence.Elected].Zxid.Counter == 0 && evidence.Votes[evidence.Elected].Zxid.Epoch > 0 && (
      length([for k in S : k if evidence.Votes[k].Epoch != CurrentEpoch[k]]) == 0
    )
  }

  # A follower that loses its leader before it serves keeps its memory as it is, although its log has more. The option
  # disk = "apart" has this.
  difference "memory-behind-log-after-crash" {
    deviation = "goLooking"
    versions  = ["3.8.0", "3.9.1"]
    action    = "NodeCrash"
    variable  = "LastProcessed"
    when = length([for k in Status : k if have.LastProcessed[k] != after.LastProcessed[k] && !(
      State[k] == "FOLLOWING" && ServingState[k] != "RUNNING" && have.LastProcessed[k] == LastProcessed[k] && after.LastProcessed[k] == length(History[k])
    )]) == 0
  }

  difference "memory-behind-log-after-partition" {
    deviation = "goLooking"
    versions  = ["3.8.0", "3.9.1"]
    action    = "PartitionStart"
    variable  = "LastProcessed"
    when = length([for k in Status : k if have.LastProcessed[k] != after.LastProcessed[k] && !(
      State[k] == "FOLLOWING" && ServingState[k] != "RUNNING" && have.LastProcessed[k] == LastProcessed[k] && after.LastProcessed[k] == length(History[k])
    )]) == 0
  }

  # TRUNC leaves a snapshot that is newer than its zxid, and the follower loads this snapshot. A server takes one when it
  # begins to lead, with all that it has logged.
  difference "snapshot-survives-truncation" {
    ticket   = "ZOOKEEPER-4837"
    versions = ["3.8.0", "3.9.1"]
    action   = "FollowerProcessSyncMessage"
    variable = "History"
    when = Msgs[J][I][0].Kind == "TRUNC" && have.History[I] == evidence.Saved && have.History[I] != after.History[I] && (
      evidence.Snapshot.Epoch > Msgs[J][I][0].Zxid.Epoch ||
      evidence.Snapshot.Epoch == Msgs[J][I][0].Zxid.Epoch && evidence.Snapshot.Counter > Msgs[J][I][0].Zxid.Counter
    ) && length([for k in Status : k if k != I && have.History[k] != after.History[k]]) == 0
  }

  # From pull request 2152 on a follower has no processors before UPTODATE.
  difference "no-processors-before-uptodate" {
    ticket   = "ZOOKEEPER-4646"
    versions = ["3.9.3", "3.9.5"]
    action   = "FollowerProcessNEWLEADERUpdateEpoch"
    variable = "ServingState"
    when     = have.ServingState[I] == "SHUTDOWN" && have.CurrentEpoch[I] == AcceptedEpoch[I]
  }
}
