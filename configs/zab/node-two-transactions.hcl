# node.hcl with two transactions and the fix of ZOOKEEPER-4712 (bugs/zk-4712.hcl), and without broken
# links. Two transactions also show ZOOKEEPER-4685, ZOOKEEPER-3023 and ZOOKEEPER-5094, which are masked
# here: see the manifests of these names in bugs. With -var fix=none it is violated by ZOOKEEPER-4712.

extends = "node.hcl"

variable "transactions" {
  default = 2
}

variable "partitions" {
  default = 0
}

variable "fix" {
  type    = string
  default = "zk-4712"
}

options {
  fix = var.fix
}

check {
  except = ["I-14.npe", "I-11.epoch", "I-12.epoch", "I-9", "I-11.truncate"]
  unused = ["PartitionRecover", "LeftSyncProcessorLogRequest"]
}
