# ZOOKEEPER-2846 as its ticket has it: a leader sends DIFF out of its log over a hole. The learner's
# last write is in that log before the hole, so it never gets the write that the hole lacks. The hole
# comes from SNAP. The earlier leader sent that because it found its log too large to read; from a log
# that it could read it would have sent DIFF.
#
# -var version=v3.9.5 is another version. With -var truncation=snap the repair of zk-2846.hcl is in
# place, and with -var large_logs=0 each leader reads its log.

extends = "zk-2846.hcl"

variable "version" {
  type    = string
  default = "v3.9.1"
}

# A leader whose committedLog begins late: it has taken a snapshot before its restart.
variable "snapshots" {
  type    = number
  default = 1
}

variable "large_logs" {
  type    = number
  default = 1
}

# Broadcast is not under test, so a write is replicated in one step.
module "broadcast" {
  grain  = "coarse"
  target = false
}

module "synchronization" {
  grain = "large-logs"
}

bounds {
  snapshots  = var.snapshots
  large_logs = var.large_logs
}

# The coarse grain of Broadcast has no steps after an exception.
options {
  variant    = var.version
  exceptions = "end"
}

check {
  invariants = ["I-17"]
}

expect {
  verdict   = "violated"
  invariant = "I-17"
}
