// Package store holds what a breadth-first search remembers of a state space, in few bytes for each
// state and mostly outside the garbage-collected heap:
//
//   - Table, the visited set: the fingerprints of the distinct nodes; a Batch looks several up
//     together;
//   - the frontier: chunks of nodes that wait to be expanded, written by a Writer and read by a
//     Reader or, in the order of their numbers, by a Seeker;
//   - TraceLog: from which node and by which instance each node was reached first;
//   - Edges: steps to nodes that were known, as long as they are few;
//   - images: the format of checkpoints.
//
// It knows nothing of the search: package explore decides what is expanded, and when workers wait.
// Assembly (amd64, arm64) is an option everywhere: the files *_other.go have the same in Go, and
// the tag portable selects them.
package store
