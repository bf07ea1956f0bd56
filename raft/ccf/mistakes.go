package ccf

// Mistakes that CCF had, the values of the option "mistake": table 2 of the paper, with the pull
// request that repaired it. Each changes one decision of one function.
const (
	// ElectionQuorum: votes are counted in the union of the active configurations ("Incorrect
	// election quorum tally"; pull request 4018).
	ElectionQuorum = "election-quorum"
	// PreviousTerm: a leader commits a signature of an earlier term ("Commit advance for previous
	// term"; pull requests 3971 and 5674).
	PreviousTerm = "previous-term"
	// AdvanceOnNack: the estimate of a refusal is kept as an acknowledgement ("Commit advance on
	// AE-NACK"; pull request 5326).
	AdvanceOnNack = "ae-nack"
	// EarlyTruncation: a follower rolls back to where the first append of a term begins, whether an
	// entry differs or not ("Truncation from early AE"; pull request 6016).
	EarlyTruncation = "early-ae"
	// InaccurateAck: an acknowledgement has the end of the log, not of the append ("Inaccurate
	// AE-ACK"; pull request 6016).
	InaccurateAck = "ae-ack"
	// PrematureRetirement: a node takes part in nothing more when its removal is committed, before
	// all later leaders know that ("Premature node retirement"; pull request 5973).
	PrematureRetirement = "premature-retirement"
)
