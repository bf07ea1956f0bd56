// Package etcdraft connects package raft to the library that it specifies, go.etcd.io/raft/v3: an
// adapter for package conform that runs a cluster of RawNodes in this process.
//
// # How a cluster is driven
//
// Nothing happens but what a step asks for: no clock ticks, no goroutine runs, and messages wait in
// queues of the adapter until a step delivers, loses or duplicates them. The library's random
// election timeouts have no effect, since RawNode.Tick is never called. doc.go of package raft says
// which calls an action stands for.
//
// Servers run with AsyncStorageWrites, so the library hands out what it requires written and
// applied as messages. At the baseline grain of Replication these writes are done at once, at the
// fine grain they wait for Persist. Storage is the library's MemoryStorage.
//
// # What is observed
//
// Every variable that the library has, also those that it does not export, and the messages in
// flight with all their fields. What its API does not give is read from the library's structures in
// memory, by offsets that reflection finds when the program starts (inside.go). RawNode.Status
// copies maps and does not have votes, pending reads, the unstable log and the index of the pending
// configuration change. A message or an entry with a field that the specification has no place for
// is an error, so that no field is overlooked.
//
// Not observed are the specification's own counters, Changes, Proposed and Completed, its
// assertions, Panics, and After, which is empty between steps. Nor are AppliedTo, Stored, Asked,
// Ahead and Coming, by which a running server's events reach the specification, and Folded, which
// follows from them. Known is of a server whose messages alone are seen. Adding is Redis Raft's.
// Of Reads, what clients know (Floor) is the specification's. A read's value is that of a register.
// The adapter keeps it for each server from the entries that the library hands it to apply.
//
// The setting "mutant" of the implementation block selects a mistake in a library that was built
// with those of package mutants. Its manifests have the setting.
package etcdraft
