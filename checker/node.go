package checker

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/multigrain/multigrain/modules"
)

// View is how nodes and parameters are shown.
type View = modules.View

// Counters holds what each budget has spent.
type Counters interface {
	~[0]uint8 | ~[8]uint8 | ~[16]uint8
}

// Node is a state and the counters of the budgets, which are part of its identity. The counters
// come first: a node that ended in a field of size zero would be padded.
type Node[S any, U Counters] struct {
	Spent U
	State S
}

// MaxBudget is the largest limit of a budget: its counter is one byte.
const MaxBudget = 255

// Of makes a composed specification runnable. It fails if S breaks the State contract or there are
// more budgets than U has counters, more than 64 invariants, or a limit above MaxBudget.
func Of[S any, U Counters](spec *modules.Spec[S], names modules.Names) (*Spec[Node[S, U]], error) {
	if errs := modules.CheckState(reflect.TypeFor[S]()); len(errs) > 0 {
		return nil, fmt.Errorf("state of %s: %w", spec.System, errs[0])
	}
	x := &bound[S, U]{spec: spec, names: names, judges: judges(spec.Invariants), stepJudges: stepJudges(spec.Invariants)}
	if n := len(x.counters(new(Node[S, U]))); len(spec.Budgets) > n {
		return nil, fmt.Errorf("%d budgets, at most %d are counted", len(spec.Budgets), n)
	}
	for _, b := range spec.Budgets {
		if b.Max > MaxBudget {
			return nil, fmt.Errorf("bound %s is %d, a budget is at most %d", b.Bound, b.Max, MaxBudget)
		}
	}
	if len(spec.Invariants) > 64 || len(spec.Goals) > 64 || len(spec.Masked) > 64 {
		return nil, fmt.Errorf("%d invariants, %d goals and %d masked assertions, at most 64 of each are checked",
			len(spec.Invariants), len(spec.Goals), len(spec.Masked))
	}
	x.number()
	out := &Spec[Node[S, U]]{
		System: spec.System, Nodes: modules.NodeNames(spec.Roles), Init: x.init, Next: x.next, Actions: x.actions, Instances: x.instances,
		Invariants: properties(spec.Invariants), State: x.state, Holds: x.holds, Within: x.within(),
		Liveness: x.liveness(), Goals: properties(spec.Goals), Reached: x.reached, Enabled: x.enabled, Apply: x.apply, Describe: x.describe,
	}
	if x.hasSteps() {
		out.Steps = x.steps
	}
	if at, ok := modules.RaisedOffset(reflect.TypeFor[S]()); ok {
		out.Raised = x.raised(at)
		out.Masked, out.MaskedBy = properties(spec.Masked), x.maskedBy(at)
	}
	return out, nil
}

// bound runs a modules.Spec on nodes.
type bound[S any, U Counters] struct {
	spec       *modules.Spec[S]
	names      modules.Names
	actions    []Action
	instances  []Instance
	param      []int // per instance: its number within the action
	judges     []judge[S]
	stepJudges []stepJudge[S]
}

func (x *bound[S, U]) counters(n *Node[S, U]) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(&n.Spent)), unsafe.Sizeof(n.Spent))
}

// number numbers the instances: actions in order, parameters in the order of their domain.
func (x *bound[S, U]) number() {
	for k := range x.spec.Actions {
		a := &x.spec.Actions[k]
		spent := false
		for _, b := range a.Budgets {
			spent = spent || x.spec.Budgets[b].Max == 0
		}
		x.actions = append(x.actions, Action{a.Name, a.Module, a.Environment, spent})
		for p := range a.Params {
			x.instances = append(x.instances, Instance{k, modules.ViewOf(a.Params[p], x.names),
				modules.ActingNode(a.Params[p], a.Actor, x.spec.Roles), touched(a.Params[p])})
			x.param = append(x.param, p)
		}
	}
}

// touched returns the nodes that the fields I and J of a parameter name.
func touched(p any) (out []int) {
	for _, field := range []string{"I", "J"} {
		if i := modules.NodeIn(p, field); i >= 0 && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

func (x *bound[S, U]) init(yield func(*Node[S, U]) bool) {
	x.spec.Init(func(s S) bool { return yield(&Node[S, U]{State: s}) })
}

func (x *bound[S, U]) next(s *Node[S, U], out *Successors[Node[S, U]]) {
	for k := range x.instances {
		if x.enabled(s, k) {
			if out.Skip.Has(k) {
				out.Leave(x.instances[k].Action, 1)
				continue
			}
			n := out.Slot(s)
			x.apply(s, n, k)
			out.Emit(s, k)
		}
	}
}

func (x *bound[S, U]) enabled(s *Node[S, U], k int) bool {
	a := &x.spec.Actions[x.instances[k].Action]
	spent := x.counters(s)
	for _, b := range a.Budgets {
		if limit := x.spec.Budgets[b].Max; limit >= 0 && int(spent[b]) >= limit {
			return false
		}
	}
	return a.Enabled(&s.State, x.param[k])
}

// SpentBy returns a bound that the behaviour to n has used up, so that an action is not enabled in
// n, and its value. It is "" if there is none.
func SpentBy[S any, U Counters](spec *modules.Spec[S], n *Node[S, U], action int) (bound string, most int) {
	spent := unsafe.Slice((*uint8)(unsafe.Pointer(&n.Spent)), unsafe.Sizeof(n.Spent))
	for _, b := range spec.Actions[action].Budgets {
		if limit := spec.Budgets[b]; limit.Max >= 0 && int(spent[b]) >= limit.Max {
			return limit.Bound, limit.Max
		}
	}
	return "", 0
}

func (x *bound[S, U]) apply(s, n *Node[S, U], k int) {
	a := &x.spec.Actions[x.instances[k].Action]
	a.Apply(&s.State, &n.State, x.param[k])
	spent := x.counters(n)
	for _, b := range a.Budgets {
		if x.spec.Budgets[b].Max >= 0 {
			spent[b]++
		}
	}
}

func (x *bound[S, U]) describe(n *Node[S, U]) View {
	v := modules.ViewOf(n.State, x.names)
	for b, limit := range x.spec.Budgets {
		v.Names = append(v.Names, limit.Bound)
		v.Elems = append(v.Elems, modules.ViewOf(x.counters(n)[b], nil))
	}
	return v
}

// InstanceName returns an instance as messages name it: the action with its parameters.
func InstanceName[T any](spec *Spec[T], k int) string {
	in := spec.Instances[k]
	var params []string
	for x, name := range in.Params.Names {
		params = append(params, name+": "+in.Params.Elems[x].Text)
	}
	return spec.Actions[in.Action].Name + "(" + strings.Join(params, ", ") + ")"
}

// Bytes returns the memory of a flat node: two nodes are equal exactly if their bytes are.
func Bytes[T any](n *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(n)), unsafe.Sizeof(*n))
}
