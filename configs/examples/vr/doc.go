// Package vr specifies Viewstamped Replication with view changes and recovery.
//
// Source: Liskov and Cowling, "Viewstamped Replication Revisited" (MIT-CSAIL-TR-2012-021),
// sections 4.1 to 4.3.
//
// Not modelled: the client table, state transfer, checkpoints, reconfiguration, and messages by
// which a primary that is idle tells what it has committed. A message that never arrives is a step
// that is never taken. Recovery begins in view 0 and with an empty log, for nothing is on disk.
//
// The option takes = "own" violates Agreement, in 2,056 states of vr.hcl. With two crashes the
// option any_nonce violates Kept in 18 steps. Without the option two crashes were not explored to
// the end: 2,178,392 states to depth 17 have no violation.
package vr
