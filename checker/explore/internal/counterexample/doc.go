// Package counterexample finds, in what a breadth-first search leaves (a Record), the
// counterexamples that people read: shortest ones, and among these one with few changes of the
// acting server.
//
//   - groups.go: violations, grouped by invariant and last action, as the search finds them;
//   - replay.go: a trace from the trace log, replayed with every step checked;
//   - backward.go: the backward reachable sets, from which violations are reached by as many steps
//     as a shortest counterexample has left; backward_edges.go computes them by the edges that the
//     search kept, regenerate.go by regenerating all nodes from the trace log;
//   - switches.go: the shortest path with the fewest switches of the acting server, through the
//     backward reachable sets (shortest.go) or, where these are not known, among the orders of the
//     logged trace (reorder.go).
package counterexample
