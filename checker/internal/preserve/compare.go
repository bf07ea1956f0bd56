package preserve

import (
	"context"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
	"github.com/multigrain/multigrain/checker/internal/layout"
	"github.com/multigrain/multigrain/modules"
)

// Fine and Coarse number the two compositions.
const (
	Fine   = 0
	Coarse = 1
)

// Comparison holds the two compositions that are compared.
type Comparison[T any] struct {
	Sides [2]Side[T]
	// Steps are the visible steps: actions with one value of their parameters. A step has the same
	// number on both sides.
	Steps []Step
	Looks []Look
	// Deadlock says that deadlocks are compared at level L2. Liveness properties of the
	// specifications always are.
	Deadlock bool
	// Kept are the cells of the variables that coarse grains must keep, and Written the names
	// of those that a coarsened module writes: they explain differences first.
	Kept    []layout.Cell
	Written map[string]bool
	// Weakest describes the weakest environment; nil: there is none.
	Weakest *Weakest
	// State is where a node's State is.
	State func(n *T) unsafe.Pointer
	// Spent is the counters of a node's budgets. Nil where there are none.
	Spent func(n *T) []uint8
	Names modules.Names
}

// Side is one of the compositions.
type Side[T any] struct {
	Spec *checker.Spec[T]
	// Step is, by instance, the number of the visible step, -1 for a silent one. Instances that
	// differ in the position of a message in a Bag are one step.
	Step []int
	// Picks are, by instance, the cells of the messages that it names by position. Labels have
	// their values. Nil where there are none.
	Picks [][]layout.Cell
	// Invariant is, by look, its number among the invariants of Spec.
	Invariant []int
	// On holds, by observer and instance, the view of an observer of the steps of one action. Nil
	// for other observers.
	On []map[int][]Sighted[T]
}

// Sighted holds the cells that an observer of the steps of one action sees at an instance. Number
// is that of the action's parameter, the same on both sides. Instances that differ in the position
// of a message in a Bag have the same number, and a cell with that message.
type Sighted[T any] struct {
	Number int
	Cells  []layout.Cell
	// Stands judges an instance of another action that stands for a step of the observed one. It
	// returns the State in which that step is taken and whether the property holds. Nil where the
	// instance is one of the observed action.
	Stands func(s, n *T) (before unsafe.Pointer, holds bool)
}

// Step is a visible step.
type Step struct {
	Action      string
	Environment bool
	// Quiet says that the step is silent where its message is hidden: see layout.Cell.Hides.
	Quiet bool
	// Cells are the cells that the action reads with these parameters: the view. For the
	// environment they are only those that explain differences.
	Cells []layout.Cell

	ending string // the kind, if the step is an ending
}

// Look is an invariant as an observer.
type Look struct {
	Name string
	Kind string // modules.KindState, KindStep or KindAssert
	// Cells are its footprint, empty for an assertion and for a property of the steps of one
	// action.
	Cells []layout.Cell
	// Named are the same cells one by one, as people read them.
	Named []layout.Cell
}

// Options are the level, the limits and the seed of a comparison.
type Options struct {
	Level string // "L1" or "L2"
	// of each composition, and pairs of the subset construction; 0: no limit
	MaxStates int64
	Timeout   time.Duration // 0: no limit; exploration takes at most half of it
	Memory    int64         // bytes that the graph of one composition takes, about; 0: no limit
	Context   context.Context
	// Seed starts the random walks that are taken through a fine composition that is not exhausted.
	Seed uint64
	// Walks is how many are taken, at most. 0: 20,000, which take MaxStates steps in all, at most.
	Walks int64
	// Explored is called when a side was explored, before the other one is. Nil: not at all.
	Explored func(side int)
	// patience is the time after which a comparison that should have ended is examined; 0: 3 s.
	patience time.Duration
	// Progress is called now and then with what is being done and how many states or pairs there
	// are. Nil: not at all.
	Progress func(what string, n int64)
}

// Answer says whether one inclusion holds.
type Answer string

// Answers. Open means that the inclusion was not decided within the limits.
const (
	Yes  Answer = "yes"
	No   Answer = "no"
	Open Answer = "undecided"
)

