# Mistakes in ZooKeeper 3.8.0, one line each. Package mutants builds them; the test TestMutants
# looks for a random walk that finds each, and writes docs/results/zookeeper-mutants.md. Servers with a
# mutant first commit one transaction in epoch 1. So some mistakes are made in later epochs only.

# Epochs.

mutant "epoch-before-history" {
  mistake = "a follower writes currentEpoch when it reads DIFF, before it has the history"
  class   = "quorum.Learner"
  method  = "syncWithLeader"
  line    = "self.setSyncMode(QuorumPeer.SyncMode.DIFF);"
  becomes = "self.setSyncMode(QuorumPeer.SyncMode.DIFF); self.setCurrentEpoch(newEpoch);"
  walk    = 12
}

mutant "current-epoch-not-written" {
  mistake = "currentEpoch is written for the first epoch only"
  class   = "quorum.QuorumPeer"
  method  = "setCurrentEpoch"
  line    = "writeLongToFile(CURRENT_EPOCH_FILENAME, e);"
  becomes = "if (e == 1) { writeLongToFile(CURRENT_EPOCH_FILENAME, e); }"
  walk    = 12
}

mutant "accepted-epoch-not-written" {
  mistake = "acceptedEpoch is written for the first epoch only"
  class   = "quorum.QuorumPeer"
  method  = "setAcceptedEpoch"
  line    = "writeLongToFile(ACCEPTED_EPOCH_FILENAME, e);"
  becomes = "if (e == 1) { writeLongToFile(ACCEPTED_EPOCH_FILENAME, e); }"
  walk    = 12
}

mutant "wrong-epoch-in-followerinfo" {
  mistake = "FOLLOWERINFO has the current epoch instead of the accepted one"
  class   = "quorum.Learner"
  method  = "registerWithLeader"
  line    = "qp.setZxid(ZxidUtils.makeZxid(self.getAcceptedEpoch(), 0));"
  becomes = "qp.setZxid(ZxidUtils.makeZxid(self.getCurrentEpoch(), 0));"
  missing = "Discovery at its baseline, which compares FOLLOWERINFO: with the coarse election a walk ends undecided where the leader's epoch is refused"
}

mutant "epoch-skipped" {
  mistake = "a leader proposes the epoch after the next one, except at first"
  class   = "quorum.Leader"
  method  = "getEpochToPropose"
  line    = "epoch = lastAcceptedEpoch + 1;"
  becomes = "epoch = lastAcceptedEpoch + (lastAcceptedEpoch > 0 ? 2 : 1);"
  walk    = 12
}

mutant "recent-follower-accepted" {
  mistake = "a leader accepts a follower that has more than itself"
  class   = "quorum.Leader"
  method  = "waitForEpochAck"
  line    = "if (ss.isMoreRecentThan(leaderStateSummary)) {"
  becomes = "if (false) {"
  missing = "Discovery at its baseline: the coarse election takes only a server that has most of its quorum"
}

# Synchronization, the leader's side.

mutant "wrong-zxid-in-newleader" {
  mistake = "NEWLEADER has counter 1"
  class   = "quorum.LearnerHandler"
  method  = "run"
  line    = "QuorumPacket newLeaderQP = new QuorumPacket(Leader.NEWLEADER, newLeaderZxid, learnerMaster.getQuorumVerifierBytes(), null);"
  becomes = "QuorumPacket newLeaderQP = new QuorumPacket(Leader.NEWLEADER, newLeaderZxid + 1, learnerMaster.getQuorumVerifierBytes(), null);"
  walk    = 12
}

mutant "diff-for-snap" {
  mistake = "a learner whose last transaction is of an older epoch and unknown gets DIFF, not SNAP"
  class   = "quorum.LearnerHandler"
  method  = "queueCommittedProposals"
  line    = "if (ZxidUtils.getEpochFromZxid(packetZxid) != ZxidUtils.getEpochFromZxid(peerLastZxid)) {"
  becomes = "if (needOpPacket) { queueOpPacket(Leader.DIFF, lastCommittedZxid); needOpPacket = false; } if (needOpPacket) {"
  walk    = 61
}

mutant "wrong-zxid-in-trunc" {
  mistake = "TRUNC names the learner's last transaction instead of the leader's"
  class   = "quorum.LearnerHandler"
  method  = "syncFollower"
  line    = "queueOpPacket(Leader.TRUNC, maxCommittedLog);"
  becomes = "queueOpPacket(Leader.TRUNC, peerLastZxid);"
  walk    = 74
}

mutant "commit-missing-in-diff" {
  mistake = "the proposals after DIFF have no COMMIT"
  class   = "quorum.LearnerHandler"
  method  = "queueCommittedProposals"
  line    = "queueOpPacket(Leader.COMMIT, packetZxid);"
  becomes = ""
  walk    = 70
}

