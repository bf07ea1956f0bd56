# CCF, truncation from early AE (pull request 6016), as clients see it: what a node said to be
# committed is missing in a later response. Node 1 refuses a heartbeat that overtakes the entries
# before it. In the next term the refusal arrives, and node 0 sends one of these entries again. Node 1
# drops the other one, and leads.

extends = "ccf.hcl"

variable "mistake" {
  default = "early-ae"
}

variable "delivery" {
  default = "reordered-no-dup"
}

variable "one_append" {
  default = false
}

variable "step_downs" {
  default = 1
}

variable "batch" {
  default = 1
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
      length(Log[0]) == 6 && length(Clients[0].History) == 2,
      SentIndex[0][1] == 6 && length(Bag[0][1]) == 2 && length(Clients[0].History) == 2,
      length(Bag[0][1]) == 3 && length(Clients[0].History) == 2,
      length(Bag[0][1]) == 2 && length(Bag[1][0]) == 1 && length(Log[1]) == 4 && length(Clients[0].History) == 2,
      length(Log[1]) == 6 && CurrentTerm[1] == 2 && length(Bag[1][0]) == 3 && length(Clients[0].History) == 2,
      MatchIndex[0][1] == 6 && SentIndex[0][1] == 6 && length(Clients[0].History) == 2,
      CommitIndex[0] == 6 && SentIndex[0][1] == 6 && length(Clients[0].History) == 2,
      CommitIndex[0] == 6 && length(Clients[0].History) == 3 && SentIndex[0][1] == 6,
      LeadershipState[0] == "Leader" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && SentIndex[0][1] == 6 && length(Clients[0].History) == 3,
      LeadershipState[0] == "Leader" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && SentIndex[0][1] == 4 && length(Clients[0].History) == 3,
      CurrentTerm[0] == 3 && length(Log[1]) == 5 && length(Clients[0].History) == 3,
      LeadershipState[1] == "Leader" && CurrentTerm[1] == 4 && length(Log[1]) == 4 && length(Clients[0].History) == 3,
      LeadershipState[1] == "Leader" && CurrentTerm[1] == 4 && length(Log[1]) == 4 && length(Clients[0].History) == 4,
    ]
  }
}
