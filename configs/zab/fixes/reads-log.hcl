# A repair of ../bugs/memory-behind-log.hcl: a shutdown reads the log into memory, whatever the state
# of the server. 3.9.3 has another one: NEWLEADER applies what it logs. Here with a crash and a
# partition more than that manifest has.
#
# With -var fix=zk-4712, on which the repair stands, the same bounds are violated.

extends = "../bugs/memory-behind-log.hcl"

variable "fix" {
  default = "reads-log"
}

variable "crashes" {
  default = 2
}

variable "partitions" {
  default = 1
}

check {
  # Within these bounds none of these happens. Most are what the code warns of, or ends with.
  unused = ["FollowerIgnoresSync", "FollowerHoldsBackAfterGap", "FollowerIgnoresCOMMIT",
    "FollowerExitsAtUPTODATE", "FollowerExitsAtCOMMIT", "FollowerLogsAfterGap",
  "LeaderIgnoresACK"]
}

expect {
  verdict = "holds"
}