mutant "proposal-not-queued" {
  mistake = "outstanding proposals are not queued for a learner that is synchronised"
  class   = "quorum.Leader"
  method  = "startForwarding"
  line    = "handler.queuePacket(outstandingProposals.get(zxid).packet);"
  becomes = ""
  walk    = 62
}

mutant "commit-not-queued" {
  mistake = "what is committed and not yet applied is queued for a learner without its COMMIT"
  class   = "quorum.Leader"
  method  = "startForwarding"
  line    = "handler.queuePacket(qp);"
  becomes = ""
  missing = "grain leader-threads leader_threads=apply of broadcast: without it a leader applies in the step that commits"
}

mutant "uptodate-before-quorum" {
  mistake = "a leader serves after the first acknowledgement of NEWLEADER, its own"
  class   = "quorum.Leader"
  method  = "waitForNewLeaderAck"
  line    = "if (newLeaderProposal.hasAllQuorums()) {"
  becomes = "if (newLeaderProposal != null) {"
  walk    = 12
}

mutant "ack-of-other-epoch" {
  mistake = "a leader counts any acknowledgement for that of NEWLEADER"
  class   = "quorum.Leader"
  method  = "waitForNewLeaderAck"
  line    = "if (zxid != currentZxid) {"
  becomes = "if (false) {"
  missing = "steps that raise an assertion: a walk never takes LeaderProcessFirstACK with a proposal's acknowledgement"
}

# Synchronization, the follower's side.

mutant "truncation-dropped" {
  mistake = "a follower takes TRUNC for done and keeps its log"
  class   = "quorum.Learner"
  method  = "syncWithLeader"
  line    = "boolean truncated = zk.getZKDatabase().truncateLog(qp.getZxid());"
  becomes = "boolean truncated = true;"
  walk    = 74
}

mutant "commit-dropped-in-sync" {
  mistake = "a follower forgets at UPTODATE what was committed while it was synchronised"
  class   = "quorum.Learner"
  method  = "syncWithLeader"
  line    = "fzk.commit(zxid);"
  becomes = ""
  walk    = 99
}

mutant "ack-of-newleader-before-log" {
  mistake = "a follower acknowledges NEWLEADER before it hands over what it has held back"
  class   = "quorum.Learner"
  method  = "syncWithLeader"
  line    = "zk.startupWithoutServing();"
  becomes = "zk.startupWithoutServing(); writePacket(new QuorumPacket(Leader.ACK, newLeaderZxid, null, null), true);"
  walk    = 12
}

# Broadcast.

mutant "quorum-off-by-one" {
  mistake = "a quorum has one server more than half of them and one"
  class   = "quorum.flexible.QuorumMaj"
  method  = "containsQuorum"
  line    = "return (ackSet.size() > half);"
  becomes = "return (ackSet.size() > half + 1);"
  walk    = 23
}

mutant "commit-without-quorum" {
  mistake = "a leader commits at the first acknowledgement"
  class   = "quorum.Leader"
  method  = "tryToCommit"
  line    = "if (!p.hasAllQuorums()) {"
  becomes = "if (p == null) {"
  walk    = 12
}

mutant "ack-counted-twice" {
  mistake = "an acknowledgement counts for its server and for another one"
  class   = "quorum.Leader"
  method  = "processAck"
  line    = "p.addAck(sid);"
  becomes = "p.addAck(sid); p.addAck(sid % 3 + 1);"
  walk    = 12
}

mutant "commit-not-sent" {
  mistake = "a leader commits and sends no COMMIT, except in epoch 1"
  class   = "quorum.Leader"
  method  = "tryToCommit"
  line    = "commit(zxid);"
  becomes = "if (zxid >> 32 == 1) { commit(zxid); } else { lastCommitted = zxid; }"
  walk    = 12
}

mutant "ack-before-fsync" {
  mistake = "SyncRequestProcessor acknowledges what it has not written to the log's file, except in epoch 1"
  class   = "SyncRequestProcessor"
  method  = "flush"
  line    = "zks.getZKDatabase().commit();"
  becomes = "if (toFlush.peek().zxid >> 32 == 1) { zks.getZKDatabase().commit(); }"
  walk    = 12
}

mutant "proposal-not-pending" {
  mistake = "a follower logs a proposal and does not wait for its COMMIT, except in epoch 1"
  class   = "quorum.FollowerZooKeeperServer"
  method  = "logRequest"
  line    = "pendingTxns.add(request);"
  becomes = "if (request.zxid >> 32 == 1) { pendingTxns.add(request); }"
  walk    = 12
}

mutant "commit-left-pending" {
  mistake = "a transaction that is committed stays among those that wait for COMMIT"
  class   = "quorum.FollowerZooKeeperServer"
  method  = "commit"
  line    = "Request request = pendingTxns.remove();"
  becomes = "Request request = pendingTxns.element();"
  walk    = 12
}
