package program

import (
	"errors"
	"fmt"

	"github.com/multigrain/multigrain/checker"
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
	if e.During == checker.DuringInvariant {
		out.Invariant = panicking(spec, e)
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

// panicking returns the name of the invariant that panics for the node that was judged. It is ""
// where none does.
func panicking[T any](spec *checker.Spec[T], e *checker.SpecError[T]) string {
	if spec.Holds == nil {
		return ""
	}
	n := e.Trace.Init
	if len(e.Trace.Steps) > 0 {
		n = e.Trace.Steps[len(e.Trace.Steps)-1].Node
	}
	for k, v := range spec.Invariants {
		if panics(func() { spec.Holds(&n, k) }) {
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
