# Real servers of the version that -impl names, as in: multigrain conform mspec-3.hcl -impl zookeeper@3.8.0

implementation "zookeeper" {
  adapter = "../../../zab/zookeeper/replay"

  bounds {
    transactions = 3
    requests     = 3
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
      NodeCrash            = 0.2
      PartitionStart       = 0.2
      LeaderProcessRequest = 0.3
    }
  }

  # A leader that was started again has in committedLog only what its log has after its last snapshot. It took one when
  # it began to lead. A learner that is further behind gets a snapshot, and so does one whose leader has led before
  # without a transaction, see led-without-transaction. The option disk = "apart" has this.
  difference "snapshot-after-restart" {
    deviation = "syncMode: the committed log is complete"
    versions  = ["3.8.0", "3.9.1"]
    action    = "LeaderSyncFollower"
    variable  = "Msgs"
    when      = after.Msgs[I][J][0].Kind == "DIFF" && have.Msgs[I][J][0].Kind == "SNAP"
  }

  # What a SyncRequestProcessor has logged that a shutdown has left running stays in the log of a server that leads then.
  difference "left-in-the-log" {
    deviation = "loadDatabase"
    versions  = ["3.8.0", "3.9.1"]
    action    = "ElectionAndDiscovery"
    variable  = "History"
    when      = specification == null && length(have.History[I]) == length(History[I])
  }

  # A leader that serves sets lastProcessedZxid to the beginning of its epoch. If no transaction follows, that is what it
  # tells its next leader.
  difference "led-without-transaction" {
    deviation = "lastProcessedZxid"
    versions  = ["3.8.0", "3.9.1"]
    action    = "ElectionAndDiscovery"
    variable  = "Electing"
    when      = implementation == 0 || implementation > specification && implementation <= AcceptedEpoch[I]
  }

  # From pull request 2111 on a follower logs before it accepts the epoch. No variant of the specification is these versions,
  # so their walks end at the first NEWLEADER.
  difference "log-before-epoch" {
    ticket   = "ZOOKEEPER-4643"
    versions = ["3.8.6", "3.9.2"]
    action   = "FollowerProcessNEWLEADERUpdateEpoch"
    variable = "CurrentEpoch"
    when     = have.CurrentEpoch[I] == CurrentEpoch[I] && after.CurrentEpoch[I] == AcceptedEpoch[I]
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
