// Package checker is the small interface over which the strategies work: a specification as a
// next-state function on flat nodes, and what they report. Each folder below is one use: explore
// (breadth-first exploration), naive (the slow oracle), and others. Package program makes an
// assembled specification's main.
package checker

import (
	"unsafe"

	"github.com/multigrain/multigrain/checker/internal/fingerprint"
	"github.com/multigrain/multigrain/checker/internal/sleepset"
)

// Spec is a specification as the strategies see it. T is a node: the State and the counters of its
// budgets, flat and without padding, so that a node is its bytes.
type Spec[T any] struct {
	System string
	// Nodes are the names of the nodes, by their numbers; nil where the specification names none.
	Nodes []string
	// Init yields the initial nodes, in a fixed order.
	Init func(yield func(*T) bool)
	// Next puts every successor of s into out, in the order of Instances.
	Next func(s *T, out *Successors[T])
	// Partial says that Next leaves steps out: see reduce.ByStubbornSets.
	Partial bool
	// Actions and Instances describe the numbers that Next reports. An instance is an action with
	// its parameters.
	Actions   []Action
	Instances []Instance
	// Invariants are numbered by their position. At most 64.
	Invariants []Property
	// State is the mask of state invariants that are false in n.
	State func(n *T) uint64
	// Holds evaluates one invariant for a node. It is true for those about steps. May be nil.
	Holds func(n *T, invariant int) bool
	// Steps is the mask of step properties that the step from s to n by an instance breaks. Nil
	// where there are none.
	Steps func(s, n *T, instance int) uint64
	// Raised is nil where the State has no Raised field. Otherwise any reports whether an assertion
	// is raised in n, and broken is the mask of invariants that it breaks: none, if it is masked. A
	// raised assertion ends the step: the node is neither stored nor explored.
	Raised func(n *T) (any bool, broken uint64)
	// Masked are the assertions that are known and no violation; MaskedBy is the mask of those that
	// are raised in n. At most 64.
	Masked   []Property
	MaskedBy func(n *T) uint64
	// Within reports whether n satisfies the state constraints. Nil where there are none.
	Within func(n *T) bool
	// Goals are the states that should be reached; Reached is the mask of those that n reaches. At
	// most 64.
	Goals   []Property
	Reached func(n *T) uint64
	// Liveness are the properties of whole behaviours. Package liveness checks them.
	Liveness []Temporal[T]
	// Enabled reports whether an instance is enabled in s, and Apply makes n its successor: the
	// same steps as Next, one at a time, for replay, simulation and traces.
	Enabled func(s *T, instance int) bool
	Apply   func(s, n *T, instance int)
	// EnabledOf puts the instances of an action that are enabled in s after out, in their order. If
	// it is nil, Enabled is called.
	EnabledOf func(s *T, action int, out []int32) []int32
	// Represent writes to rep the node that stands for n: nodes that the same node stands for are
	// one state. It must not write n. Nil where every node stands for itself. See reduce.Slice.
	Represent func(n, rep *T)
	// Pruning lists what a search by levels may omit, as footprints prove; nil if they are not
	// known.
	Pruning *Pruning[T]
	// Describe is the node for people and traces: the State's variables in order, then the budgets'
	// counters.
	Describe func(n *T) View
}

// Action is an action of the composition.
type Action struct {
	Name        string
	Module      string
	Environment bool
	Spent       bool // its budget is 0: it is not expected to happen
}

// Instance is an action with one value of its parameters.
type Instance struct {
	Action int
	Params View // of the parameters; an empty Record where there are none
	Server int  // the acting node: see modules.ActingNode; -1 where there is none
	// Touched are the nodes that the fields I and J of the parameters name.
	Touched []int
}

// Property is an invariant or a goal as results name it.
type Property struct {
	ID, Instance, Doc string
	Kind              string // modules.KindState, KindStep or KindAssert
}

// Temporal is a liveness property: see modules.Liveness.
type Temporal[T any] struct {
	Property
	From func(n *T) bool // nil: asked for in the initial nodes
	To   func(n *T) bool
	Fair []bool // by instance: weakly fair
}

// Representative returns the node that stands for n. It may write rep and be that.
func (s *Spec[T]) Representative(n, rep *T) *T {
	if s.Represent == nil {
		return n
	}
	s.Represent(n, rep)
	return rep
}

// Batch is how many successors are collected before they are hashed and looked up.
const Batch = 64

// Of large nodes fewer are collected, so that they stay in a processor's nearest cache.
const (
	batchBytes = 16 << 10
	leastBatch = 16
)

// Successors collects what Next produces. The strategy that owns it sets Full, which empties it.
type Successors[T any] struct {
	Node     [Batch]T
	Instance [Batch]uint32
	Parent   [Batch]uint32          // Current at the time of the step
	Labels   [Batch]sleepset.Labels // of the node that was expanded: From at the time of the step
	Broken   [Batch]uint64          // mask of step properties
	N        int
	Current  uint32 // set by the strategy: which node is being expanded, and its labels
	// For large nodes, Single calls Full for each successor. Same says that the first Node is equal
	// to the node that is expanded: the next Slot is not copied then and sets it to false. A
	// strategy sets both.
	Single, Same bool
	From         sleepset.Labels
	// Skip is set by a strategy that leaves steps out. Next then counts these steps and does not
	// take them. It counts them by action in Skipped, and all together in Left until the strategy
	// sets Left to 0.
	Skip    sleepset.Set
	Skipped []int64
	Left    int64
	// Steps judges every step, if not nil: Spec.Steps.
	Steps func(s, n *T, instance int) uint64
	Full  func() // called when N reaches Batch, or less for large nodes; must set N to 0
}

// Slot returns the place of the next successor, a copy of s.
func (o *Successors[T]) Slot(s *T) *T {
	n := &o.Node[o.N]
	if unsafe.Sizeof(*s) >= fingerprint.LargeNode && o.Same {
		o.Same = false
		return n
	}
	*n = *s
	return n
}

// Emit makes the node in the last Slot a successor of s by an instance.
func (o *Successors[T]) Emit(s *T, instance int) {
	o.Instance[o.N] = uint32(instance)
	o.Parent[o.N] = o.Current
	o.Labels[o.N] = o.From
	if o.Steps != nil {
		o.Broken[o.N] = o.Steps(s, &o.Node[o.N], instance)
	}
	if o.N++; unsafe.Sizeof(o.Node[0]) >= fingerprint.LargeNode && o.Single || o.N >= min(Batch, max(leastBatch, batchBytes/int(unsafe.Sizeof(o.Node[0])))) {
		o.Full()
	}
}

// Window returns the bits of Skip for count instances from number at on: bit k stands for instance
// at+k. The count is 1 to 64. Bits from count on are not defined.
func (o *Successors[T]) Window(at, count int) uint64 {
	w, shift := uint(at)/64, uint(at)%64
	if w >= sleepset.Words {
		return 0
	}
	x := o.Skip[w] >> shift
	if shift+uint(count) > 64 {
		x |= o.Skip[(w+1)%sleepset.Words] << (64 - shift)
	}
	return x
}

// Leave counts steps of an action that are left out.
func (o *Successors[T]) Leave(action, steps int) {
	o.Skipped[action] += int64(steps)
	o.Left += int64(steps)
}
