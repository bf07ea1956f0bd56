package tla

// Txn is a transaction in a history without ackSid and epoch, which AckSid and TxnEpoch hold.
type Txn struct {
	Zxid  Zxid
	Value Number
}

// Mark holds ackSid and epoch of a published transaction.
type Mark struct {
	AckSid Set
	Epoch  Number
}

// Committed is a transaction in committedLog.
type Committed struct {
	Txn  Txn
	Mark Mark
}

// Proposal is a record of proposalMsgsLog.
type Proposal struct {
	Source Server
	Epoch  Number
	Txn    Txn
}

// Position is a published [index, zxid].
type Position struct {
	Index Number
	Zxid  Zxid
}
