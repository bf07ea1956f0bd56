// Package vr specifies Viewstamped Replication with view changes and recovery.
//
// Source: Liskov and Cowling, "Viewstamped Replication Revisited" (MIT-CSAIL-TR-2012-021),
// sections 4.1 to 4.3.
//
// The network keeps every message: each is received any number of times or never, in any order. A
// message that a replica sends again, to the same receivers in the same view, replaces the one
// before. It does so only after a crash.
//
// Not modelled: the client table, state transfer, checkpoints, reconfiguration, and messages by
// which a primary tells backups what it has executed. Recovery begins in view 0 and with an empty
// log, for nothing is on disk. Answers to an earlier recovery are discarded at a crash, for their
// nonce is another one.
package vr
