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
