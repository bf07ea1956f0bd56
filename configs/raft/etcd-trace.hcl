# Logs of go.etcd.io/raft/v3 built with the tag with_tla (v3.7.0), held against Raft at the granularity of these events:
#
#     multigrain trace etcd-trace.hcl LOG...
#
# A server with the id "1" is server 0 here. The log does not say how the library is configured, so all that PreVote, CheckQuorum
# and a transfer of leadership may cause is allowed; where they are known to be off, -var pre_vote=false -var check_quorum=false
# checks more.

system "raft-events" {
  source = "github.com/multigrain/multigrain/raft/events"
}

variable "servers" {
  type    = number
  default = 10
}

variable "terms" {
  type    = number
  default = 1000
}

variable "wire" {
  type    = number
  default = 2000
}

variable "changes" {
  type    = number
  default = 100
}

variable "pre_vote" {
  type    = bool
  default = true
}

variable "check_quorum" {
  type    = bool
  default = true
}

variable "disable_conf_change_validation" {
  type    = bool
  default = true
}

variable "forget_leader" {
  type    = bool
  default = true
}

variable "duplicates" {
  type    = bool
  default = false
}

module "election" {
  grain  = "unlogged"
  target = true
}

module "replication" {
  grain  = "baseline"
  target = true
}

module "storage" {
  grain = "baseline"
}

module "membership" {
  grain = "baseline"
}

module "faults" {
  grain = "crash-restart"
}

bounds {
  servers = var.servers
  terms   = var.terms
  wire    = var.wire
  changes = var.changes
}

options {
  pre_vote                       = var.pre_vote
  check_quorum                   = var.check_quorum
  disable_conf_change_validation = var.disable_conf_change_validation
  forget_leader                  = var.forget_leader
  duplicates                     = var.duplicates
}

