# node.hcl with the code of 3.9.3 and later, where NEWLEADER logs and applies what is committed before
# it accepts the epoch, and with a repair of ZOOKEEPER-5094 (fixes/pr-2459.hcl). Two transactions.
# ZOOKEEPER-4394 is judged here, since these versions do not have it. What is masked is
# ZOOKEEPER-2354.
#
# With -var version=v3.9.2, or v3.8.6, ZOOKEEPER-3023 violates I-9. With -var fix=none ZOOKEEPER-5094
# violates I-11.truncate.

extends = "node.hcl"

variable "version" {
  type    = string
  default = "v3.9.5"
}

variable "fix" {
  type    = string
  default = "pr-2459"
}

variable "transactions" {
  default = 2
}

options {
  variant = var.version
  fix     = var.fix
}

check {
  except = ["I-11.epoch"]
  unused = ["LeftSyncProcessorLogRequest"] # a shutdown waits until all is logged
}

expect {
  verdict = "holds"
}
