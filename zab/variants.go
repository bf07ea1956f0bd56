package zab

// What the chosen version does, and what the fixes change on top of it, as options "variant" and
// "fix" choose; see Options in catalog.go. What versions do is in package versions, from which
// versions.go is written. A fix that changes NEWLEADER takes the place of what the version does
// there. All fixes but "none" stand on the fix of ZOOKEEPER-4712. The pull requests'
// changes are those of Learner.syncWithLeader; they are on github.com/apache/zookeeper.
//
//	zk-4712  A shutdown waits until the SyncRequestProcessor has logged its queue (pull requests 2032 and 2154).
//	pr-1848  ZOOKEEPER-3023: behind the epoch NEWLEADER logs and applies, before its acknowledgement and in the same thread, what
//	         is committed; what is not stays held back until UPTODATE.
//	pr-1930  ZOOKEEPER-4394: what is to be logged and what is to be committed are two queues, so that a COMMIT finds its
//	         transaction after NEWLEADER has handed it to the SyncRequestProcessor.
//	pr-1993  ZOOKEEPER-4646 and 4685: NEWLEADER is acknowledged once everything that was held back is logged, and the
//	         transactions are acknowledged behind it.
//	pr-2111  ZOOKEEPER-4785 and 4643: NEWLEADER logs what is held back before it accepts the epoch; the transactions are
//	         acknowledged behind UPTODATE.
//	acks-taken-back  A leader forgets the acknowledgements of a follower that it loses, for what is
//	         not committed. configs/zab/fixes/acks-taken-back-apply.hcl shows that this is not enough.
//	rejoin   acks-taken-back, and a leader counts what is committed and not yet applied as a part
//	         of committedLog.
//	reads-log  A server that shuts down reads its log into memory in every state, not only while
//	         it runs. This is the repair of the bug in configs/zab/bugs/memory-behind-log.hcl.
//	         It requires option disk = "apart".
//	pr-2459  ZOOKEEPER-5094: a follower that loses its leader between TRUNC and NEWLEADER
//	         clears its database, as after SNAP, and reads its disk again. By the description
//	         of the pull request. With option disk = "apart" only.
//	pr-1109  ZOOKEEPER-2354: a follower that processes NEWLEADER first creates the file
//	         updatingEpoch, and removes it after the epoch. A start that finds it takes the
//	         epoch of its last transaction.
//	repairs  rejoin, reads-log, pr-2459 and pr-1109 together.
//	final    Section 5.4 of Remix: as pr-1848, but the history comes before the epoch.
//	pr-2152  The code of final as 3.9.3 has it: what NEWLEADER applies is not added to committedLog
//	         (ZOOKEEPER-4925). It differs from final with option disk = "apart" only.
//	pr-2254  The same in 3.9.4 and later: everything that is applied is added to committedLog.
const (
	// keepsNEWLEADER: the fix leaves NEWLEADER as the version has it.
	keepsNEWLEADER = Fix == "none" || Fix == "zk-4712" || takesAcksBack || readsLog || clearsAfterTRUNC || Fix == "pr-1109"
	// stopsSyncProcessor: a follower that is shut down first logs what its SyncRequestProcessor has
	// queued.
	stopsSyncProcessor = Fix != "none" || logsBeforeShutdown
	// epochLast: NEWLEADER logs before it accepts the epoch.
	epochLast = logsAllFirst || appliesAtNEWLEADER
	// logsAllFirst: NEWLEADER logs all that is held back before it accepts the epoch.
	logsAllFirst = Fix == "pr-2111" || keepsNEWLEADER && logsBeforeEpoch
	// commitsFirst: NEWLEADER logs what is committed, and applies it.
	commitsFirst = Fix == "pr-1848" || appliesAtNEWLEADER
	// appliesAtNEWLEADER: the final resolution, as in the paper or as released.
	appliesAtNEWLEADER = Fix == "final" || Fix == "pr-2152" || Fix == "pr-2254" || keepsNEWLEADER && appliesBeforeEpoch
	// committedLogIsComplete: what syncWithLeader applies is added to committedLog.
	committedLogIsComplete = Fix == "pr-2254" || keepsNEWLEADER && appliesWithoutHoles
	// leavesHoles: what NEWLEADER logs and applies is not added to committedLog.
	leavesHoles = Fix == "pr-2152" || keepsNEWLEADER && appliesWithHoles
	// logsAtOnce: NEWLEADER logs in its own thread.
	logsAtOnce = commitsFirst || logsAllFirst || Fix == "pr-1993"
	// logsAtUPTODATE: NEWLEADER is acknowledged before anything is logged, which UPTODATE does.
	logsAtUPTODATE = Bug == "zk-3911" || keepsNEWLEADER && acksBeforeLog
	// takesAcksBack: a leader that loses a follower forgets its acknowledgements.
	takesAcksBack = Fix == "acks-taken-back" || keepsUnapplied
	// keepsUnapplied: a leader makes no follower truncate what is committed and not yet applied.
	keepsUnapplied = Fix == "rejoin" || Fix == "repairs"
	// readsLog: a shutdown reads the log, also of a server that does not yet serve.
	readsLog = Fix == "reads-log" || Fix == "repairs"
	// clearsAfterTRUNC: a follower that loses its leader before NEWLEADER reads its disk again,
	// also after TRUNC.
	clearsAfterTRUNC = Fix == "pr-2459" || Fix == "repairs"
	// marksNEWLEADER: a start can tell that the crash was within NEWLEADER, and takes the epoch
	// of its last transaction.
	marksNEWLEADER = marksEpoch || Fix == "pr-1109" || Fix == "repairs"
	// matchesLogged: a COMMIT in Synchronization also finds a transaction that is handed to be
	// logged.
	matchesLogged = Fix == "pr-1930"
	// The acknowledgements of transactions that NEWLEADER has logged in its own thread go after
	// that of NEWLEADER, or of UPTODATE.
	acksBehindNEWLEADER = Fix == "pr-1993"
	acksBehindUPTODATE  = logsAllFirst
	// acksAtUPTODATE: these acknowledgements follow UPTODATE in grains without threads, too.
	// There fix "pr-2111" sends them after NEWLEADER.
	acksAtUPTODATE = keepsNEWLEADER && logsBeforeEpoch
)

// What the steps of all grains do otherwise in the grains node.
const (
	// sendsAtOnce: a step sends to all servers that it concerns. In the grains node each
	// message is a step of its own, since a server's threads put other messages between them: see
	// NodeTellsVote, NodeSendsProposal and NodeSendsCommit.
	sendsAtOnce = !NodeSteps
	// queuesCommits: what is committed waits for the CommitProcessor. Next to a server no message
	// depends on what is applied.
	queuesCommits = !LiveNode
	// keepsCommitted: committedLog is known. The grains node do not have it, since no message
	// shows what is in it. NodeState.Kept says where it surely begins.
	keepsCommitted = !NodeSteps
)

// goesOn: option exceptions has the steps that follow an exception. Next to a server they are its
// own: NodeTimesOut and NodeRestarts.
const goesOn = Exceptions == "continue" && !LiveNode
