package stepwise

import (
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"strings"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Walker answers questions about one specification. It is not safe for use by several goroutines.
type Walker[T any] struct {
	Spec *checker.Spec[T]
	// Spent returns a bound that is used up in n, so that an action is not possible, and its value;
	// "" if there is none.
	Spent func(n *T, action int) (bound string, most int)
	// Why returns the conditions by which the guard of an instance refuses n, and whether it does.
	// It is nil in a program that notes none.
	Why func(n *T, instance int) (enabled bool, why []wire.Reason)
	// State returns a pointer to the state of n, and Names the constants: formulas are on these.
	State func(n *T) any
	Names modules.Names

	calls map[string]int // instances by their names, with and without those of parameters
}

// Answer answers a question. A function of the specification that panics is an Error of the answer.
func (w *Walker[T]) Answer(q *wire.Question) (a *wire.Answer) {
	failed := guarded(func() { a = w.answer(q) })
	if failed != nil {
		return &wire.Answer{Error: failed}
	}
	return a
}

func (w *Walker[T]) answer(q *wire.Question) *wire.Answer {
	a := &wire.Answer{Steps: []wire.Step{}, Nodes: w.Spec.Nodes}
	n, at, last, err := w.follow(q, a)
	if err != nil {
		return &wire.Answer{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	switch {
	case q.Why != "":
		a.Refused, err = w.refused(n, q.Why)
	case q.Follow != nil:
		a.Followed, err = w.followed(n, q.Follow)
	case len(q.Formula) > 0:
		a.Value, err = w.value(n, q.Formula)
	default:
		w.judge(last, n, at, &a.Broken, &a.Goals, &a.Outside)
		if w.Spec.Raised != nil {
			a.Ended, _ = w.Spec.Raised(n)
		}
		if !a.Ended {
			w.options(n, a)
		}
	}
	if err != nil {
		return &wire.Answer{Error: &wire.Error{Kind: wire.ErrorSpec, Message: err.Error()}}
	}
	return a
}

// follow takes the steps of a path, as far as they are possible, and adds them to an answer. It
// returns the node, and the last step: its instance, -1 for none, and the node before it.
func (w *Walker[T]) follow(q *wire.Question, a *wire.Answer) (n *T, instance int, before *T, err error) {
	for init := range w.Spec.Init {
		if a.Inits == q.Init {
			first := *init
			n = &first
		}
		a.Inits++
	}
	if n == nil {
		return nil, -1, nil, fmt.Errorf("there is no initial state %d: the composition has %d, counted from 0", q.Init, a.Inits)
	}
	if q.Known < 0 {
		v := w.Spec.Describe(n)
		a.Init = &v
	}
	instance = -1
	for k, call := range q.Path {
		i, ok := w.instance(call)
		if !ok || !w.Spec.Enabled(n, i) || w.over(n) {
			a.Halted = &wire.Halted{Step: k + 1, Call: call, Unknown: !ok}
			break
		}
		next := *n
		w.Spec.Apply(n, &next, i)
		before, n, instance = n, &next, i
		if k >= q.Known {
			s := w.step(i)
			s.State = w.Spec.Describe(n)
			a.Steps = append(a.Steps, s)
		}
	}
	return n, instance, before, nil
}

// over reports whether a behaviour ends in n: an assertion is raised.
func (w *Walker[T]) over(n *T) bool {
	if w.Spec.Raised == nil {
		return false
	}
	raised, _ := w.Spec.Raised(n)
	return raised
}

// options adds the steps that are possible in n, and the actions that have none.
func (w *Walker[T]) options(n *T, a *wire.Answer) {
	before := w.Spec.Describe(n)
	possible := make([]bool, len(w.Spec.Actions))
	instances := make([]int, len(w.Spec.Actions))
	for i, in := range w.Spec.Instances {
		instances[in.Action]++
		if !w.Spec.Enabled(n, i) {
			continue
		}
		possible[in.Action] = true
		e := wire.Enabled{Call: w.Call(i), Step: w.step(i), Changes: []wire.StateChange{}}
		next := *n
		if failed := guarded(func() {
			w.Spec.Apply(n, &next, i)
			w.judge(n, &next, i, &e.Broken, &e.Goals, &e.Outside)
		}); failed != nil {
			e.Failure = failed.Message
		} else {
			for _, c := range itf.Changes(before, w.Spec.Describe(&next)) {
				e.Changes = append(e.Changes, wire.StateChange(c))
			}
		}
		a.Enabled = append(a.Enabled, e)
	}
	for k, action := range w.Spec.Actions {
		if !possible[k] {
			a.Idle = append(a.Idle, wire.Idle{Action: action.Name, Module: action.Module, Environment: action.Environment, Instances: instances[k]})
		}
	}
}

// judge adds what the step from before to n breaks and reaches. Before is nil in an initial state.
func (w *Walker[T]) judge(before, n *T, instance int, broken, goals *[]string, outside *bool) {
	var mask uint64
	raised := false
	if w.Spec.Raised != nil {
		raised, mask = w.Spec.Raised(n)
	}
	if before != nil && w.Spec.Steps != nil {
		mask |= w.Spec.Steps(before, n, instance)
	}
	if !raised {
		mask |= w.Spec.State(n)
		*outside = w.Spec.Within != nil && !w.Spec.Within(n)
		if w.Spec.Reached != nil && len(w.Spec.Goals) > 0 {
			*goals = names(w.Spec.Goals, w.Spec.Reached(n))
		}
	}
	*broken = names(w.Spec.Invariants, mask)
}

// names returns the names of the properties in a mask.
func names(all []checker.Property, mask uint64) (out []string) {
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, all[bits.TrailingZeros64(mask)].Name())
	}
	return out
}

// refused says of an action, or of one instance, by what it is refused.
func (w *Walker[T]) refused(n *T, name string) (out []wire.Refused, err error) {
	asked, err := w.named(name)
	if err != nil {
		return nil, err
	}
	for _, i := range asked {
		r := wire.Refused{Call: w.Call(i), Server: w.Spec.Instances[i].Server}
		if failed := guarded(func() {
			r.Enabled = w.Spec.Enabled(n, i)
			if w.Why != nil && !r.Enabled {
				var passes bool
				if passes, r.Why = w.Why(n, i); passes {
					r.Bound, r.Max = w.Spent(n, w.Spec.Instances[i].Action)
				}
			}
		}); failed != nil {
			r.Why = []wire.Reason{{File: failed.File, Line: failed.Line, Text: "the guard fails: " + failed.Message}}
		}
		out = append(out, r)
	}
	return out, nil
}

// step describes an instance, without a state.
func (w *Walker[T]) step(i int) wire.Step {
	in := w.Spec.Instances[i]
	a := w.Spec.Actions[in.Action]
	return wire.Step{Action: a.Name, Module: a.Module, Server: in.Server, Touched: in.Touched, Environment: a.Environment, Params: in.Params}
}

// Call returns the name of an instance, as check prints it.
func (w *Walker[T]) Call(i int) string {
	in := w.Spec.Instances[i]
	return itf.Call(w.Spec.Actions[in.Action].Name, in.Params)
}

// instance finds a step by its name.
func (w *Walker[T]) instance(call string) (int, bool) {
	if w.calls == nil {
		w.calls = map[string]int{}
		short := map[string]int{}
		for i := range w.Spec.Instances {
			full := compact(w.Call(i))
			w.calls[full] = i
			in := w.Spec.Instances[i]
			if s := compact(shortCall(w.Spec.Actions[in.Action].Name, in.Params)); s != full {
				if _, twice := short[s]; twice {
					i = -1 // two steps have this name
				}
				short[s] = i
			}
		}
		for s, i := range short {
			if _, taken := w.calls[s]; !taken && i >= 0 {
				w.calls[s] = i
			}
		}
	}
	i, ok := w.calls[compact(call)]
	return i, ok
}

// guarded calls f and returns the panic of a function of the specification; nil if none panicked.
func guarded(f func()) (failed *wire.Error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		stack := make([]uintptr, 64)
		file, line, ours := checker.SpecPosition(stack[:runtime.Callers(2, stack)], reflect.TypeFor[Walker[struct{}]]().PkgPath())
		if ours {
			panic(p)
		}
		failed = &wire.Error{Kind: wire.ErrorSpec, Message: fmt.Sprint(p), File: file, Line: line}
	}()
	f()
	return nil
}

// named returns the instances of an action, or the one that a call names.
func (w *Walker[T]) named(name string) (out []int, err error) {
	for i, in := range w.Spec.Instances {
		if w.Spec.Actions[in.Action].Name == strings.TrimSpace(name) {
			out = append(out, i)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if i, ok := w.instance(name); ok {
		return []int{i}, nil
	}
	return nil, fmt.Errorf("the composition has no step %s", name)
}

// Serve answers questions, one a line, until there are no more or ctx is done.
func (w *Walker[T]) Serve(ctx context.Context, questions <-chan []byte, send func(answer json.RawMessage) error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, ok := <-questions:
			if !ok {
				return nil
			}
			var q wire.Question
			if err := json.Unmarshal(line, &q); err != nil {
				return fmt.Errorf("question: %w", err)
			}
			answer, err := json.Marshal(w.Answer(&q))
			if err == nil {
				err = send(answer)
			}
			if err != nil {
				return err
			}
		}
	}
}
