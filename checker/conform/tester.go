package conform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/held"
	"github.com/multigrain/multigrain/modules"
)

// Composition is a specification in the two forms that conformance needs: the actions with their
// parameters, and what a walker runs.
type Composition[S any, U checker.Counters] struct {
	Spec  *modules.Spec[S]
	Bound *checker.Spec[checker.Node[S, U]] // of checker.Of
	Names modules.Names
}

// tester does behaviours on an implementation.
type tester[S any, U checker.Counters] struct {
	spec    *checker.Spec[checker.Node[S, U]]
	params  []any // by instance
	adapter Adapter[S]
	module  string // Implementation.Module
	vars    *variables[S]
	have    S             // what the adapter observed
	call    atomic.Uint64 // what the adapter is doing: see calling
	log     io.Writer     // where steps are announced; nil: nowhere
	journal *journal      // nil: steps are not noted
	halted  func() bool   // ends a behaviour before its next step; nil: nothing does
	// held are the objects of the behaviour: see Result.Held. Nil: nothing is summed up.
	held *held.Objects
	// departure is the first difference of the last behaviour that follow did, if it has departed.
	departure *deviation
}

// Of tester.call the upper half counts what the adapter has begun, and the lower is calling and the
// instance that it does while it does one.
const (
	calling  = 1 << 31
	starting = calling - 1 // the instance of the start of a behaviour
)

// doing returns the step that an adapter does, with its parameters.
func (t *tester[S, U]) doing(call uint64) string {
	k := int(call & (calling - 1))
	if k == starting {
		return "the start of a walk"
	}
	in := &t.spec.Instances[k]
	return t.spec.Actions[in.Action].Name + ParamsText(in.Params)
}

// deviation is why a step is a difference.
type deviation struct {
	kind    Kind
	message string
	frames  []string
	values  []Value
	log     []string // what the adapter says about it; nil where it says nothing
	spoilt  bool     // the implementation did not come into the initial state
	beside  bool     // a Fault with which all variables are observed
	again   bool     // a Fault that must show again: see AgainError
}

// followed reports whether it is known in which state the implementation is.
func (d *deviation) followed() bool { return d.kind == Variable || d.beside }

// String returns the values that differ, or what else happened, in one line.
func (d *deviation) String() string {
	if d.kind != Variable {
		return string(d.kind) + ": " + d.message
	}
	text := func(v *modules.View) string {
		if v == nil {
			return "absent"
		}
		return viewText(v)
	}
	var all []string
	for _, v := range d.values {
		all = append(all, fmt.Sprintf("%s is %s, and %s in the specification", v.Path, text(v.Implementation), text(v.Specification)))
	}
	return strings.Join(all, "; ")
}

// Kinds of deviations that are no differences: a step that could not be driven, and an interrupt
// before a step.
const (
	undriven Kind = "undriven"
	cut      Kind = "cut"
)

// undrivenIn returns the error of a step that could not be driven, nil if d is none.
func (t *tester[S, U]) undrivenIn(d *deviation, number, instance int) *UndrivenError {
	if d == nil || d.kind != undriven {
		return nil
	}
	text := fmt.Sprintf("step %d, %s, cannot be driven: %s", number, t.doing(calling|uint64(instance)), d.message)
	if len(d.log) > 0 {
		text += "\n" + strings.Join(d.log, "\n")
	}
	return &UndrivenError{text}
}

// name returns what deviations are grouped by: a variable, whatever its index.
func (d *deviation) name() string {
	if d.kind != Variable {
		return string(d.kind)
	}
	path := d.values[0].Path
	if k := strings.IndexAny(path, "[."); k >= 0 {
		path = path[:k]
	}
	return path
}

func newTester[S any, U checker.Counters](c Composition[S, U], impl Implementation[S], setup Setup) (*tester[S, U], error) {
	a, err := impl.Open(setup)
	if err != nil {
		return nil, err
	}
	t := &tester[S, U]{spec: c.Bound, adapter: a, module: impl.Module}
	if t.vars, err = newVariables[S](a.Variables(), c.Names); err != nil {
		a.Stop()
		return nil, err
	}
	for k := range c.Spec.Actions {
		t.params = append(t.params, c.Spec.Actions[k].Params...)
	}
	return t, nil
}

// version returns the version that the adapter runs, or otherwise if it does not say.
func (t *tester[S, U]) version(otherwise string) string {
	if x, ok := offered[Versioned](t.adapter); ok {
		return x.Version()
	}
	return otherwise
}

// start begins a behaviour.
func (t *tester[S, U]) start(s *S) *deviation {
	clear(bytesOf(&t.have))
	return t.compare(starting, s, func() error { return t.adapter.Start(s) })
}

