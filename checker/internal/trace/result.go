package trace

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker"
	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/modules"
)

// Result is the outcome of a validation.
type Result[S any] struct {
	Verdict checker.Verdict // Holds: matched; Violated: no behaviour matches; Undecided
	Reason  string
	Events  int
	// Matched is the length of the longest prefix of the log that some behaviour matches, in
	// events.
	Matched int
	// Next is the number of the event that was not matched, from 0: the first in the log of those
	// that could come next. It is Matched where the log has one order.
	Next int
	// Visited counts pairs of a position and a state.
	Visited  int64
	Steps    []Step // of the match, or of a longest prefix
	Before   []Step // the last actions before the end of a longest prefix
	Duration time.Duration
	Fired    []int64 // by action: its steps in the match
	// Undecided are the conditions and bindings for which no event had the fields.
	Undecided []*Formula
	// States are those at the end of the longest prefix, at most four of Reached.
	States  []S
	Reached int
	// Candidates are, of each state and each rule for the event that was not matched, why it was
	// refused.
	Candidates []Candidate
	// Explanations are those of the last events of a log that is not matched; nil if there is one.
	Explanations *Explanations
	// Broken is the first invariant that the match breaks, nil if there is none.
	Broken *Broken
}

// Candidate is a rule that does not explain the event that was not matched.
type Candidate struct {
	State int // its number among States
	Rule  int // that of an Unlogged is counted on
	Refusal
}

// Refusal says why a rule was refused.
type Refusal struct {
	Kind    string
	Action  int // the action that was refused or whose parameters did; -1: none
	Param   any
	Formula int    // ID of the condition, -1 where none refused
	Text    string // the condition, or what a guard or an effect ran into
	Found   string // the values on both sides of the condition
	// Capacity is that of the value of the State that was full. The specification has no room for
	// what the log shows, so nothing is decided. It is 0 for other reasons.
	Capacity int
	// Why is the operand of the guard that was false, see checker.Probe.
	Why []checker.Reason
}

// Kinds of refusals.
const (
	RefusedWhen   = "when"   // the rule is about other events
	RefusedField  = "field"  // no parameter of the action is like the event
	RefusedBefore = "before" // a condition on the state before is false
	RefusedGuard  = "guard"  // the action is not enabled
	RefusedEffect = "effect" // the action's effect breaks off
	RefusedCheck  = "check"  // a condition on the state after is false
)

// Broken is an invariant that a matched log breaks.
type Broken struct {
	Invariant int
	Event     int // number of the event whose step broke it, from 0; -1: the initial state
	Why       []checker.Reason
}

// result makes the result of a search that ended for a reason, or completed.
func (v *validator[S]) result(reason string) *Result[S] {
	r := &Result[S]{Events: len(v.events), Matched: max(v.best, 0), Visited: int64(len(v.visited)), Verdict: checker.Holds, Fired: v.fired}
	r.Before = v.tail
	for k := range v.path {
		r.Steps = append(r.Steps, v.path[k].steps...)
	}
	for _, s := range r.Steps {
		r.Fired[s.Action]++
	}
	matched := len(v.path) > 0 && v.path[len(v.path)-1].pos == len(v.events)
	switch {
	case reason != "":
		r.Verdict, r.Reason = checker.Undecided, reason
	case len(v.events) == 0:
		r.Verdict, r.Reason = checker.Undecided, "the log has no events"
	case matched && len(r.Steps) == 0:
		r.Verdict, r.Reason = checker.Undecided, "the events stand for no action: nothing was matched"
	case !matched && v.full != "":
		r.Verdict, r.Reason = checker.Undecided, "a capacity was exceeded: "+v.full
	case !matched:
		r.Verdict, r.Reason = checker.Violated, "no behaviour matches"
	}
	r.Next = r.Matched
	if len(v.stuck) > 0 {
		r.Next = v.stuck[0]
	}
	if matched {
		if r.Broken = v.broken(); r.Broken != nil && len(v.lanes) > 1 {
			r.Verdict, r.Reason = checker.Undecided, fmt.Sprintf("a behaviour that matches breaks %s, and with another order of events it may not",
				v.spec.Invariants[r.Broken.Invariant].Name())
			r.Broken = nil
		}
		v.m.each(func(_ int, f *Formula) {
			if v.asked[f.ID] && v.decided[f.ID] == 0 {
				r.Undecided = append(r.Undecided, f)
			}
		})
	}
	if r.Verdict != checker.Holds && v.best >= 0 && v.best < len(v.events) {
		r.Reached = v.count
		for k, s := range v.at {
			if v.stuck[k] == r.Next {
				r.States = append(r.States, *s)
				r.Candidates = append(r.Candidates, v.candidates(len(r.States)-1, s, r.Next)...)
			}
		}
		for _, c := range r.Candidates {
			if c.Capacity > 0 {
				r.Verdict, r.Reason = checker.Undecided, "a capacity was exceeded: "+c.Text
			}
		}
		if reason == "" {
			r.Explanations = v.explanations()
		}
	}
	r.Duration = host.Since(v.begun)
	return r
}

