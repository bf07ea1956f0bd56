package trace

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/modules"
)

// attempt is the result of taking a rule for an event with some parameters.
type attempt[S any] struct {
	state   *S // after the actions; nil where one was refused
	steps   []Step
	refused *Refusal
}

// rule tries all ways to take a rule. The attempt's steps are valid during the call only. why is
// asked for the reason of a refusal by a guard; it may be nil.
func (v *validator[S]) rule(r *Rule, s *S, e *Event, done func(attempt[S]), why func(action int, s *S, p any) []checker.Reason) {
	t := taking[S]{v: v, r: r, e: e, done: done, why: why, first: s}
	x := t.scope(s, nil)
	t.bind(x)
	if r.When != nil {
		if ok, found := t.holds(x, r.When); !ok {
			done(attempt[S]{refused: &Refusal{Kind: RefusedWhen, Action: -1, Formula: r.When.ID, Text: r.When.Text, Found: found}})
			return
		}
	}
	for _, f := range r.Before {
		if len(r.Actions) > 0 {
			break // they may name parameters: see before
		}
		if ok, found := t.holds(x, f); !ok {
			done(attempt[S]{refused: &Refusal{Kind: RefusedBefore, Action: -1, Formula: f.ID, Text: f.Text, Found: found}})
			return
		}
	}
	t.take(s, 0)
}

// taking is one rule being treated as one event.
type taking[S any] struct {
	v     *validator[S]
	r     *Rule
	e     *Event
	first *S
	steps []Step
	done  func(attempt[S])
	why   func(action int, s *S, p any) []checker.Reason
}

func (t *taking[S]) scope(s *S, p any) *scope {
	x := &scope{event: t.e.Fields, state: reflect.ValueOf(s).Elem(), names: t.v.opt.Names}
	if p != nil {
		x.param = reflect.ValueOf(p)
	}
	return x
}

// bind gives names to the values of Where that are no fields of the action's parameter.
func (t *taking[S]) bind(x *scope) {
	for _, w := range t.r.Where {
		if x.param.IsValid() && x.param.Kind() == reflect.Struct && x.param.FieldByName(w.Field).IsValid() {
			continue
		}
		t.v.asked[w.Value.ID] = true
		if val, err := x.eval(w.Value.Expr); err == nil {
			if x.bound == nil {
				x.bound = map[string]any{}
			}
			x.bound[w.Field] = x.plain(val)
			t.v.decided[w.Value.ID]++
		}
	}
}

// holds evaluates a condition; found says what its sides were where it does not hold.
func (t *taking[S]) holds(x *scope, f *Formula) (ok bool, found string) {
	t.v.asked[f.ID] = true
	ok, decided, err := x.holds(f)
	var outside *outsideError
	if errors.As(err, &outside) {
		t.v.decided[f.ID]++
		return false, err.Error()
	}
	if err != nil {
		t.fail(f, err)
		return false, err.Error()
	}
	if decided {
		t.v.decided[f.ID]++
	}
	if !ok && len(f.Expr.Args) == 2 {
		if vs, err := x.list(f.Expr.Args); err == nil {
			found = show(vs[0]) + " and " + show(vs[1])
		}
	}
	return ok, found
}

// fail notes that the mapping does not fit the event.
func (t *taking[S]) fail(f *Formula, err error) {
	if t.v.problem == nil {
		t.v.problem = &Problem{Formula: f.ID, Kind: "type", Line: t.e.Line,
			Message: fmt.Sprintf("%s, for the event %s of line %d: %v.", f.Text, t.e.Name, t.e.Line, err)}
	}
}