// step does an instance.
func (t *tester[S, U]) step(instance int, before, after *S) *deviation {
	return t.compare(instance, after, func() error { return t.adapter.Perform(t.stepOf(instance, before, after)) })
}

// stepOf returns an instance as adapters see it.
func (t *tester[S, U]) stepOf(instance int, before, after *S) Step[S] {
	return Step[S]{t.spec.Actions[t.spec.Instances[instance].Action].Name, t.params[instance], before, after}
}

// compare lets the implementation do something and compares what it has then with s.
func (t *tester[S, U]) compare(instance int, s *S, do func() error) *deviation {
	return t.explained(func() *deviation { return t.compared(instance, s, do) })
}

func (t *tester[S, U]) compared(instance int, s *S, do func() error) (d *deviation) {
	begun := (t.call.Load()>>32 + 1) << 32
	t.call.Store(begun | calling | uint64(instance))
	t.journal.step(instance)
	defer t.call.Store(begun)
	defer func() {
		if v := recover(); v != nil {
			d = panicked(fmt.Sprint(v), t.frames(), t.module)
		}
	}()
	err := do()
	if err == nil {
		err = t.adapter.Observe(&t.have)
	}
	ended, ends := errors.AsType[*EndedError](err)
	switch {
	case ends:
		return &deviation{kind: Exit, message: ended.Message, log: ended.Log}
	case errors.As(err, new(*UndrivenError)):
		return &deviation{kind: undriven, message: err.Error(), spoilt: errors.As(err, new(*SpoiltError))}
	case err != nil && !errors.As(err, new(*BesideError)):
		return &deviation{kind: Fault, message: err.Error(), again: errors.As(err, new(*AgainError))}
	case t.vars.equal(s, &t.have):
		if err != nil {
			return &deviation{kind: Fault, message: err.Error(), beside: true}
		}
		t.hold()
		return nil
	}
	return &deviation{kind: Variable, values: t.vars.differences(s, &t.have)}
}

// hold adds what the implementation's objects have now.
func (t *tester[S, U]) hold() {
	if t.held != nil {
		t.held.Add(t.adapter.(Holder).Holds()...)
	}
}

// panicked returns the deviation of a panic. Where no function of the implementation's module is
// among those that panicked, the adapter could not read what the implementation has, and it is no
// panic of the implementation.
func panicked(message string, frames []string, module string) *deviation {
	// A dot of the last element of an import path is written otherwise in names of functions.
	prefix := path.Join(path.Dir(module), strings.ReplaceAll(path.Base(module), ".", "%2e"))
	own := func(f string) bool {
		rest, ok := strings.CutPrefix(f, prefix)
		return ok && strings.ContainsAny(rest[:min(len(rest), 1)], "./")
	}
	if module == "" || len(frames) == 0 || slices.ContainsFunc(frames, own) {
		return &deviation{kind: Panic, message: message, frames: frames}
	}
	return &deviation{kind: Fault, message: fmt.Sprintf("the adapter panics: %s, in %s", message, frames[0])}
}

// frames returns the functions that panicked, from the innermost one outside Go's run time to the
// adapter.
func (t *tester[S, U]) frames() (out []string) {
	pcs := make([]uintptr, 64)
	own := reflect.TypeFor[Options]().PkgPath() + "."
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case strings.HasPrefix(f.Function, own):
			return out
		case f.Function != "" && !strings.HasPrefix(f.Function, "runtime."):
			out = append(out, fmt.Sprintf("%s (%s:%d)", f.Function, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line))
		}
	}
	return out
}

func bytesOf[S any](s *S) []byte { return checker.Bytes(s) }

// replay does a behaviour from its start. It returns the deviation that ended it, if there was one.
// Steps that a walk would not take are left out, and those that are done are put into done. A
// behaviour that ends the process of the implementation is done twice.
func (t *tester[S, U]) replay(init *checker.Node[S, U], steps []int32, done *[]checker.Step[checker.Node[S, U]]) *deviation {
	d := t.replayOnce(init, steps, done)
	if d == nil || d.kind != Exit {
		return d
	}
	if again := t.replayOnce(init, steps, done); again != nil && (again.kind == Exit || again.kind == cut) {
		return again
	}
	return endedOnce(d)
}

// endedOnce returns what becomes of the end of a process that does not show again.
func endedOnce(d *deviation) *deviation {
	return &deviation{kind: undriven, message: "the process ended by itself (" + d.message + "), and not again when the walk was done once more", log: d.log}
}

