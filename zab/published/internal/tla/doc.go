// Package tla has the constants and records of the published TLA+ specifications that package
// published models, under their published names. Nothing here depends on the sizes or the options
// of a composition. Types with a capacity (State, queues, histories) are in package published.
//
//	servers.go       identities of servers, state, zabState, servingState
//	zxids.go         zxids and their order
//	transactions.go  transactions and what is noted of them
//	leader.go        a leader's records of its learners
//	votes.go         votes, ballots, notifications
//	messages.go      messages between a leader and a follower
//	assertions.go    violatedInvariants
//
// A step of a specification may call a function of another package only if the function takes and
// returns values without pointers; see package speclint. So functions of whole histories stay in
// package published.
package tla
