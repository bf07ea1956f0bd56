package conform

import (
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/held"
)

// Result is the outcome of a run.
type Result[T any] struct {
	// Verdict is Holds if all walks that were asked for were done and no difference was found.
	Verdict checker.Verdict
	Reason  string // why a run is undecided, in words for people
	// Version is the version of the implementation that was built in.
	Version string
	// Traces counts walks that came to their end, Steps the steps that were done on both sides and
	// compared, and Differences the walks that ended in one.
	Traces, Steps, Differences int64
	Longest                    int   // steps of the longest walk
	Short                      int64 // walks that ended before Depth because no step could be taken
	Half                       int64 // walks of at least half of Depth
	// Refused counts the steps that were drawn and not taken, Exceeded those of them that exceeded
	// a capacity.
	Refused, Exceeded int64
	Fired             []int64 // steps by number of the action
	Instances         []int64 // steps by number of the instance
	Coverage          []Coverage
	// Missing are the branches that no walk took, of the conditions in Options.Branches.
	Missing []checker.Branch
	// one for each kind and variable, in the order in which walks found them
	Found []Difference[T]
	// Violations are the invariants that the implementation breaks after it departed, each with the
	// shortest walk. Only with Options.Follow.
	Violations []Violation[T]
	Departed   int64 // walks that departed, a part of Differences; only with Options.Follow
	// Held are the sums of what the implementation's objects had, over the starts and all steps of
	// walks with equal states, in order. So a run with equal walks on code that has equal contents
	// after each step has equal sums. Nil if the adapter is no Holder. Only with Options.Held.
	Held held.Sums
	// Observed are the compared variables, Unobserved those that the adapter does not observe.
	Observed, Unobserved []string
	Workers              int
	Duration             time.Duration
	Waited               time.Duration // for processors, since the program began

	// Accepted are the accepted differences that apply. Ended counts the walks that ended in one,
	// each once; they are a part of Traces.
	Accepted []AcceptedDifference
	Ended    int64
	// LeftOut are the steps that were drawn and not taken because the adapter cannot drive them.
	LeftOut []LeftOut
	// Covered counts what planned walks covered; nil for random walks.
	Covered *Covered
	// Undriven counts the walks that ended before a step that did not come to its end. They are no
	// part of Traces. UndrivenAt says where the first of them stands, and UndrivenNext names the
	// steps of at most 20 further ones. Repeated counts the walks that were done once more after
	// such a step. Undriven has those of them that ended in the same way again.
	Undriven     int64
	UndrivenAt   string
	UndrivenNext []string
	Repeated     int64
}

// LeftOut counts the steps of an action that walks did without for one reason.
type LeftOut struct {
	Action, Reason string
	Count          int64
}

// Coverage is the coverage of the first walks.
type Coverage struct {
	Traces, Steps      int64
	Actions, Instances int // that were taken at least once
	// in the same way, of guards, effects and rules; 0 where they are not noted
	Branches int
	Elapsed  time.Duration // until the last of them had ended
}

// Kind says what differs: a variable, or that the implementation panicked or ended its process, or
// that the adapter failed.
type Kind string

// Kinds of differences.
const (
	Variable Kind = "variable" // a variable has another value
	Panic    Kind = "panic"    // the implementation panicked
	Fault    Kind = "error"    // the adapter reported an error
	Exit     Kind = "exit"     // the process that runs the implementation ended by itself
)

// Difference is a walk on which the implementation does not do what the specification does.
type Difference[T any] struct {
	Kind Kind
	// Values are the parts of the state that differ, in the order of the variables; none of a panic
	// or an error.
	Values []Value
	// Message is the text of the panic or of the error. Frames are the functions that were being
	// called, the innermost first.
	Message string
	Frames  []string
	// Trace is the shrunk walk, as the specification has it. It ends in the step that shows the
	// difference; none: the beginning does.
	Trace checker.Trace[T]
	// Walk is its number, from 1; 0 for a trace that was given. Length is its length before
	// shrinking, in steps.
	Walk    int64
	Length  int
	Minimal bool     // no single step can be left out
	Count   int64    // walks that ended in a difference of the same kind and variable
	Log     []string // of the implementation, when the trace was done for the last time
	// Explained: an Explainer wrote Log, where the difference occurred.
	Explained bool
}

// Name returns the variable that differs first, or what else happened.
func (d *Difference[T]) Name() string {
	if d.Kind == Variable {
		return d.Values[0].Path
	}
	return string(d.Kind)
}
