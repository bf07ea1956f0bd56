# Commits of etcd-io/raft. The rule: all commits without merges from v3.6.0 to cdd290a, the newest one
# on 2026-08-08, that touch Go files outside of tests, cmd, tools, rafttest and raftpb/raft.pb.go, and
# four older ones that ended without a composition. What a reader expects was noted before the
# first run: none (cannot matter), harmless, protocol, or outside (of the model).

commit "cdd290a4482584c1dbefec5591614d02943a16af" {
  expect = "none"
  what   = "link in a comment"
}

commit "1c41d93f2a991329445edd741fc99a6f7b365409" {
  expect = "harmless"
  what   = "the unstable log keeps its array instead of copying entries"
}

commit "d3993d16fe38ec5ee864f35fdd69ee5218290946" {
  expect = "harmless"
  what   = "any instead of interface{}"
}

commit "493b12671926c97ca55b3fc50c6d5f9abf2825d1" {
  expect = "harmless"
  what   = "two helpers write only where something is missing"
}

commit "4a0d945b705ca26d0b8e33f113a3c03eee34ae58" {
  expect = "harmless"
  what   = "two configurations are compared without a copy of locks"
}

commit "d8f50e0dd69384f7754ec9a1116f071e2b8b07c4" {
  expect = "harmless"
  what   = "a message of the log is written otherwise"
}

commit "b1b45781ca1280556c4613da0d32539d1bb0379e" {
  expect = "harmless"
  what   = "functions for methods of messages"
}

commit "bec103e7ce6cea08c58740fab59c25d55a66c0c5" {
  expect = "harmless"
  what   = "pointers to single changes"
}

commit "01111803057fe45c42e0c2912e60b1bf52bc955c" {
  expect = "harmless"
  what   = "pointers to changes"
}

commit "cfad6f5c3497d9dd3e5f77929068989db3a4c793" {
  expect = "harmless"
  what   = "pointers to configurations"
}

commit "1662c9ea1b93a504ba15c01254a9f562815b3013" {
  expect = "harmless"
  what   = "pointers to hard states"
}

commit "3771b8ea72c5592555798dafbc7e6c23a23b7ac9" {
  expect = "harmless"
  what   = "pointers to messages"
}

commit "4939d8ef3d35e9f02ac0dd7903bf2fdd8d76e249" {
  expect = "harmless"
  what   = "pointers to snapshots"
}

commit "bd14e6964e21822cb2c5ddfc1de7f2e084307ed6" {
  expect = "harmless"
  what   = "pointers to entries"
}

commit "c130521c5f845a8da9c9d82c0b5eaed4ace9e8cc" {
  expect = "harmless"
  what   = "repairs after changed fields"
}

commit "2f504bdb0e20092c73122553e415fb41e9da3653" {
  expect = "harmless"
  what   = "pointer fields of changes"
}

commit "e85fca7e89fb3a11c3ef16f9f9ba94133d88d129" {
  expect = "harmless"
  what   = "pointers to single changes where they are used"
}

commit "36d1cfc19dcd7a2a039bfbb162bdf8d044f4ef3a" {
  expect = "harmless"
  what   = "getters of changes"
}

commit "bd72429a8b2f93d9e4678d5fc9b4ddbec6bd92d2" {
  expect = "harmless"
  what   = "new for pointers to values"
}

commit "d3fed9b59ec1565fc9efc68890662899c497faec" {
  expect = "harmless"
  what   = "getters of changes"
}

commit "20f658c0567ad3f32d82b823702b7b046223ca89" {
  expect = "harmless"
  what   = "a helper makes missing fields of configurations"
}

commit "0c8ec553b24f285a3b8a4ffcc8e51799f7047858" {
  expect = "harmless"
  what   = "new for a pointer to a value"
}

commit "4d8eae0cd7404c0dd229304c9def02aaee145498" {
  expect = "harmless"
  what   = "a getter"
}

commit "72be079d2ffb679e5d2038000ce5dce262ae600f" {
  expect = "harmless"
  what   = "repairs after changed fields"
}

commit "8cf8ac4690169dd251f426a673a30a1909397750" {
  expect = "harmless"
  what   = "new for pointers to values of hard states"
}

commit "e9ca160aa9ce0a84a43ace155c077c56d10148d9" {
  expect = "harmless"
  what   = "getters of hard states"
}

commit "c1cf9fb1410384232ee3df3ebf56fd3a60c7b5eb" {
  expect = "none"
  what   = "a comment"
}

commit "3daae0a58a7d608574d5d7b307aab9071a78850d" {
  expect = "harmless"
  what   = "repairs after changed fields"
}

commit "3f870c56b2dce6e2ad757630731cfc8916ff9987" {
  expect = "harmless"
  what   = "two helpers that convert messages"
}

commit "cd4280b9f2743f9acf9a083c5578dbcded785378" {
  expect = "harmless"
  what   = "a helper that converts entries"
}

commit "6e51a4cd2f3c4685445030c8f6f0760b6ef02618" {
  expect = "harmless"
  what   = "pointer fields of messages"
}

commit "b07747274770074840787436249206c4e0e65362" {
  expect = "harmless"
  what   = "getters of messages"
}

commit "295d4bbe69d06b5f67e25b54421198df81530c6f" {
  expect = "harmless"
  what   = "a snapshot has a copy of the configuration"
}

commit "a3d86dc2390d475d8a1a79875e01d76943bdc14f" {
  expect = "harmless"
  what   = "fields of snapshots are never missing"
}

commit "e2c4e91f5d14cce5251e6bed25ffcd4345fb4fa4" {
  expect = "harmless"
  what   = "pointer fields of snapshots"
}

commit "e8a5beaf7f9db0f8bad45ab84cf6b344d6b44ee4" {
  expect = "harmless"
  what   = "getters of snapshots"
}

commit "25d0018f5da97a185ecf87083a24ae447220c577" {
  expect = "harmless"
  what   = "pointer fields of entries"
}

commit "d1b92219d5177f6fc63b92f0d57581a3a428e1ce" {
  expect = "harmless"
  what   = "getters of entries"
}

commit "a29b2254aac9313bd9e15c154e64addbdfe2b3fa" {
  expect = "outside"
  what   = "the text that describes a quorum"
}

commit "7cf09fa9ec4be0c1fb99eb58e11ce55f430089cd" {
  expect = "harmless"
  what   = "a field has another name"
}

commit "e3ebb9b54811793441ec31be6ce51affc66ad17d" {
  expect = "harmless"
  what   = "aliases of constants"
}

commit "63903dd1ecd953554ff835b6ec85e1e15f2735c6" {
  expect = "protocol"
  what   = "heartbeats of reads have an index, not the request's context"
}

commit "e6f9110662b75ced18dd7a5fc8f1f73dffe37f3a" {
  expect = "outside"
  what   = "a storage takes a first snapshot of index 0"
}

commit "c3c7ca1807cf87e0f36659b415364bc35b673da4" {
  expect = "outside"
  what   = "the text that describes a quorum"
}

commit "6e9aba704e07719cef8076fe92f3f62cebc3d153" {
  expect = "protocol"
  what   = "a leader knows which commit index is in transit"
}

commit "53007f46f57896a1002c797657e91a3d54404729" {
  expect = "protocol"
  what   = "the next index is above the match index in every state"
}

commit "cdcc0da16e213b000b47f9bdb0d1b8db081c6515" {
  expect = "harmless"
  what   = "an identifier of entries as parameter"
}

commit "27e0d1b7f0f0c31bf619d39fd04e5396ca990d51" {
  expect = "harmless"
  what   = "an identifier of entries as result"
}
