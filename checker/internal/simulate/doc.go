// Package simulate takes random walks over a specification: far into state spaces that cannot be
// explored whole, quickly, and without any promise to come by everything.
//
// # A walk
//
// A walk starts in an initial node, drawn uniformly, and takes steps until it is as long as asked
// for. At a node all guards are asked. Of the actions with an enabled instance one is drawn by
// weight, and of its enabled instances one uniformly. So an action with many parameters (a message
// for every pair of servers) does not drown the others. Steps and nodes are judged as in exhaustive
// exploration:
//
//   - a step that raises an assertion is not taken: if a selected invariant forbids it the walk
//     ends with a violation, otherwise another instance is drawn;
//   - step properties are judged for every step and invariants for every node: the walk ends where
//     one is broken;
//   - a step out of the state constraints is compared with the properties, and the walk ends before
//     it;
//   - a node without an enabled instance ends the walk, and is a violation if deadlocks are asked
//     for.
//
// Initial nodes are all judged, once, before the first walk. Those that break an invariant are
// violations of length 0, and no walk starts there.
//
// # The same seed, the same walks
//
// Walk n of seed s draws from a generator of its own ([Source]), and walks are merged in the order
// of their numbers. So every count, the coverage, the violations and where a run stops are
// functions of specification, seed and options. They do not depend on the number of workers. Limits
// on time, and interrupts, are not.
//
// # Learned weights
//
// With Options.Learned the weights are multiplied by what tabular Q-learning has found so far
// (learn.go). The table is frozen for 16 walks at a time and then learns from them in their order,
// which keeps the walks independent of workers.
//
// # Limits of soundness
//
// That nothing is broken on the walks says nothing about other behaviours: coverage is reported so
// that one can judge how much was seen. Distinct nodes are counted by 64-bit fingerprint and only
// as long as there is room to remember them. A specification whose function does not return cannot
// be interrupted.
package simulate
