# Beside a server of ZooKeeper 3.8.0: see docs/how-to/zookeeper.md. It is mspec-3 with the version of the server. Any
# manifest of this folder runs beside a server. The monitor prints what differs from what was explored.

extends = "mspec-3.hcl"

options {
  variant = "v3.8.0"
}

interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-10" # ZOOKEEPER-4712
}
