# mspec-1 with one crash and one partition: a quorum that stays up and connected eventually reaches Broadcast. Fair are the servers' own steps; whoever
# crashes need not come back, and links that break need not heal. Behaviours that end in ZOOKEEPER-4394, which is masked, neither keep nor break it.

extends = "mspec-1.hcl"

variable "transactions" {
  default = 1
}

variable "crashes" {
  default = 1
}

variable "partitions" {
  default = 1
}

check {
  vacuous    = ["s.ZabState[i] == BROADCAST is false in isEstablishing"] # election and discovery are one step, so no leader is in discovery
  properties = ["broadcast"]
}

expect {
  verdict = "holds"
}
