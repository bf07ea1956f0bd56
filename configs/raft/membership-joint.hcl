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
