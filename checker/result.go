package checker

import "time"

// Verdict is the answer of a run.
type Verdict string

// Verdicts. Holds means that nothing is violated within the bounds of the manifest. Undecided means
// that the task was not completed.
const (
	Holds     Verdict = "holds"
	Violated  Verdict = "violated"
	Undecided Verdict = "undecided"
)

// Result is the outcome of an exploration.
type Result[T any] struct {
	Verdict Verdict
	// Reason says why a run is undecided, in words for people.
	Reason string
	// Distinct counts stored nodes; Generated initial nodes and every successor, duplicates
	// included, as TLC does.
	Distinct, Generated int64
	// Depth is the greatest breadth-first distance reached, in transitions. Levels counts the
	// distinct nodes at each.
	Depth  int
	Levels []int64
	// Digest is the sum of the nodes' hashes, modulo 2^64: equal sets of nodes have equal digests.
	Digest     uint64
	Actions    []ActionCount // by number of the action
	Violations []Violation[T]
	// Pruned counts the successors in Generated that were not computed, since others lead to the
	// same nodes: see Pruning.Sleep.
	Pruned int64
	// Masked counts successors that ended in a raised assertion that no selected invariant forbids.
	Masked int64
	// MaskedBy counts them for each of Spec.Masked; a step that raises several counts for each.
	MaskedBy []int64
	// Goals is the mask of goals that were reached.
	Goals uint64
	// Fingerprint is how many bits of a node were kept to know it again; 0 where nodes are kept.
	Fingerprint int
	// Nearest is the smallest difference between two fingerprints of 64 bits; 0 where it was not
	// asked for. Of random ones it is about 2⁶⁴/n² for n nodes.
	Nearest  uint64
	Duration time.Duration
	Workers  int
	// Memory is the most that the run held outside the garbage-collected heap, in bytes, MemoryEnd
	// what it held at the end of the search, Disk what it held on disk.
	Memory, MemoryEnd, Disk int64
	// Checkpoint says what became of checkpoints; nil where none was asked for.
	Checkpoint *Checkpoint
}

// Checkpoint reports the checkpoints of a run.
type Checkpoint struct {
	Folder  string
	Resumed int64 // distinct nodes of the checkpoint that the run continued from; 0 if it did not
	Written int   // how many were written
	// Distinct nodes and depth of the last that was written, if it is there still; 0 if it is not.
	Distinct int64
	Depth    int
	Took     time.Duration // to write it
	Failure  string        // why the last that was tried could not be written; "" if it could
}

// ActionCount counts one action: Enabled its enabled instances, Fired its steps, Distinct the nodes
// that it reached first. Enabled and Fired are equal where no reduction skips enabled instances.
// Which action reaches a node first within a level depends on the order of work, so Distinct may
// differ between runs with several workers.
type ActionCount struct{ Enabled, Fired, Distinct int64 }

// KindDeadlock is a kind of violations next to the kinds of invariants.
const KindDeadlock = "deadlock"

// Violation is a broken property with its counterexample.
type Violation[T any] struct {
	Invariant int // its number, -1 for a deadlock
	Kind      string
	Depth     int   // length of the trace, in transitions
	At        int64 // distinct nodes at the end of the level in which it was found
	Count     int64 // how many of this invariant and last action were found
	Trace     Trace[T]
}

// Trace is a behaviour: an initial node and steps.
type Trace[T any] struct {
	Init  T
	Steps []Step[T]
}

// Step is one step of a trace.
type Step[T any] struct {
	Instance int // number of the step's instance in Spec.Instances, from 0
	Node     T   // after the step
}

// Progress holds counts that are reported while a run continues.
type Progress struct {
	Depth               int
	Distinct, Generated int64
	Queue               int64 // nodes of this level and the next that wait
	Elapsed             time.Duration
	Memory              int64 // bytes
}
