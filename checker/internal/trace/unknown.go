package trace

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/modules"
)

// unknown reports the events that a mapping does not know. No rule has the event's name, or no
// rule's condition on the event alone is true. Or the rule binds a name that the enumeration of its
// field does not have. A log with such an event says nothing of the implementation, since
// another mapping may match it. There is one problem for each name.
func unknown[S any](m *Mapping, spec *modules.Spec[S], events []Event, opt *Options) (out []Problem) {
	enums := enumerated(m, spec, opt.Enum)
	rules := map[string][]*Rule{}
	var known []string
	for k := range m.Rules {
		r := &m.Rules[k]
		if len(rules[r.Event]) == 0 {
			known = append(known, r.Event)
		}
		rules[r.Event] = append(rules[r.Event], r)
	}
	count, first, strange := map[string]int{}, map[string]*Event{}, map[string]string{}
	var order []string
	state := reflect.New(reflect.TypeFor[S]()).Elem()
	for k := range events {
		e := &events[k]
		x, misfit := &scope{event: e.Fields, state: state, names: opt.Names}, ""
		if slices.ContainsFunc(rules[e.Name], func(r *Rule) bool {
			if !means(r, x) {
				return false
			}
			text := misnamed(enums[r], x)
			misfit = cmp.Or(misfit, text)
			return text == ""
		}) {
			continue
		}
		if count[e.Name]++; count[e.Name] == 1 {
			first[e.Name], strange[e.Name] = e, misfit
			order = append(order, e.Name)
		}
	}
	for _, name := range order {
		e := first[name]
		p := Problem{Formula: -1, Rule: -1, Kind: "event", Name: name, File: e.File, Line: e.Line}
		switch {
		case strange[name] != "":
			p.Message = fmt.Sprintf("No block event %q of the trace block fits this event, %s in the log: %s. "+
				"Add event %q { when = ... } for such events, with action = [\"...\"] if they stand for a step of the specification.",
				name, times(count[name]), strange[name], name)
		case len(rules[name]) == 0:
			p.Names = known
			p.Message = fmt.Sprintf("The trace block does not know the event %q, which the log has %s. "+
				"Add event %q { action = [\"...\"] } with the actions that the event stands for, "+
				"or event %q {} if nothing of the specification changes.", name, times(count[name]), name, name)
		default:
			p.Message = fmt.Sprintf("No block event %q of the trace block means this event: the condition \"when\" of each is false, %s in the log. "+
				"Add event %q { when = ... action = [\"...\"] } for such events. "+
				"In a manifest that extends the trace block, write all blocks of this name: they replace those of the extended one.", name, times(count[name]), name)
		}
		out = append(out, p)
	}
	return out
}

// enumBinding is a binding whose field is of an enumeration.
type enumBinding struct {
	value *Formula
	typ   reflect.Type
	names map[string]int64
}

// enumerated returns, for each rule, its bindings to enumerations that read nothing but the event.
func enumerated[S any](m *Mapping, spec *modules.Spec[S], enum modules.Enum) map[*Rule][]enumBinding {
	out := map[*Rule][]enumBinding{}
	if enum == nil {
		return out
	}
	params := map[string]reflect.Type{}
	for k := range spec.Actions {
		params[spec.Actions[k].Name] = spec.Actions[k].Param
	}
	for k := range m.Rules {
		r := &m.Rules[k]
		for _, w := range r.Where {
			for _, a := range r.Actions {
				if params[a].Kind() != reflect.Struct {
					continue
				}
				f, ok := params[a].FieldByName(w.Field)
				if ok && len(enum(f.Type)) > 0 && eventOnly(w.Value.Expr, []string{"event"}) {
					out[r] = append(out[r], enumBinding{w.Value, f.Type, enum(f.Type)})
				}
			}
		}
	}
	return out
}

// misnamed says which text of an event is no constant of the enumeration that it is bound to, "" if
// each is one.
func misnamed(bindings []enumBinding, x *scope) string {
	for _, b := range bindings {
		v, err := x.eval(b.value.Expr)
		if err != nil {
			continue // the search reports it
		}
		if text, isText := x.plain(v).(string); isText {
			if _, ok := b.names[text]; !ok {
				return fmt.Sprintf("%s is %q, which is no %s of the specification (%s)", b.value.Text, text, b.typ.Name(),
					strings.Join(slices.Sorted(maps.Keys(b.names)), ", "))
			}
		}
	}
	return ""
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
