package preserve

import (
	"reflect"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/multigrain/multigrain/checker"
)

// A specification can fail in two ways while it is compared. A panic is caught: the steps from the
// state that was expanded are then tried one at a time, to name the one that panics and its line.
// A call that does not return cannot be ended. If the time is over, or the comparison was
// interrupted, and it still expands the same state after a while, the steps from that state are
// taken again in the same way, in another goroutine. The one that does not return is named, and the
// comparison is left alone.

// Fault is the error of a specification that failed in one of the compositions: it panicked, or did
// not return.
type Fault[T any] struct {
	Side int
	checker.SpecError[T]
}

// here is the path of this package.
var here = reflect.TypeFor[Options]().PkgPath()

// callers returns the stack of a panic. A deferred function calls it.
func callers() []uintptr {
	pcs := make([]uintptr, 64)
	return pcs[:runtime.Callers(3, pcs)]
}

// call is one call of the specification with an instance.
type call struct {
	during   string
	instance int
	do       func()
}

// callsFrom returns the calls that expanding a state takes, in their order. A call uses what the
// ones before it have computed, so all are done.
func callsFrom[T any](spec *checker.Spec[T], s *T) (calls []call) {
	n, enabled := new(T), false
	for k := range spec.Instances {
		add := func(during string, do func()) {
			calls = append(calls, call{during, k, func() {
				if enabled {
					do()
				}
			}})
		}
		calls = append(calls, call{checker.DuringStep, k, func() {
			if enabled = spec.Enabled(s, k); enabled {
				*n = *s
				spec.Apply(s, n, k)
			}
		}})
		if spec.Steps != nil {
			add(checker.DuringStepProperty, func() { spec.Steps(s, n, k) })
		}
		if spec.Raised != nil {
			add(checker.DuringRaised, func() { spec.Raised(n) })
		}
		if spec.Within != nil {
			add(checker.DuringConstraint, func() { spec.Within(n) })
		}
		add(checker.DuringInvariant, func() { spec.State(n) })
	}
	return calls
}

// fault is the error of a panic while a side is explored.
func (x *explorer[T]) fault(v any, stack []uintptr) error {
	if x.self == end {
		return newFault(x.side, x.g.spec, v, stack, nil)
	}
	return newFault(x.side, x.g.spec, v, stack, func() checker.Trace[T] {
		return x.trace(x.side, x.g, x.g.Path(x.self), nil)
	})
}

// newFault finds out which call panicked, and where. Trace returns the behaviour up to the state
// from which a step was tried; it is nil while there is none. A panic of this package is none of
// the specification, and continues.
func newFault[T any](side int, spec *checker.Spec[T], v any, stack []uintptr, trace func() checker.Trace[T]) error {
	f := &Fault[T]{Side: side}
	f.During, f.Instance, f.Value = checker.DuringInit, -1, v
	var ours bool
	if f.File, f.Line, ours = checker.SpecPosition(stack, here); ours {
		panic(v)
	}
	if trace == nil {
		return f
	}
	f.During, f.Trace = checker.DuringStep, trace()
	s := *last(&f.Trace)
	for _, c := range callsFrom(spec, &s) {
		again, at := try(c.do)
		if again == nil {
			continue
		}
		f.blame(spec, c)
		f.Value = again
		if file, line, _ := checker.SpecPosition(at, here); file != "" {
			f.File, f.Line = file, line
		}
		f.Locate(&s)
		break
	}
	return f
}

// blame makes a call the one that failed.
func (f *Fault[T]) blame(spec *checker.Spec[T], c call) {
	in := spec.Instances[c.instance]
	f.During, f.Instance, f.Action, f.Params = c.during, c.instance, spec.Actions[in.Action].Name, in.Params
}

// try calls do and returns what it panics with, and the stack of that; nil if it does not.
func try(do func()) (v any, stack []uintptr) {
	defer func() {
		if v = recover(); v != nil {
			stack = callers()
		}
	}()
	do()
	return nil, nil
}

// position is the side that is explored.
type position[T any] struct {
	side  int
	graph *stateGraph[T]
}

// defaultPatience is Options.patience.
const defaultPatience = 3 * time.Second

// await compares, and waits for the end. It leaves a comparison alone that should have ended and
// does not, since the specification does not return.
func (r *run[T]) await() (*Result[T], error) {
	type ended struct {
		res *Result[T]
		err error
	}
	done := make(chan ended, 1)
	go func() {
		res, err := r.compare()
		done <- ended{res, err}
	}()
	patience := r.opt.patience
	if patience == 0 {
		patience = defaultPatience
	}
	look := time.NewTicker(patience)
	defer look.Stop()
	last := int64(-1)
	for {
		select {
		case e := <-done:
			return e.res, e.err
		case <-look.C:
		}
		now := r.expanding.Load()
		if now >= 0 && now == last && r.late() {
			if f := r.stuck(patience); f != nil {
				return nil, f
			}
		}
		last = now
	}
}

// stuck finds the call of the specification that does not return; nil if all do.
func (r *run[T]) stuck(patience time.Duration) error {
	at, self := r.exploring.Load(), r.expanding.Load()
	if at == nil || self < 0 {
		return nil
	}
	spec, s := at.graph.spec, at.graph.node(uint32(self))
	calls := callsFrom(spec, s)
	var doing atomic.Int64 // the call that is being done
	go func() {
		for k := range calls {
			doing.Store(int64(k))
			try(calls[k].do)
		}
		doing.Store(int64(len(calls)))
	}()
	for last := int64(-1); ; {
		time.Sleep(patience / 2)
		now := doing.Load()
		if now == int64(len(calls)) {
			return nil
		}
		if now == last {
			f := &Fault[T]{Side: at.side}
			f.blame(spec, calls[now])
			reason := "the time is over"
			if r.opt.Context != nil && r.opt.Context.Err() != nil {
				reason = "interrupted"
			}
			f.Value = &checker.StuckError{Reason: reason, Tried: patience}
			f.Trace = r.trace(at.side, at.graph, at.graph.Path(uint32(self)), nil)
			return f
		}
		last = now
	}
}
