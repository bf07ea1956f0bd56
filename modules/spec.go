package modules

import (
	"reflect"
	"strconv"
)

// Spec is a mixed-grained specification: the actions that a manifest chose with all that rides on
// them. Package grains makes it; package checker runs it.
type Spec[S any] struct {
	System  string
	Init    func(yield func(S) bool)
	Actions []SpecAction[S]
	// Invariants are the selected ones, in the order of the catalog.
	Invariants []*Invariant[S]
	// Masked are the assertions that are offered and not selected: what raises one is no violation.
	Masked []*Invariant[S]
	// Constraints bound the states that are explored further.
	Constraints []*Invariant[S]
	// Goals are states that should be reached at least once.
	Goals []*Invariant[S]
	// Liveness are the properties of whole behaviours that are checked.
	Liveness []*Liveness[S]
	// Budgets are those that a chosen action spends, with their limits.
	Budgets []Limit
	// Roles name the nodes.
	Roles []Role
}

// SpecAction is a bound action and what the composition says of it.
type SpecAction[S any] struct {
	Bound[S]
	Module      string
	Environment bool
	Budgets     []int // which of the specification's budgets a step spends
}

// Limit is a budget with its limit.
type Limit struct {
	Bound string
	Max   int // steps along one behaviour; negative: no limit
}

// Bind attaches rules and step properties to the actions. An action has the properties of another
// one for which it stands.
func Bind[S any](actions []AnyAction[S], rules []Rule[S], invs []*Invariant[S], stands ...StandIn[S]) []Bound[S] {
	out := make([]Bound[S], len(actions))
	for x, a := range actions {
		out[x] = a.bind(rules, invs, stands)
	}
	return out
}

// Role names nodes for people: "server 0", "client 1", "master". The catalog lists the roles in the
// order in which the specification numbers its nodes.
type Role struct {
	Name string // "server"
	// Count is how many nodes have the role: an expression of the sizes. 0 means that there is one
	// node, whose name has no number.
	Count int
	// First is the number of the first of Count nodes: 0 for "server 0", 1 for "client 1".
	First int
}

// NodeNames returns the names of the nodes of roles, by the numbers of the nodes.
func NodeNames(roles []Role) (names []string) {
	for _, r := range roles {
		if r.Count == 0 {
			names = append(names, r.Name)
		}
		for k := range r.Count {
			names = append(names, r.Name+" "+strconv.Itoa(r.First+k))
		}
	}
	return names
}

// ActingNode returns the number of the node whose step an action with parameter p is, or -1. Actor
// is Actor of the action.
func ActingNode(p any, actor string, roles []Role) int {
	if actor == "" {
		return NodeIn(p, "I")
	}
	first := 0
	for _, r := range roles {
		if r.Name == actor && r.Count == 0 {
			return first
		}
		first += max(r.Count, 1)
	}
	return NodeIn(p, actor)
}

// NodeIn returns the number of the node that a field of parameter p names, or -1.
func NodeIn(p any, field string) int {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Struct {
		return -1
	}
	switch f := v.FieldByName(field); {
	case !f.IsValid():
		return -1
	case f.CanInt():
		return int(f.Int())
	case f.CanUint():
		return int(f.Uint())
	}
	return -1
}
