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

# A heartbeat may be sent again and again: walks need room for the refusals.
variable "queue" {
  default = 20
}

# Without one_append the coarse election is not preserved: room on the wire counts votes.
module "election" {
  grain = "baseline"
}

simulate {
  strategy "guided" {
    waypoints = [
      length(Log[0]) == 4 && length(Clients[0].History) == 1,
      length(Log[0]) == 5 && length(Clients[0].History) == 2,
      length(Log[0]) == 6 && length(Clients[0].History) == 2,
      SentIndex[0][1] == 5 && [for m in Bag[0][1] : m.Index] == [4] && length(Bag[1][0]) == 0 && length(Log[0]) == 6 && length(Clients[0].History) == 2,
      SentIndex[0][1] == 6 && [for m in Bag[0][1] : m.Index] == [4, 5] && length(Bag[1][0]) == 0 && length(Clients[0].History) == 2,
      SentIndex[0][1] == 6 && [for m in Bag[0][1] : m.Index] == [4, 5, 6] && length(Bag[1][0]) == 0 && length(Clients[0].History) == 2,
      SentIndex[0][1] == 6 && [for m in Bag[0][1] : m.Index] == [4, 5] && [for m in Bag[1][0] : m.Index] == [4] && length(Clients[0].History) == 2,
      SentIndex[0][1] == 6 && [for m in Bag[0][1] : m.Index] == [5] && [for m in Bag[1][0] : m.Index] == [4, 5] && length(Clients[0].History) == 2,
      SentIndex[0][1] == 6 && length(Bag[0][1]) == 0 && [for m in Bag[1][0] : m.Index] == [4, 5, 6] && length(Clients[0].History) == 2,
      MatchIndex[0][1] == 6 && LeadershipState[0] == "Leader" && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 2,
      CommitIndex[0] == 6 && LeadershipState[0] == "Leader" && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 2,
      CommitIndex[0] == 6 && LeadershipState[0] == "Leader" && contains([for m in Bag[1][0] : m.Index], 4) && [for e in Clients[0].History : e.Type] == ["RwTxRequest", "RwTxResponse", "TxStatusReceived"],
      CommitIndex[0] == 6 && LeadershipState[0] == "Follower" && CurrentTerm[0] == 2 && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Candidate" && CurrentTerm[0] == 3 && CurrentTerm[1] == 2 && length(Bag[0][1]) == 0 && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Candidate" && CurrentTerm[0] == 3 && CurrentTerm[1] == 2 && length(Bag[0][1]) == 1 && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Candidate" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && length(Bag[0][1]) == 1 && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Candidate" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && length(Bag[0][1]) == 0 && VotedFor[1] == 0 && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Candidate" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && contains(VotesGranted[0], 1) && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && contains([for m in Bag[1][0] : m.Index], 4) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && SentIndex[0][1] == 4 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[0] == "Leader" && CurrentTerm[0] == 3 && CurrentTerm[1] == 3 && SentIndex[0][1] == 5 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && CurrentTerm[1] == 3 && length(Log[1]) == 5 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Candidate" && CurrentTerm[1] == 4 && length(Log[1]) == 5 && length(Bag[1][2]) == 0 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Candidate" && CurrentTerm[1] == 4 && length(Log[1]) == 5 && length(Bag[1][2]) == 1 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Candidate" && CurrentTerm[1] == 4 && length(Log[1]) == 5 && CurrentTerm[2] == 4 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Candidate" && CurrentTerm[1] == 4 && length(Log[1]) == 5 && VotedFor[2] == 1 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Candidate" && CurrentTerm[1] == 4 && length(Log[1]) == 5 && contains(VotesGranted[1], 2) && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Leader" && CurrentTerm[1] == 4 && length(Clients[0].History) == 3,
      CommitIndex[0] == 6 && LeadershipState[1] == "Leader" && CurrentTerm[1] == 4 && length(Clients[0].History) == 4,
    ]
  }
}
