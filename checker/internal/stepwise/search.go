package stepwise

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/internal/trace"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/modules"
)

// Search makes the specification one whose only initial node is the end of a path. If a formula or
// an action is searched for, the only property is that it is never true, or never enabled. Liveness
// is left out. Failed returns why the formula could not be evaluated in some state; nil otherwise.
func (w *Walker[T]) Search(s *wire.Search) (failed func() error, err error) {
	var goal func(n *T) bool
	failed = func() error { return nil }
	switch {
	case len(s.Formula) > 0:
		goal, failed, err = w.meets(s.Formula)
	case s.Action != "":
		goal, err = w.enables(s.Action)
	}
	if err != nil {
		return nil, err
	}
	return failed, w.narrow(&wire.Question{Init: s.Init, Path: s.Path, Known: len(s.Path)}, goal)
}

// narrow leaves the specification the end of a path, and the property that a goal is never true.
func (w *Walker[T]) narrow(q *wire.Question, goal func(n *T) bool) error {
	a := &wire.Answer{}
	n, _, _, err := w.follow(q, a)
	switch {
	case err != nil:
		return err
	case a.Halted != nil:
		return fmt.Errorf("step %d of the path, %s, is not possible", a.Halted.Step, a.Halted.Call)
	}
	first := *n
	s := w.Spec
	s.Init = func(yield func(*T) bool) {
		at := first
		yield(&at)
	}
	s.Liveness, s.Goals, s.Reached, s.Pruning = nil, nil, nil, nil
	if goal == nil {
		return nil
	}
	s.Invariants = []checker.Property{{ID: "searched", Doc: "What is searched for is never true.", Kind: modules.KindState}}
	s.Steps = nil
	s.State = func(n *T) uint64 {
		if goal(n) {
			return 1
		}
		return 0
	}
	s.Holds = func(n *T, _ int) bool { return !goal(n) }
	if raised := s.Raised; raised != nil {
		s.Raised = func(n *T) (bool, uint64) {
			any, _ := raised(n)
			return any, 0
		}
	}
	return nil
}

// enables returns whether an action, or an instance, is enabled in a node. It returns an error if
// the composition has no such step.
func (w *Walker[T]) enables(name string) (func(n *T) bool, error) {
	asked, err := w.named(name)
	if err != nil {
		return nil, err
	}
	return func(n *T) bool {
		return slices.ContainsFunc(asked, func(i int) bool { return w.Spec.Enabled(n, i) })
	}, nil
}

// meets returns whether a formula is true in a node, and why it could not be evaluated in some. It
// returns an error if the formula does not fit the State.
func (w *Walker[T]) meets(encoded json.RawMessage) (goal func(n *T) bool, failed func() error, err error) {
	f, err := w.formula(encoded)
	if err != nil {
		return nil, nil, err
	}
	var first atomic.Pointer[error]
	return func(n *T) bool {
			ok, err := f.Holds(w.about(n))
			if err != nil {
				first.CompareAndSwap(nil, &err)
			}
			return ok && err == nil
		}, func() error {
			if p := first.Load(); p != nil {
				return fmt.Errorf("%s cannot be evaluated in some state: %w", f.Text, *p)
			}
			return nil
		}, nil
}

// value returns the value of a formula on a node, as text.
func (w *Walker[T]) value(n *T, encoded json.RawMessage) (string, error) {
	f, err := w.formula(encoded)
	if err != nil {
		return "", err
	}
	v, err := f.Value(w.about(n))
	if part, ok := v.(modules.View); ok {
		return itf.Text(part), err
	}
	return fmt.Sprint(v), err
}

// formula reads a formula and checks it against the State.
func (w *Walker[T]) formula(encoded json.RawMessage) (*trace.Formula, error) {
	f := new(trace.Formula)
	if err := json.Unmarshal(encoded, f); err != nil {
		return nil, fmt.Errorf("the formula cannot be read: %w", err)
	}
	if bad := f.Check(reflect.TypeOf(w.State(new(T))).Elem(), nil); len(bad) > 0 {
		return nil, &bad[0]
	}
	return f, nil
}

func (w *Walker[T]) about(n *T) trace.About { return trace.About{Before: w.State(n), Names: w.Names} }