// Result is the outcome of a comparison.
type Result[T any] struct {
	// Level is the level that was reached: "L2" or "L1" if both of its inclusions are decided, else
	// "L0".
	Level  string
	Reason string // why it is not the one that was asked
	Sides  [2]SideResult
	L1, L2 Inclusions
	// Views counts labels by side, and those that only one side has: of Fine the missed ones, of
	// Coarse the false ones.
	Views, Only [2]int
	Looks       []LookResult
	Endings     []Ending // that were compared
	// Weakest is the comparison in the weakest environment; nil if it was not needed.
	Weakest *WeakestResult
	// Walks are the random walks that were taken. What they found is marked; that they found
	// nothing means nothing.
	Walks       int64
	Differences []Difference[T]
	Duration    time.Duration
}

// Inclusions are the answers of a level.
type Inclusions struct {
	NoFalse  Answer // Coarse within Fine
	NoMissed Answer // Fine within Coarse
	// Pairs are those of the subset construction, by included side, and Largest the largest set
	// among them.
	Pairs, Largest [2]int
}

// SideResult counts the explored part of a composition.
type SideResult struct {
	States, Transitions int64
	Depth               int
	Complete            bool
	// Classes is the number of states up to branching bisimulation, at level L2.
	Classes int
	// Spent is the greatest value of each budget's counter that was reached.
	Spent []uint8
}

// LookResult counts the values that an invariant saw.
type LookResult struct {
	Name string
	Seen [2]int
	Only [2]int // seen on this side only
	// Broken are those of Only at which the invariant is false.
	Broken [2]int
	// Held counts the values of states that only Coarse has and for which the invariant holds: no
	// difference. Extra is the first of them, if Fine was explored whole.
	Held  int
	Extra []Extra
}

// Extra is a cell of an invariant's footprint in a state of the coarse composition, and in the
// nearest of those states of the fine one that were looked at.
type Extra struct {
	Cell        string
	Here, There modules.View
}

// Difference is a behaviour that one composition has and the other lacks.
type Difference[T any] struct {
	Side  int    // which has it: Fine, then it is missed, or Coarse, then it is false
	Level string // "L1" or "L2": where it was found
	// Observer is the action whose step the other composition cannot match, the invariant, or the
	// name of an ending. Ending is the kind of that, "" for none. Then the trace ends in the state.
	Observer    string
	Ending      string
	Environment bool
	// Cell is the first of the observer's cells whose value differs from that in the nearest state
	// of the other composition, and Variable its variable; "" where none differs.
	Cell, Variable string
	Here, There    modules.View
	// Writer is the number of the trace's step that wrote the cell last, from 1; 0: it has its
	// initial value.
	Writer int
	Trace  checker.Trace[T] // ends with the step
	// the witness comes from a random walk: no step of it can be left out, but there may be shorter
	// ones
	Walked bool
	Count  int // how many labels, looks or pairs showed a difference of this cause
	// Missed are the observations that showed it, by fingerprint of their content. Those that
	// only a random walk showed are not among them.
	Missed map[uint64]Observation
	// Sequences is the digest of the sequences of observations that are missed: see residual. It is
	// "" where it was not computed within the limits, or nothing is missed.
	Sequences string
	Doc       string
	// Cause is the action of the last silent step of the trace, and CauseStep that step's number
	// from 1; "" and 0: there is none. Also are the others to whom a difference of the same cause
	// shows.
	Cause     string
	CauseStep int
	Also      []Sight
	// Guilty is the number of the step of the trace that is to blame, from 1; 0: none is
	// known.
	Guilty int
	// Lacking is the coarse action that should have led to what is missed; "": none is known.
	// Refused says that its guard did not let it.
	Lacking string
	Refused bool

	parts []Difference[T] // those of the same cause that Also is about
}

// Observation describes one step as an observer sees it: the step, and the values of its cells.
type Observation struct {
	Observer string
	Names    []string       // of the cells
	Cells    []modules.View // their values; nil for a step of the environment, and for an invariant
}

// Sight is who sees a difference, and in which variable; "" where there is none.
// Cause is the last silent step of its own witness, and Lacking and Refused are as in Difference.
type Sight struct {
	Observer, Variable, Cause string
	Lacking                   string
	Refused                   bool
	Missed                    map[uint64]Observation // as in Difference
}

// Run compares. The error is a *Fault of the specification or the cause of Options.Context.
func Run[T any](c *Comparison[T], opt Options) (*Result[T], error) {
	r := &run[T]{c: c, opt: opt, start: host.Now(), labels: newLabels(), looks: newLooks(len(c.Looks))}
	r.expanding.Store(-1)
	return r.await()
}

