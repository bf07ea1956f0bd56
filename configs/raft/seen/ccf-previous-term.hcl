# CCF, commit advance for previous term (pull requests 3971 and 5674), as clients see it: what a node
# said to be committed is missing in a later response. Node 0 leads again in term 4 and commits its
# signature of term 2. Then node 1 leads, with a signature of term 3.

extends = "ccf.hcl"

variable "mistake" {
  default = "previous-term"
}

variable "terms" {
  default = 5
}

variable "timeouts" {
  default = 3
}

variable "history" {
  default = 5
}

variable "log" {
  default = 6
}

simulate {
  strategy "guided" {
    waypoints = [
      length(Clients[0].History) == 1 && length(Log[0]) == 4,
      length(Clients[0].History) == 2 && length(Log[0]) == 5,
      length(Clients[0].History) == 2 && length(Log[0]) == 6,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 4 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader",
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader",
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[1] == 3 && LeadershipState[1] == "Leader" && length(Stream[1][0]) == 1,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 3,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader",
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader" && length(Stream[0][2]) == 1,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader" && length(Stream[2][0]) == 1,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader" && SentIndex[0][2] == 4,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader" && SentIndex[0][2] == 6 && length(Stream[0][2]) == 1,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader" && length(Log[2]) == 6,
      length(Clients[0].History) == 2 && length(Log[0]) == 6 && length(Log[1]) == 5 && CurrentTerm[0] == 4 && LeadershipState[0] == "Leader" && MatchIndex[0][2] == 6,
      length(Clients[0].History) == 2 && CommitIndex[0] == 6 && length(Log[1]) == 5,
      length(Clients[0].History) == 3 && CommitIndex[0] == 6 && length(Log[1]) == 5,
      length(Clients[0].History) == 3 && CommitIndex[0] == 6 && length(Log[1]) == 5 && length(Stream[0][1]) == 1,
      length(Clients[0].History) == 3 && CommitIndex[0] == 6 && length(Log[1]) == 5 && CurrentTerm[1] == 4,
      length(Clients[0].History) == 3 && CommitIndex[0] == 6 && length(Log[1]) == 5 && CurrentTerm[1] == 5 && LeadershipState[1] == "Leader",
      length(Clients[0].History) == 4 && CommitIndex[0] == 6 && length(Log[1]) == 5 && CurrentTerm[1] == 5 && LeadershipState[1] == "Leader",
    ]
  }
}
