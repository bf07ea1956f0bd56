# CCF, inaccurate AE-ACK (pull request 6016), as clients see it: what a node said to be committed is
# missing in a later response. A heartbeat of node 1 reaches node 0, whose log is longer. Node 0
# acknowledges its whole log, so that node 1 commits alone. Then node 0 leads.

extends = "ccf.hcl"

variable "mistake" {
  default = "ae-ack"
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
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader" && length(Stream[0][1]) == 1 && CurrentTerm[0] == 3,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && MatchIndex[1][0] == 6,
      length(Clients[0].History) == 3 && length(Log[0]) == 6 && length(Log[1]) == 4 && MatchIndex[1][0] == 6,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && length(Log[1]) == 5 && MatchIndex[1][0] == 6,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && length(Log[1]) == 6 && MatchIndex[1][0] == 6,
      length(Clients[0].History) == 4 && length(Log[0]) == 6 && CommitIndex[1] == 6,
      length(Clients[0].History) == 5 && length(Log[0]) == 6 && CommitIndex[1] == 6,
      length(Clients[0].History) == 5 && CommitIndex[1] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 4,
      length(Clients[0].History) == 6 && CommitIndex[1] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 4,
    ]
  }
}