// candidates says why a state has no way on by an event.
func (v *validator[S]) candidates(state int, s *S, event int) (out []Candidate) {
	e := &v.events[event]
	add := func(rule int, r *Refusal) {
		for k := range out { // the same reason with other parameters says no more
			o := &out[k]
			if o.Rule == rule && o.Kind == r.Kind && o.Formula == r.Formula && o.Action == r.Action && (r.Kind != RefusedGuard || o.Text == r.Text && sameReason(o.Why, r.Why)) {
				return
			}
		}
		out = append(out, Candidate{State: state, Rule: rule, Refusal: *r})
	}
	why := func(action int, s *S, p any) []checker.Reason {
		_, why := v.opt.Probe.Explain(func() bool { return v.spec.Actions[action].EnabledWith(s, p) })
		return why
	}
	for _, k := range v.rules[e.Name] {
		v.rule(&v.m.Rules[k], s, e, func(a attempt[S]) {
			if a.refused != nil {
				add(k, a.refused)
			}
		}, why)
	}
	return out
}

func sameReason(a, b []checker.Reason) bool {
	return len(a) == 0 && len(b) == 0 || len(a) > 0 && len(b) > 0 && a[0].File == b[0].File && a[0].Line == b[0].Line && a[0].Column == b[0].Column
}

// broken follows the match and is the first invariant that it breaks.
func (v *validator[S]) broken() *Broken {
	s := *v.path[0].state
	judge := func(event int, before, after *S, action int, param any) *Broken {
		for k, inv := range v.spec.Invariants {
			ask := func() bool { return true }
			switch {
			case inv.State != nil:
				ask = func() bool { return inv.State(after) }
			case inv.Step != nil && before != nil:
				ask = func() bool { return inv.Step(before, after) }
			case inv.OnStep != nil && before != nil:
				ask = func() bool { return v.onStep(inv, before, after, action, param) }
			}
			if ask() {
				continue
			}
			_, why := v.opt.Probe.Explain(ask)
			return &Broken{Invariant: k, Event: event, Why: why}
		}
		return nil
	}
	if b := judge(-1, nil, &s, -1, nil); b != nil {
		return b
	}
	for k := range v.path {
		for _, step := range v.path[k].steps {
			before := s
			v.spec.Actions[step.Action].ApplyWith(&before, &s, step.Param)
			if b := judge(step.Event, &before, &s, step.Action, step.Param); b != nil {
				return b
			}
		}
	}
	return nil
}

// onStep judges a property of one action. It is true of steps of other actions, and of a parameter
// that is not of the action's domain.
func (v *validator[S]) onStep(inv *modules.Invariant[S], before, after *S, action int, param any) bool {
	a := &v.spec.Actions[action]
	for _, on := range a.Steps {
		if k := a.Match(param); on.Invariant == inv && k >= 0 && !on.Holds(before, after, k) {
			return false
		}
	}
	return true
}

// raised returns the names of the assertions that are raised in n, "" if there are none.
func (v *validator[S]) raised(n *S, at uintptr) string {
	f := reflect.ValueOf(n).Elem()
	for k := range f.NumField() {
		if f.Type().Field(k).Offset != at || f.Field(k).IsZero() {
			continue
		}
		view := modules.ViewOf(f.Field(k).Interface(), v.opt.Names)
		text := ""
		for _, e := range view.Elems {
			text += " " + e.Text
		}
		if text != "" {
			return text[1:]
		}
	}
	return ""
}

// panicked returns what a panic of an effect says.
func (v *validator[S]) panicked(r any, n *S) fault {
	var at uintptr
	var f fault
	switch e := r.(type) {
	case *modules.CapacityError:
		at, f.capacity = e.Address, max(e.Capacity, 1)
	case *modules.RangeError:
		at = e.Address
	case runtime.Error:
		if strings.Contains(e.Error(), "index out of range") {
			return fault{text: fmt.Sprintf("a parameter is beyond the sizes of this composition (%v); raise the bound of its size if the log is right", e)}
		}
		return fault{text: e.Error()}
	default:
		return fault{text: fmt.Sprint(r)}
	}
	start := reflect.ValueOf(n).Pointer()
	if at >= start && at < start+reflect.TypeFor[S]().Size() {
		f.text = fmt.Sprintf("%s: %v", modules.FieldAt(reflect.TypeFor[S](), at-start), r)
		return f
	}
	f.text = fmt.Sprint(r)
	return f
}

// fault is why a guard or an effect broke off: the zero fault where it did not.
type fault struct {
	text     string
	capacity int
}
