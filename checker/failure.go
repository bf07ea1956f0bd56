package checker

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// SpecError is a specification that panicked: a value was full, an index was out of range, or a Go
// run-time error. Value is the panic's value. If it is an error, errors.As finds it.
type SpecError[T any] struct {
	During   string // one of the words below
	Action   string // "" where there is none
	Instance int    // of the action with its parameters, -1 where there is none
	Params   View
	Field    string // path of the value in the node, as State.History[1]; "" where it is not known
	Capacity int    // elements that the value holds, for a *modules.CapacityError
	File     string // innermost position in the specification; "" where it is not known
	Line     int
	Value    any
	// to the node from which a step was tried or, for invariants and the like, that was judged
	Trace Trace[T]
}

// StuckError is the value of a SpecError if a function of the specification did not return when the
// run had to end.
type StuckError struct {
	Reason string        // why the run had to end
	Tried  time.Duration // for which the function was given time after that
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("%s, and it has not returned for %s: a loop without end, most likely", e.Reason, e.Tried)
}

// ErrNoInit is the value of a SpecError where there is nothing to explore.
var ErrNoInit = errors.New("the function Init yields no state, so there is nothing to check; it must yield one at least")

// What a specification was doing when it failed.
const (
	DuringStep         = "guard or effect"
	DuringStepProperty = "step property"
	DuringRaised       = "assertions"
	DuringConstraint   = "state constraint"
	DuringInvariant    = "invariant"
	DuringGoal         = "goal"
	DuringInit         = "initial state"
)

func (e *SpecError[T]) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the specification failed in %s", e.During)
	if e.Action != "" {
		fmt.Fprintf(&b, " of %s", e.Action)
	}
	if e.Field != "" {
		fmt.Fprintf(&b, " at %s", e.Field)
	}
	fmt.Fprintf(&b, ": %v", e.Value)
	if e.File != "" {
		fmt.Fprintf(&b, " (%s:%d)", e.File, e.Line)
	}
	return b.String()
}

func (e *SpecError[T]) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Locate sets Capacity, and Field to the name of the field that Value is about, by its address in
// the first of the nodes that contains it. The nodes must be where they were when the specification
// failed. Locate changes neither if Value is another error.
func (e *SpecError[T]) Locate(nodes ...*T) {
	var at uintptr
	var capacity *modules.CapacityError
	var index *modules.RangeError
	switch err := e.Unwrap(); {
	case errors.As(err, &capacity):
		at, e.Capacity = capacity.Address, capacity.Capacity
	case errors.As(err, &index):
		at = index.Address
	}
	for _, n := range nodes {
		if off := at - uintptr(unsafe.Pointer(n)); e.Field == "" && off < unsafe.Sizeof(*n) {
			e.Field = modules.FieldAt(reflect.TypeFor[T](), off)
		}
	}
}

// SpecPosition returns the line of the specification that asked for what cannot be done. It is the
// innermost frame of a panic's stack that belongs neither to Go's run time nor to this project's
// vocabulary and checker. The file is "" where there is none, as where a function is missing. The
// panic is ours if the code of the strategy itself panicked, a package with those below it.
func SpecPosition(stack []uintptr, strategy string) (file string, line int, ours bool) {
	frames := runtime.CallersFrames(stack)
	innermost := true
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch name := f.Function; {
		case strings.HasPrefix(name, "runtime."):
		case strings.HasPrefix(name, strategy+"."), strings.HasPrefix(name, strategy+"/"):
			return "", 0, innermost
		case slices.ContainsFunc(interfaces, func(pkg string) bool { return strings.HasPrefix(name, pkg+".") }):
			innermost = false
		default:
			return f.File, f.Line, false
		}
	}
	return "", 0, false
}

// interfaces are the packages that stand between a specification and the strategies.
var interfaces = func() []string {
	here, vocabulary := reflect.TypeFor[Instance]().PkgPath(), reflect.TypeFor[modules.View]().PkgPath()
	return []string{
		vocabulary, here, here + "/internal/layout", here + "/internal/fingerprint", here + "/internal/reduce", here + "/internal/sleepset",
	}
}()

// ReplayError is a counterexample that did not come out as it was found. The specification is not a
// function of state and parameters, or its two faces, Next and Enabled with Apply, differ. Next is
// made from what is read of the catalog's code, and the others are those of the running program.
type ReplayError struct {
	Step   int    // transitions from the initial node
	Action string // of that step, "" where there is none
	Found  string // what differs
	Cause  string // what most likely leads to it
}

// CauseFunction is the Cause where one face of the specification gave two results.
const CauseFunction = "There are two possible causes. " + noFunction + "Or multigrain has a fault."

// CauseFaces is the Cause where the two faces of the specification may differ.
const CauseFaces = "There are three possible causes. " + noFunction +
	"Or the program has another catalog than its code shows: code that the analysis does not follow changes an action, a rule or a list. " +
	"Or multigrain has a fault."

const noFunction = "A guard, an effect, a rule or a property is not a function of state and parameters: " +
	"it reads a map, time, randomness, the environment or a package variable. "

func (e *ReplayError) Error() string {
	at := "the initial state"
	if e.Action != "" {
		at = fmt.Sprintf("step %d, %s", e.Step, e.Action)
	}
	return fmt.Sprintf("a trace does not replay at %s: %s. %s", at, e.Found, e.Cause)
}
