# What multigrain change checks of a change of ZooKeeper. Modules that the change touches replace the grains that stand here; their
# bounds are those of mspec-3. What a change does differently is said by fix, as far as it is one of the known ones. The version
# chooses the lines of zookeeper.tsv and the variant of the specification.

extends = "../mspec-3.hcl"

variable "version" {
  type    = string
  default = "3.9.1"
}

variable "fix" {
  type    = string
  default = "none"
}

options {
  variant = var.version == "master" ? "master" : "v${var.version}"
  fix     = var.fix
}

implementation "zookeeper" {
  version = var.version
  lines   = "zookeeper.tsv"

  # Other programs than a server: clients, whose requests the specification leaves open, and tools.
  ignore = [
    "zookeeper-client/**", "zookeeper-contrib/**", "zookeeper-recipes/**", "zookeeper-it/**", "zookeeper-website/**",
    "zookeeper-server/src/main/java/org/apache/zookeeper/cli/**",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/persistence/TxnLogToolkit.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/{LogFormatter,SnapshotFormatter,SnapshotComparer,TraceFormatter}.java",
  ]
}

# Without a change it is mspec-3.
interaction {
  level  = "L0"
  accept = []
}

expect {
  verdict   = "violated"
  invariant = "I-10"
}
