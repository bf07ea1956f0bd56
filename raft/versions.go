package raft

// Versions of the library, the values of the option "variant". Each constant is something that some
// versions do and others do not; other code reads the constants and no version's name. v3.4.7 is
// go.etcd.io/etcd/raft of that release, v3.5.35 go.etcd.io/etcd/raft/v3. Newer ones are
// go.etcd.io/raft/v3. Lines are those of raft.go if no file is named.
const (
	before350 = Variant == "v3.4.7"
	before360 = before350 || Variant == "v3.5.35"

	// contextsOfClients: heartbeats that confirm a read carry the context that the client gave it.
	// From v3.7.0 on they carry a number of the leader's. Pull request 397, commit 63903dd, after
	// etcd issue 20418. read_only.go:56-65, raft.go:2142-2152@v3.6.0; read_only.go:56-58,
	// raft.go:2146-2156@v3.7.0.
	contextsOfClients = before360 || Variant == "v3.6.0"

	// countsItself: a candidate counts its own vote, and a leader its own copy of an entry, before
	// they are written and before it sends anything. So the only voter leads, and commits, in the
	// step that asks for the write, and sends nothing when it begins to lead. From v3.6.0 on a
	// server gets its own answers after the write. etcd pull requests 14413 and 14406, commits
	// 169f4c3 and e9e525d, after etcd issue 14370. appendEntry, campaign@v3.5.35.
	countsItself = before360

	// silentLeave: a leader appends the end of a joint configuration without sending it, and also
	// while it hands over. etcd pull requests 14538 and 14545. advance@v3.5.35; appliedTo@v3.6.0.
	silentLeave = before360

	// blindCommits: a leader does not remember which commit index it has sent. It sends an append
	// after each acknowledgement of a server to which it had stopped sending. Pull request 171,
	// commit 6e9aba7. stepLeader MsgAppResp@v3.5.35; tracker/progress.go CanBumpCommit@v3.6.0.
	blindCommits = before360

	// stopsWhenFull: a leader with as many appends in flight as may be sends no empty ones either,
	// and the answer to a heartbeat frees the oldest. etcd pull request 14633, commit 42419da.
	// stepLeader MsgHeartbeatResp, tracker/progress.go IsPaused@v3.5.35.
	stopsWhenFull = before360

	// nextBelowMatch: rejections move Next back without regard to Match, and stale acknowledgements
	// move it forward. Pull request 149, commits 6439482 and 53007f4. tracker/progress.go
	// MaybeDecrTo, MaybeUpdate@v3.5.35.
	nextBelowMatch = before360

	// waitsForSnapshot: a snapshot in flight leaves Next where it was, and only an acknowledgement
	// of its index ends it. It is sent only where an empty append would be. Pull request 110,
	// commit d87942f, and commit 7929e3d. maybeSendAppend, stepLeader MsgAppResp,
	// tracker/progress.go BecomeSnapshot@v3.5.35.
	waitsForSnapshot = before360

	// staysInProbe: a server that was reported unreachable and has the whole log is probed no more.
	// Pull request 52, commit 49bac48. stepLeader MsgAppResp and MsgHeartbeatResp@v3.5.35.
	staysInProbe = before360

	// readsFromAnyone: a server takes the answer to a read also from a server that is not in its
	// configuration. Commit 478fe7e. util.go IsResponseMsg@v3.5.35.
	readsFromAnyone = before360

	// dropsEarlyReads: a leader that has committed nothing in its term forgets reads. Newer
	// versions treat them after the first commit. etcd issue 12680, commit 758ff01. stepLeader
	// MsgReadIndex@v3.4.7.
	dropsEarlyReads = before350

	// plainRejections: a follower that rejects an append answers with the end of its log and no
	// term. etcd pull request 11964. handleAppendEntries@v3.4.7.
	plainRejections = before350

	// overlooksChanges: a server campaigns while it has committed changes of joint consensus that
	// it has not applied. etcd issue 12133, commit d0e4fe5. numOfPendingConf, Step MsgHup and
	// stepFollower MsgTimeoutNow@v3.4.7.
	overlooksChanges = before350

	// leavesAgain: a leader does not note that it has proposed the end of a joint configuration, so
	// it proposes it whenever it applies entries. Commit 37c7e4d. advance@v3.4.7.
	leavesAgain = before350

	// skipsOutgoing: a server that is only in the outgoing half of a joint configuration ignores
	// snapshots. etcd issue 12359, commit f947c81. restore@v3.4.7.
	skipsOutgoing = before350

	// handsOverToLearners: a leader continues to hand over to a server that has become a learner.
	// etcd pull request 11417, commit eaa0612. switchToConfig@v3.4.7.
	handsOverToLearners = before350
)