// broken says what is wrong with the adapter; nil where nothing is.
func (t *tester[S, U]) broken() error {
	if x, ok := t.adapter.(Breakable); ok {
		return x.Broken()
	}
	return nil
}

func (t *tester[S, U]) replayOnce(init *checker.Node[S, U], steps []int32, done *[]checker.Step[checker.Node[S, U]]) *deviation {
	*done = (*done)[:0]
	t.journal.begin(0, bytesOf(init))
	if d := t.start(&init.State); d != nil {
		return d
	}
	before := *init
	for _, k := range steps {
		if t.halted != nil && t.halted() {
			return &deviation{kind: cut, message: "interrupted"}
		}
		if !t.spec.Enabled(&before, int(k)) {
			continue
		}
		*done = append(*done, checker.Step[checker.Node[S, U]]{Instance: int(k), Node: before})
		after := &(*done)[len(*done)-1].Node
		t.spec.Apply(&before, after, int(k))
		if t.leaves(after) {
			if x, ok := offered[Asserter[S]](t.adapter); ok && t.raises(after) {
				return t.assert(x, int(k), &before.State, &after.State)
			}
			*done = (*done)[:len(*done)-1]
			continue
		}
		if d := t.step(int(k), &before.State, &after.State); d != nil {
			return d
		}
		before = *after
	}
	return nil
}

// leaves reports whether no walk comes to a node: an assertion is raised in it, or it is outside
// the state constraints.
func (t *tester[S, U]) leaves(n *checker.Node[S, U]) bool {
	return t.raises(n) || t.spec.Within != nil && !t.spec.Within(n)
}

// raises reports whether an assertion is raised in a node.
func (t *tester[S, U]) raises(n *checker.Node[S, U]) bool {
	if t.spec.Raised == nil {
		return false
	}
	raised, _ := t.spec.Raised(n)
	return raised
}

// assert does an instance that raises an assertion. Nothing is compared after it.
func (t *tester[S, U]) assert(x Asserter[S], instance int, before, after *S) *deviation {
	t.journal.step(instance)
	return t.explained(func() *deviation {
		err := x.Assert(t.stepOf(instance, before, after))
		ended, ends := errors.AsType[*EndedError](err)
		switch {
		case ends:
			return &deviation{kind: Exit, message: ended.Message, log: ended.Log}
		case errors.As(err, new(*UndrivenError)):
			return &deviation{kind: undriven, message: err.Error()}
		case err != nil:
			return &deviation{kind: Fault, message: err.Error(), again: errors.As(err, new(*AgainError))}
		}
		return nil
	})
}

// explained adds to a deviation what the adapter says about it.
func (t *tester[S, U]) explained(do func() *deviation) *deviation {
	d := do()
	if x, ok := offered[Explainer](t.adapter); ok && d != nil && d.kind != Exit {
		var b bytes.Buffer
		x.Explain(&b)
		d.log = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	return d
}

// logged does a behaviour once more and returns the implementation's log, with the steps between
// its lines.
func (t *tester[S, U]) logged(init *checker.Node[S, U], steps []checker.Step[checker.Node[S, U]]) []string {
	return t.logging(func() {
		t.journal.begin(0, bytesOf(init))
		d := t.start(&init.State)
		before := init
		for k := 0; k < len(steps) && d == nil; k++ {
			t.announce(k+1, steps[k].Instance)
			d = t.step(steps[k].Instance, &before.State, &steps[k].Node.State)
			before = &steps[k].Node
		}
	})
}

// logging does a behaviour and returns the implementation's log of it.
func (t *tester[S, U]) logging(do func()) []string {
	var b bytes.Buffer
	t.log = &b
	t.adapter.Log(&b)
	defer func() {
		t.log = nil
		t.adapter.Log(nil)
	}()
	fmt.Fprintln(&b, "start")
	do()
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

// announce writes a step into the log, where there is one.
func (t *tester[S, U]) announce(number, instance int) {
	if t.log != nil {
		fmt.Fprintf(t.log, "step %d: %s\n", number, t.doing(calling|uint64(instance)))
	}
}

// ParamsText returns the parameters of a step in brackets, as (I: 1, J: 0).
func ParamsText(p modules.View) string {
	var parts []string
	for k := range p.Elems {
		parts = append(parts, p.Names[k]+": "+viewText(&p.Elems[k]))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// ValueText returns a part of a Value in a line; "nothing" for one that a side does not have.
func ValueText(v *modules.View) string {
	if v == nil {
		return "nothing"
	}
	return viewText(v)
}

func viewText(v *modules.View) string {
	if v.Shape == modules.Scalar {
		return v.Text
	}
	var parts []string
	for k := range v.Elems {
		parts = append(parts, viewText(&v.Elems[k]))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