// take takes the k-th and the following actions of the rule in s.
func (t *taking[S]) take(s *S, k int) {
	if k == len(t.r.Actions) {
		t.arrive(s)
		return
	}
	action := t.v.number[t.r.Actions[k]]
	params, err := t.v.binders[action].parameters(t.r.Where, t.scope(s, nil))
	var misfit *fieldError
	switch {
	case errors.As(err, &misfit):
		t.done(attempt[S]{refused: &Refusal{Kind: RefusedField, Action: action, Formula: -1, Text: misfit.message}})
		return
	case err != nil:
		t.fail(t.r.Where[0].Value, err)
		return
	}
	for _, p := range params {
		if ok, refused := t.before(s, k, action, p); !ok {
			t.done(attempt[S]{refused: refused})
			continue
		}
		if ok, broke := t.v.enabled(action, s, p); !ok && !(t.v.forced && broke.text == "") {
			r := &Refusal{Kind: RefusedGuard, Action: action, Param: p, Formula: -1, Text: broke.text, Capacity: broke.capacity}
			if t.why != nil && broke.text == "" {
				r.Why = t.why(action, s, p)
			}
			t.done(attempt[S]{refused: r})
			continue
		}
		n := t.v.fresh()
		*n = *s
		if broke := t.v.apply(action, s, n, p); broke.text != "" {
			t.v.free = append(t.v.free, n)
			if broke.capacity > 0 && t.v.full == "" {
				t.v.full = fmt.Sprintf("%s, before the event of line %d", broke.text, t.e.Line)
			}
			t.done(attempt[S]{refused: &Refusal{Kind: RefusedEffect, Action: action, Param: p, Formula: -1, Text: broke.text, Capacity: broke.capacity}})
			continue
		}
		t.steps = append(t.steps, Step{Action: action, Param: p})
		t.take(n, k+1)
		if k+1 < len(t.r.Actions) {
			t.v.free = append(t.v.free, n)
		}
		t.steps = t.steps[:len(t.steps)-1]
	}
}

// before checks the conditions on the state before the first action, with its parameters.
func (t *taking[S]) before(s *S, k, action int, p any) (bool, *Refusal) {
	if k > 0 || len(t.r.Before) == 0 {
		return true, nil
	}
	x := t.scope(s, p)
	t.bind(x)
	for _, f := range t.r.Before {
		if ok, found := t.holds(x, f); !ok {
			return false, &Refusal{Kind: RefusedBefore, Action: action, Param: p, Formula: f.ID, Text: f.Text, Found: found}
		}
	}
	return true, nil
}

// arrive checks the conditions after the last action.
func (t *taking[S]) arrive(s *S) {
	var p any
	action := -1
	if n := len(t.steps); n > 0 {
		action, p = t.steps[n-1].Action, t.steps[n-1].Param
	} else {
		c := t.v.fresh()
		*c = *s
		s = c
	}
	x := t.scope(s, p)
	t.bind(x)
	for _, f := range t.r.Check {
		if ok, found := t.holds(x, f); !ok {
			t.done(attempt[S]{state: s, refused: &Refusal{Kind: RefusedCheck, Action: action, Param: p, Formula: f.ID, Text: f.Text, Found: found}})
			return
		}
	}
	t.done(attempt[S]{state: s, steps: t.steps})
}

// enabled runs a guard; broke says what it ran into, as with a parameter that no domain has.
func (v *validator[S]) enabled(action int, s *S, p any) (ok bool, broke fault) {
	defer func() {
		if r := recover(); r != nil {
			ok, broke = false, v.panicked(r, s)
		}
	}()
	return v.spec.Actions[action].EnabledWith(s, p), fault{}
}

// apply runs an effect; broke says why it has no state after it.
func (v *validator[S]) apply(action int, s, n *S, p any) (broke fault) {
	defer func() {
		if r := recover(); r != nil {
			broke = v.panicked(r, n)
		}
	}()
	v.spec.Actions[action].ApplyWith(s, n, p)
	if at, ok := modules.RaisedOffset(reflect.TypeFor[S]()); ok {
		if raised := v.raised(n, at); raised != "" {
			return fault{text: "it raises " + raised}
		}
	}
	return fault{}
}
