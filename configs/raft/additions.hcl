# Servers that clients ask to be added, in two steps, over elections and replication at once: the way of Redis Raft.

extends = "membership-at-once.hcl"

variable "voters" {
  type    = number
  default = 2
}

variable "changes" {
  type    = number
  default = 1
}

module "membership" {
  grain  = "additions"
  target = true
}

bounds {
  additions = var.changes
}

check {
  unused = ["Heal"] # bounds of 0 leave it without a cause
}

expect {
  verdict     = "holds"
  interaction = "preserved"
  level       = "L2"
  distinct    = 5565
}
