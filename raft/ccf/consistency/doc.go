// Package consistency specifies what clients of CCF see: a history of messages, and the ledgers of
// the leaders. A client gets a response before its transaction is committed, and asks for its
// status later. Sources: "Smart Casual Verification of the Confidential Consortium Framework",
// section 5, and tla/consistency of microsoft/CCF with the properties of commit c0330a2d.
//
// A transaction appends itself to one list and returns the list; a read-only one returns the list.
// So each response tells which transactions its client observed, and in which order.
//
// # Names
//
//	tla/consistency            paper           here
//	history                    History         History
//	ledgerBranches[view]       LogBranches     Branches, from view 1 on
//	tx_id = <<view, seqnum>>   transaction ID  View and SeqNum of an Event
//	tx, from 0                 -               Tx, from 1; an Entry with Tx 0 is of no client
//	HistoryLimit, ViewLimit    -               bounds history and elections
//	FirstBranch                -               bound first
//	SingleNode                 -               modules writes and status
//	SingleNodeReads            -               and reads
//	MultiNode, MultiNodeReads  -               and elections
//	AppendOtherTxnAction       -               module others
//	AllCommittedObservedRoInv  ObservedRoInv   AllCommittedObservedRoInv
//	OnceCommittedPrevCommittedInv  PrevCommittedInv  OnceCommittedPrevCommittedInv
//
// Actions and properties have their published names, actions without the ending Action. Two
// branches that have a transaction have it at one place, with the same entries before it. So a
// response has no view as a parameter, and TLC counts more generated states, and as many distinct
// ones.
//
// # Deviations
//
//   - Deviation: InvalidNotObservedByCommittedInv and CommittedRwOrderedRealTimeInv are checked as
//     their comments read. As published they hold always. The first one compares an ID with an
//     event, and the second one looks for a read-write transaction among read-only responses.
//   - Deviation: InvalidNotObservedInv is about the invalid transaction. As published it forbids
//     every observation after any invalid status.
//   - Deviation: the four debugging invariants are goals: they say that a state can be reached.
//
// # The consensus
//
// OfConsensus maps the states of package ccf to the history. In configs/raft,
//
//	multigrain refine ccf-clients.hcl ccf-consistency-service.hcl
//
// checks that CCF's consensus does nothing else than this specification. The grains service know
// what the service has committed, see service.go; the grain as-seen has few hidden ledgers, see
// seen.go.
//
// # What is not modelled
//
//   - signatures and other entries that are no transactions of clients, except as entries without a
//     transaction in module others
//   - requests for a status, and the statuses unknown and pending
//   - sessions of clients, and reads that a node answers without its leader
//   - recovery from a disaster, which begins a new service
package consistency
