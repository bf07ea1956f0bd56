# RedisRaft, "Unreported" in Ellsberg: a client who asks for a server is told that it is added when it is a learner, before it votes.

extends = "../additions.hcl"

variable "mistake" {
  type    = string
  default = "answer-learner"
}

check {
  invariants = ["AnsweredVotes"]
  stop       = "first"
}

expect {
  verdict   = "violated"
  invariant = "AnsweredVotes"
}
