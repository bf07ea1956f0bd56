# Joint consensus under test: any change of voters, over coarse elections and replication.

extends = "membership.hcl"

variable "requests" {
  type    = number
  default = 1
}

variable "changes" {
  type    = number
  default = 1
}

variable "membership" {
  type    = string
  default = "joint"
}

check {
  unused = ["ProposeLeave", "Heal"] # bounds of 0 leave them without a cause
}
