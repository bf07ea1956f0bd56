package abstraction

import (
	"errors"
	"reflect"
	"runtime"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/graph"
)

// here is the path of this package.
var here = reflect.TypeFor[Options]().PkgPath()

// callers returns the stack of a panic. A deferred function calls it.
func callers() []uintptr {
	pcs := make([]uintptr, 64)
	return pcs[:runtime.Callers(3, pcs)]
}

// failed returns the error of a panic: a wrong mapping, or a specification that failed. A panic of
// this package itself continues.
func (r *run[C, A]) failed(v any, stack []uintptr) error {
	err, _ := v.(error)
	if wrong := (*MapError)(nil); errors.As(err, &wrong) {
		if r.came != nil {
			t := r.came()
			wrong.Trace = &t
		} else if k := r.concrete.at; r.concrete.states() > 0 && r.concrete.node != nil {
			t := r.concrete.trace(r.concrete.path(k), nil)
			wrong.Trace = &t
		}
		return wrong
	}
	file, line, ours := checker.SpecPosition(stack, here)
	if ours {
		panic(v)
	}
	// The concrete composition is expanded, by the search or by a walk, unless the abstract one is.
	if f := faultIn(r.abstract, v, file, line); f != nil {
		return &Fault[C, A]{Abstract: f}
	}
	if f := faultIn(r.concrete, v, file, line); f != nil {
		if r.came != nil {
			f.Trace = r.came()
		}
		return &Fault[C, A]{Concrete: f}
	}
	panic(v)
}

// faultIn finds the step from the node that a space expands in which its specification panics; nil
// if there is none.
func faultIn[T any](s *space[T], v any, file string, line int) *checker.SpecError[T] {
	f := &checker.SpecError[T]{During: checker.DuringInit, Instance: -1, Value: v, File: file, Line: line}
	if s.node == nil {
		if panicsIn(func() { s.spec.Init(func(*T) bool { return true }) }) == nil {
			return nil
		}
		return f
	}
	at := *s.node
	for k := range s.spec.Instances {
		n := at
		again := panicsIn(func() {
			if s.spec.Enabled(&at, k) {
				s.spec.Apply(&at, &n, k)
				if s.spec.Raised != nil {
					s.spec.Raised(&n)
				}
				if s.spec.Within != nil {
					s.spec.Within(&n)
				}
			}
		})
		if again == nil {
			continue
		}
		in := s.spec.Instances[k]
		f.During, f.Instance, f.Action, f.Params, f.Value = checker.DuringStep, k, s.spec.Actions[in.Action].Name, in.Params, again
		f.Locate(&at, &n)
		if s.Nodes() > 0 && s.at != graph.None {
			f.Trace = s.trace(s.path(s.at), nil)
		}
		return f
	}
	return nil
}

// panicsIn calls do and returns what it panics with; nil if it does not.
func panicsIn(do func()) (v any) {
	defer func() { v = recover() }()
	do()
	return nil
}
