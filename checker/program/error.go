package program

import (
	"errors"
	"fmt"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/preserve"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

func specError[T any](spec *checker.Spec[T], e *checker.SpecError[T]) *wire.Error {
	out := &wire.Error{
		Kind: wire.ErrorSpec, Message: fmt.Sprint(e.Value), Action: e.Action, Field: e.Field, Capacity: e.Capacity,
		File: e.File, Line: e.Line,
	}
	if e.During != checker.DuringInit { // where there is no state before it
		out.Trace = trace(spec, &e.Trace)
	}
	out.Stuck = errors.As(e, new(*checker.StuckError))
	if e.During == checker.DuringInvariant {
		out.Invariant = failing(spec, e, out.Stuck)
	}
	if e.Action != "" {
		out.Params = &e.Params
	}
	var capacity *modules.CapacityError
	var outside *modules.RangeError
	if errors.As(e, &capacity) || errors.As(e, &outside) {
		out.Kind = wire.ErrorCapacity
	}
	return out
}

// failing returns the name of the invariant that panics for the node that was judged, or that does
// not return. It is "" where none does.
func failing[T any](spec *checker.Spec[T], e *checker.SpecError[T], stuck bool) string {
	if spec.Holds == nil {
		return ""
	}
	fails := panics
	if stuck {
		fails = hangs
	}
	n := e.Trace.Init
	if len(e.Trace.Steps) > 0 {
		n = e.Trace.Steps[len(e.Trace.Steps)-1].Node
	}
	for k, v := range spec.Invariants {
		if fails(func() { spec.Holds(&n, k) }) {
			return v.Name()
		}
	}
	return ""
}

// panics reports whether f panics.
func panics(f func()) (does bool) {
	defer func() { does = recover() != nil }()
	f()
	return false
}

// hangs reports whether f does not return within a second. It is left alone then.
func hangs(f func()) bool {
	done := make(chan bool, 1)
	go func() {
		panics(f)
		done <- true
	}()
	select {
	case <-done:
		return false
	case <-time.After(time.Second):
		return true
	}
}

// preserveError returns the error of a comparison.
func preserveError[T any](c *preserve.Comparison[T], err error) wire.Event {
	if fault, ok := errors.AsType[*preserve.Fault[T]](err); ok {
		return wire.Event{Error: specError(c.Sides[fault.Side].Spec, &fault.SpecError)}
	}
	return wire.Event{Error: &wire.Error{Kind: wire.ErrorSystem, Message: err.Error()}}
}
