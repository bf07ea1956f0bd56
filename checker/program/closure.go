package program

import (
	"reflect"
	"unsafe"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/rounds"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// closed adds the step property CommunicationClosure to a specification, where that is asked for. What footprints prove that a
// search may omit does not count with it, so nothing is omitted.
func closed[S any, U checker.Counters](spec *checker.Spec[checker.Node[S, U]], o wire.Options) *wire.Error {
	if o.Closure == nil {
		return nil
	}
	refuse := func(text string) *wire.Error { return &wire.Error{Kind: wire.ErrorStrategy, Message: text} }
	switch {
	case o.Symmetry != nil || o.POR != nil || len(o.Sliced) > 0:
		return refuse("communication closure is not checked together with symmetry, partial-order reduction or slicing")
	case len(spec.Invariants) == 64:
		return refuse("communication closure is one property more than the 64 that are checked")
	}
	c, err := rounds.NewClosure(reflect.TypeFor[S](), o.Closure.Server, o.Closure.Message)
	if err != nil {
		return refuse(err.Error())
	}
	spec.Pruning = nil
	bit := uint64(1) << len(spec.Invariants)
	spec.Invariants = append(spec.Invariants[:len(spec.Invariants):len(spec.Invariants)],
		checker.Property{ID: "CommunicationClosure", Doc: "No message of an older round is used.", Kind: modules.KindStep})
	others := spec.Steps
	spec.Steps = func(s, n *checker.Node[S, U], instance int) (broken uint64) {
		if others != nil {
			broken = others(s, n, instance)
		}
		a := spec.Instances[instance].Action
		if !spec.Actions[a].Environment && !c.Holds(unsafe.Pointer(&s.State), unsafe.Pointer(&n.State)) {
			broken |= bit
		}
		return broken
	}
	return nil
}
