package abstraction

import (
	"context"
	"fmt"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/inclusion"
)

// Concrete and Abstract number the two compositions.
const (
	Concrete = 0
	Abstract = 1
)

// Comparison is a concrete composition with nodes C, and an abstract one with nodes A.
type Comparison[C, A any] struct {
	Concrete *checker.Spec[C]
	Abstract *checker.Spec[A]
	// Map appends the values that a concrete node is mapped to, and View those of the same
	// variables of an abstract node. Equal values have equal bytes. Map panics with a *MapError if
	// the mapping is wrong.
	Map  func(n *C, out []byte) []byte
	View func(n *A, out []byte) []byte
	// Variables is the number of variables that are mapped.
	Variables int
	// Names are the observed actions. Observed has, by action of each composition, the number of
	// the observed action that it stands for, from 1; 0 for none.
	Names    []string
	Observed [2][]uint32
	// Stopped returns the bound that alone keeps an instance of the abstract composition from a
	// step of n, "" if there is none. Nil: no bound does.
	Stopped func(n *A, instance int) string
	// Weights has, by action of the concrete composition, how often random walks take it relative
	// to others; nil: all are 1. Waypoint reports whether a node meets the waypoint with a number,
	// from 0 to Waypoints-1.
	Weights   []float64
	Waypoint  func(n *C, number int) bool
	Waypoints int
}

// MapError says what is wrong with a mapping in a state.
type MapError struct {
	Variable string // whose formula is wrong; "" for the mapping as a whole
	Message  string // a sentence without its period
	// Trace leads to the state before the step to the one that is mapped: a *checker.Trace[C], nil
	// if that is an initial one.
	Trace any
}

func (e *MapError) Error() string { return e.Message }

// Fault is the error of a specification that panicked. Exactly one of its fields is set.
type Fault[C, A any] struct {
	Concrete *checker.SpecError[C]
	Abstract *checker.SpecError[A]
}

func (f *Fault[C, A]) Error() string {
	if f.Concrete != nil {
		return f.Concrete.Error()
	}
	return "the abstract composition: " + f.Abstract.Error()
}

// Options are the limits and the seed of a comparison.
type Options struct {
	MaxStates int64         // of each composition; 0: no limit
	Timeout   time.Duration // 0: no limit; exploration takes at most half of it
	Memory    int64         // bytes that both graphs take, about; 0: no limit
	Context   context.Context
	// Seed starts the random walks, Walks is how many are taken at most, and Depth how many steps
	// each has. They are taken if a limit ends the exploration. 0: 20,000 with at most MaxStates
	// steps and 2 MaxStates abstract states, and 400.
	Seed  uint64
	Walks int64
	Depth int
	// Progress is called now and then with what is being done and how many states there are.
	Progress func(what string, n int64)
}

// Result is the outcome of a comparison.
type Result[C, A any] struct {
	Verdict checker.Verdict
	Reason  string // of an undecided verdict
	// Complete says that all concrete states within the bounds were explored.
	Complete bool
	Sides    [2]SideResult
	// Pairs are those of the subset construction, and Largest is the largest set among them.
	Pairs, Largest int
	// Values counts the different values that explored concrete states are mapped to.
	Values int
	// Silent and Visible count the explored concrete steps. Taken counts those by observed action.
	Silent, Visible int64
	Taken           []int64
	// Raised counts concrete steps that raise an assertion: they lead to no state.
	Raised int64
	// Refused says that the abstract composition cannot take some observed step after some
	// observation. Otherwise it says nothing.
	Refused    bool
	Difference *Difference[C, A]
	// Walks are the random walks that were taken, and Steps their steps. Ended is the limit that
	// ended them early, "" if none did.
	Walks, Steps int64
	Ended        string
	// Met is the largest number of waypoints that a walk met. Followed counts the walks that met
	// all of them. Where there are waypoints, only these are compared.
	Met      int
	Followed int64
	Duration time.Duration
}

// SideResult counts the explored part of a composition.
type SideResult struct {
	States, Transitions int64
	Depth               int // of the deepest explored state, in steps of a shortest behaviour
}

// Difference is a concrete behaviour whose last step the abstract composition cannot match.
type Difference[C, A any] struct {
	// Concrete ends with the step. If it has no step, the initial state is not matched.
	Concrete checker.Trace[C]
	// Silent says of each step of Concrete whether it is silent.
	Silent []bool
	// Sets has the number of abstract states with the same observation: initially, and after each
	// step of Concrete.
	Sets []int
	// Abstract is a behaviour with the observations before the last step; nil if there is none.
	// Matches has, for each of its steps, the step of Concrete that it matches, from 1; 0 for a
	// silent one.
	Abstract *checker.Trace[A]
	Matches  []int
	// Could are visible steps that the abstract composition can take instead, by instance.
	Could  []int
	Walked bool // a random walk found it: there may be shorter ones
}

