package simulate

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/explore"
	"github.com/multigrain/multigrain/modules"
)

// What a specification was doing when it failed, in the words of explore.SpecError.
const (
	duringStep       = "guard or effect"
	duringStepProp   = "step property"
	duringRaised     = "assertions"
	duringConstraint = "state constraint"
	duringInvariant  = "invariant"
	duringGoal       = "goal"
	duringInit       = "initial state"
)

// fault is a panic of the specification. What the walker was doing then is in the walker.
type fault struct {
	value any
	stack []uintptr
}

// try calls f, which calls the specification through w, and returns its panic, nil if there is none.
func (w *walker[T]) try(f func()) (p *fault) {
	defer func() {
		if v := recover(); v != nil {
			pcs := make([]uintptr, 64)
			p = &fault{value: v, stack: pcs[:runtime.Callers(2, pcs)]}
		}
	}()
	f()
	return nil
}

// specError says what w was doing when it failed. The trace is that to s.
func (w *walker[T]) specError(f *fault, t checker.Trace[T]) error {
	e := w.describe(f)
	e.During, e.Instance, e.Trace = w.during, w.instance, t
	if w.judging && e.Instance >= 0 && w.during != duringGoal {
		e.Trace.Steps = append(e.Trace.Steps, checker.Step[T]{Instance: e.Instance, Node: *w.n})
	}
	if e.Instance >= 0 {
		in := w.spec.Instances[e.Instance]
		e.Action, e.Params = w.spec.Actions[in.Action].Name, in.Params
	}
	return e
}

// initialFault says that making or judging an initial node failed.
func (w *walker[T]) initialFault(f *fault) error {
	e := w.describe(f)
	e.During, e.Instance = duringInit, -1
	return e
}

// describe is what does not depend on the step.
func (w *walker[T]) describe(f *fault) *explore.SpecError[T] {
	e := &explore.SpecError[T]{Value: f.value}
	e.File, e.Line = specPosition(f.stack)
	if e.File == "" {
		panic(f.value) // our own bug
	}
	var at uintptr
	var capacity *modules.CapacityError
	var index *modules.RangeError
	switch err := e.Unwrap(); {
	case errors.As(err, &capacity):
		at, e.Capacity = capacity.Address, capacity.Capacity
	case errors.As(err, &index):
		at = index.Address
	}
	for _, n := range []*T{w.n, w.s} {
		if off := at - uintptr(unsafe.Pointer(n)); off < unsafe.Sizeof(*n) {
			e.Field = modules.FieldAt(reflect.TypeFor[T](), off)
		}
	}
	return e
}

// specPosition is the innermost frame that belongs neither to Go's run time nor to this project's vocabulary and checker: the
// line of the specification that asked for what cannot be done.
func specPosition(stack []uintptr) (file string, line int) {
	here := reflect.TypeFor[Options]().PkgPath()
	root := strings.TrimSuffix(here, "checker/simulate")
	frames := runtime.CallersFrames(stack)
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch name := f.Function; {
		case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, root+"modules."),
			strings.HasPrefix(name, root+"checker."), strings.HasPrefix(name, here+"."):
		default:
			return f.File, f.Line
		}
	}
	return "", 0
}
