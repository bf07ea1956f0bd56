package drivers

import (
	"encoding/json"
	"strings"
)

// renaming translates names of actions and variables between a specification and a driver.
type renaming struct {
	theirs map[string]string // of the driver, by that of the specification
	ours   map[string]string // of the specification, by that of the driver
}

// renamingOf returns the translation with the driver's names by those of the specification. Other
// names are the same on both sides. No two names may have one name of the driver.
func renamingOf(theirs map[string]string) renaming {
	r := renaming{theirs, map[string]string{}}
	for own, other := range theirs {
		r.ours[other] = own
	}
	return r
}

// their returns the driver's name of an action or a variable.
func (r renaming) their(name string) string {
	if other, ok := r.theirs[name]; ok {
		return other
	}
	return name
}

// our returns the specification's name of an action or a variable, or of a part such as
// Reads.Floor. A name that the specification gives away means nothing on the driver's side: it
// stays unknown.
func (r renaming) our(name string) string {
	head, rest, part := strings.Cut(name, ".")
	own, ok := r.ours[head]
	if !ok {
		if _, given := r.theirs[head]; given {
			return "(" + name + ")"
		}
		return name
	}
	if part {
		return own + "." + rest
	}
	return own
}

func each(names []string, to func(string) string) []string {
	out := make([]string, len(names))
	for k, name := range names {
		out[k] = to(name)
	}
	return out
}

// hello translates what a driver offers.
func (r renaming) hello(h *Hello) {
	h.Actions, h.Variables = each(h.Actions, r.our), each(h.Variables, r.our)
	h.Needs, h.Borrowed = each(h.Needs, r.our), each(h.Borrowed, r.our)
	for k := range h.LeavesOut {
		h.LeavesOut[k].Action = r.our(h.LeavesOut[k].Action)
	}
}

// request translates a request to the driver.
func (r renaming) request(q *Request) {
	if q.Action != "" {
		q.Action = r.their(q.Action)
	}
	if len(q.Actions) > 0 {
		q.Actions = each(q.Actions, r.their)
	}
	q.Before, q.After = keyed(q.Before, r.their), keyed(q.After, r.their)
}

// keyed returns the values under other names.
func keyed(values map[string]json.RawMessage, to func(string) string) map[string]json.RawMessage {
	if values == nil {
		return nil
	}
	out := make(map[string]json.RawMessage, len(values))
	for name, v := range values {
		out[to(name)] = v
	}
	return out
}

// unknown returns a name that the specification does not have; "" if it has all of them.
func (r renaming) unknown(known []string) string {
	has := map[string]bool{}
	for _, name := range known {
		has[name] = true
	}
	least := ""
	for own := range r.theirs {
		if !has[own] && (least == "" || own < least) {
			least = own
		}
	}
	return least
}
