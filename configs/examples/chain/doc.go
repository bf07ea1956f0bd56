// Package chain specifies chain replication of one object: an example with three modules of two
// grains each, for manifests next to it.
//
// Source: van Renesse and Schneider, "Chain Replication for Supporting High Throughput and
// Availability" (OSDI 2004), sections 3 and 3.1 to 3.3.
//
// Servers form a chain. Updates enter at the head and pass from server to server. The tail
// acknowledges an update and answers queries. Servers fail by stopping. A master detects a failed
// server, removes it from the chain and announces the new chain. A server that learns of a new
// chain passes on all that it has stored, since it does not know what its new successor has.
//
// The object is a register whose versions count from 1. A client sends the updates in order, so a
// history of updates is the number of its last one.
//
// # Names
//
//	paper                       here
//	server, fails by stopping   Alive
//	Hist_i                      Log
//	Sent_i, from its end        Passed
//	the master's chain          Chain
//	update, query               PUT, GET
//	reply of the tail           DONE, VALUE
//	update in the chain         UPDATE
//	new predecessor, successor  VIEW
//
// Not modelled: acknowledgements up the chain, which only shorten Sent_i; a chain that grows; a
// master that fails or that removes a server that is alive; several objects or clients.
//
// Deviation: the master sends all members of the chain the new chain, and a server passes on
// everything again. In section 3.3 the successor first says which update it received last.
package chain
