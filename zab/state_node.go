package zab

// In the grains node, which also run next to a server, memory and disk are a Disk as
// elsewhere, and the steps of disk_memory.go change them. Three things no message shows: which
// transactions committedLog has, which ones a snapshot has, and where the log begins. So
// Disk.Committed is empty. The log has all that a start would read, in the order of zxids, and
// Disk.Snapshot has only its last zxid, where that is not a transaction's. Kept says where
// committedLog surely begins, and Holes before which position a snapshot can have more than the log
// here.
//
// Since Disk.Log begins where History does, and has its transactions at the same positions, or a
// few later, it is folded away together with History: see Runtime.Committed.
//
// Deviation: every committedLog and every snapshot that agrees with the messages is accepted. That
// hides an alarm where a later message would contradict those that the server had.
//
// Deviation: TRUNC leaves nothing after its zxid if only a snapshot has that zxid. ZooKeeper keeps
// the next record, or the snapshot: configs/zab/bugs/truncate-keeps-record.hcl and zk-4837.hcl. It
// hides these, so a server that leads with such a transaction raises an alarm.

// NodeState holds the variables of a server that only the grains node have. They also run
// next to a server. Each belongs to the server itself, and all except Holes are volatile.
type NodeState struct {
	// All servers.
	Kept Number // position from which on what is committed has stayed in memory
	// position before which something may be missing that a snapshot held
	Holes Number
	// QuorumPeer.syncMode is SNAP: a snapshot came, and no NEWLEADER, DIFF or TRUNC since. Each
	// shutdown of the server as a follower empties its memory then.
	Snapped bool
	// a shutdown may have read the log, and no message has depended on how much that was: see
	// NodeBringsUpMemory
	Reads bool

	// Followers.
	// what the snapshot in flight to it holds, where all servers are explored
	Snapshot [InFlight]History
	Unheard  bool // the connection is breaking: what the server sends reaches not even the tap
	// the epoch of a LEADERINFO that is not answered yet; 0: none
	Offered Number

	// Leaders, with learners as indices.
	Announced, UpToDate Set              // learners to which NEWLEADER, UPTODATE was sent
	Opening             [Servers]Kind    // DIFF or TRUNC that is decided on and not on the wire
	Backlogs            [Servers]Backlog // what has still to be sent
	// what a snapshot may say that was read before the leader served
	Early Early
	Taken Number // requests that no other server has heard of
	Shown Number // transactions that a COMMIT of it shows to be committed

	// All servers: what no message shows of the log.
	Open OpenEnd
}

// Backlog lists what a leader still has to send to a learner to which it forwards: transactions
// after position Sent, and commits after Committed. Those up to Upto come before NEWLEADER.
// Epoch is that of a TRUNC which is decided on and names no transaction.
type Backlog struct{ Sent, Committed, Upto, Epoch Number }

// Early are the learners that a leader could begin to synchronise before it served, and has not
// begun with, and the zxid that it had applied then.
type Early struct {
	Learners Set
	Zxid     Zxid
}

// Voter describes the notifications of a server that do not carry its vote in the round.
type Voter struct {
	// QuorumPeer.currentVote, until the vote that ended the election is surely set
	Ended Ballot
	// FastLeaderElection.proposedLeader and so on, when the last election ended
	Proposed Vote
	// the round of Proposed: the server takes over that of those whom it joins
	Round   Number
	Settled Statement   // which of its votes it has sent, or is surely set
	Was     ServerState // what it may still take itself for, though its connections have ended
	// connections to a server over which nothing was sent again yet; 255 is no end
	Met [Servers]uint8
	// servers that were answered since the last vote was sent, which is not sent again to them
	Answered Set
}

// Statement says which vote a server sends. In an election that is its last one. A server that does
// not look for a leader sends the one before the election, the one with which that ended, or the
// same with the epoch that has begun.
type Statement uint8

// Statements, in the order in which they come.
const (
	Before Statement = iota
	Elected
	Begun
	Last
	Again  // the last one as it was sent, over a new connection
	Silent // nothing
)

// OpenEnd is the end of a log that no message has shown. The log has the first of the transactions
// Rest, in their order: any number of them. Rest is empty where nothing is open. Log and History
// end with the first Chosen of Rest: 0 except during a choice, see NodeBringsUpMemory,
// NodeBringsUpLog and NodeTakesUnseenRequest. Tail is Disk.Memory as it was before the choice.
// Crash says that a crash left the end open, so nothing has stayed in memory.
type OpenEnd struct {
	Rest   Requests
	Chosen Number
	Tail   Tail
	Crash  bool
}
