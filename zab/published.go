package zab

import "github.com/multigrain/multigrain/modules"

// Published is what the published mixed specification (MSPEC_2) keeps in its state and no action of ours needs: the details of
// transactions, the variables of its properties, and the recorder with its bounds.
type Published struct {
	TxnEpoch     [Servers][MaxHistory]Number // by position in History: the round in which the server received it
	InitialMarks [Servers][MaxHistory]Mark   // by position in initialHistory
	CommittedLog modules.Seq[Committed, [MaxHistory]Committed]
	Proposals    modules.Records[Proposal, [MaxEpochs * MaxHistory * Bookkeeping]Proposal] // proposalMsgsLog
	System       PublishedSystem
	LeaderOracle Server
	DoInit       bool

	NTimeout, NTransaction, NPartition, MaxEpoch, NCrash, NConsequentFailure uint8
	NoStart, NoCrash                                                         Set          // noExecute: servers that may not be started, crashed
	NoRecover, NoCut                                                         [Servers]Set // noExecute: links that may not be healed, cut; symmetric
}

// Mark is what a published transaction has besides zxid and value.
type Mark struct {
	AckSid Set
	Epoch  Number
}

// Committed is a transaction as the published committedLog holds it.
type Committed struct {
	Txn  Txn
	Mark Mark
}

// Proposal is an element of the published proposalMsgsLog.
type Proposal struct {
	Source Server
	Epoch  Number
	Txn    Txn
}

// book is the published part of the state. It is used only where Bookkeeping is 1.
func (s *State) book() *Published {
	k := 0
	return &s.Published[k]
}

func (s *State) initPublished() {
	if Bookkeeping == 1 {
		s.book().LeaderOracle = NullPoint
	}
}
