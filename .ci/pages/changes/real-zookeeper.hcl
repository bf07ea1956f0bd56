# Commits of ZooKeeper. The rule: the last 40 without merges up to 0cb298e, of 2026-07-06, that touch
# server/quorum or server/persistence of zookeeper-server. What a reader expects was noted before the
# first run: none (cannot matter), harmless, protocol, or outside (of the model).

commit "0cb298e8f6d332ef718c6f59a4708e7a6de28766" {
  expect = "outside"
  what   = "threads that renew logins end with the server"
}

commit "a8f5478aca1eede86874446494118ea1f45e8c46" {
  expect = "none"
  what   = "links in comments and texts"
}

commit "972e71cbd2eebd4f7bcf9193c6b09d8d4ce181a4" {
  expect = "outside"
  what   = "a login mechanism that FIPS mode forbids"
}

commit "2f0d22bcebf33fba9a45b15454e89f116197f918" {
  expect = "harmless"
  what   = "a server that shuts down before it has a database"
}

commit "3ae8e7750e1a474ae63f2ff06112bc426f9f7acc" {
  expect = "outside"
  what   = "exceptions of the configuration"
}

commit "f9fa0ccc6fd7b73aba44c3975804ff6429d6f5cb" {
  expect = "outside"
  what   = "a default of the configuration"
}

commit "63bec256238e47d688638e3a308597a24a734bf0" {
  expect = "harmless"
  what   = "warnings of the compiler"
}

commit "bb76c975ff5562e6fe640176f6fbf84d1297a657" {
  expect = "outside"
  what   = "methods of the configuration are deprecated"
}

commit "8b1361514e6c3ea853780de2f00a74654e8ea8dc" {
  expect = "none"
  what   = "annotations without effect"
}

commit "3d6c0d1164dc9ec96a02de383e410b1b0ef64565" {
  expect = "protocol"
  what   = "the characters of messages of the election"
}

commit "e5dd60bf0512ccc1e090d99410a8da48623219da" {
  expect = "protocol"
  what   = "a log with a gap goes to a learner"
}

commit "6e4d69006298a21896835dcdce678f37acc191b5" {
  expect = "outside"
  what   = "a getter of the configuration"
}

commit "bf71704249f447601926d96592075809dcb1e8e9" {
  expect = "none"
  what   = "comments"
}

commit "ac19f22511ad0c1350df57e53044aae8aeb31406" {
  expect = "outside"
  what   = "an observer logs in"
}

commit "1a9bcbd1facfa435a1b1718d44d264420ff1a021" {
  expect = "harmless"
  what   = "two tasks of the election are no threads"
}

commit "a8eb7faa34e90c748f5f49f211a6dbad78c16f0b" {
  expect = "harmless"
  what   = "a line for a test"
}

commit "fe64596e8d58839b98366861a628a3e1d16a7014" {
  expect = "outside"
  what   = "a login mechanism that FIPS mode forbids"
}

commit "837f86cc713a5e4ce56e1f75eeb335093ca18821" {
  expect = "none"
  what   = "comments"
}

commit "b99714543db86ca081a5d648c565f0d9cb4c82c2" {
  expect = "outside"
  what   = "a tool prints a transaction"
}

commit "5a3c6a98f8714e46d3637b93e63d69632e411ba5" {
  expect = "outside"
  what   = "the name of who logs in"
}

commit "bc9afbf8ef1bc6156643d3d05c87fcf8411e9d8f" {
  expect = "protocol"
  what   = "a server that shuts down in part only"
}

commit "9df310a9df6e03ca24d7671f10e78fff7b618084" {
  expect = "outside"
  what   = "connections of the network library"
}

commit "9fcb805fa1bb37b1f64ceb3bc5d7ccf349971bb7" {
  expect = "protocol"
  what   = "a learner applies committed requests only"
}

commit "52f7af54c9f25992f71fc51acd165c01ab6781c5" {
  expect = "protocol"
  what   = "a server starts with an empty log"
}

commit "34c6d9fc1dd7e38d99173d13d22f960f7cf70b7e" {
  expect = "outside"
  what   = "addresses are looked up again"
}

commit "fa3c504fada6a5cbbb929d0558f09c0eac6e1c8e" {
  expect = "none"
  what   = "a comment"
}

commit "0cf36616dffe3164bf46b3b8c627f6cc5e37e8c8" {
  expect = "outside"
  what   = "old files are removed in minutes"
}

commit "66f9cc3941f09ca00464760c78e30b97bd7c1faa" {
  expect = "outside"
  what   = "an operation of clients is refused"
}

commit "9a2dc253caf5e94ec64bd65a72a35c6bc5e2042c" {
  expect = "harmless"
  what   = "comments and texts"
}

commit "39973dc5fddf778733e4f0370980629c07a16d67" {
  expect = "harmless"
  what   = "a line of the log"
}

commit "bccc654e09d9e85fe3495487b9619173a2c54151" {
  expect = "harmless"
  what   = "a line of the log"
}

commit "9b81d1012c283635f97c705e1bdce40b098313e5" {
  expect = "harmless"
  what   = "an observer's processor without a connection"
}

commit "bc1fc6d36435d3fad7b31642b647dc7680d7866e" {
  expect = "outside"
  what   = "a server with a secure port only"
}

commit "18c78cd10bc02d764a46ac1659b263cf69f2671d" {
  expect = "harmless"
  what   = "the log of committed requests takes less memory"
}

commit "72e3d9ce9cf1bdabf306eb53223e0953ee40748a" {
  expect = "outside"
  what   = "the sizes of folders that a command reports"
}

commit "5f66da130118869a3b73b19dada8c5de628ad189" {
  expect = "outside"
  what   = "the sizes of folders that a command reports"
}

commit "315abde35eb827652f91aed06a4de3dacf9a0f07" {
  expect = "protocol"
  what   = "a learner loses a transaction while it synchronizes"
}

commit "e2070bed85d8b0c98a5a0045bf92421f473c412e" {
  expect = "outside"
  what   = "login mechanisms between servers"
}

commit "b31f776471fef79ab161f416d58367bdffaf37a9" {
  expect = "outside"
  what   = "an operation of clients is refused"
}

commit "40aed41793e9bc4493d89e7c831d9da3258212fc" {
  expect = "outside"
  what   = "an address is looked up again"
}
