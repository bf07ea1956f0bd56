# Commits of hashicorp/raft. The rule: the last 40 without merges up to 1837036, the newest one on
# 2026-06-11, that touch Go files outside of tests, fuzzy, bench, raft-compat and testing*.go. What a
# reader expects was noted before the first run: none (cannot matter), harmless, protocol, or outside
# (of the model).

commit "1837036daf50bd973bcb0f3fc536b2d451cebf5d" {
  expect = "none"
  what   = "a comment in each file"
}

commit "2106b0d24cac1ce9e8cfecf1f4026a64b9b8e53b" {
  expect = "outside"
  what   = "a store in memory has no finalizer any more"
}

commit "4c8f61ac9255bb95fb3b8319dfcf0ae53ab325b6" {
  expect = "harmless"
  what   = "an error of a snapshot is reported otherwise"
}

commit "a2e8778364df5dd56ef5f61fc69b22a33104efa5" {
  expect = "harmless"
  what   = "a commit index in the log's store, if the store has a method for it"
}

commit "d3c912496caf9b94feab148b7d90643038d83862" {
  expect = "none"
  what   = "a comment"
}

commit "10dcdbf1b7946ec5a4c25b38023e5a64b38a2f63" {
  expect = "harmless"
  what   = "the label of a metric"
}

commit "d4ac7f3fae2c9e15da7f83cf1b110c99a5155f4c" {
  expect = "none"
  what   = "a comment in each file"
}

commit "91b5fb845d90bb183a64ef3444933b4ef108d77c" {
  expect = "harmless"
  what   = "what a linter found"
}

commit "c0dc6a0b2c7e889f31e5ab2f7ed90ceb159acffe" {
  expect = "harmless"
  what   = "a message of the log"
}

commit "7650cd01faf0eee77d24a4b5710d0101a4daf2ca" {
  expect = "harmless"
  what   = "another package for metrics"
}

commit "a5bc06ccef1d7378c8fd441f849a05ccf2603975" {
  expect = "harmless"
  what   = "a field of the configuration leaves out metrics"
}

commit "2b0032e390b888b0058d221989886d090b9d9609" {
  expect = "harmless"
  what   = "a method that returns the term"
}

commit "dd1f3da54cd2f093e4caf643e9fb761a5ae74f51" {
  expect = "none"
  what   = "a comment"
}

commit "42d34464b2d203e389e11ed6d43db698792c0604" {
  expect = "protocol"
  what   = "a granted pre-vote does not count as a contact with the leader"
}

commit "497108f7309996a0bd5a127a48388d26b3475c8d" {
  expect = "protocol"
  what   = "the leader may have a pre-vote"
}

commit "181475cc5e8180a5c2b4b119d4677f2f558b2279" {
  expect = "protocol"
  what   = "the pre-vote phase"
}

commit "299de8a4f20916bab72022adc7e4551c46abba1f" {
  expect = "none"
  what   = "comments"
}

commit "c6584b30dc8961aedf3325ffa92c1f20f44e1937" {
  expect = "outside"
  what   = "a lock in the transport"
}

commit "62eaa1c192d4c09c90caa5e227177eb9205a6267" {
  expect = "protocol"
  what   = "no writes while a leadership transfer is prepared"
}

commit "fb42781ed6c6461ac22f96b238ea9780f04f83b4" {
  expect = "outside"
  what   = "the encoding of the transport"
}

commit "49bd61b66666fa76cb23fa81897e350f6e9b75de" {
  expect = "harmless"
  what   = "a field is read and written atomically"
}

commit "a3a1c107918603d3c855205c4eaff47b66ac30b1" {
  expect = "none"
  what   = "a comment"
}

commit "6afcd70776ace1ab51d55fabeeed5e3d5b64f698" {
  expect = "harmless"
  what   = "a notification that waits ends with the server"
}

commit "3b0f2e5bce32b629f2509f60cb2b8f3f30878ace" {
  expect = "harmless"
  what   = "a method that returns the commit index"
}

commit "672daee508744c6b1fffe1e33ebac97a6c981203" {
  expect = "harmless"
  what   = "layout"
}

commit "8fdc4ce5b75cd34904974859fb8e57a2fc4dc145" {
  expect = "outside"
  what   = "pipelines of the transport"
}

commit "4e4747586117032e2f339d1e51e343dee104b9dd" {
  expect = "harmless"
  what   = "what a linter found"
}

commit "fdcb70b2f362b397ac6f1e4950b03231dd5de3fc" {
  expect = "outside"
  what   = "one function for two ways to compact a log"
}

commit "4e2759958d87d8c1307c65e2751886291350c4d1" {
  expect = "none"
  what   = "a comment"
}

commit "0f085839295843d919962d41d4b249eefc364ff0" {
  expect = "harmless"
  what   = "a message of the log"
}

commit "ca621fc6aea36fbeb55de3df4991e5ee7ebcaf5b" {
  expect = "none"
  what   = "layout"
}

commit "dd083107e93e2ab7c7b0679d38bd225e0fc6720c" {
  expect = "outside"
  what   = "a restored snapshot does not delete the log"
}

commit "6a0fb474638f9398255b3d47bd3303d265ede5f1" {
  expect = "none"
  what   = "a comment"
}

commit "7719ff692eb6ac6adfef4c74da39f0c38763b687" {
  expect = "none"
  what   = "comments and layout"
}

commit "f10b599fff7f255e6f2afb5c92b4f91856f6e6e4" {
  expect = "outside"
  what   = "old entries are deleted after a restore"
}

commit "ec7349bd6409efbcf1d2491b38f63011a4b66986" {
  expect = "outside"
  what   = "an interface of stores"
}

commit "68a996d6d71d0730a20859d4eb962ac342e96c2f" {
  expect = "none"
  what   = "a comment in each file"
}

commit "6b4e32088e0bda22ea219fc89b0ee47f420e2b0b" {
  expect = "protocol"
  what   = "a server votes only for servers of the configuration"
}

commit "24e68f8eb59eae886f6f0c8280f48d992be280d5" {
  expect = "harmless"
  what   = "a file is closed only if it was opened"
}

commit "1075246c9faa3954008651d3d838f1a3aed0102c" {
  expect = "harmless"
  what   = "messages of the log"
}
