// Package explore is exhaustive breadth-first exploration, level by level, on all processors.
//
// # The order of work
//
// A level holds the nodes at one distance from the initial ones. Workers take chunks of it, expand node after node and
// collect 64 successors before they judge them, in TLC's order:
//
//   - an assertion that is raised ends the step: the successor counts as generated, nothing else;
//   - step properties are judged for every step;
//   - a successor outside the state constraints is held against the invariants and counts as generated, nothing else;
//   - its fingerprint is looked up; one that is there is not looked at again;
//   - a new node is counted, held against the invariants and the goals, and put into the next level.
//
// A level is always finished, so the numbers of distinct and generated nodes, the depth, the levels, the digest and the first
// violation do not depend on the number of workers. Which of several steps of one level reaches a node first does: it decides
// the action that [checker.ActionCount.Distinct] and the groups of violated state invariants name, and the way by which a
// trace comes to the node in question. The length of a trace does not.
//
// # Memory
//
// Everything large lies outside the garbage-collected heap: the fingerprints (table.go), the nodes of this level and the next
// (frontier.go) and the log of how each node was reached (tracelog.go).
//
// # Limits of soundness
//
// A node is known by a 64-bit fingerprint. Two nodes with the same one are taken for one node: the expected number missed is
// n²/2⁶⁵ for n distinct nodes, 0.00027 for a hundred million. Limits on states, time and memory, and an interrupt, make the
// result undecided; what was found until then is reported and true. A specification whose function does not return cannot be
// interrupted.
package explore
