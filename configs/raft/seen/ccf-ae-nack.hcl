# CCF, commit advance on AE-NACK (pull request 5326), as clients see it: what a node said to be
# committed is missing in a later response. Node 0 refuses an append of node 1 as a candidate of the
# next term. Node 1 wins that term, and takes the refusal for an acknowledgement. Then node 0 leads.

extends = "ccf.hcl"

variable "mistake" {
  default = "ae-nack"
}

variable "terms" {
  default = 5
}

variable "timeouts" {
  default = 4
}

variable "step_downs" {
  default = 1
}

variable "one_candidate" {
  default = false
}

simulate {
  strategy "guided" {
    waypoints = [
      length(Clients[0].History) == 1 && length(Log[0]) == 4,
      length(Clients[0].History) == 2 && length(Log[0]) == 5,
      length(Clients[0].History) == 2 && length(Log[0]) == 6,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader",
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader" && length(Stream[1][0]) == 1,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader" && length(Stream[1][0]) == 1 && CurrentTerm[0] == 3,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader" && length(Stream[1][0]) == 1 && CurrentTerm[0] == 4,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader" && length(Stream[0][1]) == 1 && CurrentTerm[0] == 4,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Follower" && length(Stream[0][1]) == 1 && CurrentTerm[0] == 4,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 4 && LeadershipState[1] == "Leader" && length(Stream[0][1]) == 1,
      length(Clients[0].History) == 3 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 4 && LeadershipState[1] == "Leader" && length(Stream[0][1]) == 1,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[1] == 4 && LeadershipState[1] == "Leader" && length(Stream[0][1]) == 1,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && length(Log[1]) == 6 && CurrentTerm[1] == 4 && LeadershipState[1] == "Leader" && length(Stream[0][1]) == 1,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && length(Log[1]) == 6 && MatchIndex[1][0] == 6,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && CommitIndex[1] == 6,
      length(Clients[0].History) == 5 && length(Log[0]) == 6 && CommitIndex[1] == 6,
      length(Clients[0].History) == 5 && CommitIndex[1] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 5,
      length(Clients[0].History) == 6 && CommitIndex[1] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 5,
    ]
  }
}
