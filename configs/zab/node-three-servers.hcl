# node.hcl with three servers, and without faults.

extends = "node.hcl"

variable "servers" {
  default = 3
}

variable "crashes" {
  default = 0
}

variable "partitions" {
  default = 0
}

variable "timeouts" {
  default = 0
}

variable "epochs" {
  default = 2
}

check {
  unused = ["NodeBringsUpMemory", "LeftSyncProcessorLogRequest", "PartitionRecover", "NodeProcessLearnerCLOSED", "NodeTakesUnseenRequest"]
}