trace {
  format = "etcd-raft"

  let {
    i    = number(event.nid) - 1
    from = number(event.msg.from) - 1
    to   = number(event.msg.to) - 1

    # What every event says of its server; most events say it of the state behind the step.
    conf   = Voters[i] == bits([for id in event.conf[0] : number(id) - 1]) && Outgoing[i] == bits([for id in event.conf[1] : number(id) - 1])
    node   = server && Log[i].Index == event.log
    server = Term[i] == event.state.term && Vote[i] == number(event.state.vote) - 1 && Commit[i] == event.state.commit && "State${Role[i]}" == event.role && conf

    # A server that starts has read its log and not yet its term, vote and commit index.
    fresh = event.state.term == 0 && event.state.vote == "0" && event.role == "StateFollower" && Log[i].Index == event.log

    newconf = bits([for id in coalesce(event.prop.cc.newconf, []) : number(id) - 1])
    own     = event.msg.from == event.msg.to
  }

  # A server is set up, or starts again.
  event "InitState" {
    action = ["Boot"]
    where  = { I = i, Term = 0, Vote = -1, Commit = event.state.commit, Last = event.log, Voters = 0, Outgoing = 0 }
  }
  event "InitState" {
    action = ["Restart"]
    where  = { I = i }
    check  = [fresh]
  }
  event "ApplyConfChange" {
    action = ["Boot"]
    where  = { I = i, Term = event.state.term, Vote = number(event.state.vote) - 1, Commit = event.state.commit, Last = event.log, Voters = newconf, Outgoing = 0 }
  }
  event "BecomeFollower" {
    action = ["Boot"]
    where = {
      I        = i, Term = event.state.term, Vote = number(event.state.vote) - 1, Commit = event.state.commit, Last = event.log,
      Voters   = bits([for id in event.conf[0] : number(id) - 1]),
      Outgoing = bits([for id in event.conf[1] : number(id) - 1])
    }
  }
  event "ApplyConfChange" {
    action = ["RestoreConf"]
    where  = { I = i, Voters = newconf }
    before = [fresh]
  }
  event "BecomeFollower" {
    action = ["Recover"]
    where  = { I = i, Term = event.state.term, Outgoing = bits([for id in event.conf[1] : number(id) - 1]) }
    check  = [node]
  }

  # Elections.
  event "BecomeFollower" {
    action = ["Follow"]
    where  = { I = i, Term = event.state.term }
    check  = [node]
  }
  event "BecomeCandidate" {
    action = ["Campaign"]
    where  = { I = i }
    check  = [node]
  }
  event "BecomeLeader" {
    action = ["Lead"]
    where  = { I = i }
    check  = [node]
  }
  event "SendRequestVoteRequest" {
    action = ["SendVoteRequest"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendRequestVoteResponse" {
    when   = own
    action = ["SendOwnVote"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.from && node]
  }
  event "SendRequestVoteResponse" {
    when   = !own
    action = ["SendVote"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.from && node]
  }
  event "ReceiveRequestVoteRequest" {
    action = ["ReceiveVoteRequest"]
    where = {
      I       = to, J = from, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.to && node]
  }
  event "ReceiveRequestVoteResponse" {
    action = ["ReceiveVote"]
    where = {
      I       = to, J = from, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.to && node]
  }

  # Replication.
  event "Replicate" {
    action = ["Replicate"]
    where  = { I = i }
    before = [node]
  }
  event "Commit" {
    action = ["AdvanceCommit"]
    where  = { I = i }
    check  = [node]
  }
  event "SendAppendEntriesRequest" {
    when   = event.msg.type == "MsgApp"
    action = ["SendAppend"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesRequest" {
    when   = event.msg.type == "MsgHeartbeat"
    action = ["SendHeartbeat"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesRequest" {
    when   = event.msg.type == "MsgSnap"
    action = ["SendSnapshot"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = 0, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries + event.msg.index, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "ReceiveAppendEntriesRequest" {
    when   = event.msg.type != "MsgSnap"
    action = ["ReceiveAppend"]
    where = {
      I       = to, J = from, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.to && node]
  }
  event "ReceiveAppendEntriesRequest" {
    when   = event.msg.type == "MsgSnap"
    action = ["ReceiveAppend"]
    where = {
      I       = to, J = from, Kind = event.msg.type, Term = event.msg.term, Index = 0, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries + event.msg.index, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.to && node]
  }
  event "ManualSendSnapshot" {
    action = ["ResendSnapshot"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = 0, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries + event.msg.index, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && server]
  }
  event "ReceiveSnapshot" {
    action = ["ReceiveAppend"]
    where = {
      I       = to, J = from, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.to && node]
  }
  event "SendAppendEntriesResponse" {
    when   = own
    action = ["AcknowledgeOwn"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesResponse" {
    when   = !own && event.msg.type == "MsgAppResp" && !event.msg.reject
    action = ["AcceptAppend"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesResponse" {
    when   = !own && event.msg.type == "MsgAppResp" && event.msg.reject
    action = ["RejectAppend"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesResponse" {
    when   = event.msg.type == "MsgHeartbeatResp"
    action = ["AnswerHeartbeat"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesResponse" {
    when   = !own && event.msg.type == "MsgAppResp" && !event.msg.reject
    action = ["AnswerSnapshot"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  # Tracers differ in whether the configuration of a snapshot is an event of its own.
  event "SendAppendEntriesResponse" {
    when   = !own && event.msg.type == "MsgAppResp" && !event.msg.reject && Await[i] == "Install"
    action = ["InstallConf", "AnswerSnapshot"]
    where = {
      Voters  = bits([for id in event.conf[0] : number(id) - 1]),
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesResponse" {
    when   = !own && event.msg.type == "MsgAppResp" && !event.msg.reject
    action = ["IgnoreSnapshot"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "SendAppendEntriesResponse" {
    when   = !own && event.msg.type == "MsgAppResp" && !event.msg.reject
    action = ["AnswerStale"]
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    check = [event.nid == event.msg.from && node]
  }
  event "ReceiveAppendEntriesResponse" {
    action = ["ReceiveAppendResponse"]
    where = {
      I       = to, J = from, Kind = event.msg.type, Term = event.msg.term, Index = event.msg.index, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
    before = [event.nid == event.msg.to && node]
  }

  # Storage and membership.
  event "Ready" {
    action = ["Ready"]
    where  = { I = i }
    check  = [node]
  }
  event "ChangeConf" {
    action = ["ChangeConf"]
    where = {
      I      = i,
      Add    = bits([for c in event.prop.cc.changes : number(c.nid) - 1 if c.action == "AddNewServer"]),
      Remove = bits([for c in event.prop.cc.changes : number(c.nid) - 1 if c.action == "RemoveServer"]),
      Learn  = bits([for c in event.prop.cc.changes : number(c.nid) - 1 if c.action == "AddLearner"])
    }
    before = [node]
  }
  event "ApplyConfChange" {
    action = ["ApplyConf"]
    where  = { I = i, Voters = newconf }
    before = [node]
  }
  event "ApplyConfChange" {
    action = ["InstallConf"]
    where  = { I = i, Voters = newconf }
    check  = [Log[i].Index == event.log && Commit[i] == event.state.commit && Term[i] == event.state.term]
  }

  # What newer libraries and published tracers log, and what changes nothing here.
  event "ApplyEntries" {
    check = [node]
  }
  event "CompactLog" {
    check = [server]
  }
  event "ReportUnreachable" {
    check = [node]
  }
  event "ReportSnapshotStatus" {
    check = [node]
  }
  event "SendReadIndex" {
    check = [node]
  }
  event "SendReadIndexResp" {
    check = [node]
  }
  event "ReceiveReadIndex" {
    check = [node]
  }
  event "ReceiveReadIndexResp" {
    check = [node]
  }
  event "ReadIndexQuorumAck" {
    check = [node]
  }

  # What no event tells of.
  unlogged "PreCampaign" {
    max   = 1
    when  = event.role == "StatePreCandidate" && Role[i] != "PreCandidate"
    where = { I = i }
  }
  unlogged "KeepCommit" {
    max   = 1
    when  = event.name != "Commit"
    where = { I = i }
  }
  unlogged "ForgetLeader" {
    max    = 1
    events = ["ReceiveRequestVoteRequest"]
    where  = { I = i }
  }
  unlogged "ResendSnapshot" {
    max    = 1
    events = ["ReceiveAppendEntriesRequest"]
    when   = event.msg.type == "MsgSnap"
    where = {
      I       = from, J = to, Kind = event.msg.type, Term = event.msg.term, Index = 0, LogTerm = event.msg.logTerm, Commit = event.msg.commit,
      Entries = event.msg.entries + event.msg.index, Hint = event.msg.rejectHint, Reject = event.msg.reject
    }
  }
  unlogged "Ignore" {
    max   = 1
    when  = Await[i] == "RaiseTerm" && event.name != "BecomeFollower"
    where = { I = i }
  }
}
