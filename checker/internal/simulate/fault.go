package simulate

import (
	"reflect"
	"runtime"

	"github.com/multigrain/multigrain/checker"
)

// fault is a panic of the specification. What the walker was doing then is in the walker.
type fault struct {
	value any
	stack []uintptr
}

// try calls f, which calls the specification through w, and returns its panic, nil if there is
// none.
func (w *walker[T]) try(f func()) (p *fault) {
	defer func() {
		if v := recover(); v != nil {
			pcs := make([]uintptr, 64)
			p = &fault{value: v, stack: pcs[:runtime.Callers(2, pcs)]}
			if w.asking { // the instance whose guard it is
				w.asking = false
				if each := w.try(func() { w.askEach(w.spec.Instances[w.instance].Action, nil) }); each != nil {
					p = each
				}
			}
		}
	}()
	f()
	return nil
}

// specError says what w was doing when it failed. The trace is that to s.
func (w *walker[T]) specError(f *fault, t checker.Trace[T]) error {
	e := w.describe(f)
	e.During, e.Instance, e.Trace = w.during, w.instance, t
	if w.judging && e.Instance >= 0 && w.during != checker.DuringGoal {
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
	e.During, e.Instance = checker.DuringInit, -1
	return e
}

// describe returns what does not depend on the step.
func (w *walker[T]) describe(f *fault) *checker.SpecError[T] {
	e := &checker.SpecError[T]{Value: f.value}
	var ours bool
	if e.File, e.Line, ours = checker.SpecPosition(f.stack, here); ours {
		panic(f.value)
	}
	e.Locate(w.n, w.s)
	return e
}

// here is this package's path.
var here = reflect.TypeFor[Options]().PkgPath()
