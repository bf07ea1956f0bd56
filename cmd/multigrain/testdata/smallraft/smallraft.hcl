# What multigrain change checks of a change of smallraft: the catalog's names are those of etcd's library, so models names the
# functions of this one. The bounds are those of figure 8 of the Raft paper.

extends = "../../../../configs/raft/raft.hcl"

variable "terms" {
  type    = number
  default = 4
}

variable "timeouts" {
  type    = number
  default = 4
}

variable "requests" {
  type    = number
  default = 0
}

variable "restarts" {
  type    = number
  default = 1
}

implementation "smallraft" {
  packages = ["./..."]

  models {
    election    = ["Server.campaign", "Server.handleVote", "Server.handleVoteResp", "Server.countVotes"]
    replication = ["Server.handleAppend", "Server.handleAppendResp", "Server.sendAppend", "Server.maybeCommit"]
    client      = ["Server.Propose"]
  }
}
