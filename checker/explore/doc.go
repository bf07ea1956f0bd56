// Package explore is exhaustive breadth-first exploration, level by level, on all processors.
//
// # The order of work
//
// A level holds the nodes at one distance from the initial ones. Workers take chunks of it, expand
// node after node and collect 64 successors before they judge them, in TLC's order:
//
//   - an assertion that is raised ends the step: the successor counts as generated, nothing else;
//   - step properties are judged for every step;
//   - a successor outside the state constraints is compared with the invariants and counts as
//     generated, nothing else;
//   - its fingerprint is looked up; one that is there is not looked at again;
//   - a new node is counted, compared with the invariants and the goals, and put into the next
//     level.
//
// A level is always finished. So the numbers of distinct and generated nodes, the depth, the
// levels, the digest and the first violation do not depend on the number of workers. Which of
// several steps of one level reaches a node first depends on it. That decides the action that
// [checker.ActionCount.Distinct] and the groups of violated state invariants name, and the path of
// a trace. The length of a trace does not depend on it.
//
// Where footprints are known (checker.Pruning), levels of 1024 nodes and more are expanded without
// the steps that sleep (package sleepset). These are counted nevertheless. The order of the
// instances follows from what the levels before found. Invariants are judged only where the step
// may change them. Both are checked on a sample while they are relied on (pruning.go): a footprint
// that lacks an access ends the run with an error.
//
// # Packages
//
// Large data lies outside the garbage-collected heap (package memory). Package store has it: the
// visited set, the nodes of this level and the next, the log of how each node was reached, and
// edges. With a memory limit, frontier and trace log continue in files; the visited set has to fit,
// or the run ends. Package counterexample finds the counterexamples when the search has ended.
//
// # Checkpoints
//
// A checkpoint is written at intervals, and where a limit or an interrupt ends the run. All workers
// then stand between two chunks, so that every node is either expanded or not. It replaces the one
// before when all of it is on the disk (keeper.go). A run that continues from one finishes the
// level in which it was written; all that the numbers above say of a run holds for its parts
// together. Only where memory ends in the midst of a chunk, or the specification fails, the last
// checkpoint stays as it is.
//
// # Limits of soundness
//
// A node is known by a fingerprint of 64 or 96 bits. Two nodes with the same one are treated as one
// node. With 64 bits the expected number missed is n(n-1)/2⁶⁵ for n distinct nodes: 0.00027 for a
// hundred million and 0.027 for a billion. With 96 bits it is n(n-1)/2⁹⁷. Limits on states, time
// and memory, and an interrupt, make the result undecided. Findings up to that point are reported,
// and they are true. A function of the specification that does not return cannot be stopped: a
// limit or an interrupt then ends the run with an error that names it (end.go).
package explore
