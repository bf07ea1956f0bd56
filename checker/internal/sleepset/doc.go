// Package sleepset computes sleep sets for a breadth-first search by levels: steps that the search
// need not take, since other steps of the same level lead to the same nodes.
//
// # The rule
//
// Sleep sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996,
// chapter 5) are known from depth-first search. A search by levels does not remember which
// instances sleep in a node, but some instances that led to it from nodes of the level before: its
// labels.
//
// Let t be a node of level n+1 and a one of its labels: some s of level n leads to t by a. Let b be
// an instance that follows a in a fixed order of the instances, is enabled in t and independent of
// a.
//
//	s --a--> t
//	|        |
//	b        b   sleeps in t
//	v        v
//	u --a--> v
//
// Then b is enabled in s, too, and leads to some u, and a leads from u to v. If v is a new node, u
// is in the same level as t. So the search need not take b in t: a leads from u to v. If a sleeps
// in u, another step leads to v because of a label that precedes a, and so on. The chain ends in a
// step that is taken, since each of its labels precedes the one before.
//
// # The order
//
// Any order does that stays the same for a level: see Rules.Ordered. The best order has those
// instances last that mostly lead to known nodes. Suppose u is nearer than t: b leads back, and the
// search took the step a from u before. With a before b, a step is pruned; with b before a, none
// is.
//
// # Labels
//
// A node inherits labels. Let c be a label of s that is independent of a. Then some r leads to s by
// c and to some w by a. From w, c leads to t. So c is a label of t.
//
// # Limits
//
// The search finds all nodes, at their distances, and counts generated nodes by their guards as if
// it took all steps. The caller names the instances that never sleep and are never inherited: those
// that may raise assertions, or that write what a constraint or a step property reads. The nodes of
// the argument may not exist there, or steps that are equal for the search may differ for the
// property. Under symmetry, another node stands for s or t, in which a has another name; so sleep
// sets are not sound together with symmetry, nor together with stubborn sets.
package sleepset
