# raft-rs, a port of etcd's library to Rust, under raft's own modules. Build its driver with the first command:
#
#     multigrain conform -setup configs/raft/raft-rs.hcl
#     multigrain conform configs/raft/raft-rs.hcl

extends = "raft.hcl"

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

check {
  unused = ["HandleHeartbeat", "HandleHeartbeatResp", "Heal"] # bounds of 0 leave them without a cause
}

implementation "raft-rs" {
  driver   = ["{out}/target/release/raft-rs-driver"]
  build    = ["cargo", "build", "--release", "--locked", "--manifest-path", "../../raft/drivers/raft-rs/Cargo.toml"]
  requires = ["cargo"]
  version  = "0.7.0"

  settings {
    inflight = 16
  }

  # Since 3.6 etcd's leader tells a follower of a commit index that it was not sent yet, when the follower acknowledges: CanBumpCommit.
  # raft-rs tells it with the next append or heartbeat.
  difference "commit-index-not-told" {
    deviation = "progress.go: canBumpCommit"
    action    = "HandleAppResp"
    variable  = "Stream"
    when = Commit[I] == after.Commit[I] && length(have.Stream[I][J]) + 1 == length(after.Stream[I][J]) && (
      after.Stream[I][J][length(after.Stream[I][J]) - 1].Kind == "MsgApp" && after.Stream[I][J][length(after.Stream[I][J]) - 1].Entry.Term == 0
    )
  }

  # In raft-rs a vote carries the candidate's commit index, and a refusal that of the server that refuses: maybe_commit_by_vote.
  difference "commit-index-in-refusal" {
    deviation = "messages.go: Msg.Commit is of appends and heartbeats"
    action    = "HandleVoteResp"
    variable  = "Commit"
    when      = have.Commit[I] > after.Commit[I] && have.Commit[I] <= length(Log[I]) && have.Commit[I] <= Commit[J] && Stream[J][I][0].Reject
  }

  # In raft-rs a vote carries the candidate's commit index, and a refusal that of the server that refuses: maybe_commit_by_vote.
  difference "commit-index-in-vote" {
    deviation = "messages.go: Msg.Commit is of appends and heartbeats"
    action    = "HandleVote"
    variable  = "Commit"
    when      = have.Commit[I] > after.Commit[I] && have.Commit[I] <= length(Log[I]) && have.Commit[I] <= Commit[J] && after.Vote[I] != J
  }

  bounds {
    terms      = 12
    timeouts   = 20
    requests   = 8
    heartbeats = 40
    restarts   = 4
    partitions = 6
    queue      = 24
    inflight   = 16
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
