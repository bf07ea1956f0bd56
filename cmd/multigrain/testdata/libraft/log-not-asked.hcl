# libraft with another electionVote: see vote.c.

extends = "../../../../configs/raft/libraft.hcl"

implementation "libraft" {
  driver = ["{out}/libraft-driver"]
  build = [
    "cc", "-O1", "-DLOG_NOT_ASKED", "-o", "{out}/libraft-driver", "-Wl,--wrap=electionVote", "vote.c",
    "../../../../raft/drivers/libraft/driver.c", "../../../../checker/conform/drivers/c/multigrain.c", "-Wl,-Bstatic", "-lraft", "-Wl,-Bdynamic", "-lcjson",
  ]
}
