// Package library connects package hashicorpraft to github.com/hashicorp/raft, as it is published. It is a module of its own, so that
// the library and what it needs are no requirements of the project.
//
// The servers of a cluster run in a bubble of testing/synctest, with all their goroutines. A step lets them run until every one is
// durably blocked: time stands still but in a Timeout, and a call stays with the transport until a step delivers it, or its answer.
//
// Two things in the library are left to the scheduler: whether a leader's first append is set up before the entry with which its term
// begins is in the log, and whether what a follower's goroutine sends next already has the commit index that the answer before it
// has moved. Both goroutines pass through code of the embedder on the way: the transport's EncodePeer and an observer. They wait
// there for their turn, which they get when nobody else can go on. See docs/how-to/conformance.md.
//
// A bubble needs a test. bubble.go runs one in the program of `multigrain conform`, with a bubble for each adapter.
package library
