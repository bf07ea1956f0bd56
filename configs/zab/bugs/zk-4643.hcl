# ZOOKEEPER-4643: a follower crashes between accepting the epoch and logging what it was synchronised with. Its epoch is then
# ahead of its history: it is elected over servers that have the committed transaction, and truncates them. Found by mSpec-2 of
# Remix; three crashes are enough.

extends = "../mspec-2.hcl"

variable "transactions" {
  type    = number
  default = 2
}

variable "crashes" {
  type    = number
  default = 3
}

variable "partitions" {
  type    = number
  default = 0
}

check {
  invariants = ["I-8"]
  stop       = "first"
}

implementation "zookeeper" {
  symptom "lost-write" {}

  # The follower logs what it was synchronised with before it crashes.
  control {
    insert = "FollowerProcessNEWLEADERLog(I: 1, J: 2)"
    before = "NodeCrash(I: 1, Tmp: false)"
  }
}

expect {
  verdict   = "violated"
  invariant = "I-8"
}
