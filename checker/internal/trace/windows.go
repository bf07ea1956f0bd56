package trace

import (
	"reflect"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// What it computes. A verdict for each event of a log: passed, refused, or not judged. A window is
// a part of the log that the search matches from a known state.
//
// Why it is right. A window ends at an event that no state of it admits: the event is refused. The
// next window begins after it. A rule of the event is taken there with its guards ignored, and the
// variables are as the conditions of its check state them. The implementation is so taken at its
// word. If no such state exists, the state of the event's node is not known. The next window then
// begins with the states before the event, and with those that its rules lead to whatever their
// conditions state. It judges nothing until an event of each such node, whose block has conditions,
// is matched. An event that is not matched before that is not judged.
//
// What the conditions do not state stays as the rule leaves it. So a refusal after the first one is
// as good as the conditions: with all variables in them it is exact.
//
// What it costs. Each window is a search of its own; together they are linear in the log without
// non-determinism.
//
// Example. e2 is refused, and its conditions hold after a step that its guard forbids:
//
//	e1 e2 e3 e4     the windows are e1 and, after e2, e3 e4

// Windows are the verdicts of the events of a log.
type Windows struct {
	// Passed, Refused and Unknown count events. Unknown are those that were not judged, since the
	// state before them is not known, or a limit came first.
	Passed, Refused, Unknown int
	// Actions has what was judged, by action; Refusals are the refused events, in their order.
	Actions  map[string]*Rate
	Refusals []RefusedEvent
}

// Rate counts the events that were treated as an action. An event that may stand for several
// actions and is refused counts for the one that came furthest.
type Rate struct{ Passed, Refused int }

// RefusedEvent is an event, by its number from 0, with why the rule that came furthest refused it.
type RefusedEvent struct {
	Event int
	Refusal
}

// keptInWindows bounds the states from which a window continues. Of more the rest is not known.
const keptInWindows = 64

// stages orders the kinds of refusals by how far a rule came.
var stages = map[string]int{RefusedWhen: 0, RefusedField: 1, RefusedBefore: 2, RefusedGuard: 3, RefusedEffect: 4, RefusedCheck: 5}

// JudgeWindows judges every event of a log. The arguments are those of Validate, which has found no
// problem with them. It returns why it ended early, "" if it did not.
func JudgeWindows[S any](spec *modules.Spec[S], m *Mapping, events []Event, opt Options) (*Windows, string) {
	j := &judgement[S]{v: newValidator(spec, m, events, opt), unknown: map[string]bool{}, w: &Windows{Actions: map[string]*Rate{}}}
	v, w := j.v, j.w
	if len(v.lanes) > 1 {
		w.Unknown = len(events)
		return w, "the events of different nodes have no order"
	}
	v.kept, v.matched = keptInWindows, j.pass
	var starts []*S
	for init := range spec.Init {
		starts = append(starts, new(init))
	}
	for pos := 0; pos < len(events); pos = v.best + 1 {
		v.best, v.at, v.stuck, v.count = -1, nil, nil, 0
		clear(v.visited)
		reason := j.window(starts, pos)
		if reason != "" || v.problem != nil || v.best < 0 || v.best == len(events) {
			w.Unknown += len(events) - max(v.best, pos)
			return w, reason
		}
		a := j.aftermath()
		if len(j.unknown) > 0 || a.full || v.count > len(v.at) {
			w.Unknown++
		} else {
			j.refuse(a.furthest)
		}
		if starts = a.checked; len(starts) == 0 {
			starts = slices.Concat(a.unchecked, v.at)
			j.unknown[events[v.best].Node] = true
		}
	}
	return w, ""
}

// judgement is the state of JudgeWindows.
type judgement[S any] struct {
	v       *validator[S]
	w       *Windows
	unknown map[string]bool // the nodes whose state is not known
}

// window searches from states before the event at pos.
func (j *judgement[S]) window(starts []*S, pos int) string {
	for _, s := range starts {
		c := j.v.fresh()
		*c = *s
		if reason, done := j.v.from(c, pos); done {
			return reason
		}
	}
	return ""
}

// pass counts event k, which these steps match.
func (j *judgement[S]) pass(k int, steps []Step) {
	e := &j.v.events[k]
	j.w.Passed++
	for _, s := range steps {
		j.rate(s.Action).Passed++
	}
	if slices.ContainsFunc(j.v.rules[e.Name], func(r int) bool { return len(j.v.m.Rules[r].Before)+len(j.v.m.Rules[r].Check) > 0 }) {
		delete(j.unknown, e.Node)
	}
}

func (j *judgement[S]) rate(action int) *Rate {
	name := j.v.spec.Actions[action].Name
	if j.w.Actions[name] == nil {
		j.w.Actions[name] = new(Rate)
	}
	return j.w.Actions[name]
}

// refuse counts the event at the end of the window.
func (j *judgement[S]) refuse(furthest Refusal) {
	j.w.Refused++
	if furthest.Action >= 0 {
		j.rate(furthest.Action).Refused++
	}
	j.w.Refusals = append(j.w.Refusals, RefusedEvent{Event: j.v.best, Refusal: furthest})
}

// aftermath holds the states after the event at the end of a window, although it is refused.
type aftermath[S any] struct {
	furthest Refusal
	full     bool // a capacity was exceeded
	// The states after rules whose guards are ignored: checked are those in which the conditions of
	// the rule hold.
	checked, unchecked []*S
}

func (j *judgement[S]) aftermath() (a aftermath[S]) {
	v := j.v
	e := &v.events[v.best]
	a.furthest = Refusal{Kind: RefusedWhen, Action: -1, Formula: -1}
	for _, s := range v.at {
		for _, k := range v.rules[e.Name] {
			r := &v.m.Rules[k]
			v.rule(r, s, e, func(x attempt[S]) {
				if x.refused == nil {
					return
				}
				a.full = a.full || x.refused.Capacity > 0
				if x.refused.Kind != RefusedWhen && (a.furthest.Kind == RefusedWhen || stages[x.refused.Kind] > stages[a.furthest.Kind]) {
					a.furthest = *x.refused
				}
			}, nil)
			j.force(&a, r, s, e)
		}
	}
	return a
}

// force takes a rule with its guards and conditions ignored. The state after it is checked if the
// conditions of the rule hold there, or can be made to hold.
func (j *judgement[S]) force(a *aftermath[S], r *Rule, s *S, e *Event) {
	v := j.v
	v.forced = true
	defer func() { v.forced = false }()
	free := Rule{Event: r.Event, When: r.When, Actions: r.Actions, Where: r.Where}
	v.rule(&free, s, e, func(x attempt[S]) {
		if x.refused != nil || len(a.checked)+len(a.unchecked) >= keptInWindows {
			return
		}
		after := new(*x.state)
		var p any
		if n := len(x.steps); n > 0 {
			p = x.steps[n-1].Param
		}
		if j.states(r, after, e, p) {
			a.checked = append(a.checked, after)
		} else {
			a.unchecked = append(a.unchecked, after)
		}
	}, nil)
}

// states makes a state as the conditions of a rule's check state it, and reports whether all of
// them hold then. A condition that compares a variable, or a part of one, with a value gives it the
// value.
func (j *judgement[S]) states(r *Rule, s *S, e *Event, p any) bool {
	t := taking[S]{v: j.v, r: r, e: e, first: s}
	x := t.scope(s, p)
	t.bind(x)
	for _, f := range r.Check {
		if ok, _ := t.holds(x, f); !ok {
			j.assign(x, f.Expr)
		}
	}
	return len(r.Check) > 0 && !slices.ContainsFunc(r.Check, func(f *Formula) bool { ok, _ := t.holds(x, f); return !ok })
}

// assign makes an equation of a part of the state true, if it is one.
func (j *judgement[S]) assign(x *scope, e *Expr) {
	if e.Op != "==" {
		return
	}
	for k := range e.Args {
		at, err := x.eval(e.Args[k])
		if err != nil {
			continue
		}
		place, ok := at.(reflect.Value)
		if !ok || !place.CanSet() {
			continue
		}
		if value, err := x.eval(e.Args[1-k]); err == nil {
			b := binder{enum: j.v.opt.Enum}
			if b.enum == nil {
				b.enum = func(reflect.Type) map[string]int64 { return nil }
			}
			_ = b.set(place, x.plain(value)) // a value that does not fit leaves the condition false
			return
		}
	}
}
