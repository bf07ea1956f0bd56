package explore

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// SpecError is a specification that panicked: a value was full, an index was out of range, or a Go run-time error. Value is
// what it panicked with, and what errors.As finds if that is an error.
type SpecError[T any] struct {
	During   string // "guard or effect", "invariant", "initial state", ...
	Action   string // "" where there is none
	Instance int    // of the action with its parameters, -1 where there is none
	Params   checker.View
	Field    string // path of the value in the node, as State.History[1]; "" where it is not known
	Capacity int    // elements that the value holds, for a *modules.CapacityError
	File     string // innermost position in the specification; "" where it is not known
	Line     int
	Value    any
	Trace    checker.Trace[T] // to the node that was expanded or, for invariants and the like, judged
}

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

// What a specification was doing when it failed.
const (
	duringStep       = "guard or effect"
	duringStepProp   = "step property"
	duringRaised     = "assertions"
	duringConstraint = "state constraint"
	duringInvariant  = "invariant"
	duringGoal       = "goal"
	duringInit       = "initial state"
)

// fault is a panic as it was caught: in expanding node s, or in judging n, the successor of s by instance.
type fault[T any] struct {
	value    any
	stack    []uintptr
	s, n     T
	judging  bool
	instance int
	number   int64 // of s; -1 while the initial nodes are made
	level    int
}

// caught is deferred around everything that calls the specification. A panic ends the run and not the process.
func (w *worker[T]) caught() {
	v := recover()
	if v == nil {
		return
	}
	f := &fault[T]{value: v, stack: callers(), instance: -1, number: -1, level: len(w.run.ends)}
	if w.read.chunk != nil {
		f.s, f.number = w.read.cur.node, w.read.chunk.first+int64(w.out.Current)
		if k := w.judged; k >= 0 {
			f.judging, f.n, f.instance = true, w.out.Node[k], int(w.out.Instance[k])
			f.number = w.read.chunk.first + int64(w.out.Parent[k])
		}
	}
	w.out.N, w.judged = 0, -1
	w.skipped = true
	if w.fault == nil {
		w.fault = f
	}
	w.run.halt("the specification failed")
}

func callers() []uintptr {
	pcs := make([]uintptr, 64)
	return pcs[:runtime.Callers(3, pcs)]
}

// specError finds out which call failed, by doing the calls one at a time.
func (r *run[T]) specError(f *fault[T]) error {
	e := &SpecError[T]{During: duringInit, Instance: f.instance, Value: f.value}
	var ours bool
	if e.File, e.Line, ours = specPosition(f.stack); ours {
		panic(f.value)
	}
	if f.number < 0 {
		return e
	}
	s, n := new(T), new(T)
	e.During = duringStep
	var again *fault[T]
	if f.judging {
		again = r.retryJudging(e, f, s, n)
	} else {
		again = r.retryStep(e, f, s, n)
	}
	if again != nil {
		e.Value = again.value
		if file, line, _ := specPosition(again.stack); file != "" {
			e.File, e.Line = file, line
		}
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
	e.Field = fieldAt(at, n)
	if e.Field == "" {
		e.Field = fieldAt(at, s)
	}
	if e.Instance >= 0 {
		in := r.spec.Instances[e.Instance]
		e.Action, e.Params = r.spec.Actions[in.Action].Name, in.Params
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(n)
	r.try(func() { e.Trace, _ = r.traceTo(f.number, f.level-1) })
	if f.judging {
		e.Trace.Steps = append(e.Trace.Steps, checker.Step[T]{Instance: f.instance, Node: f.n})
	}
	return e
}

// retryStep finds the instance that fails in f.s.
func (r *run[T]) retryStep(e *SpecError[T], f *fault[T], s, n *T) *fault[T] {
	for k := range r.spec.Instances {
		enabled := false
		if again := r.try(func() {
			*s = f.s
			if enabled = r.spec.Enabled(s, k); enabled {
				*n = *s
				r.spec.Apply(s, n, k)
			}
		}); again != nil {
			e.Instance = k
			return again
		}
		if !enabled || r.spec.Steps == nil {
			continue
		}
		if again := r.try(func() { r.spec.Steps(s, n, k) }); again != nil {
			e.Instance, e.During = k, duringStepProp
			return again
		}
	}
	return nil
}

// retryJudging finds the property that fails in f.n.
func (r *run[T]) retryJudging(e *SpecError[T], f *fault[T], s, n *T) *fault[T] {
	for _, p := range []struct {
		during string
		ask    func()
	}{
		{duringRaised, func() {
			if r.spec.Raised != nil {
				r.spec.Raised(n)
			}
		}},
		{duringConstraint, func() {
			if r.spec.Within != nil {
				r.spec.Within(n)
			}
		}},
		{duringInvariant, func() { r.spec.State(n) }},
		{duringGoal, func() {
			if r.spec.Reached != nil {
				r.spec.Reached(n)
			}
		}},
	} {
		*s, *n = f.s, f.n
		if again := r.try(p.ask); again != nil {
			e.During = p.during
			return again
		}
	}
	return nil
}

// try calls f and returns its panic, if it does.
func (r *run[T]) try(f func()) (p *fault[T]) {
	defer func() {
		if v := recover(); v != nil {
			p = &fault[T]{value: v, stack: callers()}
		}
	}()
	f()
	return nil
}

// fieldAt is the path of the variable of n that lies at an address, or "".
func fieldAt[T any](at uintptr, n *T) string {
	off := at - uintptr(unsafe.Pointer(n))
	if off >= unsafe.Sizeof(*n) {
		return ""
	}
	return modules.FieldAt(reflect.TypeFor[T](), off)
}

// specPosition is the innermost frame that belongs neither to Go's run time nor to this project's vocabulary and checker: the
// line of the specification that asked for what cannot be done. It is "" where there is none, as where a function is missing.
// A panic is ours if this package's own code panicked.
func specPosition(stack []uintptr) (file string, line int, ours bool) {
	explore := reflect.TypeFor[Options]().PkgPath()
	root := strings.TrimSuffix(explore, "checker/explore")
	frames := runtime.CallersFrames(stack)
	innermost := true
	for more := len(stack) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch name := f.Function; {
		case strings.HasPrefix(name, "runtime."):
		case strings.HasPrefix(name, explore+"."):
			return "", 0, innermost
		case strings.HasPrefix(name, root+"modules."), strings.HasPrefix(name, root+"checker."):
			innermost = false
		default:
			return f.File, f.Line, false
		}
	}
	return "", 0, false
}
