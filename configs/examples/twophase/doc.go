// Package twophase specifies two-phase commit: an example with two modules, the second with two
// grains, for manifests next to it.
//
// Source: Gray and Lamport, "Consensus on Transaction Commit" (ACM TODS 2006), section 3 and the
// specification TwoPhase of its appendix.
//
// Resource managers prepare a transaction, and a transaction manager decides. A resource manager
// that has prepared says so. Before that it may decide to abort on its own. The transaction manager
// commits when all have prepared, or aborts at any time before. Messages are never taken out of the
// network, which is a set: each is received any number of times, in any order.
//
// # Names
//
//	TwoPhase.tla           here
//	rmState                Phase
//	tmState                Decision
//	tmPrepared             Known
//	msgs, type Prepared    Prepared
//	msgs, type Commit      Commits
//	msgs, type Abort       Aborts
//	TMRcvPrepared          ReceivePrepared
//	TMCommit, TMAbort      Commit, Abort
//	RMPrepare              Prepare
//	RMChooseToAbort        Refuse
//	RMRcvCommitMsg         TakeCommit
//	RMRcvAbortMsg          TakeAbort
//	TCConsistent           Consistent
//
// Not modelled: managers that stop, and a network that loses messages. A message that never arrives
// is a step that is never taken.
package twophase
