# node.hcl with Fast Leader Election in steps of one node, and the threads around it: what runs beside a
# server if the manifest has Election at its baseline. Connections of the election port are made anew,
# and lose a notification, as often as the bound of fle_timeouts says.

extends = "node.hcl"

variable "partitions" {
  default = 0
}

variable "timeouts" {
  default = 0
}

variable "epochs" {
  default = 2
}

variable "fle_timeouts" {
  type    = number
  default = 1
}

module "election" {
  grain  = "node-votes"
  target = true
}

bounds {
  fle_timeouts  = var.fle_timeouts
  notifications = 1
}

check {
  # Within these bounds none of these happens.
  unused = ["NodeBringsUpMemory", "FollowerProcessCOMMITInSync", "NodeLogsPackets", "PartitionRecover", "NodeTakesUnseenRequest"]
}
