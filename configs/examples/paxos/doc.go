// Package paxos specifies Paxos of one decision, with clients that put a value and read it.
//
// Sources: Lamport, "Paxos Made Simple" (ACM SIGACT News 2001), section 2. The clients and their
// register are those of the example paxos of stateright. That example publishes 16,668 states for
// two clients and three servers. A test compares the count.
//
// Not modelled: servers that stop, and leaders that begin a second ballot. A message that never
// arrives is a step that is never taken. Each client puts one value and queries once.
//
// Both mistakes violate Agreement, with "multigrain check configs/examples/paxos.hcl": -var
// own_value=true in 3,194 states, and -var accept_any=true in 4,920.
package paxos