// compare compares, which Run waits for.
func (r *run[T]) compare() (*Result[T], error) {
	r.res.L1, r.res.L2 = Inclusions{NoFalse: Open, NoMissed: Open}, Inclusions{NoFalse: Open, NoMissed: Open}
	// the small one first: without it there is no verdict
	for _, side := range []int{Coarse, Fine} {
		g, err := r.explore(side)
		if err != nil {
			return nil, err
		}
		if r.graphs[side] = g; r.opt.Explored != nil {
			r.opt.Explored(side)
		}
	}
	r.compareViews()
	r.compareLooks()
	if r.opt.Level == "L2" {
		r.unended = r.findEndings()
		r.compareObservations()
	}
	if err := r.search(); err != nil {
		return nil, err
	}
	r.causes()
	if r.opt.Level == "L2" {
		r.sequences()
	}
	r.place()
	if r.opt.Level == "L2" {
		r.weakest() // last: a call that does not return is left alone
	}
	r.conclude()
	r.res.Duration = host.Since(r.start)
	return &r.res, nil
}

// run is a comparison that continues.
type run[T any] struct {
	c      *Comparison[T]
	opt    Options
	start  time.Time
	labels *labels
	looks  *looks
	graphs [2]*stateGraph[T]
	res    Result[T]
	looked [2]Answer             // by side: whether the other side has all its values of properties
	found  map[differenceKey]int // in res.Differences
	// reduced are the transition systems of level L2 up to branching bisimulation; nil before that.
	reduced [2]*lts
	steps   int                // since the last look at the clock
	placed  [2]*inclusion.Sets // of the graph of each side, for blame
	// endings is the first label of an ending, 0 where there are none. unended says why these are
	// not compared.
	endings uint32
	unended string
	full    string // why memory ended an exploration; "": it did not

	// seeing is called with each state that is found; nil: not at all.
	seeing func(n *T)

	// exploring is the side that is explored; nil before and after that. expanding is the number of
	// the state whose successors are made, -1 for none. Who waits for a comparison reads both.
	exploring atomic.Pointer[position[T]]
	expanding atomic.Int64
}

// MemoryFull begins the reason of a result that Options.Memory ended.
const MemoryFull = "the memory that a composition may take is full"

// over reports whether the time is over. It examines the clock now and then.
func (r *run[T]) over(what string, n int64) bool {
	if r.steps++; r.steps%1024 != 0 {
		return false
	}
	if r.opt.Progress != nil && r.steps%(1<<16) == 0 {
		r.opt.Progress(what, n)
	}
	return r.late()
}

// search takes random walks where the fine composition is not exhausted.
func (r *run[T]) search() error {
	if r.res.Sides[Fine].Complete || !r.res.Sides[Coarse].Complete {
		return nil
	}
	if l, class := r.graphs[Coarse].observed().reduce(r.late); l != nil {
		return r.walks(l, class)
	}
	return nil
}

// late reports whether the time is over.
func (r *run[T]) late() bool {
	return r.opt.Timeout > 0 && host.Since(r.start) > r.opt.Timeout || r.opt.Context != nil && r.opt.Context.Err() != nil
}

// conclude says which level was reached.
func (r *run[T]) conclude() {
	res := &r.res
	if r.opt.Level == "L2" { // what L1 lacks, L2 lacks; values of properties are those of L1
		res.L2.NoFalse, res.L2.NoMissed = both(res.L2.NoFalse, r.looked[Coarse]), both(res.L2.NoMissed, r.looked[Fine])
		if res.L1.NoFalse == No {
			res.L2.NoFalse = No
		}
		if res.L1.NoMissed == No {
			res.L2.NoMissed = No
		}
		if r.unended != "" {
			res.L2.NoFalse, res.L2.NoMissed = both(res.L2.NoFalse, Open), both(res.L2.NoMissed, Open)
		}
	}
	res.Level = "L0"
	switch {
	case res.L2.NoFalse != Open && res.L2.NoMissed != Open:
		res.Level = "L2"
	case res.L1.NoFalse != Open && res.L1.NoMissed != Open:
		res.Level = "L1"
	}
	if res.Level == r.opt.Level {
		return
	}
	switch {
	case r.opt.Context != nil && r.opt.Context.Err() != nil:
		res.Reason = "interrupted"
	case r.unended != "":
		res.Reason = r.unended
	case r.late():
		res.Reason = "the time is over"
	case r.full != "":
		res.Reason = r.full
	default:
		res.Reason = "there are too many states"
	}
	for side, name := range []string{"fine", "coarse"} {
		if !res.Sides[side].Complete {
			res.Reason += ", the " + name + " composition is not exhausted"
		}
	}
}
