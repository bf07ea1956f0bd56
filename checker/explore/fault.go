package explore

import (
	"reflect"
	"runtime"

	"github.com/multigrain/multigrain/checker"
)

// SpecError and ReplayError are the errors of Run that are not errors of the machine.
type (
	SpecError[T any] = checker.SpecError[T]
	ReplayError      = checker.ReplayError
)

// fault is a panic as it was caught: in expanding node s, or in judging n, the successor of s by
// instance.
type fault[T any] struct {
	value    any
	stack    []uintptr
	s, n     T
	judging  bool
	instance int
	number   int64 // of s; -1 while the initial nodes are made
	level    int
}

// caught is deferred around everything that calls the specification. A panic ends the run and not
// the process.
func (w *worker[T]) caught() {
	v := recover()
	if v == nil {
		return
	}
	f := &fault[T]{value: v, stack: callers(), instance: -1, number: -1, level: len(w.run.closed)}
	if w.read.Chunk != nil {
		f.s, f.number = *w.read.Node(), w.read.Chunk.First+int64(w.out.Current)
		if k := w.judged; k >= 0 {
			f.judging, f.n, f.instance = true, w.out.Node[k], int(w.out.Instance[k])
			f.number = w.read.Chunk.First + int64(w.out.Parent[k])
		}
	}
	w.out.N, w.judged = 0, -1
	w.out.Same, w.same.valid = false, false
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
	e := &SpecError[T]{During: checker.DuringInit, Instance: f.instance, Value: f.value}
	var ours bool
	if e.File, e.Line, ours = checker.SpecPosition(f.stack, here); ours {
		panic(f.value)
	}
	if f.number < 0 {
		return e
	}
	s, n := new(T), new(T)
	e.During = checker.DuringStep
	var again *fault[T]
	if f.judging {
		again = r.retryJudging(e, f, s, n)
	} else {
		again = r.retryStep(e, f, s, n)
	}
	if again != nil {
		e.Value = again.value
		if file, line, _ := checker.SpecPosition(again.stack, here); file != "" {
			e.File, e.Line = file, line
		}
	}
	e.Locate(n, s)
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
			e.Instance, e.During = k, checker.DuringStepProperty
			return again
		}
	}
	return nil
}

// judgement is one of the calls that judge a node.
type judgement struct {
	during string
	ask    func()
}

// judgements returns the calls that judge n, in their order.
func (r *run[T]) judgements(n *T) []judgement {
	return []judgement{
		{checker.DuringRaised, func() {
			if r.spec.Raised != nil {
				r.spec.Raised(n)
			}
		}},
		{checker.DuringConstraint, func() {
			if r.spec.Within != nil {
				r.spec.Within(n)
			}
		}},
		{checker.DuringInvariant, func() { r.spec.State(n) }},
		{checker.DuringGoal, func() {
			if r.spec.Reached != nil {
				r.spec.Reached(n)
			}
		}},
	}
}

// retryJudging finds the property that fails in f.n.
func (r *run[T]) retryJudging(e *SpecError[T], f *fault[T], s, n *T) *fault[T] {
	for _, p := range r.judgements(n) {
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

// here is this package's path.
var here = reflect.TypeFor[Options]().PkgPath()
