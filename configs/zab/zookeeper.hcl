# Next to a server of ZooKeeper: see docs/how-to/zookeeper.md. It is mspec-3 with the version of the
# server, as -var version=v3.9.5. Any manifest of this folder runs next to a server. The monitor prints
# what differs from what was explored.

extends = "mspec-3.hcl"

variable "version" {
  type    = string
  default = "v3.8.0"
}

options {
  variant = var.version
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = var.version == "v3.8.0" ? "violated" : null
  invariant = var.version == "v3.8.0" ? "I-10" : null # ZOOKEEPER-4712
}
