package trace

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/multigrain/multigrain/modules"
)

// unknown reports the events that a mapping does not know: no rule has the event's name, or no
// rule's condition on the event alone is true. A log with such an event says nothing of the
// implementation, since another mapping may match it. There is one problem for each name.
func unknown[S any](m *Mapping, events []Event, names modules.Names) (out []Problem) {
	rules := map[string][]*Rule{}
	var known []string
	for k := range m.Rules {
		r := &m.Rules[k]
		if len(rules[r.Event]) == 0 {
			known = append(known, r.Event)
		}
		rules[r.Event] = append(rules[r.Event], r)
	}
	count, first := map[string]int{}, map[string]*Event{}
	var order []string
	state := reflect.New(reflect.TypeFor[S]()).Elem()
	for k := range events {
		e := &events[k]
		if slices.ContainsFunc(rules[e.Name], func(r *Rule) bool { return means(r, &scope{event: e.Fields, state: state, names: names}) }) {
			continue
		}
		if count[e.Name]++; count[e.Name] == 1 {
			first[e.Name] = e
			order = append(order, e.Name)
		}
	}
	for _, name := range order {
		e := first[name]
		p := Problem{Formula: -1, Rule: -1, Kind: "event", Name: name, File: e.File, Line: e.Line}
		if len(rules[name]) == 0 {
			p.Names = known
			p.Message = fmt.Sprintf("The trace block does not know the event %q, which the log has %s. "+
				"Add event %q { action = [\"...\"] } with the actions that the event stands for, "+
				"or event %q {} if nothing of the specification changes.", name, times(count[name]), name, name)
		} else {
			p.Message = fmt.Sprintf("No block event %q of the trace block means this event: the condition \"when\" of each is false, %s in the log. "+
				"Add event %q { when = ... action = [\"...\"] } for such events.", name, times(count[name]), name)
		}
		out = append(out, p)
	}
	return out
}

// means reports whether a rule may be about an event. A condition on the state is not asked.
func means(r *Rule, x *scope) bool {
	if r.When == nil || !eventOnly(r.When.Expr, []string{"event"}) {
		return true
	}
	ok, _, err := x.holds(r.When)
	return ok || err != nil
}

// eventOnly reports whether an expression reads nothing but the event and names that it binds
// itself.
func eventOnly(e *Expr, names []string) bool {
	if e.Op == OpName {
		return slices.Contains(names, e.Name)
	}
	for k, a := range e.Args {
		bound := names
		if e.Op == OpFor && k > 0 {
			bound = append(slices.Clone(names), e.Name)
		}
		if !eventOnly(a, bound) {
			return false
		}
	}
	return true
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
