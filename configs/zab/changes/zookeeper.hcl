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

  unmodelled "org.apache.zookeeper.server.ZooKeeperServer.{dumpConf,getConf,getLogDirSize,getDataDirSize}" {
    policy = "ignore"
  }
  unmodelled "org.apache.zookeeper.server.{quorum.LeaderZooKeeperServer.setupContainerManager,ServerCnxnFactory.configureSaslLogin}" {
    policy = "ignore"
  }

  # Other programs than a server: clients, whose requests the specification leaves open, and tools.
  # In a server: who logs in and how, what is encrypted, what is measured and shown to operators,
  # watches, containers, and servers without a quorum. The specification has none of them.
  ignore = [
    "zookeeper-client/**", "zookeeper-contrib/**", "zookeeper-recipes/**", "zookeeper-it/**", "zookeeper-website/**",
    "zookeeper-metrics-providers/**", "zookeeper-specifications/**", "zookeeper-jute/**/compiler/**",
    "zookeeper-server/src/main/java/org/apache/zookeeper/{cli,client,metrics}/**",
    "zookeeper-server/src/main/java/org/apache/zookeeper/{ZooKeeper,ZooKeeperMain,Login,ClientCnxn*}.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/common/{X509*,*SSL*,*Tls*,PEM*}.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/common/{ZKConfig,ConfigException}.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/util/SecurityUtils.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/{admin,auth,command,controller,embedded,metric,watch}/**",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/quorum/auth/**",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/quorum/UnifiedServerSocket.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/{ZooKeeperSaslServer,DatadirCleanupManager,PurgeTxnLog}.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/{ZooKeeperServerMain,ContainerManager}.java",
    "zookeeper-server/src/main/java/org/apache/zookeeper/server/util/{OSMXBean,RequestPathMetricsCollector}.java",
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