// Run compares. The error is a *Fault, a *MapError, or the cause of Options.Context.
func Run[C, A any](c *Comparison[C, A], opt Options) (res *Result[C, A], err error) {
	r := &run[C, A]{c: c, opt: opt, start: host.Now(), values: map[string]uint32{}, labels: map[uint64]uint32{}}
	r.res.Taken = make([]int64, len(c.Names))
	r.known = []labelled{{}}
	r.concrete = newSpace(c.Concrete, c.Observed[Concrete], false, func(n *C) uint32 { return r.value(c.Map, n, nil) }, r)
	r.abstract = newSpace(c.Abstract, c.Observed[Abstract], true, func(n *A) uint32 { return r.value(nil, nil, n) }, r)
	defer func() {
		if v := recover(); v != nil {
			res, err = nil, r.failed(v, callers())
		}
	}()
	r.search = &inclusion.Search{A: r.concrete, Sets: inclusion.NewSets(r.abstract)}
	r.compare()
	return &r.res, nil
}

// labelled says what a label stands for.
type labelled struct {
	action uint32 // that is observed, from 1; 0: none; initially: the begin of a behaviour
	value  uint32 // of the state after the step
}

// initially is the action of the step to an initial state.
const initially = ^uint32(0)

// run is a comparison that continues.
type run[C, A any] struct {
	c        *Comparison[C, A]
	opt      Options
	start    time.Time
	res      Result[C, A]
	values   map[string]uint32 // of variables: the number
	labels   map[uint64]uint32 // by action and value
	known    []labelled        // by label
	concrete *space[C]
	abstract *space[A]
	search   *inclusion.Search
	buf      []byte
	steps    int // since the clock was read
	limit    string
	walking  bool                    // random walks have limits of their own
	came     func() checker.Trace[C] // in a walk: its steps to the node that is expanded
	// bounded is the bound of the abstract composition that may be what stops it; "" for none.
	bounded string
}

// value numbers the values of variables of a concrete or an abstract node.
func (r *run[C, A]) value(mapped func(*C, []byte) []byte, n *C, a *A) uint32 {
	if mapped != nil {
		r.buf = mapped(n, r.buf[:0])
	} else {
		r.buf = r.c.View(a, r.buf[:0])
	}
	k, ok := r.values[string(r.buf)]
	if !ok {
		k = uint32(len(r.values))
		r.values[string(r.buf)] = k
	}
	return k
}

// label returns the number of a step by an observed action, 0 for none, between states with two
// values.
func (r *run[C, A]) label(action, before, after uint32) uint32 {
	if action == 0 && before == after {
		return inclusion.Silent
	}
	key := uint64(action)<<32 | uint64(after)
	k, ok := r.labels[key]
	if !ok {
		k = uint32(len(r.known))
		r.labels[key] = k
		r.known = append(r.known, labelled{action, after})
	}
	return k
}

// exhausted reports whether a limit ends the exploration. It reads the clock now and then.
func (r *run[C, A]) exhausted() bool {
	if r.limit != "" {
		return true
	}
	most, timeout, memory := r.opt.MaxStates, r.opt.Timeout/2, r.opt.Memory
	if r.walking {
		most, timeout, memory = 2*most, 2*timeout, 2*memory
	}
	if r.walking && r.opt.Walks > 0 { // their number is their limit
		most = 0
	}
	switch {
	case most > 0 && r.concrete.states() > most:
		r.limit = fmt.Sprintf("the concrete composition has more than %d states within its bounds", most)
	case most > 0 && r.abstract.states() > most:
		r.limit = fmt.Sprintf("the abstract composition has more than %d states with these observations", most)
	}
	if r.steps++; r.steps%256 != 0 {
		return r.limit != ""
	}
	if r.opt.Progress != nil && r.steps%(1<<15) == 0 {
		r.opt.Progress("states of the concrete composition", r.concrete.states())
	}
	switch {
	case r.opt.Context != nil && r.opt.Context.Err() != nil:
		r.limit = interrupted
	case timeout > 0 && host.Since(r.start) > timeout:
		r.limit = "the time is over"
	case memory > 0 && r.steps%4096 == 0 && r.concrete.bytes()+r.abstract.bytes()+int64(len(r.search.Pairs))*24 > memory:
		r.limit = MemoryFull
	case host.MemoryShort():
		r.limit = host.NoMemory
	}
	return r.limit != ""
}

// MemoryFull is the reason of a result that Options.Memory ended.
const MemoryFull = "the memory that a comparison may take is full"

const interrupted = "interrupted"
