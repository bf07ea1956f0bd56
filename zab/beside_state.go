package zab

// Next to a running server a disk is not a Disk. Kept, Holes, Snapshot, DiskEpoch and Open say what
// messages show of it.
//
// Deviation: every disk that agrees with the messages is accepted. That hides an alarm where a
// later message would contradict the disk that the server had.

// BesideState holds the variables that exist only next to a running server. Each belongs to the
// server itself, and all except DiskEpoch are volatile.
type BesideState struct {
	// All servers. ServedEpoch is the last epoch in which the server has served as leader, or that
	// of a snapshot without transactions. Its zxid, with counter 0, is the last one processed until
	// a transaction is. DiskEpoch is that of such a snapshot on disk. 0 where there is none.
	ServedEpoch, DiskEpoch Number
	Kept                   Number // position from which on what is committed has stayed in memory
	// position before which something may be missing that a snapshot held
	Holes Number

	// Followers.
	Snapshot Zxid // last zxid of the snapshot that is in memory and not on disk
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
	// No message has depended on what the server has in memory: see NodeBringsUpMemory.
	Loads bool

	// All servers: what no message shows of the log.
	Open OpenEnd
}

// Backlog lists what a leader still has to send to a learner to which it forwards: transactions
// after position Sent, and commits after Committed. Those up to Upto come before NEWLEADER.
type Backlog struct{ Sent, Committed, Upto Number }

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
	Looked  bool        // its last zxid is that of its first vote
	// it got a snapshot last and has not served since: a shutdown empties its memory
	Snapped bool
	// connections to a server over which nothing was sent again yet; 255 is no end
	Met [Servers]uint8
}

// hasVoter reports whether Election is at its baseline, so that Voters means something.
func (s *State) hasVoter() bool { return len(s.Voters) > 0 }
