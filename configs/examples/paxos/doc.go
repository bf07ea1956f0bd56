// Package paxos specifies Paxos of one decision, with clients that put a value and read it.
//
// Sources: Lamport, "Paxos Made Simple" (ACM SIGACT News 2001), section 2. The clients and their
// register are those of the example paxos of stateright. That example publishes 16,668 states for
// two clients and three servers. A test compares the count.
//
// Not modelled: servers that stop, and leaders that begin a second ballot. A message that never
// arrives is a step that is never taken. Each client puts one value and queries once.
package paxos
